"""Challenges: the command that makes one, its post, and the buttons under it."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING

import discord
import structlog
from discord.utils import escape_markdown, format_dt

from bot import options, people, telling, threads
from bot.answers import need_permissions, take, within
from bot.clocks import terms, wording
from bot.commands import Field, choice, command
from bot.delivery import answer, deliver, note
from bot.parts import Part
from bot.people import PostId
from bot.posts import Post
from bot.presses import Press, Style, row
from bot.refusals import Refusal
from bot.replays.bookmark import END, Bookmark, Kind
from bot.replays.dialogue import Opener
from engine.game import Side
from matches import ChallengeId, ChallengeState, StorageUnavailable

if TYPE_CHECKING:
    from collections.abc import Mapping

    from discord import app_commands

    from bot.client import Interaction
    from engine.game import Game
    from matches import Challenge, ChallengeStep, Person
    from words import Words

log = structlog.stdlib.get_logger(__name__)

BY_LOT = "random"


def part(words: Words, games: Mapping[str, Game]) -> Part:
    """Give the command and the buttons."""
    challenge = command(
        words,
        "challenge",
        make,
        Field("opponent", "command.challenge.opponent", discord.User),
        Field("game", "command.challenge.game", complete=_complete_game),
        *options.fields(games),
        Field("colour", "command.challenge.colour", complete=_complete_colour),
        *terms.fields(),
    )
    return Part(commands=(challenge,), items=(AcceptButton, DeclineButton, WithdrawButton))


async def make(
    interaction: Interaction,
    opponent: discord.User | None,
    game: str | None,
    colour: str | None,
    pace: str | None,
    flag: str | None,
    vacation: bool | None,
    takeback: bool | None,
    rated: bool | None,
    **typed: str | None,
) -> None:
    """Challenge somebody, or anybody, and answer with the challenge's post."""
    need_permissions(interaction)
    client, server = interaction.client, people.place(interaction.guild_id or 0)
    usual = await client.matches.servers.settings(server, now=client.now())
    named = None if game is None else options.game_of(client.words, client.games, game)
    name = named or usual.game or options.default_game(client.games).name
    rules = client.games.get(name)
    step = await client.matches.challenge(
        people.person(interaction.user),
        to=None if opponent is None else people.person(opponent),
        server=server,
        place=people.place(interaction.channel_id or 0),
        game=name,
        options={} if rules is None else options.given(client.words, rules, typed),
        terms=terms.given(
            client.words,
            usual.pace,
            pace=pace,
            flag=flag,
            vacation=vacation,
            takeback=takeback,
            rated=rated,
        ),
        colour=_colour(client.words, rules, colour),
        now=client.now(),
    )
    take(interaction)
    await answer(interaction, challenge_post(client.words, client.games, step.challenge), step.announcement)


def challenge_post(
    words: Words, games: Mapping[str, Game], challenge: Challenge, taker: Person | None = None
) -> Post:
    """Give the post of a challenge in whatever state it is; only an open one has buttons.

    `taker` is whoever accepted it.
    """
    by, to = challenge.by, challenge.to
    values = {"by": people.called(by), "to": "" if to is None else people.mention(to.account)}
    plain = "challenge.anyone" if to is None else "challenge.posted"
    title = words(
        plain if challenge.rematch_of is None else "challenge.rematch",
        game=words(f"game.{challenge.game}.name"),
        match=challenge.rematch_of,
        **values,
    )
    details = words(
        "challenge.details",
        settings=telling.settings(words, games[challenge.game], challenge.options),
        terms=wording.terms(words, challenge.terms),
        colour=words("colour.drawn") if challenge.colour is None else telling.side(words, challenge.colour),
        **values,
    )
    if challenge.record is not None:
        details = words.listed([details, words("challenge.record", record=challenge.record)], "list.lines")
    is_open = challenge.state is ChallengeState.OPEN
    state = words(
        f"challenge.{challenge.state}",
        when=format_dt(challenge.lapses_at, "R"),
        taker="" if taker is None else people.called(taker),
        **values,
    )
    return Post(
        words("challenge.post", title=title, details=details, state=state),
        buttons=partial(_buttons, words, challenge) if is_open else None,
        calls=(to.account,) if to is not None and is_open else (),
    )


