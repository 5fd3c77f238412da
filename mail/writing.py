"""Texts in the words of mails: times in the reader's zone, and commands as people answer them."""

from __future__ import annotations

from dataclasses import replace
from datetime import UTC
from typing import TYPE_CHECKING

from i18n.formats import format_zone
from i18n.writing import COMMAND, Writer, describe_moment
from matches.preferences.quiet_hours import UTC_NAME, tzinfo_of

if TYPE_CHECKING:
    from i18n import Texts
    from i18n.contracts import Lookup
    from i18n.writing import Moment


class MailWriter(Writer):
    """Writes texts in plain words for somebody whose time zone is known."""

    def __init__(self, zone: str = UTC_NAME) -> None:
        self._zone = zone

    def compile(self, template: str, commands: Lookup) -> str:
        """Return a template of the catalogue; a command stands in it in brackets, as nobody types it."""
        named = COMMAND.sub(lambda found: f"[{commands(f'command.{found[1]}.name')}]", template)
        return super().compile(named, commands)

    def write_moment(self, moment: Moment, texts: Lookup) -> str:
        """Return a time in words, as the clocks of the reader show it."""
        zone = tzinfo_of(self._zone)
        local = replace(moment, at=moment.at.astimezone(zone))
        is_place = "/" in self._zone and zone is not UTC
        name = format_zone(texts.language, zone) if is_place else UTC_NAME if zone is UTC else self._zone
        return describe_moment(texts, local, name)


def texts_for(texts: Texts, zone: str) -> Texts:
    """Return texts as mails to somebody in a time zone have them."""
    return texts.with_writer(MailWriter(zone))
