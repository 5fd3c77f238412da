"""Correcting or voiding a result: the command for those who run a server, and the post for both players."""

from __future__ import annotations

from typing import TYPE_CHECKING

from discord.utils import escape_markdown

from bot import matching, people, telling
from bot.answers import need_permissions
from bot.commands import Field, choice, command
from bot.delivery import deliver
from bot.parts import Part
from bot.refusals import Refusal
from engine.game import Outcome
from matches import MatchState, MatchUnknown

if TYPE_CHECKING:
    from collections.abc import Mapping

    from discord import app_commands

    from bot.client import Interaction
    from bot.desk import Desk
    from bot.posts import Post
    from engine.game import Game
    from matches import Announcement, MatchView
    from words import Words

NONE = "none"
LISTED = 100  # of the newest matches, in which those that are over are looked for


def part(words: Words, _games: Mapping[str, Game]) -> Part:
    """Give the command."""
    return Part(
        commands=(
            command(
                words,
                "correct",
                correct,
                Field("match", "command.correct.match", required=True, complete=_complete_match),
                Field("result", "command.correct.result", required=True, complete=_complete_result),
                Field("reason", "command.correct.reason", required=True),
                managers=True,
            ),
        )
    )


async def correct(interaction: Interaction, match: str, result: str, reason: str) -> None:
    """Give a match another result, and tell it where the match was played."""
    need_permissions(interaction)
    client, server = interaction.client, people.place(interaction.guild_id or 0)
    view = await client.matches.view(matching.number(match), now=client.now())
    if view.server != server:
        raise MatchUnknown(match=view.id)
    turn = await client.matches.corrections.correct(
        view.id,
        people.person(interaction.user),
        _outcome(client.words, view, result),
        why=reason,
        server=server,
        now=client.now(),
    )
    await deliver(interaction, turn)


def post(desk: Desk, view: MatchView, announcement: Announcement) -> Post:
    """Give the post that tells both players of a correction: by whom, what it is now, and why."""
    words, whom = desk.words, [people.mention(account) for account in announcement.whom]
    outcome = str(announcement.details["outcome"])
    text = words(
        "correction.post" if outcome else "correction.voided",
        match=view.id,
        by=people.mention(announcement.by),
        whom=words.listed(whom),
        result=_labels(words, view)[outcome or NONE],
        why=escape_markdown(str(announcement.details["why"])),
    )
    return desk.bare(view, announcement, text)


def _labels(words: Words, view: MatchView) -> dict[str, str]:
    """Give every result that a match can have, by its value, with the names of the people."""
    labels = {
        seat.side.value: words("correction.won", side=telling.side(words, seat.side), name=seat.person.name)
        for seat in view.seats
    }
    return {**labels, Outcome.DRAW.value: words("correction.draw"), NONE: words("correction.none")}


def _outcome(words: Words, view: MatchView, typed: str) -> Outcome | None:
    """Read a result, by its value or as it was proposed. Raises Refusal."""
    sought = typed.strip().casefold()
    labels = _labels(words, view)
    for value, label in labels.items():
        if sought in {value, label.casefold()}:
            return None if value == NONE else Outcome(value)
    results = words.listed([escape_markdown(label) for label in labels.values()], "list.or")
    raise Refusal("outcome_unreadable", text=escape_markdown(typed[:100]), results=results)


async def _complete_match(interaction: Interaction, current: str) -> list[app_commands.Choice[str]]:
    client, server = interaction.client, people.place(interaction.guild_id or 0)
    found = await client.matches.recent(server, now=client.now(), limit=LISTED)
    labels = {
        str(one.id): client.words(
            "correction.choice",
            match=one.id,
            game=client.words(f"game.{one.game}.name"),
            first=one.seats[0].person.name,
            second=one.seats[1].person.name,
        )
        for one in found
        if one.state is MatchState.OVER
    }
    sought = current.strip().casefold()
    return [choice(label, value) for value, label in labels.items() if sought in label.casefold()]


async def _complete_result(interaction: Interaction, current: str) -> list[app_commands.Choice[str]]:
    client = interaction.client
    typed = getattr(interaction.namespace, client.words("command.correct.match.name"), None)
    view = await client.matches.view(matching.number(typed or ""), now=client.now())
    if view.server != people.place(interaction.guild_id or 0):
        return []
    sought = current.strip().casefold()
    labels = _labels(client.words, view).items()
    return [choice(label, value) for value, label in labels if sought in label.casefold()]
