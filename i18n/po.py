"""Translations as PO files, the form that Weblate, Poedit and other editors read.

Each entry has the key as context, the English text beside the translation, and the flag ``fuzzy`` if the
English text has changed since. Plural forms are numbered as gettext does for the language.
"""

from __future__ import annotations

import io
from typing import TYPE_CHECKING

from babel.core import Locale
from babel.messages import Catalog
from babel.messages.plurals import get_plural
from babel.messages.pofile import PoFileError, read_po, write_po

from i18n.plurals import LARGEST_SAMPLE, plural_rule

if TYPE_CHECKING:
    from collections.abc import Mapping

    from babel.messages.catalog import Message

    from i18n.translations import Template, Translation

FUZZY = "fuzzy"
PROJECT = "Rayuela"
COMMENT = "# Texts of Rayuela; docs/translating.md says how to translate them."


class PoUnreadable(ValueError):  # noqa: N818 - named by its cause
    """A file is no PO file."""


def export_po(language: str, english: Mapping[str, Template], translation: Translation) -> str:
    """Return a PO file with every English text, by key, and what translates it."""
    catalog = Catalog(Locale.parse(language), project=PROJECT, header_comment=COMMENT, fuzzy=False)
    translated = {**translation.current, **translation.stale}
    for key, template in english.items():
        flags = [FUZZY] if key in translation.stale else []
        text = _numbered(language, template, translated.get(key))
        catalog.add(_english_id(template), text, context=key, flags=flags)
    file = io.BytesIO()
    write_po(file, catalog, width=0, omit_header=False)
    return file.getvalue().decode()


def import_po(language: str, english: Mapping[str, Template], text: str) -> dict[str, Template]:
    """Return the texts of a PO file by key, but no fuzzy or empty ones, and none of a changed English text.

    Raises PoUnreadable.
    """
    try:
        catalog = read_po(io.BytesIO(text.encode()), locale=Locale.parse(language), abort_invalid=True)
    except (PoFileError, ValueError) as error:
        raise PoUnreadable(str(error)) from error
    if not any(message.context for message in catalog):
        raise PoUnreadable("it has no texts with their keys")
    found: dict[str, Template] = {}
    for message in catalog:
        key = message.context
        if key is None or key not in english or message.fuzzy or message.id != _english_id(english[key]):
            continue
        template = _template(language, english[key], message)
        if template:
            found[key] = template
    return found


def _english_id(template: Template) -> str | tuple[str, str]:
    """Return what names an English text in a PO file: with plural forms two texts."""
    if isinstance(template, str):
        return template
    return (template.get("one", template["other"]), template["other"])


def _numbered(language: str, english: Template, translated: Template | None) -> str | tuple[str, ...]:
    """Return a translation in the order of gettext's plural forms; empty texts without one."""
    if isinstance(english, str):
        return translated if isinstance(translated, str) else ""
    if translated is None:
        return ("",) * len(_forms(language))
    if isinstance(translated, str):
        return (translated,) * len(_forms(language))
    return tuple(translated.get(form) or translated["other"] for form in _forms(language))


def _template(language: str, english: Template, message: Message) -> Template | None:
    if isinstance(english, str):
        return message.string if isinstance(message.string, str) and message.string else None
    texts = (message.string,) if isinstance(message.string, str) else tuple(message.string)
    forms = _forms(language)
    if len(texts) != len(forms) or not all(texts):
        return None
    template = dict(zip(forms, texts, strict=True))
    template.setdefault("other", texts[-1])
    return template


def _forms(language: str) -> tuple[str, ...]:
    """Return the CLDR's name of each plural form that gettext numbers for a language."""
    plural, rule = get_plural(language), plural_rule(language)
    names: dict[int, str] = {}
    for count in range(LARGEST_SAMPLE):
        names.setdefault(_gettext_number(plural.plural_expr, count), rule(count))
    return tuple(names[number] for number in range(plural.num_plurals))


def _gettext_number(expression: str, count: int) -> int:
    from gettext import c2py  # noqa: PLC0415 - reads the rule of a header

    return int(c2py(expression)(count))
