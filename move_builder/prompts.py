"""What is said while a turn is built: the question, the words on offer, what an answer would do."""

from __future__ import annotations

from typing import TYPE_CHECKING

from engine.game import EventKind, MoveChoice, SelectionKind
from i18n import formatting
from move_builder.state import ALL, NONE, find_implied_move, preview_board

if TYPE_CHECKING:
    from collections.abc import Sequence

    from engine.game import Event, Side
    from i18n import Texts
    from move_builder.state import MoveBuilderState

# What need not be told of an answer on offer: the answer itself says it, or it is asked later.
OMITTED_EVENTS = frozenset(
    {
        EventKind.MOVE,
        EventKind.PLACE,
        EventKind.FLIP,
        EventKind.CAPTURE,
        EventKind.RESTORE,
        EventKind.DECLINE_CAPTURE,
    }
)


class MovePrompts:
    """The texts of one stand, for the side to move. They may hold ``**emphasis**``, and nobody's name."""

    def __init__(self, texts: Texts, state: MoveBuilderState, side: Side) -> None:
        self.texts = texts
        self._state = state
        self._side = side
        self._vocabulary = state.start.vocabulary

    def question(self) -> str:
        """Return the question that is open; once the turn is settled, what it does."""
        choice, state = self._state.choice, self._state
        if choice is None:
            return self.describe_turn(state.events)
        return self.texts.for_game(
            self._vocabulary,
            f"picking.ask.{choice.kind}",
            count=state.moves_due - len(state.moves)
            if choice.kind is SelectionKind.PLACE
            else len(choice.options),
            last=state.path[-1] if state.path else "",
            cells=self.texts.join(choice.options),
            done=self._format_events(preview_board(state)[1]),
            turn=self.describe_turn(preview_board(state)[1]),
        )

    def describe_turn(self, events: Sequence[Event]) -> str:
        """Tell what the side to move does, with its name."""
        return self.texts(
            "turn.summary",
            side=formatting.format_side(self.texts, self._side),
            events=self._format_events(events),
        )

    def option_label(self, ask: SelectionKind, option: str) -> str:
        """Return the label of an option that is no cell."""
        name = "none" if option == NONE else option
        return self.texts.for_game(self._vocabulary, f"picking.answer.{ask}.{name}")

    def all_or_none_options(self, choice: MoveChoice) -> tuple[tuple[str, str], ...]:
        """Return labels and answers for taking every option of a question, and for taking none."""
        count = len(choice.options)
        return tuple(
            (
                self.texts.for_game(self._vocabulary, f"picking.answer.{choice.kind}.{name}", count=count),
                answer,
            )
            for name, answer in (("all", ALL), ("none", NONE))
        )

    def describe_answer(self, cell: str) -> str:
        """Tell what answering with a cell brings about, or how much follows; empty where that is plain."""
        state = self._state
        move = find_implied_move(state, cell)
        if move is not None:
            known_events = preview_board(state)[1]
            events = [event for event in state.position.events(move) if event.kind not in OMITTED_EVENTS]
            return self._format_events([one for one in events if one not in known_events])
        following = state.position.next_choice((*state.path, cell))
        if isinstance(following, MoveChoice) and following.kind is SelectionKind.TARGET:
            return self.texts("picking.about", count=len(following.options))
        return ""

    def _format_events(self, events: Sequence[Event]) -> str:
        return formatting.format_events(self.texts, self._vocabulary, self._side, events) if events else ""
