"""Who has opened the link of a challenge last, for its challenger who waits on its page.

Only in memory, and only for a while: it is an event, nothing that is kept about anybody.
"""

from __future__ import annotations

from collections import OrderedDict

from aiohttp import web

MAX_LINKS = 1000


class OpenedLinks:
    """The names of members who opened links, by challenge; the MAX_LINKS latest are remembered."""

    def __init__(self) -> None:
        self._names: OrderedDict[int, str] = OrderedDict()

    def add(self, challenge: int, name: str) -> None:
        """Remember that somebody has opened the link of a challenge."""
        self._names.pop(challenge, None)
        self._names[challenge] = name
        if len(self._names) > MAX_LINKS:
            self._names.popitem(last=False)

    def name_of(self, challenge: int) -> str:
        """Return who has opened the link of a challenge last; empty for nobody."""
        return self._names.get(challenge, "")


OPENED = web.AppKey("opened_links", OpenedLinks)
