"""``python -m i18n``: translations for translators.

``export LANGUAGE`` writes a PO file with the English texts and their translations to standard output,
``import LANGUAGE FILE`` reads one back into the folder of the language, ``status`` counts what is missing
and stale.
"""

from __future__ import annotations

import argparse
import json
import re
import sys
from importlib.resources import files
from pathlib import Path
from typing import TYPE_CHECKING

from i18n.catalogue import load_engine_sentences
from i18n.plurals import ENGLISH, plural_rule
from i18n.po import PoUnreadable, export_po, import_po
from i18n.translations import (
    SOURCES,
    Translation,
    compare,
    digest,
    list_languages,
    load_file,
    load_folder,
    read_sources,
)
from lessons.content import list_lesson_texts
from rules.content import list_rule_texts

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from i18n.translations import Template

OF_ALL_LANGUAGES = frozenset({"mail_commands.toml"})  # what can be typed, in whatever language
BARE = re.compile("[A-Za-z0-9_-]+")  # parts of keys that need no quotation marks
PACKAGE = Path(str(files("i18n")))


def read_english(package: Path = PACKAGE) -> dict[str, Mapping[str, Template]]:
    """Return all English texts to translate by key, those of each file of a translation together."""
    found = sorted((package / ENGLISH).glob("*.toml"))
    return {
        **{file.name: load_file(file) for file in found if file.name not in OF_ALL_LANGUAGES},
        "engine.toml": load_engine_sentences(),
        "rules.toml": dict(list_rule_texts()),
        "lessons.toml": dict(list_lesson_texts()),
    }


def read_translation(english: Mapping[str, Template], folder: Path) -> Translation:
    """Return the texts in the folder of a language; none if there is no folder yet."""
    if not folder.is_dir():
        return Translation({}, {})
    return compare(english, load_folder(folder), read_sources(folder))


def write_translation(
    folder: Path, english: Mapping[str, Mapping[str, Template]], texts: Mapping[str, Template]
) -> None:
    """Write texts, by key, into the files of a language, which are named like those of `english`.

    Texts that the folder has and `texts` does not stay as they are, also stale ones.
    """
    folder.mkdir(exist_ok=True)
    known = {**load_folder(folder), **texts}
    sources, written = read_sources(folder), list[str]()
    for name, originals in english.items():
        found = {key: known[key] for key in originals if key in known}
        lines = [f"{format_toml_key(key)} = {format_toml_value(text)}\n" for key, text in found.items()]
        if lines:
            (folder / name).write_text("".join(lines), encoding="utf-8")
        sources |= {key: digest(originals[key]) for key in found if key in texts}
        written += [f"{sources[key]} {key}\n" for key in found if key in sources]
    (folder / SOURCES).write_text("".join(sorted(written, key=lambda line: line.split()[1])), "utf-8")


def format_toml_key(key: str) -> str:
    """Return a key as it is written in a TOML file: a part such as ``club+`` stands in quotation marks."""
    return ".".join(part if BARE.fullmatch(part) else json.dumps(part) for part in key.split("."))


def format_toml_value(template: Template) -> str:
    """Return a text as a value in a TOML file."""
    if isinstance(template, str):
        return json.dumps(template, ensure_ascii=False)
    forms = ", ".join(f"{form} = {json.dumps(text, ensure_ascii=False)}" for form, text in template.items())
    return f"{{ {forms} }}"


def main(arguments: Sequence[str] | None = None) -> int:
    """Run a command and return the exit code."""
    parser = argparse.ArgumentParser(prog="python -m i18n")
    commands = parser.add_subparsers(dest="command", required=True)
    for name in ("export", "import"):
        command = commands.add_parser(name)
        command.add_argument("language")
        if name == "import":
            command.add_argument("file", type=Path)
    commands.add_parser("status")
    given = parser.parse_args(arguments)
    by_file = read_english()
    english = {key: text for texts in by_file.values() for key, text in texts.items()}
    if given.command == "status":
        for language in list_languages()[1:]:
            found = read_translation(english, PACKAGE / language)
            missing = len(english) - len(found.current) - len(found.stale)
            sys.stdout.write(
                f"{language}: {len(found.current)} texts, {len(found.stale)} stale, {missing} missing\n"
            )
        return 0
    try:
        plural_rule(given.language)
        if given.command == "export":
            sys.stdout.write(
                export_po(given.language, english, read_translation(english, PACKAGE / given.language))
            )
            return 0
        texts = import_po(given.language, english, given.file.read_text(encoding="utf-8"))
    except KeyError:
        parser.error(f"{given.language} is no language; name one such as ja")
    except (OSError, UnicodeError, PoUnreadable) as error:
        parser.error(f"{given.file} cannot be read as a PO file: {error}")
    write_translation(PACKAGE / given.language, by_file, texts)
    sys.stdout.write(f"{given.language}: {len(texts)} texts taken over\n")
    return 0


if __name__ == "__main__":
    sys.exit(main())
