"""Challenges: the command, the post and its buttons."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING

import discord
import structlog

from bot.feature import Feature
from bot.features.challenge import computer
from bot.features.challenge.option_help import OptionHelpButton
from bot.features.lobby import show_lobby
from bot.features.replays.dialog import OpenReplayButton
from bot.outbox import threads
from bot.outbox.responses import (
    is_here,
    mark_sent,
    respond_with_challenge,
    respond_with_post,
    respond_with_update,
)
from bot.posts.post import Post
from bot.posts.replies import replace_message
from bot.ui import game_argument, ids, terms_argument
from bot.ui.buttons import PersistentButton, Style, view_of
from bot.ui.commands import CommandField, complete_labels, define_command, typed_value
from bot.ui.game_options import option_fields
from bot.ui.ids import PostId
from bot.ui.interactions import mark_committed, require_permissions
from bot.ui.permissions import check_can_be_challenged, current_server
from bot.ui.replay_state import LAST_TURN, ReplaySource, ReplayState
from i18n import challenge_values, option_values
from i18n.announcements import describe_challenge, describe_closed_challenge
from i18n.readers import reading_in
from matches import NO_PLACE, ChallengeId, ChallengeState, Refusal, StorageUnavailable

if TYPE_CHECKING:
    from collections.abc import Mapping

    from discord import app_commands

    from bot.context import Interaction
    from engine.game import Game
    from i18n import Texts
    from matches import Announcement, Challenge, ChallengeUpdate, Person

log = structlog.stdlib.get_logger(__name__)


async def make_challenge(
    interaction: Interaction,
    opponent: discord.User | discord.Member | Person | None,
    game: str | None,
    colour: str | None = None,
    time_control: str | None = None,
    time_out: str | None = None,
    vacation: bool | None = None,
    takeback: bool | None = None,
    rated: bool | None = None,
    level: str | None = None,
    is_first_game: bool = False,
    **typed: str | None,
) -> None:
    """Challenge a user or anybody; the response is the challenge's post.

    A challenge to the computer, or with a `level`, starts a match at once; by default it has no clock. In
    direct messages nobody else can be challenged. Options that are not typed have their defaults, or for the
    lowest level and with `is_first_game` the values that suit a first game.
    """
    require_permissions(interaction)
    client, server = interaction.client, current_server(interaction) or NO_PLACE
    to = ids.to_person(opponent) if isinstance(opponent, discord.Member | discord.User) else opponent
    is_for_computer = computer.is_for_computer(interaction, to, level)
    if not (is_for_computer or server):
        raise Refusal("challenge_in_server")
    if isinstance(opponent, discord.User | discord.Member):
        check_can_be_challenged(interaction, opponent)
    defaults = await client.matches.servers.settings(server, now=client.now())
    game_key = None if game is None else game_argument.resolve_game_key(client.texts, client.games, game)
    name = game_key or defaults.game or game_argument.default_game(client.games).name
    resolved_game = client.games.get(name)
    is_for_newcomer = is_first_game or (level is not None and computer.is_lowest(client.texts, level))
    game_options = (
        {}
        if resolved_game is None
        else option_values.parse_challenge_options(
            client.texts, resolved_game, typed, is_first_game=is_for_newcomer
        )
    )
    agreed_terms = challenge_values.parse_terms(
        client.texts,
        None if is_for_computer else defaults.time_control,
        time_control=time_control,
        time_out=time_out,
        vacation=vacation,
        takeback=takeback,
        rated=rated,
    )
    side = challenge_values.parse_colour(client.texts, resolved_game, colour)
    if is_for_computer:
        await computer.start_match(
            interaction, level, game=name, options=game_options, terms=agreed_terms, colour=side
        )
        return
    update = await client.matches.challenges.create(
        ids.to_person(interaction.user),
        to=to,
        server=server,
        channel=ids.stored_id(interaction.channel_id or 0),
        game=name,
        options=game_options,
        terms=agreed_terms,
        colour=side,
        now=client.now(),
    )
    mark_committed(interaction)
    await respond_with_challenge(interaction, update.challenge, update.announcement)


def build_challenge_post(
    texts: Texts, games: Mapping[str, Game], challenge: Challenge, accepted_by: Person | None = None
) -> Post:
    """Return the post of a challenge in any state; only an open challenge has buttons.

    `accepted_by` is the user who accepted it.
    """
    game, to = games[challenge.game], challenge.to
    is_open = challenge.state is ChallengeState.OPEN
    return Post(
        texts.join(describe_challenge(texts, challenge, game, accepted_by), "list.lines"),
        buttons=partial(_build_buttons, texts, game, challenge) if is_open else None,
        mentions=(to.account,) if to is not None and is_open else (),
    )


def _build_buttons(texts: Texts, game: Game, challenge: Challenge) -> discord.ui.View:
    challenge_id = challenge.id
    accept = AcceptButton.create(texts("button.accept"), f"accept1:{challenge_id}", Style.success)
    decline = CloseChallengeButton.create(texts("button.decline"), f"decline1:{challenge_id}")
    withdraw = CloseChallengeButton.create(texts("button.withdraw"), f"withdraw1:{challenge_id}")
    buttons: list[PersistentButton] = [accept] if challenge.to is None else [accept, decline]
    buttons.append(withdraw)
    if challenge.to is None:
        label = texts("button.play_computer")
        buttons.append(computer.PlayComputerButton.create(label, f"computer1:{challenge_id}"))
    if challenge.record is not None:
        state = ReplayState(ReplaySource.RECORD, challenge.record, LAST_TURN)
        buttons.append(OpenReplayButton.of(texts("button.see_board"), state))
    option_help = OptionHelpButton.of(texts, game, challenge.options)
    if option_help is not None:
        buttons.append(option_help)
    return view_of(*buttons)


class AcceptButton(PersistentButton, template=r"accept1:(?P<challenge>\d+)"):
    """Accepts the challenge of its post."""

    async def on_click(self, interaction: Interaction) -> None:
        """Start the match, close the challenge's post and send the first board."""
        require_permissions(interaction)
        client, challenge_id = interaction.client, ChallengeId(int(self.values["challenge"]))
        accepted_by = ids.to_person(interaction.user)
        plan = await threads.plan_thread(
            interaction, None if interaction.message is None else interaction.message.id
        )
        update = await client.matches.challenges.accept(
            challenge_id, accepted_by, channel=plan.channel, now=client.now()
        )
        mark_committed(interaction)
        challenge = await client.matches.challenges.find(challenge_id, now=client.now())
        await _record_post(interaction, challenge)
        with reading_in(await client.languages.of_response(interaction)):
            closed = build_challenge_post(client.texts, client.games, challenge, accepted_by)
        await respond_with_update(interaction, update, closed, is_acceptance=True)
        await threads.report_missing_permissions(interaction, plan)