def _buttons(words: Words, challenge: Challenge) -> discord.ui.View:
    number = challenge.id
    accept = AcceptButton.labelled(words("button.accept"), f"accept1:{number}", Style.success)
    decline = DeclineButton.labelled(words("button.decline"), f"decline1:{number}")
    withdraw = WithdrawButton.labelled(words("button.withdraw"), f"withdraw1:{number}")
    answers = (accept, withdraw) if challenge.to is None else (accept, decline, withdraw)
    if challenge.record is None:
        return row(*answers)
    look = Opener.of(words("button.look"), Bookmark(Kind.RECORD, challenge.record, END))
    return row(*answers, look)


class AcceptButton(Press, template=r"accept1:(?P<challenge>\d+)"):
    """Accepts the challenge it stands under; the match begins."""

    async def pressed(self, interaction: Interaction) -> None:
        """Close the challenge's post and post what comes next."""
        need_permissions(interaction)
        client, number = interaction.client, ChallengeId(int(self.values["challenge"]))
        taker = people.person(interaction.user)
        meant = await threads.meant(
            interaction, None if interaction.message is None else interaction.message.id
        )
        turn = await client.matches.accept(number, taker, place=meant.place, now=client.now())
        take(interaction)
        challenge = await client.matches.find_challenge(number, now=client.now())
        await _seen(interaction, challenge)
        closed = challenge_post(client.words, client.games, challenge, taker)
        await deliver(interaction, turn, closed, accepted=True)
        await threads.tell_lacking(interaction, meant)


class DeclineButton(Press, template=r"decline1:(?P<challenge>\d+)"):
    """Declines the challenge it stands under."""

    async def pressed(self, interaction: Interaction) -> None:
        """Close the challenge's post."""
        client, number = interaction.client, ChallengeId(int(self.values["challenge"]))
        step = await client.matches.decline(number, people.person(interaction.user), now=client.now())
        await _close(interaction, step)


class WithdrawButton(Press, template=r"withdraw1:(?P<challenge>\d+)"):
    """Takes back the challenge it stands under."""

    async def pressed(self, interaction: Interaction) -> None:
        """Close the challenge's post."""
        client, number = interaction.client, ChallengeId(int(self.values["challenge"]))
        step = await client.matches.withdraw(number, people.person(interaction.user), now=client.now())
        await _close(interaction, step)


async def _close(interaction: Interaction, step: ChallengeStep) -> None:
    take(interaction)
    client, message = interaction.client, interaction.message
    await _seen(interaction, step.challenge)
    post = challenge_post(client.words, client.games, step.challenge)
    async with within(interaction):
        await interaction.response.edit_message(**post.edit())
    if message is not None:
        await note(client, step.announcement, PostId(message.channel.id, message.id))


async def _seen(interaction: Interaction, challenge: Challenge) -> None:
    """Record that a challenge's post stands if its answer was lost: closed it could not be found again."""
    message, client = interaction.message, interaction.client
    if challenge.post is not None or message is None:
        return
    where = PostId(message.channel.id, message.id)
    try:
        await client.matches.challenge_stands(challenge.id, str(where), now=client.now())
    except StorageUnavailable as error:
        log.warning("challenge.unrecorded", challenge=challenge.id, error=str(error))


def _colour(words: Words, game: Game | None, typed: str | None) -> Side | None:
    """Read the colour that was typed, by its name or its value."""
    if typed is None or game is None or typed.casefold() in {BY_LOT, words("colour.random").casefold()}:
        return None
    for side in Side:
        if typed.strip().casefold() in {side.value, telling.side(words, side).casefold()}:
            return side
    sides = words.listed([telling.side(words, side) for side in game.sides], "list.or")
    raise Refusal("colour_refused", colour=escape_markdown(typed), sides=sides)


async def _complete_game(interaction: Interaction, current: str) -> list[app_commands.Choice[str]]:
    labels = {interaction.client.words(f"game.{name}.name"): name for name in interaction.client.games}
    return [choice(label, name) for label, name in labels.items() if current.casefold() in label.casefold()]


async def _complete_colour(interaction: Interaction, current: str) -> list[app_commands.Choice[str]]:
    client = interaction.client
    typed = getattr(interaction.namespace, client.words("command.challenge.game.name"), None)
    game = await options.meant(interaction, typed)
    labels = {client.words("colour.random"): BY_LOT}
    labels |= {telling.side(client.words, side): side.value for side in game.sides}
    return [choice(label, value) for label, value in labels.items() if current.casefold() in label.casefold()]
