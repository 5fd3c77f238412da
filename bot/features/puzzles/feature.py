"""``/puzzle``: the private message of a puzzle, its buttons and its selects.

The custom ids hold how far the solver is (:mod:`bot.features.puzzles.state`), so a puzzle continues after a
restart. What is stored is the first attempt, by :meth:`matches.puzzles.service.Puzzles.attempt`.
"""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Any

from bot.feature import Feature
from bot.features.puzzles.formatting import format_heading, format_rules, format_state
from bot.features.puzzles.state import HINT, SOLUTION, STATE_PATTERN, PuzzleState
from bot.posts import pictures
from bot.posts.post import Picture, Post
from bot.posts.replies import ask, replace_message, send_private
from bot.ui import game_argument, ids
from bot.ui.answer_state import add_selected
from bot.ui.buttons import PersistentButton, Style, view_of
from bot.ui.commands import define_command
from bot.ui.interactions import mark_committed
from bot.ui.move_menu import PickMenuBuilder
from bot.ui.selects import PersistentSelect, select_option
from i18n import puzzle_texts
from matches import BoardOrientation, PuzzleChoice, PuzzleVerdict, Refusal
from matches.puzzles.solving import follow_turns
from move_builder import apply_answers, preview

if TYPE_CHECKING:
    from collections.abc import Iterator

    import discord

    from bot.context import Interaction
    from bot.ui.move_menu import PickMenu
    from engine.game import Position
    from i18n import Texts
    from matches import Progress, StoredPuzzle
    from render import RenderOptions

GAME_PATTERN = r"(?P<game>[a-z0-9]{0,20})"


class NextPuzzleButton(PersistentButton, template=rf"puzzlenext1:{GAME_PATTERN}"):
    """Shows another puzzle, of a game or of any."""

    async def on_click(self, interaction: Interaction) -> None:
        """Update the message. Raises Refusal if there is none left."""
        state = await _choose(interaction, self.values["game"])
        await replace_message(interaction, await build_puzzle_post(interaction, state))


class PuzzleButton(PersistentButton, template=rf"puzzle(?:step)?1:{STATE_PATTERN}"):
    """Shows the state in its custom id. The two forms keep the ids in a message different."""

    async def on_click(self, interaction: Interaction) -> None:
        """Update the message."""
        await _show(interaction, PuzzleState.from_values(self.values))


class PuzzleCellSelect(PersistentSelect, template=rf"puzzlecell1:{STATE_PATTERN}"):
    """Lists the cells that can be chosen, or groups of them."""

    async def on_select(self, interaction: Interaction, selected: tuple[str, ...]) -> None:
        """Add the selected answer, or narrow the question to the selected group."""
        state = PuzzleState.from_values(self.values)
        puzzle = (await interaction.client.matches.puzzles.get(state.key)).puzzle
        position = follow_turns(puzzle, state.found_turns(puzzle.line)).position
        await _show(interaction, add_selected(state, position, selected))


class ReportPuzzleButton(PersistentButton, template=rf"puzzlereport1:{STATE_PATTERN}"):
    """Reports the wrong turn of a state as a second solution."""

    async def on_click(self, interaction: Interaction) -> None:
        """Store the report and say so. Raises Refusal."""
        client, state = interaction.client, PuzzleState.from_values(self.values)
        puzzle = (await client.matches.puzzles.get(state.key)).puzzle
        found = state.found_turns(puzzle.line)
        moves = apply_answers(follow_turns(puzzle, found).position, state.answers).moves
        if not moves:
            raise Refusal("no_second_solution")
        turns = [*found, str(moves[0])]
        await client.matches.puzzles.report(
            state.key, ids.to_person(interaction.user), turns, now=client.now()
        )
        mark_committed(interaction)
        await ask(interaction, client.texts("puzzle_post.reported"))


async def _puzzle(interaction: Interaction, game: str | None) -> None:
    """Respond with a puzzle near the user's rating (ephemeral)."""
    name = "" if game is None else await game_argument.resolve_game_key_or_default(interaction, game)
    await send_private(interaction, await build_puzzle_post(interaction, await _choose(interaction, name)))


async def show_next_puzzle(interaction: Interaction) -> None:
    """Respond with a puzzle of any game near the user's rating (ephemeral). Raises Refusal."""
    await _puzzle(interaction, None)


async def _choose(interaction: Interaction, game: str) -> PuzzleState:
    """Return the start of a puzzle that the user has not tried. Raises Refusal if there is none."""
    account = ids.user_account(interaction.user)
    stored = await interaction.client.matches.puzzles.next(account, PuzzleChoice(game))
    if stored is None:
        raise Refusal("no_puzzle_left")
    return PuzzleState(stored.key)


async def _show(interaction: Interaction, state: PuzzleState) -> None:
    """Show a state in the message of the interaction; a turn that it completes is judged and stored."""
    client, person = interaction.client, ids.to_person(interaction.user)
    if state.shown:
        await client.matches.puzzles.reveal(state.key, person, now=client.now())
        mark_committed(interaction)
    await replace_message(interaction, await build_puzzle_post(interaction, state))


