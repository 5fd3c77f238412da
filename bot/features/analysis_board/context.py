"""An analysis with its game loaded: the boards of its line, conditional moves, and moves typed into it."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from bot.features.analysis_board.state import (
    FORCED,
    MAX_ID_LENGTH,
    MAX_LINE_MOVES,
    RESIGN_MARK,
    STORED_PREFIX,
    AnalysisState,
    join_moves,
)
from bot.ui import ids
from bot.ui.buttons import MAX_LABEL_LENGTH
from bot.ui.replay_argument import load_replay
from bot.ui.replay_state import ReplaySource
from matches import MatchId, MoveAmbiguous, MoveRefused, Refusal, StaleBoard
from matches.conditionals import RESIGN, find_line, play_line
from matches.people.analysis_lines import AnalysisLineId, conditional_line_from, split_complete_turns
from matches.turns import play_moves
from move_builder import (
    add_forced_answers,
    apply_answers,
    resolve_line,
    split_moves,
    suggest_lines,
    undo_last_choice,
)
from move_builder.typed_lines import MAX_WORDS_OF_MOVE

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from bot.context import Interaction
    from engine.game import Event, Position
    from matches import Replay, ReplayTurn
    from matches.conditionals import ConditionalMoves, FutureBoard, Line, LineTurn
    from matches.match_view import PlayedMove

MAX_STATE_LENGTH = MAX_ID_LENGTH - len("unsettle1:")


class UnplayableLine(Refusal):
    """The line has a move that the game refuses, or too many.

    Its keys are `line_move_illegal`, `line_move_ambiguous` and `line_full`.
    """


@dataclass(frozen=True, slots=True, repr=False)
class AnalysisContext:
    """An analysis state, the game it belongs to and the moves in view as played moves.

    `saved` holds the user's conditional moves in the match; None if the user does not play in it or it has
    ended.
    """

    state: AnalysisState
    replay: Replay
    moves: tuple[PlayedMove, ...]
    saved: ConditionalMoves | None

    @property
    def start_turn(self) -> ReplayTurn:
        """The turn of the game after which the analysis starts."""
        return self.replay.turn_at(self.state.replay_state.turn_number)

    @property
    def position(self) -> Position:
        """The position on display."""
        return self.moves[-1].position if self.moves else self.start_turn.position

    @property
    def last_events(self) -> tuple[Event, ...]:
        """The events of the move or turn that led to the position on display."""
        return self.moves[-1].events if self.moves else self.start_turn.events

    @property
    def previous(self) -> AnalysisState | None:
        """The state before the last choice that had an alternative; None at the start."""
        return self.state.back(undo_last_choice(self.position, self.state.answers))

    @property
    def turns(self) -> Line:
        """The complete turns in view; the last may be a resignation."""
        whole, _ = split_complete_turns(self.start_turn.position, self.moves)
        return (*whole, RESIGN) if self.state.resigns else whole

    @property
    def unfinished_turn(self) -> tuple[str, ...]:
        """The moves of the unfinished turn in view, if any."""
        return split_complete_turns(self.start_turn.position, self.moves)[1]

    @property
    def conditional_line(self) -> Line:
        """The part of the line that can be saved as conditional moves; may be empty."""
        if self.saved is None or self.state.answers:
            return ()
        return conditional_line_from(self.saved, self.start_turn.position, self.moves)

    def line_turns(self, saved: ConditionalMoves) -> tuple[LineTurn, ...]:
        """Return the complete turns in view, played from the board of the conditional moves."""
        return tuple(play_line(saved.board, self.turns))

    def future_board(self, saved: ConditionalMoves) -> FutureBoard:
        """Return the board before the unfinished turn."""
        line_turns = self.line_turns(saved)
        return line_turns[-1].board_after if line_turns else saved.board

    def is_saved(self, saved: ConditionalMoves) -> bool:
        """Return whether the turns in view are already saved as conditional moves."""
        return bool(self.turns) and find_line(saved.board, saved.tree, self.turns) is not None


async def load_analysis(interaction: Interaction, state: AnalysisState) -> AnalysisContext:
    """Load the game of an analysis and play its moves, completing the move if `state.answers` determine one.

    Raises Refusal if the game cannot be loaded, StaleBoard if the line is conditional and the match has
    moved on, and UnplayableLine.
    """
    replay = await load_replay(interaction, state.replay_state)
    saved = await _load_saved(interaction, state)
    context = _build_context(replay, state, saved)
    if state.is_conditional and (
        saved is None or saved.board.position != replay.turn_at(state.replay_state.turn_number).position
    ):
        raise StaleBoard(match=state.replay_state.number)
    advanced = _advance_line(context.position, state) if state.answers else state
    if len(advanced.line) > MAX_LINE_MOVES:
        raise UnplayableLine("line_full", limit=MAX_LINE_MOVES)
    return context if advanced is state else _build_context(replay, advanced, saved)


async def _load_saved(interaction: Interaction, state: AnalysisState) -> ConditionalMoves | None:
    """Return the user's conditional moves, if any. Raises Refusal only for a conditional line."""
    if state.replay_state.source is not ReplaySource.MATCH:
        return None
    match = MatchId(state.replay_state.number)
    try:
        return await interaction.client.matches.conditionals.get(match, ids.to_person(interaction.user))
    except Refusal:
        if state.is_conditional:
            raise
        return None


