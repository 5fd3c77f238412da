"""The message of a mistake: what was played, the board on which to find a better turn, and the verdict.

The custom ids hold the whole state (:mod:`bot.features.mistakes.state`), so the tasks continue after a
restart. Nothing is stored, and nothing is played.
"""

from __future__ import annotations

import asyncio
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Self

from bot.feature import Feature
from bot.features.learn.feature import LearnButton
from bot.features.mistakes.state import GAME_PATTERN, STATE_PATTERN, MistakeState, game_state
from bot.posts import pictures
from bot.posts.post import Picture, Post
from bot.posts.replies import replace_message, send_private
from bot.ui import ids
from bot.ui.answer_state import add_selected
from bot.ui.buttons import PersistentButton, Style, view_of
from bot.ui.move_menu import PickMenuBuilder
from bot.ui.replay_argument import load_replay
from bot.ui.selects import PersistentSelect, select_option
from i18n.match_texts import format_player
from i18n.mistakes import format_answer, format_count, format_task, format_verdict
from matches import Refusal, TurnVerdict, find_mistakes
from move_builder import apply_answers, parse_turn, preview

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    import discord

    from bot.context import Interaction
    from bot.ui.move_menu import PickMenu
    from bot.ui.replay_state import ReplayState
    from i18n import Texts
    from matches import GameAnalysis, Mistake, Replay, TriedTurn
    from move_builder import MoveBuilderState

PLAYERS = (0, 1)


class MistakesButton(PersistentButton, template=rf"mistakes1:{GAME_PATTERN}"):
    """Opens the first mistake of the user who clicks it, or of a player of the game."""

    @classmethod
    def of(cls, texts: Texts, game: ReplayState, replay: Replay, analysis: GameAnalysis) -> Self | None:
        """Create the button for the analysis of a game; None if there is no task."""
        if not any(find_mistakes(replay, analysis, player) for player in PLAYERS):
            return None
        return cls.create(texts("button.mistakes"), f"mistakes1:{game.source}{game.number}", Style.primary)

    async def on_click(self, interaction: Interaction) -> None:
        """Respond with the first task (ephemeral)."""
        game = game_state(self.values)
        loaded = await _load(interaction, game)
        ordered = loaded.mistakes if loaded.own_player != 1 else loaded.mistakes[::-1]
        first = next((one[0] for one in ordered if one), None)
        if first is None:
            raise Refusal("mistake_unknown")
        state = MistakeState(game, first.turn)
        await send_private(interaction, await _build_post(interaction, state, loaded))


class MistakeButton(PersistentButton, template=rf"mistake(?:step)?1:{STATE_PATTERN}"):
    """Shows the state in its custom id. The two forms keep the ids in a message different."""

    async def on_click(self, interaction: Interaction) -> None:
        """Update the message."""
        await _show(interaction, MistakeState.from_values(self.values))


class MistakeCellSelect(PersistentSelect, template=rf"mistakecell1:{STATE_PATTERN}"):
    """Lists the cells that can be chosen, or groups of them."""

    async def on_select(self, interaction: Interaction, selected: tuple[str, ...]) -> None:
        """Add the selected answer, or narrow the question to the selected group."""
        state = MistakeState.from_values(self.values)
        loaded = await _load(interaction, state.game)
        state = add_selected(state, loaded.find(state)[1].position, selected)
        await replace_message(interaction, await _build_post(interaction, state, loaded))


@dataclass(frozen=True, slots=True)
class LoadedMistakes:
    """The mistakes of both players of a game, and which player the user is, None if neither."""

    mistakes: tuple[tuple[Mistake, ...], tuple[Mistake, ...]]
    own_player: int | None

    def find(self, state: MistakeState) -> tuple[int, Mistake]:
        """Return the player and the mistake of a state.

        Raises Refusal if the game was analysed again without it.
        """
        for player, mistakes in enumerate(self.mistakes):
            for mistake in mistakes:
                if mistake.turn == state.turn:
                    return player, mistake
        raise Refusal("mistake_unknown")


async def _load(interaction: Interaction, game: ReplayState) -> LoadedMistakes:
    """Return the mistakes of a game. Raises Refusal for one that the user may not see."""
    replay = await load_replay(interaction, game)
    analysis = await interaction.client.matches.game_analyses.get(replay)
    accounts = [seat.person.account for seat in replay.turns[0].seats]
    account = ids.user_account(interaction.user)
    return LoadedMistakes(
        (find_mistakes(replay, analysis, 0), find_mistakes(replay, analysis, 1)),
        accounts.index(account) if account in accounts else None,
    )


async def _show(interaction: Interaction, state: MistakeState) -> None:
    """Show a state in the message of the interaction."""
    loaded = await _load(interaction, state.game)
    await replace_message(interaction, await _build_post(interaction, state, loaded))


