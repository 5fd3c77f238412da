"""The one message in which a game is paged through, and what its buttons do.

All they need stands in their ids (:mod:`bot.features.replays.state`), so they work after any restart. A click
on one of the pages turns the message in the interaction's own answer; a film is made while Discord shows that
it is under way.
"""

from __future__ import annotations

import asyncio
from dataclasses import replace
from typing import TYPE_CHECKING, Any, Self

import render
from bot.features.replays import formatting
from bot.features.replays.animations import render_animation
from bot.features.replays.continue_from_record import ContinueRecordButton
from bot.features.replays.state import LAST_TURN, REPLAY_ID_PATTERN, ReplaySource, ReplayState
from bot.posts import pictures
from bot.posts.post import Picture, Post
from bot.ui import ids
from bot.ui.buttons import PersistentButton, view_of
from bot.ui.interactions import require_permissions, response_timeout
from matches import MatchId, MatchUnknown, RecordId

if TYPE_CHECKING:
    from collections.abc import Iterator

    import discord

    from bot.client import Interaction, Rayuela
    from engine.game import Side
    from i18n import Texts
    from matches import Preferences, Replay, ReplayTurn

# How long what was announced as under way may take to reach Discord.
UPLOAD_TIMEOUT = 60.0

DEFAULT_RENDER_OPTIONS = render.RenderOptions()


class OpenReplayButton(PersistentButton, template=rf"replay1:{REPLAY_ID_PATTERN}"):
    """Opens a game in private, from the person's own side."""

    @classmethod
    def of(cls, label: str, state: ReplayState) -> Self:
        """Make the button."""
        return cls.create(label, f"replay1:{state}")

    async def on_click(self, interaction: Interaction) -> None:
        """Answer with the page."""
        await show_replay(interaction, ReplayState.from_values(self.values))


class ReplayPageButton(
    PersistentButton, template=rf"page1:(?P<way>first|back|forward|last|flip):{REPLAY_ID_PATTERN}"
):
    """Turns the message to the page, or to the side, that its id names."""

    async def on_click(self, interaction: Interaction) -> None:
        """Show that page in place of this one."""
        state = ReplayState.from_values(self.values)
        replay = await load_replay(interaction, state)
        post = await build_page_post(
            interaction.client, replay, state, await _load_own_preferences(interaction)
        )
        async with response_timeout(interaction):
            await interaction.response.edit_message(**post.edit_arguments())


class ShareReplayButton(PersistentButton, template=rf"post1:{REPLAY_ID_PATTERN}"):
    """Shows everybody the page under which it stands."""

    async def on_click(self, interaction: Interaction) -> None:
        """Answer with the page, for all."""
        await show_replay(interaction, ReplayState.from_values(self.values), public=True)


class AnimateButton(PersistentButton, template=rf"film1:(?P<where>me|all):{REPLAY_ID_PATTERN}"):
    """Shows the whole game as an animated picture, to the person or to all."""

    async def on_click(self, interaction: Interaction) -> None:
        """Say that it is under way, make it, and show it."""
        client, public = interaction.client, self.values["where"] == "all"
        state = ReplayState.from_values(self.values)
        replay = await load_replay(interaction, state)
        await defer_response(interaction, public=public)
        animation = await render_animation(replay, _bottom_side(replay, state), interaction.filesize_limit)
        await finish_response(
            interaction, _build_animation_post(client, replay, state, animation, public=public)
        )


ITEMS = (OpenReplayButton, ReplayPageButton, ShareReplayButton, AnimateButton)


async def show_replay(interaction: Interaction, state: ReplayState, *, public: bool = False) -> None:
    """Answer with a page, for the person alone, whose own side is then at the bottom, or for all."""
    if public:
        require_permissions(interaction)
    replay = await load_replay(interaction, state)
    preferences = None if public else await pictures.load_preferences(interaction)
    if preferences is not None and not state.is_flipped:
        is_second = _is_second_player(replay, ids.user_account(interaction.user))
        state = replace(state, is_flipped=pictures.is_flipped(preferences, is_second=is_second))
    post = await build_page_post(interaction.client, replay, state, preferences)
    async with response_timeout(interaction):
        await interaction.response.send_message(ephemeral=not public, **post.send_arguments())


async def load_replay(interaction: Interaction, state: ReplayState) -> Replay:
    """Return the game of a bookmark. Raises MatchError, also where it is of elsewhere and not one's own."""
    client, server = interaction.client, ids.stored_id(interaction.guild_id or 0)
    if state.source is ReplaySource.RECORD:
        return await client.matches.load_imported_record(RecordId(state.number), server, now=client.now())
    replay = await client.matches.replay(MatchId(state.number), now=client.now())
    account = ids.user_account(interaction.user)
    is_player = any(seat.person.account == account for seat in replay.turns[-1].seats)
    if replay.server != server and not is_player:
        raise MatchUnknown(match=state.number)
    return replay


