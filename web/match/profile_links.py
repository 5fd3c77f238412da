"""Links from the names of players to their pages.

What was found is remembered for a minute, so that a turn costs no further statement. It only says which links
are shown: the page itself is asked for every time.
"""

from __future__ import annotations

from collections import OrderedDict
from datetime import timedelta
from typing import TYPE_CHECKING

from aiohttp import web

from web.accounts.signed_in import find_member
from web.addresses import profile_path
from web.context import CONTEXT

if TYPE_CHECKING:
    from collections.abc import Mapping
    from datetime import datetime

    from matches import MatchView, Person

LIFETIME = timedelta(minutes=1)
MAX_ENTRIES = 1000

Key = tuple[tuple["Person", ...], str | None]  # persons with the names that are shown, and who reads them


class ProfileLinks:
    """The names in the addresses of players' pages, by account, as readers may see them."""

    def __init__(self) -> None:
        self._entries: OrderedDict[Key, tuple[datetime, Mapping[str, str]]] = OrderedDict()

    def find(self, key: Key, now: datetime) -> Mapping[str, str] | None:
        """Return what was found less than LIFETIME ago."""
        found = self._entries.get(key)
        return None if found is None or not found[0] <= now < found[0] + LIFETIME else found[1]

    def add(self, key: Key, handles: Mapping[str, str], now: datetime) -> None:
        """Remember what was found; the MAX_ENTRIES latest are kept."""
        self._entries.pop(key, None)
        self._entries[key] = now, handles
        if len(self._entries) > MAX_ENTRIES:
            self._entries.popitem(last=False)


PROFILE_LINKS = web.AppKey("profile_links", ProfileLinks)


async def load_profile_links(request: web.Request, view: MatchView) -> dict[str, str]:
    """Return the paths of the players' pages that the sender may see, by the name that a match shows.

    Two players whose names are equal have none: a link would not tell them apart.
    """
    persons = tuple(seat.person for seat in view.seats)
    if len({one.name for one in persons}) < len(persons):
        return {}
    context, remembered = request.app[CONTEXT], request.app[PROFILE_LINKS]
    member = await find_member(request)
    reader, now = None if member is None else member.account, context.now()
    handles = remembered.find((persons, reader), now)
    if handles is None:
        handles = await context.matches.people.profiles.find_handles(persons, reader)
        remembered.add((persons, reader), handles, now)
    return {one.name: profile_path(handles[one.account]) for one in persons if one.account in handles}
