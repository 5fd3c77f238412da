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
from dataclasses import dataclass
from datetime import timedelta
from enum import StrEnum
from typing import TYPE_CHECKING, Any, ClassVar, Protocol, runtime_checkable

from matches.computer.accounts import NAME, computer_level, computer_name

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping
    from datetime import datetime

DAY, HOUR, MINUTE = timedelta(days=1), timedelta(hours=1), timedelta(minutes=1)
TAG = re.compile(r"<(/?)(b|i|code|small|h|a)(?: \{(\w+)\})?>")
COMMAND = re.compile(r"\{/([\w-]+)\}")

# Unicode's signs around text whose direction is its own.
ISOLATE_START, ISOLATE_END = "\u2068", "\u2069"
RIGHT_TO_LEFT = frozenset({"R", "AL", "AN"})


class Lookup(Protocol):
    """The texts of a language; see :class:`i18n.catalogue.Texts`."""

    def __call__(self, key: str, /, **values: Any) -> str:
        """Return the text of a key with its values."""

    def join(self, values: Iterable[Any], kind: str = ..., /) -> str:
        """Return values as one text; `kind` is the key of the joining patterns."""

    @property
    def plain(self) -> Lookup:
        """The same texts in plain words."""


@runtime_checkable
class Named(Protocol):
    """A person, such as :class:`matches.Person`; a text shows the name."""

    @property
    def account(self) -> str:
        """The account, which begins with the platform."""

    @property
    def name(self) -> str:
        """The name, without markup."""


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
            case Mention():
                shown = self.write_mention(value)
            case Moment():
                shown = self.write_moment(value, texts)
            case Named():
                shown = self.write_name(show_name(value, texts))
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


def show_name(person: Named, texts: Lookup) -> str:
    """Return the name of a person without markup; that of the computer has its level as the texts call it."""
    level = computer_level(person.account)
    if level is None or person.name != computer_name(level):
        return person.name
    return texts.plain("computer.name", name=NAME, level=texts.plain(f"level.{level}.name"))


def isolate(name: str) -> str:
    """Return a name so that letters written from right to left do not reorder the text around it."""
    if not any(unicodedata.bidirectional(sign) in RIGHT_TO_LEFT for sign in name):
        return name
    return f"{ISOLATE_START}{name}{ISOLATE_END}"


def describe_moment(texts: Lookup, moment: Moment, zone: str = "UTC") -> str:
    """Return a time in words: ``23 November 2026, 18:20 UTC``, or ``in 2 days and 3 hours``.

    `zone` is the name of the time zone that `moment` is in.
    """
    at = moment.at
    if moment.style is MomentStyle.RELATIVE and moment.now is not None:
        length = abs(at - moment.now)
        rounded = max(MINUTE, length - length % (HOUR if length >= DAY else MINUTE))
        return texts(
            "moment.ahead" if at >= moment.now else "moment.ago",
            length=describe_duration(texts, rounded, "moment.length"),
        )
    values = {"day": at.day, "month": texts(f"moment.month.{at.month}"), "year": at.year}
    if moment.style is MomentStyle.DATE:
        return texts("moment.date", **values)
    time = texts("moment.time", hour=f"{at.hour:02}", minute=f"{at.minute:02}")
    return texts("moment.full", **values, time=time, zone=zone)


def describe_duration(texts: Lookup, duration: timedelta, key: str = "length") -> str:
    """Return a duration as text: ``3 days``, ``1 day and 12 hours``.

    `key` names its units, which other languages may inflect: German has ``3 Tage``, but ``in 3 Tagen``.
    """
    units = (
        ("days", duration // DAY),
        ("hours", duration % DAY // HOUR),
        ("minutes", duration % HOUR // MINUTE),
    )
    parts = [texts(f"{key}.{unit}", count=count) for unit, count in units if count]
    return texts.join(parts or [texts(f"{key}.minutes", count=0)], "list.duration")
