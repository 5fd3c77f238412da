"""Facts about turns of Morabaraba: diagrams of each kind, and random games in which all replies are tried."""

from __future__ import annotations

import random
from dataclasses import replace
from itertools import islice
from typing import TYPE_CHECKING

import pytest

from engine.game import Cell, EventKind
from engine.morabaraba import MORABARABA_VERSIONS
from engine.morabaraba.fact_keys import MorabarabaFact
from tests.engine.morabaraba_diagrams import from_men

if TYPE_CHECKING:
    from collections.abc import Iterator

    from engine.game import Fact, Move
    from engine.morabaraba import MorabarabaPosition

PLACING = (5, 5)
MOVING = (0, 0)


@pytest.mark.parametrize(
    ("white", "red", "hands", "turn", "facts"),
    [
        ("A1 A4 D7 G4", "C3 E5 F6", MOVING, "D7-A7xC3", ["wins by capture: C3", "closes mills: A1, A4, A7"]),
        ("D2 F4 A7 C3 B4 F2", "A1 D1 A4 B2", MOVING, "F2-G1", ["wins by block"]),
        (
            *("A1 A4 D7 G7", "C3 F6 E4", PLACING, "A7xC3"),  # two mills with one man
            ["closes mills: A1, A4, A7, D7, G7", "takes lines: A7", "allows forced mills: F4"],
        ),
        ("A1 G7", "D7 F6", PLACING, "G1", ["forces mills: D1, G4", "takes lines: G1"]),
        ("A1 A4 A7 F6", "G1 D2 E5 F2", MOVING, "A4-B4", ["forces mills: A4"]),  # and back
        ("A1", "C3 C4", PLACING, "C5", ["prevents mills: C5"]),
        ("A1", "C3 F6", PLACING, "A4", ["threatens mills: A7"]),
        ("D2 A7 C3 C4 F4", "A1 A4 D1 B2", MOVING, "C4-B4", ["limits steps (3 before, 1 now)"]),
        ("B4", "C4", PLACING, "B2", ["threatens mills: B6", "takes lines: B2"]),
        (
            "A1 A4 D7 G7 D1",
            "C3 C4 E5 F6",
            MOVING,
            "D7-A7xE5",
            ["closes mills: A1, A4, A7", "allows mills: C5"],
        ),
        ("A1 D2 E3", "C3 C4 D5 F6", MOVING, "E3-E4", ["allows win", "allows mills: C5"]),
        ("A1", "C5 E3", PLACING, "D7", ["allows forced mills: C3, E5"]),
        ("A1 A7 D1 G4", "C4 D5 F2 A4", MOVING, "D1-D2", []),
    ],
)
def test_a_turn_has_its_facts(
    white: str, red: str, hands: tuple[int, int], turn: str, facts: list[str]
) -> None:
    position = from_men(white, red, hands=hands)
    assert list(map(str, position.facts((position.parse(turn),)))) == facts


@pytest.mark.parametrize("version", MORABARABA_VERSIONS)
@pytest.mark.parametrize("seed", range(3))
def test_what_comes_next_agrees_with_all_replies(version: int, seed: int) -> None:
    for position, turn in random_turns(version, seed):
        facts = {fact.key: fact for fact in position.facts((turn,))}
        assert {key: facts[key].cells for key in NEXT_TURN & facts.keys()} == try_replies(position, turn)


@pytest.mark.long
@pytest.mark.parametrize("seed", range(2))
def test_what_makes_a_mill_unstoppable_agrees_with_all_replies(seed: int) -> None:
    for position, turn in islice(random_turns(2, seed), 0, None, 3):
        facts = {fact.key: fact for fact in position.facts((turn,))}
        after, forcing = position.play(turn), set[Cell]()
        if not after.outcome and not mill_points(after):
            for reply in after.legal_moves():
                reached = after.play(reply)
                if not reached.outcome and is_forced(reached):
                    forcing.add(after.events(reply)[0].cells[-1])
        allowed = facts.get(MorabarabaFact.ALLOWS_FORCED_MILLS)
        assert set(allowed.cells if allowed else ()) == forcing


