"""Facts about turns of Morelli: diagrams of each kind, and random games in which all replies are tried."""

from __future__ import annotations

import random
from dataclasses import replace
from typing import TYPE_CHECKING

import pytest

from engine.game import Cell, EventKind
from engine.morelli import MORELLI
from engine.morelli.fact_keys import MorelliFact
from engine.morelli.facts import MAX_STUCK_SLIDES
from engine.morelli.state import OPPONENT
from tests.engine.morelli_diagrams import from_stones

if TYPE_CHECKING:
    from collections.abc import Iterator

    from engine.game import Event, Fact, Move
    from engine.morelli import MorelliPosition

# On 9 x 9 the Centre is E5; C3, C7, G7 and G3 are the corners of a frame.


@pytest.mark.parametrize(
    ("black", "white", "tower", "turn", "facts"),
    [
        ("A1", "E4", "B", "A1-B2", ["wins"]),
        ("C3 C7 G7 G1", "A9 I9", "", "G1-G3", ["takes centre: C3, C7, G3, G7"]),
        ("H3 A9", "C3 C7 G7 G1", "", "H3-G3", ["prevents centre: G3"]),
        (
            *("C3 C7 H8 G1", "A9 I9", "", "H8-G7"),
            ["forces centre: G3", "makes three corners: C3, C7, G7, G3"],
        ),
        (
            *("C3 C7 H8 G1", "A9 I3", "", "H8-G7"),  # White can go to G3
            ["threatens centre: G3", "makes three corners: C3, C7, G7, G3"],
        ),
        ("A4 D4 D6 I1", "C4 C5 A9", "", "A4-B4", ["captures: C4, C5"]),
        ("C3 C7 H8 A4", "A9 I9", "", "H8-G7", ["makes three corners: C3, C7, G7, G3"]),
        ("C3 C7 H8 A4", "A9 I9", "B", "H8-G7", []),  # Black's tower is on the Centre already
        ("C3 C7 H8", "A9 I9", "", "H8-G7", []),  # no stone is left that could go to G3
        ("F7 I8 A1", "C3 C7 G7 A9", "", "I8-H7", ["captures: G7", "breaks three corners: G7"]),
        ("A4 D4 E7 I1", "C4 C5 A9", "", "E7-D6", ["threatens captures: C4, C5"]),
        ("C3 E3", "D1", "W", "E3-E4", ["allows win"]),
        ("I9 A9", "C3 C7 G7 G1", "", "I9-H8", ["allows centre: G3"]),
        ("C1", "A4 D4 D9", "", "C1-C4", ["allows captures: C4"]),
    ],
)
def test_a_turn_has_its_facts(black: str, white: str, tower: str, turn: str, facts: list[str]) -> None:
    position = from_stones(black, white, size=9, tower=tower)
    assert list(map(str, position.facts((position.parse(turn),)))) == facts


def test_the_set_up_has_no_facts() -> None:
    position = MORELLI.initial_position(setup="free")
    assert position.facts((position.parse("A1"),)) == ()


@pytest.mark.parametrize("edition", ["nestor", "2015"])
@pytest.mark.parametrize("seed", range(8))
def test_what_comes_next_agrees_with_all_replies(edition: str, seed: int) -> None:
    for position, turn in random_turns(edition, seed):
        facts = {fact.key: fact for fact in position.facts((turn,))}
        assert {key: facts[key].cells for key in NEXT_TURN & facts.keys()} == try_replies(position, turn)


@pytest.mark.parametrize("seed", range(3))
def test_captures_corners_and_results_agree_with_the_events(seed: int) -> None:
    for position, turn in random_turns("nestor", seed):
        facts = {fact.key: fact for fact in position.facts((turn,))}
        after, events = position.play(turn), {event.kind: event for event in position.events(turn)}
        won = after.outcome is not None and after.outcome.winner is position.mover
        assert (MorelliFact.WINS in facts) == won
        assert cells_of(facts, MorelliFact.CAPTURES) == event_cells(events, EventKind.CONVERT)
        assert cells_of(facts, MorelliFact.TAKES_CENTRE) == event_cells(events, EventKind.OCCUPY)[1:]
        if not after.outcome:
            assert_corners(position, after, facts)
            assert_most_captures(position, after, facts)


NEXT_TURN = {
    MorelliFact.PREVENTS_CENTRE,
    MorelliFact.FORCES_CENTRE,
    MorelliFact.THREATENS_CENTRE,
    MorelliFact.ALLOWS_WIN,
    MorelliFact.ALLOWS_CENTRE,
}


