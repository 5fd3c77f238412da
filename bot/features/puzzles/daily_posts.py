"""The post of a server's daily puzzle, once a day: the picture, the button, and the last day's solution.

It is written down before it is sent (:mod:`matches.puzzles.daily_posts`). A post that may have been sent is
looked for by the day in its button. A channel that is gone, or where the bot may not post, gets no more, and
whoever has set it is told; one that Discord refuses otherwise waits for the next day.
"""

from __future__ import annotations

import asyncio
import hashlib
import re
from contextlib import suppress
from datetime import date
from typing import TYPE_CHECKING

import discord
import structlog

from bot.features.puzzles.feature import build_puzzle_post, show_next_puzzle
from bot.features.puzzles.formatting import format_daily_heading, format_past_post
from bot.features.puzzles.state import DAILY_PATTERN, PuzzleState
from bot.outbox.dedupe import find_own_message
from bot.outbox.lost_places import REFUSED_CODES, UNKNOWN_CHANNEL
from bot.outbox.outdated_posts import is_final
from bot.posts import pictures
from bot.posts.announcement_posts import marker_id
from bot.posts.post import Picture, Post
from bot.posts.replies import send_private
from bot.ui import ids
from bot.ui.buttons import PersistentButton, Style, view_of
from bot.ui.ids import PostId
from bot.ui.interactions import DELIVERY_ERRORS
from bot.ui.permissions import current_server
from i18n.quoting import quote
from i18n.readers import reading_in
from matches import Refusal
from render import RenderOptions

if TYPE_CHECKING:
    from bot.context import BotClient, Interaction
    from matches import Announcement, DuePost, StoredPuzzle

log = structlog.stdlib.get_logger(__name__)

MAX_NAME = 100  # characters of the name of a server or channel
MAX_IN_A_PASS = 20  # posts, so that other background work gets its turn
POST_SECONDS = 30.0  # that a post may take; less than `matches.puzzles.daily_posts.LEASE`
LOST_CODES = REFUSED_CODES | {UNKNOWN_CHANNEL}
TEMPLATE = rf"puzzledaily1:{DAILY_PATTERN}"
MARKER = re.compile(TEMPLATE)


class DailyPuzzleButton(PersistentButton, template=TEMPLATE):
    """Shows the daily puzzle to the user who clicks it, in a private message."""

    async def on_click(self, interaction: Interaction) -> None:
        """Record that the user tries the puzzle on this server, and respond with it (ephemeral)."""
        client, server = interaction.client, current_server(interaction)
        post = await build_puzzle_post(interaction, PuzzleState(self.values["key"]))
        if server is not None:
            day, person = date.fromisoformat(self.values["day"]), ids.to_person(interaction.user)
            await client.matches.daily_posts.record_try(server, day, person, now=client.now())
        await send_private(interaction, post)


class DailyPuzzleOffButton(PersistentButton, template=r"puzzleoff1:\d+"):
    """Shows a puzzle to whoever was told that a daily puzzle is off."""

    async def on_click(self, interaction: Interaction) -> None:
        """Respond with a puzzle (ephemeral). Raises Refusal."""
        await show_next_puzzle(interaction)


def build_off_post(client: BotClient, announcement: Announcement) -> Post:
    """Return the direct message that tells somebody that the daily puzzle that they set is off."""
    texts, details = client.texts, announcement.details
    key = "forbidden" if details["is_forbidden"] else "deleted"
    text = texts(
        f"daily_puzzle.off_{key}",
        server=quote(str(details["server_name"]), MAX_NAME) or texts("daily_puzzle.your_server"),
        channel=quote(str(details["name"]), MAX_NAME) or texts("daily_puzzle.its_channel"),
    )
    button = DailyPuzzleOffButton.create(texts("button.solve_puzzle"), marker_id(announcement))
    return Post(text, buttons=lambda: view_of(button))