async def build_puzzle_post(interaction: Interaction, state: PuzzleState) -> Post:
    """Return the message of a state. A turn that it completes is judged, and stored if that ends the attempt.

    Raises `puzzle_unknown`, `puzzle_withdrawn`.
    """
    client, texts = interaction.client, interaction.client.texts
    puzzles, person = client.matches.puzzles, ids.to_person(interaction.user)
    stored = await puzzles.get(state.key)
    found = state.found_turns(stored.puzzle.line)
    progress, is_new = follow_turns(stored.puzzle, found), False
    built = apply_answers(progress.position, state.answers)
    if (
        built.choice is None
        and built.moves
        and progress.verdict is PuzzleVerdict.OPEN
        and state.shown != SOLUTION
    ):
        turns = [*found, str(built.moves[0])]
        result = await puzzles.attempt(state.key, person, turns, now=client.now())
        mark_committed(interaction)
        progress, is_new = result.progress, result.is_new
        if progress.verdict is not PuzzleVerdict.WRONG:
            state = PuzzleState(state.key, len(progress.found))
        if is_new:
            stored = await puzzles.get(state.key)  # with this attempt
    attempt = await puzzles.find_attempt(state.key, person.account)
    rating = await puzzles.find_rating(person.account, stored.puzzle.game.name)
    view = _PuzzleView(texts, stored, progress, state)
    position, options = view.board(await _render_options(interaction, stored))
    png, diagram = await pictures.render_board(position, options, client.matches.metrics)
    lines = [*view.lines(texts), puzzle_texts.format_figures(texts, stored, attempt, rating, is_new=is_new)]
    question = texts.plain.join(view.lines(texts.plain), "list.lines")
    alt = texts.plain("picking.alt_bare", question=question, diagram=diagram)
    return Post(texts.join(lines, "list.lines"), Picture(png, alt), lambda: view_of(*view.items()))


async def _render_options(interaction: Interaction, stored: StoredPuzzle) -> RenderOptions:
    """Return the user's options for pictures, with the solver's side at the bottom if they want their own."""
    preferences = await pictures.load_preferences(interaction)
    options = pictures.build_render_options(interaction.client.texts, preferences)
    is_own = preferences.orientation is BoardOrientation.OWN
    return replace(options, bottom_side=stored.puzzle.solver) if is_own else options


class _PuzzleView:
    """What a state looks like: lines, board and components."""

    def __init__(self, texts: Texts, stored: StoredPuzzle, progress: Progress, state: PuzzleState) -> None:
        self._texts, self._stored, self._progress, self._state = texts, stored, progress, state
        self._is_open = progress.verdict is PuzzleVerdict.OPEN and state.shown != SOLUTION
        self._menu: PickMenu | None = None
        if self._is_open:
            self._built = apply_answers(progress.position, state.answers)
            self._builder = PickMenuBuilder(texts, self._built, stored.puzzle.solver, group=state.group)
            self._menu = self._builder.build_menu()

    def lines(self, texts: Texts) -> list[str]:
        """Return the heading, and the open question or the verdict."""
        question = self._builder.format_question(texts) if self._is_open else ""
        return [
            format_heading(texts, self._stored),
            *filter(None, [format_rules(texts, self._stored)]),
            *format_state(texts, self._stored, self._progress, self._state, question),
        ]

    def board(self, options: RenderOptions) -> tuple[Position, RenderOptions]:
        """Return the position to show, with the marks of the open question or of the last turn."""
        menu, puzzle = self._menu, self._stored.puzzle
        if menu is not None:
            events = self._progress.events if not self._state.answers else ()
            position, shown = preview(
                self._built, options, menu.cells, show_names=not menu.is_multiple and not menu.group_kind
            )
            return position, replace(shown, last_turn=shown.last_turn or events)
        if self._state.shown == SOLUTION:
            last = puzzle.position_at(len(puzzle.line) - 1)
            move = last.parse(puzzle.line[-1])
            return last.play(move), replace(options, last_turn=last.events(move))
        return self._progress.position, replace(options, last_turn=self._progress.events)

    def items(self) -> Iterator[discord.ui.Item[Any]]:
        """Yield the possible answers or what leads on, and what is always there."""
        texts, state = self._texts, self._state
        if self._menu is not None:
            yield from self._answers(self._menu)
        elif self._progress.verdict is PuzzleVerdict.WRONG:
            again = PuzzleState(state.key, state.found)
            yield PuzzleButton.create(texts("button.try_again"), f"puzzle1:{again}", Style.primary)
            yield ReportPuzzleButton.create(
                texts("button.report_puzzle"), f"puzzlereport1:{replace(state, shown='')}"
            )
        if self._progress.verdict is not PuzzleVerdict.SOLVED and state.shown != SOLUTION:
            solution = PuzzleState(state.key, state.found, shown=SOLUTION)
            yield PuzzleButton.create(texts("button.puzzle_solution"), f"puzzlestep1:{solution}")
        style = Style.secondary if self._is_open else Style.success
        following = f"puzzlenext1:{self._stored.puzzle.game.name}"
        yield NextPuzzleButton.create(texts("button.next_puzzle"), following, style)

    def _answers(self, menu: PickMenu) -> Iterator[discord.ui.Item[Any]]:
        texts, state = self._texts, self._state
        if menu.options:
            options = [
                select_option(one.label, one.value, is_selected=one.is_selected) for one in menu.options
            ]
            hint = self._builder.format_hint(menu)
            yield PuzzleCellSelect.create(hint, f"puzzlecell1:{state}", options, many=menu.is_multiple)
        for one in menu.buttons:
            answered = state.with_answer(one.value)
            yield PuzzleButton.create(one.label, f"puzzle1:{answered}", Style.primary)
        back = state.back()
        if back is not None:
            yield PuzzleButton.create(texts("button.back"), f"puzzlestep1:{back}")
        if state.shown != HINT:
            yield PuzzleButton.create(texts("button.hint"), f"puzzlestep1:{state.showing(HINT)}")


FEATURE = Feature(
    commands=(define_command("puzzle", _puzzle, game_argument.field("puzzle"), anywhere=True),),
    items=(
        NextPuzzleButton,
        PuzzleButton,
        PuzzleCellSelect,
        ReportPuzzleButton,
    ),
)
