"""The dependencies that all request handlers share."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, TypeVar

from aiohttp import web

if TYPE_CHECKING:
    from collections.abc import Awaitable, Callable, Mapping
    from datetime import datetime

    from engine.game import Game
    from i18n import Texts
    from lessons.content import Lessons
    from matches import Announcement, Matches
    from matches.people.passkeys import Site
    from rules.content import RuleBooks
    from runtime.steps import Steps
    from web.accounts.discord_oauth import DiscordOAuth
    from web.match.cache import MatchCache
    from web.match.sse import Broadcaster
    from web.pages.pages import PageRenderer
    from web.play.hint_files import HintEffort
    from web.play.tokens import TokenSigner
    from web.server.connections import ConnectionLimiter
    from web.server.limits import HandlingLimiter, RequestLimiter, StreamLimiter
    from web.server.origins import Origins
    from web.server.work_queue import WorkQueue

Result = TypeVar("Result")


@dataclass(frozen=True, slots=True)
class WebContext:
    """The dependencies of one website.

    `now` returns the current time. `base` is the scheme, host and port of absolute links. `announce` sends an
    announcement to the other front ends. People sign in with `discord`, and by mail if the website
    `has_mail`: the codes follow from `secret`. Passkeys count on `passkey_site`; None where there are none.
    With `allow_local_games` anybody can start a match of two players here: for a website on one's own
    computer. A website without is *public*.
    Without `sends_mail` it says nothing of mail. `has_computer` returns whether the computer opponent can
    play now, `computer_limiter` counts the matches against it that a client starts, and `hint_efforts` is
    how long a browser searches for a hint, by game. What takes more than a few milliseconds waits its turn
    in `work`, what can take seconds in `long_work`. `steps` runs the work beside requests. `push_key`
    returns the key with which browsers subscribe to notifications, None where none can be sent; `push_hosts`
    are services that are allowed besides the known ones.
    """

    matches: Matches
    games: Mapping[str, Game]
    texts: Texts
    rule_books: RuleBooks
    lessons: Lessons
    pages: PageRenderer
    cache: MatchCache
    broadcaster: Broadcaster
    token_signer: TokenSigner
    origins: Origins
    request_limiter: RequestLimiter
    handling_limiter: HandlingLimiter
    stream_limiter: StreamLimiter
    connection_limiter: ConnectionLimiter
    computer_limiter: RequestLimiter
    now: Callable[[], datetime]
    base: str
    announce: Callable[[Announcement], Awaitable[None]]
    discord: DiscordOAuth
    has_mail: bool
    passkey_site: Site | None
    secret: str = field(repr=False)
    allow_local_games: bool
    sends_mail: bool
    has_computer: Callable[[], bool]
    hint_efforts: Mapping[str, tuple[HintEffort, ...]]
    work: WorkQueue
    long_work: WorkQueue
    steps: Steps
    push_key: Callable[[], Awaitable[str]] | None
    push_hosts: tuple[str, ...]

    @property
    def can_sign_in(self) -> bool:
        """Whether the website offers any way to sign in."""
        return self.discord.is_offered or self.has_mail

    @property
    def can_start_games(self) -> bool:
        """Whether a visitor can start a game now: a local one, or one against the computer."""
        return self.allow_local_games or self.has_computer()

    @property
    def is_secure(self) -> bool:
        """Whether the website is reached by HTTPS."""
        return self.base.startswith("https:")

    def client_address(self, request: web.Request) -> str:
        """Return the client that a request is counted for."""
        return self.origins.client_address(request.remote, request.headers.getall("X-Forwarded-For", ()))

    async def run_in_thread(self, request: web.Request, work: Callable[[], Result]) -> Result:
        """Return the result of `work`, called in a thread when it is the turn of a request.

        Raises what :meth:`WorkQueue.run` raises.
        """
        return await self.work.run(self.client_address(request), request, work)


CONTEXT = web.AppKey("context", WebContext)
