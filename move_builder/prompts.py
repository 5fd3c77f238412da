"""The texts of the move builder: the open question, the labels of options, what an answer would do."""

from __future__ import annotations

from typing import TYPE_CHECKING

from engine.game import EventKind, MoveChoice, SelectionKind, replaced_cells
from i18n import formatting
from move_builder.state import ALL, NONE, find_implied_move, preview_board

if TYPE_CHECKING:
    from collections.abc import Sequence

    from engine.game import Event, Side
    from i18n import Texts
    from move_builder.state import MoveBuilderState

# Events that change a piece on the board, besides the one that moves.
CHANGES = frozenset({EventKind.CONVERT, EventKind.FLIP, EventKind.CAPTURE})
# Events that the label of an option leaves out: the option itself says them, or a later question asks.
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
    """The texts of one state, for the side to move. They contain no names of people."""

    def __init__(self, texts: Texts, state: MoveBuilderState, side: Side) -> None:
        self.texts = texts
        self._state = state
        self._side = side
        self._vocabulary = state.start.vocabulary

    def question(self) -> str:
        """Return the open question; for a complete turn, what it does."""
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
        """Return what the side to move does, with the name of the side."""
        return self.texts(
            "turn.summary",
            side=formatting.format_side(self.texts, self._side),
            events=self._format_events(events),
        )

    def option_label(self, ask: SelectionKind, option: str) -> str:
        """Return the label of an option that is not a cell."""
        name = "none" if option == NONE else option
        return self.texts.for_game(self._vocabulary, f"picking.answer.{ask}.{name}")

    def all_or_none_options(self, choice: MoveChoice) -> tuple[tuple[str, str], ...]:
        """Return (label, answer) for choosing all options of a question, and for choosing none."""
        count = len(choice.options)
        return tuple(
            (
                self.texts.for_game(self._vocabulary, f"picking.answer.{choice.kind}.{name}", count=count),
                answer,
            )
            for name, answer in (("all", ALL), ("none", NONE))
        )

    def describe_answer(self, cell: str) -> str:
        """Return what choosing a cell would do, or how many choices follow; empty if that is obvious."""
        return self.describe_effect(cell)[0]

    def describe_effect(self, cell: str) -> tuple[str, tuple[str, ...]]:
        """Return the text of :meth:`describe_answer`, and the cells of other pieces that would change."""
        state = self._state
        move = find_implied_move(state, cell)
        if move is not None:
            known_events = preview_board(state)[1]
            move_events = state.position.events(move)
            changed = (one for event in move_events if event.kind in CHANGES for one in event.cells)
            replaced = replaced_cells(move_events)
            events = [
                event
                for event in move_events
                if event.kind not in OMITTED_EVENTS or (event.cells and replaced.issuperset(event.cells))
            ]
            about = self._format_events([one for one in events if one not in known_events])
            return about, tuple(dict.fromkeys(one for one in changed if one != cell))
        following = state.position.next_choice((*state.path, cell))
        if isinstance(following, MoveChoice) and following.kind is SelectionKind.TARGET:
            return self.texts("picking.about", count=len(following.options)), ()
        return "", ()

    def _format_events(self, events: Sequence[Event]) -> str:
        return formatting.format_events(self.texts, self._vocabulary, self._side, events) if events else ""
