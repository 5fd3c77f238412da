"""``/leaderboard``: the ratings of the players of a guild, in pages."""

from __future__ import annotations

from typing import TYPE_CHECKING

from bot.posts.post import Post
from bot.posts.replies import replace_message, send_private
from bot.ui import ids
from bot.ui.buttons import PersistentButton, view_of
from bot.ui.game_argument import resolve_game_key_or_default
from i18n import ratings as formatting
from matches import PROVISIONAL_DEVIATION

if TYPE_CHECKING:
    from collections.abc import Iterator

    from bot.context import Interaction
    from i18n import Texts
    from matches import LeaderboardPage, Standing


class LeaderboardPageButton(PersistentButton, template=r"leaders1:(?P<game>\w{1,40}):(?P<page>\d{1,6})"):
    """Shows a page of the leaderboard, freshly loaded."""

    async def on_click(self, interaction: Interaction) -> None:
        """Update the message."""
        post = await _build_page_post(interaction, self.values["game"], int(self.values["page"]))
        await replace_message(interaction, post)


async def show_leaderboard(interaction: Interaction, game: str | None) -> None:
    """Respond with the first page (ephemeral)."""
    post = await _build_page_post(interaction, await resolve_game_key_or_default(interaction, game), 1)
    await send_private(interaction, post)


async def _build_page_post(interaction: Interaction, game: str, page: int) -> Post:
    client, server = interaction.client, ids.stored_id(interaction.guild_id or 0)
    leaderboard = await client.matches.ratings.leaderboard(server, game, page=page, now=client.now())
    lines = list(_format_lines(client.texts, leaderboard))
    buttons = list(_page_buttons(client.texts, leaderboard))
    text = client.texts.join(lines, "list.lines")
    return Post(text, None, (lambda: view_of(*buttons)) if buttons else None)


def _format_lines(texts: Texts, leaderboard: LeaderboardPage) -> Iterator[str]:
    game = texts(f"game.{leaderboard.game}.name")
    if not leaderboard.standings:
        yield texts("leaderboard.none", game=game)
        return
    yield texts("leaderboard.heading", game=game, count=leaderboard.people)
    yield from (_format_line(texts, one) for one in leaderboard.standings)
    if any(one.is_provisional for one in leaderboard.standings):
        yield texts("leaderboard.note", bound=formatting.format_rating(PROVISIONAL_DEVIATION))
    if leaderboard.is_recomputing:
        yield texts("rating.recomputing", game=game)
    if leaderboard.pages > 1:
        yield texts("leaderboard.page", page=leaderboard.page, pages=leaderboard.pages)


def _format_line(texts: Texts, standing: Standing) -> str:
    return texts(
        "leaderboard.provisional" if standing.rank is None else "leaderboard.ranked",
        rank=standing.rank,
        name=standing.person,
        rating=formatting.format_rating(standing.rating.rating),
        deviation=formatting.format_rating(standing.rating.deviation),
        count=standing.played,
    )


def _page_buttons(texts: Texts, leaderboard: LeaderboardPage) -> Iterator[PersistentButton]:
    if leaderboard.page > 1:
        yield LeaderboardPageButton.create(
            texts("button.back"), f"leaders1:{leaderboard.game}:{leaderboard.page - 1}"
        )
    if leaderboard.page < leaderboard.pages:
        yield LeaderboardPageButton.create(
            texts("button.next"), f"leaders1:{leaderboard.game}:{leaderboard.page + 1}"
        )