async def defer_response(interaction: Interaction, *, public: bool) -> None:
    """Answer that something is under way, which :func:`finish_response` will show to the person or to all."""
    if public:
        require_permissions(interaction)
    async with response_timeout(interaction):
        await interaction.response.defer(ephemeral=not public, thinking=True)


async def finish_response(interaction: Interaction, post: Post) -> None:
    """Show what was announced as under way."""
    async with asyncio.timeout(UPLOAD_TIMEOUT):
        await interaction.edit_original_response(**post.edit_arguments())


async def build_page_post(
    client: Rayuela, replay: Replay, state: ReplayState, preferences: Preferences | None
) -> Post:
    """Return the message of one page, as somebody likes to see it or, with None, for all."""
    texts, turn = client.texts, replay.turn_at(state.turn_number)
    state = state.at_turn(turn.number)
    render_options = (
        DEFAULT_RENDER_OPTIONS if preferences is None else pictures.build_render_options(preferences)
    )
    turn_options = replace(render_options, bottom_side=_bottom_side(replay, state), last_turn=turn.events)
    png, diagram = await pictures.render_board(turn.position, turn_options)
    lines = [
        formatting.format_title(texts, client.games, replay, turn),
        formatting.format_turn(texts, replay, turn),
    ]
    picture = Picture(png, formatting.format_alt_text(texts, replay, turn, diagram), "page.png")
    items = [*_items(texts, replay, turn, state, private=preferences is not None)]
    if preferences is not None:
        items += [make(texts, state) for make in client.replay_buttons]
    return Post(texts.join(lines, "list.lines"), picture, lambda: view_of(*items))


def _items(
    texts: Texts, replay: Replay, turn: ReplayTurn, state: ReplayState, *, private: bool
) -> Iterator[discord.ui.Item[Any]]:
    number, turn_count = turn.number, replay.turn_count
    is_final = number == turn_count and (replay.match is None or bool(turn.reason))
    for direction, target, is_disabled in (
        ("first", 0, number == 0),
        ("back", max(number - 1, 0), number == 0),
        ("forward", number + 1, number == turn_count),
        ("last", LAST_TURN, is_final),  # of a match that goes on this looks again
    ):
        button = ReplayPageButton.create(
            texts(f"button.{direction}"), f"page1:{direction}:{state.at_turn(target)}", row=0
        )
        button.item.disabled = is_disabled
        yield button
    yield ReplayPageButton.create(texts("button.flip"), f"page1:flip:{state.flip()}", row=1)
    yield AnimateButton.create(texts("button.animate"), f"film1:me:{state}", row=1)
    if private:
        yield ShareReplayButton.create(texts("button.post"), f"post1:{state}", row=1)
    if replay.record is not None and number == turn_count and turn.position.outcome is None:
        yield ContinueRecordButton.of(texts, replay.record)


def _build_animation_post(
    client: Rayuela,
    replay: Replay,
    state: ReplayState,
    animation: render.GameAnimation | None,
    *,
    public: bool,
) -> Post:
    texts = client.texts
    lines = [
        formatting.format_title(texts, client.games, replay, replay.turns[-1]),
        format_animation_note(texts, animation),
    ]
    share_button = AnimateButton.create(texts("button.post"), f"film1:all:{state}")
    return Post(
        texts.join([line for line in lines if line], "list.lines"),
        None
        if animation is None
        else Picture(
            animation.gif, formatting.format_animation_alt_text(texts, client.games, replay), "replay.gif"
        ),
        None if public or animation is None else lambda: view_of(share_button),
    )


def format_animation_note(texts: Texts, animation: render.GameAnimation | None) -> str:
    """Tell what an animation leaves out, or that there can be none; empty where it shows every turn."""
    if animation is None:
        return texts("animation.too_large")
    return (
        texts("animation.shortened", count=animation.turns_per_frame) if animation.turns_per_frame > 1 else ""
    )


def _bottom_side(replay: Replay, state: ReplayState) -> Side:
    return replay.turns[0].seats[state.is_flipped].side


def _is_second_player(replay: Replay, account: str) -> bool:
    return replay.turns[-1].seats[1].person.account == account


async def _load_own_preferences(interaction: Interaction) -> Preferences | None:
    """Return what the person has chosen, where the message is theirs alone."""
    is_private = interaction.message is not None and interaction.message.flags.ephemeral
    return await pictures.load_preferences(interaction) if is_private else None
