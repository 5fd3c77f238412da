"""Which plural form a language uses for a number, by the rules of the Unicode CLDR."""

from __future__ import annotations

from functools import cache
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Callable

ENGLISH = "en"
PLURAL_FORMS = ("zero", "one", "two", "few", "many", "other")
LARGEST_SAMPLE = 200  # the rules of whole numbers repeat after a hundred


def english_plural(count: int) -> str:
    """Return the plural form that English uses for a whole number."""
    return "one" if count == 1 else "other"


@cache
def plural_rule(language: str) -> Callable[[int], str]:
    """Return the function that names the plural form of a whole number in a language, such as ``ja``.

    Raises KeyError for a language that the CLDR does not have. Babel is loaded for other languages than
    English only, for its memory.
    """
    if language == ENGLISH:
        return english_plural
    from babel.core import Locale, UnknownLocaleError  # noqa: PLC0415 - only here, for its memory

    try:
        return Locale.parse(language).plural_form
    except (UnknownLocaleError, ValueError) as error:
        raise KeyError(language) from error


def plural_forms(language: str) -> tuple[str, ...]:
    """Return the plural forms that whole numbers have in a language."""
    rule = plural_rule(language)
    used = {rule(count) for count in range(LARGEST_SAMPLE)}
    return tuple(form for form in PLURAL_FORMS if form in used)
