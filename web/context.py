"""What the handlers of one table share."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from aiohttp import web

if TYPE_CHECKING:
    from collections.abc import Awaitable, Callable, Mapping
    from datetime import datetime

    from engine.game import Game
    from i18n import Texts
    from matches import Announcement, Matches
    from web.cache import MatchCache
    from web.limits import RequestLimiter, StreamLimiter
    from web.origins import Origins
    from web.pages import PageRenderer
    from web.sse import Broadcaster
    from web.tokens import TokenSigner


@dataclass(frozen=True, slots=True)
class WebContext:
    """One table: the matches it shows, and what it shows them with.

    `now` gives the present time. `base` is the address that every link for the outside begins with.
    `announce` is told what has happened here and is to be announced elsewhere. Games are started here only
    where it is `allow_local_games`: a table of one's own machine.
    """

    matches: Matches
    games: Mapping[str, Game]
    texts: Texts
    pages: PageRenderer
    cache: MatchCache
    broadcaster: Broadcaster
    token_signer: TokenSigner
    origins: Origins
    request_limiter: RequestLimiter
    stream_limiter: StreamLimiter
    now: Callable[[], datetime]
    base: str
    announce: Callable[[Announcement], Awaitable[None]]
    allow_local_games: bool

    @property
    def is_secure(self) -> bool:
        """Whether people come by an encrypted connection."""
        return self.base.startswith("https:")

    def client_address(self, request: web.Request) -> str:
        """Return whom to count a request for."""
        return self.origins.client_address(request.remote, request.headers.get("X-Forwarded-For", ""))


CONTEXT = web.AppKey("house", WebContext)