async def post_daily_puzzles(client: BotClient) -> None:
    """Post the daily puzzle where it is due. What fails is tried again when its claim ends.

    Raises StorageUnavailable.
    """
    for _ in range(MAX_IN_A_PASS):
        if client.in_flight.is_closing:
            return
        due = await client.matches.daily_posts.claim_due(now=client.now())
        if due is None:
            return
        try:
            async with asyncio.timeout(POST_SECONDS):
                with reading_in(await client.languages.of_server(due.server)):
                    await _post(client, due)
        except discord.HTTPException as error:
            log.warning("daily_puzzle.unsent", server=due.server, error=repr(error))
            if not is_final(error):
                return
            is_lost = error.code in LOST_CODES or await client.matches.daily_posts.record_refused(due)
            if is_lost:
                await _lose(client, due, is_forbidden=error.code != UNKNOWN_CHANNEL)
        except DELIVERY_ERRORS as error:
            log.warning("daily_puzzle.unsent", server=due.server, error=repr(error))
            return


async def _lose(client: BotClient, due: DuePost, *, is_forbidden: bool) -> None:
    """Switch a daily puzzle off, and have whoever set it told."""
    number, server_name = ids.snowflake(due.server), ""
    channel = client.get_channel(ids.snowflake(due.channel))
    with suppress(*DELIVERY_ERRORS):  # the bot was removed, or Discord is away
        async with asyncio.timeout(POST_SECONDS):
            # A process that only posts does not know the servers.
            guild = client.get_guild(number) or await client.fetch_guild(number, with_counts=False)
            server_name = guild.name
    await client.matches.daily_posts.lose(
        due,
        is_forbidden=is_forbidden,
        server_name=server_name,
        channel_name=getattr(channel, "name", ""),
        now=client.now(),
    )


async def _post(client: BotClient, due: DuePost) -> None:
    """Send a claimed post, unless one that may have been sent is found."""
    posts = client.matches.daily_posts
    channel = client.get_partial_messageable(ids.snowflake(due.channel))
    if due.uncertain is not None and await _record_sent(client, due, due.uncertain, channel):
        return
    if not await posts.begin(due):
        return
    stored = await client.matches.puzzles.daily(due.day)
    if stored is None:
        await posts.skip(due)
        return
    post = await _build_post(client, due, stored)
    message = await channel.send(**post.send_arguments(), nonce=_nonce(due.server, due.day))
    log.info("daily_puzzle.sent", server=due.server, message=message.id)
    await posts.record(due, due.day, stored.key, str(PostId(channel.id, message.id)))


async def _record_sent(
    client: BotClient, due: DuePost, day: date, channel: discord.PartialMessageable
) -> bool:
    """Record the post of a day that another attempt has sent; return False if there is none."""

    def is_marker(custom_id: str) -> bool:
        found = MARKER.fullmatch(custom_id)
        return found is not None and found["day"] == day.isoformat()

    sent = await find_own_message(client, channel, is_marker, made_at=due.uncertain_since)
    if sent is None:
        return False
    post, custom_id = sent
    log.info("daily_puzzle.found", server=due.server, message=post.message)
    key = custom_id.split(":")[1]
    await client.matches.daily_posts.record(due, day, key, str(post))
    return True


def _nonce(server: str, day: date) -> str:
    """Return what Discord knows a repeated post by; it takes 25 signs."""
    return f"puzzle-{hashlib.sha256(f'{server}/{day}'.encode()).hexdigest()[:16]}"


async def _build_post(client: BotClient, due: DuePost, stored: StoredPuzzle) -> Post:
    texts = client.texts
    lines = [format_daily_heading(texts, stored), texts("daily_puzzle.how")]
    if due.last is not None:
        try:
            last = await client.matches.puzzles.get(due.last.puzzle)
        except Refusal:  # it was withdrawn
            last = None
        if last is not None:
            names, count = await client.matches.daily_posts.list_solvers(due.server, due.last)
            url = PostId.parse(due.last.post).url(due.server)
            lines += format_past_post(texts, last, url, names, count)
    options = RenderOptions(texts.plain, stored.puzzle.solver)
    png, diagram = await pictures.render_board(stored.puzzle.start, options, client.matches.metrics)
    alt = texts.plain("picking.alt_bare", question=format_daily_heading(texts.plain, stored), diagram=diagram)
    custom_id = f"puzzledaily1:{stored.key}:{due.day.isoformat()}"
    return Post(
        texts.join(lines, "list.lines"),
        Picture(png, alt),
        lambda: view_of(DailyPuzzleButton.create(texts("button.solve_puzzle"), custom_id, Style.primary)),
    )