def _build_context(replay: Replay, state: AnalysisState, saved: ConditionalMoves | None) -> AnalysisContext:
    start = replay.turn_at(state.replay_state.turn_number).position
    return AnalysisContext(
        state, replay, play_tried_moves(state.replay_state.number, start, state.moves_in_view), saved
    )


def play_tried_moves(match: int, start: Position, move_texts: Sequence[str]) -> tuple[PlayedMove, ...]:
    """Play moves from a position, skipping a resignation.

    Raises UnplayableLine if one is illegal or ambiguous.
    """
    try:
        return play_moves(match, start, [text for text in move_texts if text != RESIGN_MARK])
    except MoveRefused as error:
        raise UnplayableLine(
            "line_move_ambiguous" if isinstance(error, MoveAmbiguous) else "line_move_illegal",
            reason=error.values["reason"],
            choices=error.error.choices,
        ) from error


def _advance_line(position: Position, state: AnalysisState) -> AnalysisState:
    """Add forced answers to `state`; once the answers determine a move, append it to the line."""
    if state.answers == (RESIGN_MARK,):
        return state.with_moves(RESIGN_MARK)
    answers = () if state.answers == (FORCED,) else add_forced_answers(position, state.answers)
    moves = apply_answers(position, answers).moves
    if not moves:
        return replace(state, answers=answers)
    return state.with_moves(*map(str, moves))


async def load_state(interaction: Interaction, values: Mapping[str, str]) -> AnalysisState:
    """Return the analysis state of a custom id. Raises Refusal if its stored line no longer exists."""
    line = values["line"]
    if not line.startswith(STORED_PREFIX):
        return AnalysisState.from_values(values, line)
    line_id = AnalysisLineId(int(line.removeprefix(STORED_PREFIX)))
    stored = await interaction.client.matches.people.analysis_lines.get(
        line_id, ids.to_person(interaction.user)
    )
    if stored is None:
        raise Refusal("analysis_line_unknown")
    return AnalysisState.from_values(values, stored)


async def encode_line(interaction: Interaction, state: AnalysisState) -> str:
    """Return the line as text for a custom id; if it is too long, store it and return a reference."""
    line, longest = join_moves(state.line), state.with_answers("A99,B99,C99,D99,E99")
    if len(longest.encode(line)) <= MAX_STATE_LENGTH:
        return line
    client = interaction.client
    line_id = await client.matches.people.analysis_lines.save(
        line, ids.to_person(interaction.user), now=client.now()
    )
    return f"{STORED_PREFIX}{line_id}"


def resolve_typed_line(context: AnalysisContext, typed: str) -> list[str]:
    """Return the moves of a typed line, as far as they are legal. Raises Refusal if they are too many."""
    words = split_moves(typed)[: MAX_WORDS_OF_MOVE * (MAX_LINE_MOVES + 1)]
    move_texts = resolve_line(context.position, words)
    if len(move_texts) > MAX_LINE_MOVES:
        raise Refusal("line_full", limit=MAX_LINE_MOVES)
    return move_texts


def suggest_states(context: AnalysisContext, typed: Sequence[str]) -> dict[str, AnalysisState]:
    """Return the states after legal moves near typed ones, by the moves as the label of a button."""
    labels = {" ".join(line): line for line in suggest_lines(context.position, typed)}
    return {
        label: context.state.with_moves(*line)
        for label, line in labels.items()
        if len(label) <= MAX_LABEL_LENGTH
    }