async def _build_post(interaction: Interaction, state: MistakeState, loaded: LoadedMistakes) -> Post:
    """Return the message of a state: the task, the open question or the verdict, picture and components."""
    texts, (player, mistake) = interaction.client.texts, loaded.find(state)
    mistakes, others = loaded.mistakes[player], loaded.mistakes[1 - player]
    options = await pictures.load_render_options(interaction, mistake.seat)
    if state.is_shown:
        move_state = parse_turn(mistake.position, " ".join(mistake.point.better))
    else:
        move_state = apply_answers(mistake.position, state.answers)
    tried = None if move_state.choice else await asyncio.to_thread(_judge, mistake, move_state)
    is_flipped = options.bottom_side is mistake.position.game.sides[1]
    builder = PickMenuBuilder(texts, move_state, mistake.seat.side, group=state.group, is_flipped=is_flipped)
    menu = builder.build_menu()
    show_names = not menu.is_multiple and not menu.group_kind
    position, options = preview(move_state, options, menu.cells, show_names=show_names)
    png, diagram = await pictures.render_board(position, options, interaction.client.matches.metrics)

    def format_body(texts: Texts) -> str:
        if tried is None:
            return texts("learn.question", question=builder.format_question(texts))
        return _format_result(texts, state, mistake, tried)

    if tried is None:
        items = [*_answer_items(texts, state, menu, builder.format_hint(menu))]
    else:
        following = mistakes[mistake.index + 1 :]
        items = [*_result_buttons(texts, state, mistake, tried, following)]
    items += _other_player_button(texts, state, others)
    name = "" if loaded.own_player == player else format_player(texts, mistake.seat)
    task = texts(
        "mistakes.task",
        title=texts("mistakes.title"),
        count=format_count(texts, mistake, name),
        text=format_task(texts, mistake, name),
    )
    alt = texts.plain("picking.alt_bare", question=format_body(texts.plain), diagram=diagram)
    text = texts.join([task, format_body(texts)], "list.lines")
    return Post(text, Picture(png, alt), lambda: view_of(*items))


def _judge(mistake: Mistake, move_state: MoveBuilderState) -> TriedTurn:
    return mistake.judge(map(str, move_state.moves))


def _format_result(texts: Texts, state: MistakeState, mistake: Mistake, tried: TriedTurn) -> str:
    """Return the answer if it is shown, else what a turn is worth. After the last task it says so."""
    is_good = tried.verdict is TurnVerdict.GOOD
    if state.is_shown:
        lines = [texts("learn.hint", hint=format_answer(texts, mistake, tried))]
    else:
        said = format_verdict(texts, mistake, tried)
        lines = [texts("learn.right" if is_good else "learn.wrong", text=said)]
    if is_good and mistake.index + 1 == mistake.count:
        lines.append(texts("mistakes.finished"))
    return texts.join(lines, "list.lines")


def _answer_items(
    texts: Texts, state: MistakeState, menu: PickMenu, placeholder: str
) -> Iterator[discord.ui.Item[Any]]:
    """Yield the possible answers to the open question, without their effects, and what else can be done."""
    if menu.options:
        options = [select_option(one.label, one.value, is_selected=one.is_selected) for one in menu.options]
        yield MistakeCellSelect.create(placeholder, f"mistakecell1:{state}", options, many=menu.is_multiple)
    for one in menu.buttons:
        yield MistakeButton.create(one.label, f"mistake1:{state.with_answer(one.value)}", Style.primary)
    back = state.back()
    if back is not None:
        yield MistakeButton.create(texts("button.back"), f"mistakestep1:{back}")
    yield MistakeButton.create(texts("button.show_answer"), f"mistakestep1:{state.show()}")


def _result_buttons(
    texts: Texts, state: MistakeState, mistake: Mistake, tried: TriedTurn, following: Sequence[Mistake]
) -> Iterator[discord.ui.Item[Any]]:
    """Yield the buttons that lead on after a complete turn or the answer."""
    if tried.verdict is not TurnVerdict.GOOD:
        again = state.at(state.turn)
        yield MistakeButton.create(texts("button.try_again"), f"mistake1:{again}", Style.primary)
        yield MistakeButton.create(texts("button.show_answer"), f"mistakestep1:{state.show()}")
    elif following:
        next_state = state.at(following[0].turn)
        yield MistakeButton.create(texts("button.next_mistake"), f"mistake1:{next_state}", Style.success)
    else:
        lesson = LearnButton.of(texts, mistake.position.game, {})
        if lesson is not None:
            yield lesson


def _other_player_button(
    texts: Texts, state: MistakeState, others: Sequence[Mistake]
) -> Iterator[discord.ui.Item[Any]]:
    """Yield the button that leads to the first mistake of the other player, if there is one."""
    if others:
        label = texts.plain("button.mistakes_of", name=format_player(texts.plain, others[0].seat))
        yield MistakeButton.create(label, f"mistake1:{state.at(others[0].turn)}")


FEATURE = Feature(items=(MistakesButton, MistakeButton, MistakeCellSelect))