@pytest.mark.parametrize("seed", range(3))
def test_what_is_done_agrees_with_events_and_moves(seed: int) -> None:
    for position, turn in random_turns(2, seed):
        facts = {fact.key: fact for fact in position.facts((turn,))}
        mills = [event for event in position.events(turn) if event.kind is EventKind.MILL]
        closed = facts.get(MorabarabaFact.CLOSES_MILLS)
        assert (closed.count if closed else 0) == len(mills)
        assert set(closed.cells if closed else ()) == {cell for mill in mills for cell in mill.cells}
        after = position.play(turn)
        is_won = after.outcome is not None and after.outcome.winner is position.mover
        assert facts.keys() & set(WINS.values()) == ({WINS[after.outcome_cause]} if is_won else set())
        assert_steps_are_counted(position, after, facts)


NEXT_TURN = {
    MorabarabaFact.FORCES_MILLS,
    MorabarabaFact.PREVENTS_MILLS,
    MorabarabaFact.THREATENS_MILLS,
    MorabarabaFact.ALLOWS_WIN,
    MorabarabaFact.ALLOWS_MILLS,
}
WINS = {"too_few_men": MorabarabaFact.WINS_BY_CAPTURE, "no_move": MorabarabaFact.WINS_BY_BLOCK}


def random_turns(version: int, seed: int) -> Iterator[tuple[MorabarabaPosition, Move]]:
    """Yield the positions of a random game in which many men are taken, each with the turn played."""
    chance = random.Random(seed)
    position = MORABARABA_VERSIONS[version].initial_position()
    while moves := position.legal_moves():
        captures = [move for move in moves if "x" in str(move)]
        move = chance.choice(captures if captures and chance.random() < 0.6 else moves)
        yield position, move
        position = position.play(move)


def pass_turn(position: MorabarabaPosition) -> MorabarabaPosition:
    return replace(position, mover=position.opponent)


def mill_points(position: MorabarabaPosition) -> tuple[Cell, ...]:
    """Return where the side to move can close a mill."""
    events = (position.events(move) for move in position.legal_moves())
    return tuple(
        sorted({each[0].cells[-1] for each in events if any(event.kind is EventKind.MILL for event in each)})
    )


def is_forced(after: MorabarabaPosition) -> bool:
    """Return whether the side that has just moved can close a mill next, whatever the reply."""
    replies = (after.play(reply) for reply in after.legal_moves())
    return bool(mill_points(pass_turn(after))) and all(
        not reply.outcome and mill_points(reply) for reply in replies
    )


def try_replies(position: MorabarabaPosition, turn: Move) -> dict[str, tuple[Cell, ...]]:
    """Return the facts of :data:`NEXT_TURN` as the rules of turns and results tell them."""
    after = position.play(turn)
    if after.outcome:
        return {}
    own, allowed = mill_points(pass_turn(after)), mill_points(after)
    replies = [after.play(reply) for reply in after.legal_moves()]
    found: dict[str, tuple[Cell, ...]] = {}
    if is_forced(after):
        found[MorabarabaFact.FORCES_MILLS] = own
    elif set(own) - set(mill_points(position)):
        found[MorabarabaFact.THREATENS_MILLS] = own
    prevented = [cell for cell in mill_points(pass_turn(position)) if cell not in allowed]
    if prevented:
        found[MorabarabaFact.PREVENTS_MILLS] = tuple(prevented)
    if any(reply.outcome and reply.outcome.winner is after.mover for reply in replies):
        found[MorabarabaFact.ALLOWS_WIN] = ()
    if allowed:
        found[MorabarabaFact.ALLOWS_MILLS] = allowed
    return found


def assert_steps_are_counted(
    position: MorabarabaPosition, after: MorabarabaPosition, facts: dict[str, Fact]
) -> None:
    limits = facts.get(MorabarabaFact.LIMITS_STEPS)
    if limits is not None:
        for count, board in ((limits.before, pass_turn(position)), (limits.count, after)):
            steps = {str(move).partition("x")[0].rstrip("~") for move in board.legal_moves()}
            assert count == len(steps)