def random_turns(edition: str, seed: int) -> Iterator[tuple[MorelliPosition, Move]]:
    """Yield the positions of a random game that captures and occupies often, each with the turn played."""
    chance, position = random.Random(seed), MORELLI.initial_position(size=9, edition=edition, seed=seed)
    while moves := position.legal_moves():
        rated = [(len({event.kind for event in position.events(move)} & GOOD), move) for move in moves]
        best = max(rate for rate, _ in rated)
        move = chance.choice(
            [move for rate, move in rated if rate == best] if chance.random() < 0.7 else list(moves)
        )
        yield position, move
        position = position.play(move)


GOOD = {EventKind.CONVERT, EventKind.OCCUPY}


def pass_turn(position: MorelliPosition) -> MorelliPosition:
    return replace(position, mover=OPPONENT[position.mover])


def cells_of(facts: dict[str, Fact], key: str) -> tuple[Cell, ...]:
    return facts[key].cells if key in facts else ()


def event_cells(events: dict[EventKind, Event], kind: EventKind) -> tuple[Cell, ...]:
    return events[kind].cells if kind in events else ()


def centre_landings(position: MorelliPosition) -> tuple[Cell, ...]:
    """Return where the side to move can land and take the Centre, by file, then rank."""
    events = (position.events(move) for move in position.legal_moves())
    return tuple(
        sorted({each[0].cells[1] for each in events if any(one.kind is EventKind.OCCUPY for one in each)})
    )


def count_most_captures(position: MorelliPosition) -> int:
    return max(
        (
            len(event.cells)
            for move in position.legal_moves()
            for event in position.events(move)
            if event.kind is EventKind.CONVERT
        ),
        default=0,
    )


def try_replies(position: MorelliPosition, turn: Move) -> dict[str, tuple[Cell, ...]]:
    """Return the facts of :data:`NEXT_TURN` as the rules of moves and results tell them."""
    after = position.play(turn)
    if after.outcome:
        return {}
    own, allowed = centre_landings(pass_turn(after)), centre_landings(after)
    replies = [after.play(reply) for reply in after.legal_moves()]
    prevented = centre_landings(pass_turn(position))
    found: dict[str, tuple[Cell, ...]] = {}
    if prevented and not allowed:
        found[MorelliFact.PREVENTS_CENTRE] = prevented
    if own and all(centre_landings(reply) for reply in replies):
        found[MorelliFact.FORCES_CENTRE] = own
    elif own and not centre_landings(position):
        found[MorelliFact.THREATENS_CENTRE] = own
    slides = [move for move in pass_turn(after).legal_moves() if "~" not in str(move)]
    if len(slides) <= MAX_STUCK_SLIDES and any(
        reply.outcome and reply.outcome.winner is after.mover for reply in replies
    ):
        found[MorelliFact.ALLOWS_WIN] = ()
    if allowed:
        found[MorelliFact.ALLOWS_CENTRE] = allowed
    return found


def assert_corners(position: MorelliPosition, after: MorelliPosition, facts: dict[str, Fact]) -> None:
    """Check that three corners and their fourth place are a frame, and that the three are new."""
    if MorelliFact.MAKES_THREE_CORNERS in facts:
        *three, fourth = facts[MorelliFact.MAKES_THREE_CORNERS].cells
        assert quarter_turns(fourth) == {*three, fourth}
        assert [after.stones.get(cell) for cell in three] == 3 * [position.mover]
        assert after.stones.get(fourth) is not position.mover
        assert [position.stones.get(cell) for cell in three] != 3 * [position.mover]
    for corner in cells_of(facts, MorelliFact.BREAKS_THREE_CORNERS):
        owners = [position.stones.get(cell) for cell in quarter_turns(corner)]
        assert owners.count(after.mover) == 3
        assert after.stones[corner] is position.mover


def quarter_turns(cell: Cell, size: int = 9) -> set[Cell]:
    file, rank = ord(cell[0]) - ord("A"), int(cell[1:]) - 1
    found = set[Cell]()
    for _ in range(4):
        found.add(Cell(f"{chr(ord('A') + file)}{rank + 1}"))
        file, rank = rank, size - 1 - file
    return found


def assert_most_captures(position: MorelliPosition, after: MorelliPosition, facts: dict[str, Fact]) -> None:
    assert len(cells_of(facts, MorelliFact.ALLOWS_CAPTURES)) == count_most_captures(after)
    most, before = count_most_captures(pass_turn(after)), count_most_captures(position)
    assert len(cells_of(facts, MorelliFact.THREATENS_CAPTURES)) == (most if most >= max(2, before + 1) else 0)
