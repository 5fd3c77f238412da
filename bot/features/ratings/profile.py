"""``/profile``: a user's ratings and results, with a chart of one rating."""

from __future__ import annotations

import asyncio
from functools import partial
from typing import TYPE_CHECKING

import render
from bot.posts import pictures
from bot.posts.post import Picture, Post
from bot.posts.replies import send_private
from bot.ui import access, ids
from bot.ui.game_argument import resolve_game_key_or_default
from i18n import ratings as formatting

if TYPE_CHECKING:
    import discord

    from bot.context import Interaction
    from matches import Person, Standing


async def show_profile(
    interaction: Interaction, person: discord.Member | discord.User | None, game: str | None
) -> None:
    """Respond with a profile (ephemeral)."""
    post = await _build_profile_post(interaction, ids.to_person(person or interaction.user), game)
    await send_private(interaction, post)


async def _build_profile_post(interaction: Interaction, who: Person, game: str | None) -> Post:
    client, texts, now = interaction.client, interaction.client.texts, interaction.client.now()
    standings = await client.matches.ratings.standings(who, now=now)
    server = ids.stored_id(interaction.guild_id or 0)
    latest_game = (
        standings[0].game if standings else await client.matches.ratings.latest_game(who, server, now=now)
    )
    game_name = await resolve_game_key_or_default(interaction, game, latest_game)
    results = await client.matches.ratings.results(
        who,
        server,
        game_name,
        reader=ids.user_account(interaction.user),
        visible=partial(access.visible_channels, interaction),
        now=now,
    )
    lines = [texts("profile.heading", name=who)]
    lines += [formatting.format_standing(texts, one) for one in standings]
    if not standings:
        lines.append(texts("profile.none", name=who))
    if standings:
        recomputing = await client.matches.ratings.list_recomputing()
        lines += formatting.format_recomputing(texts, {one.game for one in standings} & set(recomputing))
    lines += formatting.format_results(texts, client.games[game_name], results)
    shown_standing = next((one for one in standings if one.game == game_name), None)
    picture = None if shown_standing is None else await _render_chart(interaction, shown_standing)
    if picture is not None:
        played = 0 if shown_standing is None else shown_standing.played
        has_marks = played <= render.MAX_MARKED_POINTS
        lines.append(formatting.format_caption(texts, game_name, has_marks=has_marks))
    return Post(texts.join(lines, "list.lines"), picture)


async def _render_chart(interaction: Interaction, standing: Standing) -> Picture:
    client = interaction.client
    steps = await client.matches.ratings.history(standing.person, standing.game, now=client.now())
    render_options = await pictures.load_render_options(interaction)
    points = tuple(
        render.RatingPoint(step.at, step.rating.rating, step.rating.deviation, step.score) for step in steps
    )
    series = render.RatingSeries(points, client.now(), standing.rating.deviation)
    data = await asyncio.to_thread(lambda: render.to_png(render.build_rating_chart(series, render_options)))
    alt = formatting.format_history(
        client.texts.plain, standing.person, standing.game, steps, standing.rating
    )
    return Picture(data, alt, "rating.png")
