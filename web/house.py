"""What the handlers of one table share."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from aiohttp import web

if TYPE_CHECKING:
    from collections.abc import Awaitable, Callable, Mapping
    from datetime import datetime

    from engine.game import Game
    from matches import Announcement, Matches
    from web.keys import Keyring
    from web.limits import Requests, Streams
    from web.live import Live
    from web.origins import Origins
    from web.pages import Pages
    from web.shelf import Shelf
    from words import Words


@dataclass(frozen=True, slots=True)
class House:
    """One table: the matches it shows, and what it shows them with.

    `now` gives the present time. `base` is the address that every link for the outside begins with. `tell` is
    told what has happened here and is to be announced elsewhere. Games are started here only where it is
    `open_house`: a table of one's own machine.
    """

    matches: Matches
    games: Mapping[str, Game]
    words: Words
    pages: Pages
    shelf: Shelf
    live: Live
    keyring: Keyring
    origins: Origins
    requests: Requests
    streams: Streams
    now: Callable[[], datetime]
    base: str
    tell: Callable[[Announcement], Awaitable[None]]
    open_house: bool

    @property
    def is_secure(self) -> bool:
        """Whether people come by an encrypted connection."""
        return self.base.startswith("https:")

    def client(self, request: web.Request) -> str:
        """Give whom to count a request for."""
        return self.origins.client(request.remote, request.headers.get("X-Forwarded-For", ""))


HOUSE = web.AppKey("house", House)
