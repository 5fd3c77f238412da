"""The client as every module of the bot sees it: an annotated base class, and the types of its services.

`bot.client` holds the concrete class. Modules that only use the client import `BotClient` and `Interaction`
from here, so that no module imports the one that assembles them all.
"""

from __future__ import annotations

import asyncio
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any, Protocol, TypeAlias

import discord

if TYPE_CHECKING:
    from collections.abc import Callable, Coroutine, Iterator, Mapping, Sequence
    from datetime import datetime

    from discord import app_commands

    from bot.outbox.pace import RequestPace
    from bot.posts.post import Post
    from bot.shards import GatewayState
    from bot.ui.replay_state import ReplayState
    from engine.game import Game, OptionValue
    from i18n import Texts
    from matches import Announcement, Challenge, Matches, MatchSummary, MatchView, Person, Replay
    from render import RenderOptions
    from rules.content import RuleBooks
    from runtime.role import Role


class SeatLinks(Protocol):
    """Links to the website."""

    def match_url(self, view: MatchView, account: str) -> str | None:
        """Return the address of a match for somebody who may see it in Discord.

        None if that page would not open for the account.
        """

    def privacy_url(self) -> str:
        """Return the address of the privacy policy."""

    def lobby_url(self) -> str:
        """Return the address of the lobby."""

    def explorer_url(self, game: str) -> str:
        """Return the address of the opening explorer of a game."""

    def tournament_url(self, tournament: int) -> str:
        """Return the address of the page of a tournament."""

    async def seat_url(self, view: MatchView, person: Person) -> str:
        """Return a link that lets a person play; it must be shown to that person only."""

    async def rotate_key(self, view: MatchView, person: Person) -> None:
        """Invalidate every link to a person's seat."""


class PostLanguages(Protocol):
    """The languages of posts; see :class:`bot.ui.languages.LanguageFinder`."""

    async def of(self, announcement: Announcement) -> str:
        """Return the language of the post of an announcement."""

    async def of_response(self, interaction: Interaction) -> str:
        """Return the language of a response that others read too."""

    async def of_server(self, server: str) -> str:
        """Return the language of public posts on a server."""

    def forget(self, server: str) -> None:
        """Find the language of a server again."""

    async def record(self, interaction: Interaction) -> None:
        """Keep the language of the user's Discord."""


class BoardPosts(Protocol):
    """Builds posts that show a board to one person; see :class:`bot.posts.board_posts.BoardPostFactory`."""

    async def private_board_post(self, view: MatchView, account: str, render_options: RenderOptions) -> Post:
        """Return a private view of a match with its picture, for an account."""

    async def private_text_post(self, view: MatchView, account: str, render_options: RenderOptions) -> Post:
        """Return a private view of a match with the board as text."""

    async def incomplete_turn_post(
        self, view: MatchView, account: str, render_options: RenderOptions
    ) -> Post:
        """Return the private answer to a turn that is not complete."""

    async def private_post(
        self,
        view: MatchView,
        lines: Sequence[str],
        render_options: RenderOptions,
        *buttons: discord.ui.Item[Any],
        account: str = "",
    ) -> Post:
        """Return a private post about a match, for `account` if it is a player's, with lines and buttons."""

    def buttons_for_turn(self, summary: MatchSummary, row: int) -> Sequence[discord.ui.Item[Any]]:
        """Return the buttons with which a player acts in a match of a list, for a row of buttons."""

    def buttons_for_newcomers(
        self, game: str, options: Mapping[str, OptionValue]
    ) -> Sequence[discord.ui.Item[Any]]:
        """Return the buttons that explain a game with these options."""

    def play_buttons(self, view: MatchView) -> Sequence[discord.ui.Item[Any]]:
        """Return the buttons with which a player acts now."""


