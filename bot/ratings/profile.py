"""Somebody's ratings and results, with a picture of the course of one rating."""

from __future__ import annotations

import asyncio
from typing import TYPE_CHECKING

import render
from bot import looks, people
from bot.answers import within
from bot.posts import Picture, Post
from bot.ratings import wording
from bot.ratings.games import meant

if TYPE_CHECKING:
    import discord

    from bot.client import Interaction
    from matches import Person, Standing


async def show(interaction: Interaction, person: discord.User | None, game: str | None) -> None:
    """Answer with a profile, in private."""
    post = await _profile(interaction, people.person(person or interaction.user), game)
    async with within(interaction):
        await interaction.response.send_message(ephemeral=True, **post.new())


async def _profile(interaction: Interaction, who: Person, game: str | None) -> Post:
    client, words, now = interaction.client, interaction.client.words, interaction.client.now()
    standings = await client.matches.ratings.standings(who, now=now)
    latest = standings[0].game if standings else None
    name = await meant(interaction, game, latest)
    server = people.place(interaction.guild_id or 0)
    results = await client.matches.ratings.results(who, server, name, now=now)
    lines = [words("profile.heading", name=people.called(who))]
    lines += [wording.standing(words, one) for one in standings]
    if not standings:
        lines.append(words("profile.none", name=people.called(who)))
    lines += wording.results(words, client.games[name], results)
    rated = next((one for one in standings if one.game == name), None)
    picture = None if rated is None else await _picture(interaction, rated)
    if picture is not None:
        lines.append(wording.caption(words, name, 0 if rated is None else rated.played))
    return Post(words.listed(lines, "list.lines"), picture)


async def _picture(interaction: Interaction, one: Standing) -> Picture:
    client = interaction.client
    steps = await client.matches.ratings.course(one.person, one.game, now=client.now())
    view = looks.seen(await looks.chosen(interaction))
    marks = tuple(
        render.Rated(step.at, step.rating.rating, step.rating.deviation, step.score) for step in steps
    )
    course = render.Course(marks, client.now(), one.rating.deviation)
    data = await asyncio.to_thread(lambda: render.png(render.chart(course, view)))
    alt = wording.course(client.words, one.person.name, one.game, steps, one.rating)
    return Picture(data, alt, "rating.png")
