"""Values of texts, and how a front end writes them: names, mentions, times, links, emphasis, commands.

A template of the catalogue contains no markup of Discord or HTML. It has tags of its own, ``<b>``, ``<i>``,
``<code>``, ``<small>``, ``<h>`` (a heading) and ``<a {url}>``, and names commands as ``{/move}``. A `Writer`
turns templates and values into the text of one front end: this one into plain words, those of the front ends
into their markup. A plain string among the values is text without markup, and is escaped; what a writer
returns is of its own type of string, `Writer.written`, and is not escaped again.
"""

from __future__ import annotations

import re
import unicodedata
from dataclasses import dataclass, replace
from enum import StrEnum
from typing import TYPE_CHECKING, Any, ClassVar

from i18n import formats
from i18n.contracts import Lookup, Named
from i18n.names import name_of

if TYPE_CHECKING:
    from collections.abc import Mapping
    from datetime import date, datetime, time, timedelta

TAG = re.compile(r"<(/?)(b|i|code|small|h|a)(?: \{(\w+)\})?>")
COMMAND = re.compile(r"\{/([\w-]+)\}")

# Unicode's signs around text whose direction is its own.
ISOLATE_START, ISOLATE_END = "\u2068", "\u2069"
RIGHT_TO_LEFT = frozenset({"R", "AL", "AN"})


@dataclass(frozen=True, slots=True)
class Mention:
    """A person whom a text calls: where the front end can, it notifies them; elsewhere it shows the name."""

    account: str
    name: str = ""

    @classmethod
    def of(cls, person: Named) -> Mention:
        """Return the mention of a person."""
        return cls(person.account, person.name)


class MomentStyle(StrEnum):
    """How a time is shown."""

    RELATIVE = "relative"  # in 3 days, 3 days ago
    DATE = "date"  # 23 November 2026
    FULL = "full"  # 23 November 2026, 18:20


@dataclass(frozen=True, slots=True)
class Moment:
    """A point in time, with its zone; a front end that knows the reader's zone shows it there.

    A RELATIVE one is in words counted from `now`; without it, it is worded like a FULL one.
    """

    at: datetime
    style: MomentStyle = MomentStyle.FULL
    now: datetime | None = None


class Code(str):
    """Something to type exactly so, such as a move or the value of an option."""

    __slots__ = ()


class LocalValue:
    """A value that each language writes in its own way."""

    __slots__ = ()

    def format(self, language: str) -> str:
        """Return the value as the language writes it."""
        raise NotImplementedError


@dataclass(frozen=True, slots=True)
class Percent(LocalValue):
    """A share of 1, shown in percent."""

    share: float

    def format(self, language: str) -> str:
        """Return ``53%``."""
        return formats.format_percent(language, self.share)


@dataclass(frozen=True, slots=True)
class Megabytes(LocalValue):
    """The size of a file."""

    count: int

    def format(self, language: str) -> str:
        """Return ``8 MB``."""
        return formats.format_megabytes(language, self.count)


@dataclass(frozen=True, slots=True)
class Day(LocalValue):
    """A day without a time, so in no time zone."""

    day: date

    def format(self, language: str) -> str:
        """Return ``23 November 2026``."""
        return formats.format_date(language, self.day)


@dataclass(frozen=True, slots=True)
class TimeOfDay(LocalValue):
    """A time of day, in the time zone that the reader expects."""

    at: time | datetime

    def format(self, language: str) -> str:
        """Return ``18:20``."""
        return formats.format_time(language, self.at)


class Url(str):
    """The address of a link."""

    __slots__ = ()


class Writer:
    """Writes texts in plain words. Front ends derive their own writer from it."""

    written: type[str] = str
    # What stands for a tag: before and after its content.
    tags: ClassVar[Mapping[str, tuple[str, str]]] = {"code": ("“", "”")}

    def compile(self, template: str, commands: Lookup) -> str:
        """Return a template of the catalogue in the markup of the front end; its placeholders stay.

        `commands` returns the text of a key: a command is called as readers see it.
        """
        text = COMMAND.sub(lambda found: f"/{commands(f'command.{found[1]}.name')}", template)
        parts, end = list[str](), 0
        for tag in TAG.finditer(text):
            parts += [self.escape_template(text[end : tag.start()]), self._write_tag(tag)]
            end = tag.end()
        return "".join([*parts, self.escape_template(text[end:])])

    def write(self, value: Any, texts: Lookup) -> str:
        """Return a value of a text as the front end shows it."""
        match value:
            case Url():
                shown = self.write_url(value)
            case Code():
                shown = self.write_code(value)
            case str():
                shown = value if isinstance(value, self.written) else self.escape(value)
            case int():
                shown = str(value)
            case LocalValue():
                shown = value.format(texts.language)  # the CLDR uses no markup
            case Mention():
                shown = self.write_mention(replace(value, name=name_of(texts, value)))
            case Moment():
                shown = self.write_moment(value, texts)
            case Named():
                shown = self.write_name(name_of(texts, value))
            case _:
                shown = self.escape(str(value))
        return shown

    def escape(self, text: str) -> str:
        """Return text without markup so that readers see it as it is."""
        return text

    def escape_template(self, text: str) -> str:
        """Return a part of a template, without its tags, so that readers see it as it is."""
        return text

    def write_name(self, name: str) -> str:
        """Return a name so that letters written from right to left do not reorder the text around it."""
        return isolate(self.escape(name))

    def write_mention(self, mention: Mention) -> str:
        """Return the mention of a person."""
        return self.write_name(mention.name)

    def write_moment(self, moment: Moment, texts: Lookup) -> str:
        """Return a time in words, in UTC."""
        return describe_moment(texts, moment)

    def write_code(self, code: str) -> str:
        """Return something to type."""
        return self.escape(code)

    def write_url(self, url: str) -> str:
        """Return the address of a link, to be put into the tag."""
        return url

    def _write_tag(self, tag: re.Match[str]) -> str:
        is_end, name, value = tag.groups()
        before, after = self.tags.get(name, ("", ""))
        return (after if is_end else before).replace("URL", f"{{{value}}}" if value else "{url}")


PLAIN = Writer()


def isolate(name: str) -> str:
    """Return a name so that letters written from right to left do not reorder the text around it."""
    if not any(unicodedata.bidirectional(sign) in RIGHT_TO_LEFT for sign in name):
        return name
    return f"{ISOLATE_START}{name}{ISOLATE_END}"


def describe_moment(texts: Lookup, moment: Moment, zone: str = "UTC") -> str:
    """Return a time in words: ``23 November 2026, 18:20 UTC``, or ``in 2 days``.

    `zone` is the name of the time zone that `moment` is in.
    """
    if moment.style is MomentStyle.RELATIVE and moment.now is not None:
        return formats.format_distance(texts.language, moment.at - moment.now)
    if moment.style is MomentStyle.DATE:
        return formats.format_date(texts.language, moment.at)
    return texts("moment.in_zone", at=formats.format_date_and_time(texts.language, moment.at), zone=zone)


def describe_duration(texts: Lookup, duration: timedelta) -> str:
    """Return a duration as text: ``3 days``, ``1 day and 12 hours``."""
    return formats.format_length(texts.language, duration)
