"""The last turn in signs, as it stands at the foot of a picture."""

import pytest

from engine.game import Cell, Event, EventKind, Outcome, Side
from render.frame import Frame
from render.score import Score, brief
from render.themes import ThemeName, theme


def event(kind: EventKind, *cells: str) -> Event:
    return Event(kind, Side.BLACK, tuple(map(Cell, cells)))


@pytest.mark.parametrize(
    ("events", "words"),
    [
        ([], ""),
        ([event(EventKind.MOVE, "G11", "J8")], "G11\u2013J8"),
        ([event(EventKind.PLACE, "A4")], "A4"),
        ([event(EventKind.PLACE, cell) for cell in ("A4", "B9", "C1", "D1")], "A4 B9 C1 D1"),
        ([event(EventKind.PLACE, cell) for cell in ("A4", "B9", "C1", "D1", "E1")], "A4 \u2026 E1"),
        (
            [event(EventKind.MOVE, "D1", "I6"), event(EventKind.CAPTURE, "H5", "H6")],
            "D1\u2013I6  \u00d7H5 H6",
        ),
        ([event(EventKind.MOVE, "D1", "I6"), event(EventKind.CAPTURE, *"ABC")], "D1\u2013I6  \u00d73"),
        ([event(EventKind.RESTORE, "C3"), event(EventKind.FLIP, "D4")], "C3  \u00d7D4"),
        ([event(EventKind.MOVE, "A1", "A4"), event(EventKind.REMOVE, "G7")], "A1\u2013A4  \u00d7G7"),
        ([event(EventKind.MOVE, "A1", "A4"), event(EventKind.DECLINE_REMOVE)], "A1\u2013A4"),
        ([event(EventKind.SWAP)], "swap"),
        ([event(EventKind.RESTORE, "C3"), event(EventKind.PASS)], "C3  pass"),
    ],
)
def test_turn_in_signs(events: list[Event], words: str) -> None:
    assert brief(events) == words


def signs(to_move: Side | None, outcome: Outcome | None) -> list[list[str]]:
    """Give the kinds of shapes of which the two sides' figures are made, whatever their colours."""
    score = Score(((Side.BLACK, "7"), (Side.WHITE, "7")), to_move, outcome, ())
    figures = score.figures(Frame(9, 700, turned=False), theme(ThemeName.CLEAR))
    pills = [figure for index, figure in enumerate(figures) if index % 2 == 0]
    return [
        [f"{type(shape).__name__} {len(getattr(shape, 'points', ()))}" for shape in pill.stamp.shapes]
        for pill in pills
    ]


def test_turn_and_victory_are_told_without_colours() -> None:
    turn, rest = signs(Side.BLACK, None)
    won, lost = signs(None, Outcome.BLACK)
    assert rest == lost
    assert len({tuple(turn), tuple(won), tuple(rest)}) == 3
    assert signs(None, Outcome.DRAW) == [rest, rest]