class CloseChallengeButton(PersistentButton, template=r"(?P<way>decline|withdraw)1:(?P<challenge>\d+)"):
    """Declines or withdraws the challenge of its post."""

    async def on_click(self, interaction: Interaction) -> None:
        """Close the challenge and its post."""
        client, challenge_id = interaction.client, ChallengeId(int(self.values["challenge"]))
        challenges = client.matches.challenges
        close = challenges.decline if self.values["way"] == "decline" else challenges.withdraw
        update = await close(challenge_id, ids.to_person(interaction.user), now=client.now())
        await _close_post(interaction, update)


class OpenChallengesButton(PersistentButton, template=r"closed1:(?P<announcement>\d+)"):
    """Lists the open challenges of the server. Its id is the marker of the post."""

    async def on_click(self, interaction: Interaction) -> None:
        """Respond with the lobby."""
        await show_lobby(interaction)


def build_closing_post(texts: Texts, challenge: Challenge, announcement: Announcement) -> Post:
    """Return the post of a closed challenge; it mentions the recipients of the announcement."""
    text = describe_closed_challenge(texts, challenge, announcement.recipients[0])
    label, marker = texts("button.open_challenges"), f"closed1:{announcement.id}"
    return Post(
        text, None, lambda: view_of(OpenChallengesButton.create(label, marker)), announcement.recipients
    )


async def _close_post(interaction: Interaction, update: ChallengeUpdate) -> None:
    mark_committed(interaction)
    client, message = interaction.client, interaction.message
    await _record_post(interaction, update.challenge)
    announcement = update.announcement
    language = await client.languages.of_response(interaction)
    with reading_in(language):
        post = build_challenge_post(client.texts, client.games, update.challenge)
    await replace_message(interaction, post)
    if announcement.recipients and is_here(interaction, announcement):
        with reading_in(language):
            closing = client.announcement_renderer.render_closing_post(announcement, update.challenge)
        await respond_with_post(interaction, closing, announcement)
    elif announcement.recipients:
        client.outbox.send_soon(announcement)
    elif message is not None:
        await mark_sent(client, announcement, PostId(message.channel.id, message.id))


async def _record_post(interaction: Interaction, challenge: Challenge) -> None:
    """Save the post id of a challenge whose response was lost: once closed, the search would not find it."""
    message, client = interaction.message, interaction.client
    if challenge.post is not None or message is None:
        return
    post_id = PostId(message.channel.id, message.id)
    try:
        await client.matches.announcements.mark_challenge_sent(challenge.id, str(post_id), now=client.now())
    except StorageUnavailable as error:
        log.warning("challenge.unrecorded", challenge=challenge.id, error=str(error))


async def _complete_colour(interaction: Interaction, current: str) -> list[app_commands.Choice[str]]:
    client = interaction.client
    typed = typed_value(interaction, "command.challenge.game")
    game = await game_argument.resolve_game_or_default(interaction, typed)
    return complete_labels(challenge_values.colour_labels(client.texts, game.sides), current)


FEATURE = Feature(
    commands=(
        define_command(
            "challenge",
            make_challenge,
            CommandField("opponent", "command.challenge.opponent", discord.User),
            computer.level_field(),
            game_argument.field("challenge"),
            option_fields,
            CommandField("colour", "command.challenge.colour", completer=_complete_colour),
            *terms_argument.term_fields(),
            direct=True,
        ),
    ),
    items=(
        AcceptButton,
        CloseChallengeButton,
        OpenChallengesButton,
        OptionHelpButton,
        computer.PlayComputerButton,
        computer.ComputerLevelSelect,
    ),
)
