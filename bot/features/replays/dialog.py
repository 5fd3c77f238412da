"""The message in which a game is replayed, and its buttons.

The custom ids hold the whole state (:mod:`bot.ui.replay_state`), so the buttons work after a restart.
The page buttons edit the message as the response to the interaction; an animation is rendered during a
deferred response.
"""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Any, Self

import render
from bot.features.replays import formatting
from bot.features.replays.animations import render_animation
from bot.features.replays.continue_from_record import ContinueRecordButton
from bot.posts import pictures
from bot.posts.post import Picture, Post
from bot.posts.replies import defer_response, finish_response, replace_message
from bot.ui import ids
from bot.ui.buttons import PersistentButton, view_of
from bot.ui.interactions import require_permissions, response_timeout
from bot.ui.replay_argument import load_replay
from bot.ui.replay_state import LAST_TURN, REPLAY_ID_PATTERN, ReplaySource, ReplayState
from i18n import match_texts
from i18n.readers import current_language, reading_in

if TYPE_CHECKING:
    from collections.abc import Iterator

    import discord

    from bot.context import BotClient, Interaction
    from engine.game import Side
    from i18n import Texts
    from matches import MatchView, Preferences, Replay, ReplayTurn


class OpenReplayButton(PersistentButton, template=rf"replay1:{REPLAY_ID_PATTERN}"):
    """Opens a game in an ephemeral message, oriented as the user prefers."""

    @classmethod
    def of(cls, label: str, state: ReplayState) -> Self:
        """Create the button."""
        return cls.create(label, f"replay1:{state}")

    @classmethod
    def for_match(cls, texts: Texts, view: MatchView) -> Self | None:
        """Create the button under a finished match; None if it ended before there was a board."""
        if view.position is None:
            return None
        return cls.of(texts("button.replay"), ReplayState(ReplaySource.MATCH, view.id))

    async def on_click(self, interaction: Interaction) -> None:
        """Respond with the page."""
        await show_replay(interaction, ReplayState.from_values(self.values))


class ReplayPageButton(
    PersistentButton, template=rf"page1:(?P<way>first|back|forward|last|flip):{REPLAY_ID_PATTERN}"
):
    """Shows the page, or the side of the board, in its custom id."""

    async def on_click(self, interaction: Interaction) -> None:
        """Update the message."""
        state = ReplayState.from_values(self.values)
        replay = await load_replay(interaction, state)
        post = await build_page_post(
            interaction.client, replay, state, await _load_own_preferences(interaction)
        )
        await replace_message(interaction, post)


class ShareReplayButton(PersistentButton, template=rf"post1:{REPLAY_ID_PATTERN}"):
    """Shows the page of its message to everybody."""

    async def on_click(self, interaction: Interaction) -> None:
        """Respond with the page, publicly."""
        await show_replay(interaction, ReplayState.from_values(self.values), public=True)


class AnimateButton(PersistentButton, template=rf"film1:(?P<where>me|all):{REPLAY_ID_PATTERN}"):
    """Shows the whole game as an animation, ephemeral or public."""

    async def on_click(self, interaction: Interaction) -> None:
        """Defer the response, render the animation and show it."""
        client, public = interaction.client, self.values["where"] == "all"
        state = ReplayState.from_values(self.values)
        replay = await load_replay(interaction, state, public=public)
        await defer_response(interaction, public=public)
        animation = await render_animation(
            client.texts,
            replay,
            _bottom_side(replay, state),
            interaction.filesize_limit,
            account=ids.user_account(interaction.user),
        )
        with reading_in(await client.languages.of_response(interaction) if public else current_language()):
            post = _build_animation_post(client, replay, state, animation, public=public)
        await finish_response(interaction, post)


ITEMS = (OpenReplayButton, ReplayPageButton, ShareReplayButton, AnimateButton)


async def show_replay(interaction: Interaction, state: ReplayState, *, public: bool = False) -> None:
    """Respond with a page; an ephemeral one is oriented as the user prefers."""
    if public:
        require_permissions(interaction)
    replay = await load_replay(interaction, state, public=public)
    preferences = None if public else await pictures.load_preferences(interaction)
    if preferences is not None and not state.is_flipped:
        is_second = _is_second_player(replay, ids.user_account(interaction.user))
        state = replace(state, is_flipped=pictures.is_flipped(preferences, is_second=is_second))
    language = await interaction.client.languages.of_response(interaction) if public else current_language()
    with reading_in(language):
        post = await build_page_post(interaction.client, replay, state, preferences)
    async with response_timeout(interaction):
        await interaction.response.send_message(ephemeral=not public, **post.send_arguments())


async def build_page_post(
    client: BotClient, replay: Replay, state: ReplayState, preferences: Preferences | None
) -> Post:
    """Return the message of one page with the user's preferences, or with None for everybody."""
    texts, turn = client.texts, replay.turn_at(state.turn_number)
    state = state.at_turn(turn.number)
    render_options = (
        render.RenderOptions(texts.plain)
        if preferences is None
        else pictures.build_render_options(texts, preferences)
    )
    turn_options = replace(
        render_options,
        bottom_side=_bottom_side(replay, state),
        last_turn=turn.events,
        is_over=turn.result is not None,
    )
    png, diagram = await pictures.render_board(turn.position, turn_options, client.matches.metrics)
    lines = [
        match_texts.format_replay_title(texts, replay, turn, client.games[replay.game]),
        formatting.format_page(texts, replay, turn),
    ]
    picture = Picture(png, formatting.format_alt_text(texts, replay, turn, diagram), "page.png")
    items = [*_items(texts, replay, turn, state, private=preferences is not None)]
    if preferences is not None:
        made = (make(texts, replay, state) for make in client.replay_buttons)
        items += [button for button in made if button is not None]
    return Post(texts.join(lines, "list.lines"), picture, lambda: view_of(*items))


def _items(
    texts: Texts, replay: Replay, turn: ReplayTurn, state: ReplayState, *, private: bool
) -> Iterator[discord.ui.Item[Any]]:
    number, turn_count = turn.number, replay.turn_count
    is_final = number == turn_count and (replay.match is None or turn.result is not None)
    for direction, target, is_disabled in (
        ("first", 0, number == 0),
        ("back", max(number - 1, 0), number == 0),
        ("forward", number + 1, number == turn_count),
        ("last", LAST_TURN, is_final),  # stays enabled during a match, to reload it
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
    client: BotClient,
    replay: Replay,
    state: ReplayState,
    animation: render.GameAnimation | None,
    *,
    public: bool,
) -> Post:
    texts = client.texts
    lines = [
        match_texts.format_replay_title(texts, replay, replay.turns[-1], client.games[replay.game]),
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
    """State which turns an animation leaves out, or that there is none; empty if it shows every turn."""
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
    """Return the user's preferences if the message is ephemeral, else None."""
    is_private = interaction.message is not None and interaction.message.flags.ephemeral
    return await pictures.load_preferences(interaction) if is_private else None