class AnnouncementPosts(Protocol):
    """Builds the posts of announcements; see :class:`bot.posts.announcement_posts.AnnouncementRenderer`."""

    async def render_match_post(self, announcement: Announcement, view: MatchView) -> Post:
        """Return the post about a match."""

    async def render_outdated_post(self, announcement: Announcement, view: MatchView) -> Post:
        """Return the text and the buttons of a post whose board is no longer the latest."""

    async def render_tournament_post(self, announcement: Announcement) -> Post | None:
        """Return the post about a tournament."""

    def render_private_post(self, announcement: Announcement) -> Post | None:
        """Return the post to one person that a feature builds for this kind; None if none does."""

    def render_challenge_post(self, challenge: Challenge, accepted_by: Person | None = None) -> Post:
        """Return the post of a challenge in its current state."""

    def render_closing_post(self, announcement: Announcement, challenge: Challenge) -> Post:
        """Return the post that tells a recipient that a challenge is closed."""


class AnnouncementSender(Protocol):
    """Sends announcements; see :class:`bot.outbox.sender.Outbox`."""

    def send_soon(self, announcement: Announcement, *, challenge_closed: bool = False) -> None:
        """Send an announcement of this process in the background."""

    def close_offer_soon(self, answer: Announcement) -> None:
        """Take the buttons from an offer that was declined or withdrawn, in the background."""

    async def send_and_wait(
        self, announcement: Announcement, seconds: float, *, challenge_closed: bool = False
    ) -> None:
        """Send an announcement, and wait for it, but not longer than `seconds`."""


class PlaceKeeper(Protocol):
    """Watches the places of matches; see :class:`bot.outbox.lost_places.LostPlaces`."""

    async def tell_on_contact(self, interaction: Interaction) -> None:
        """Tell a user who accepts no direct messages what could not be sent."""


class InFlight:
    """Counts the interactions being answered and the posts being sent, so that a shutdown can wait for them.

    Once `is_closing` is set, nothing new is claimed from the outbox.
    """

    def __init__(self) -> None:
        self.is_closing = False
        self._count = 0
        self._nothing_left = asyncio.Event()
        self._nothing_left.set()

    @contextmanager
    def track(self) -> Iterator[None]:
        """Count one interaction while the block runs."""
        self._begin()
        try:
            yield
        finally:
            self._end()

    def _begin(self) -> None:
        self._count += 1
        self._nothing_left.clear()

    def _end(self) -> None:
        self._count -= 1
        if not self._count:
            self._nothing_left.set()

    def start(self, work: Coroutine[Any, Any, None]) -> asyncio.Task[None]:
        """Run work in a task of its own, counted from now until its end."""
        self._begin()
        task = asyncio.create_task(work)
        task.add_done_callback(lambda _: self._end())
        return task

    async def wait_until_idle(self) -> None:
        """Wait until nothing is counted."""
        await self._nothing_left.wait()

    async def drain(self, seconds: float) -> bool:
        """Wait at most `seconds` until nothing is counted; return whether that is so."""
        self.is_closing = True
        try:
            await asyncio.wait_for(self.wait_until_idle(), seconds)
        except TimeoutError:
            return False
        return True


class BotClient(discord.AutoShardedClient):
    """What features, posts and the outbox use of the client.

    `now` returns the current time, aware. `response_timeout` is how many seconds an answer may take to reach
    Discord. `role` is what this process does, and `gateway` says which shards are connected. `seat_links` is
    None if the website has no public address. `pace` spreads the requests to Discord. `replay_buttons` make
    the extra buttons under a replay page that one person sees.
    """

    matches: Matches
    games: Mapping[str, Game]
    texts: Texts
    tree: app_commands.CommandTree[Any]
    rule_books: RuleBooks
    now: Callable[[], datetime]
    response_timeout: float
    role: Role
    gateway: GatewayState
    pace: RequestPace
    in_flight: InFlight
    languages: PostLanguages
    seat_links: SeatLinks | None
    board_posts: BoardPosts
    announcement_renderer: AnnouncementPosts
    outbox: AnnouncementSender
    lost_places: PlaceKeeper
    replay_buttons: tuple[Callable[[Texts, Replay, ReplayState], discord.ui.Item[Any] | None], ...]

    @property
    def is_online(self) -> bool:
        """Whether any shard is connected; always in a process that has none."""
        return self.gateway.is_connected or not self.role.has_gateway


Interaction: TypeAlias = discord.Interaction[BotClient]
