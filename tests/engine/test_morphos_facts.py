"""Facts about turns of Morphos: diagrams of each kind, and random games in which all replies are tried."""

from __future__ import annotations

import random
from dataclasses import replace
from itertools import combinations
from typing import TYPE_CHECKING

import pytest

from engine.morphos import MORPHOS
from engine.morphos.connectivity import SideStones
from engine.morphos.fact_keys import MorphosFact
from engine.morphos.facts import count_needed, shortest_way_points
from engine.morphos.moves import PASS, SWAP, MorphosTurn
from engine.morphos.stones import OPPONENT
from tests.engine.morphos_diagrams import from_diagram

if TYPE_CHECKING:
    from collections.abc import Iterator

    from engine.game import Cell, Side
    from engine.morphos import MorphosPosition

MOST_FILLED = 3
"""All ways to fill so many points are tried."""


@pytest.mark.parametrize(
    ("diagram", "mover", "turn", "facts"),
    [
        ("..b.. ..b.. ..b.. ..b.. ww...", "b", "C1", ["connects"]),
        ("..b.. ..b.. ..b.. .b... .....", "b", "C2", ["forces connection: B1, C1"]),
        (
            *("..b.. ..... wwww. ..b.. .....", "b", "E3"),
            [
                *("prevents connection: E3", "lengthens connection (1 before, 2 now)"),
                *("takes shared points: E3", "allows forced connection: E2, E4"),
            ],
        ),
        ("..b.. ..b.. ..... ..... ..b..", "b", "C3", ["threatens connection: C2", "takes shared points: C3"]),
        (
            *("..b.. ..b.. ..... ..b.. .....", "w", "C3"),
            ["lengthens connection (2 before, 4 now)", "takes shared points: C3"],
        ),
        ("..b.. ..... w.... .b... ..b..", "b", "C4", ["shortens connection (3 before, 2 now)"]),
        ("..... w.... b.... .b... .....", "w", "A2", ["threatens flips: A3"]),  # the edge helps
        ("w..w. bb... ..... ...wb b..bw", "w", "xE2", ["protects stones: E1"]),
        (".b... .bw.. .bww. .b... .....", "w", "E4", ["allows connection: B1"]),
        ("...b. ..b.. ..... wwb.. ..bw.", "w", "B5", ["allows forced connection: C3"]),
        ("..... ..... ..... ..b.w ...b.", "w", "C1", ["allows flips: C1"]),
        ("..... ..... ..... ..... .....", "b", "C3", []),
    ],
)
def test_a_turn_has_its_facts(diagram: str, mover: str, turn: str, facts: list[str]) -> None:
    position = from_diagram(to_diagram(diagram), mover=mover)
    assert list(map(str, position.facts((position.parse(turn),)))) == facts


@pytest.mark.parametrize("mutators", ["b", "d"])
def test_of_turns_that_are_decided_later_nothing_is_said(mutators: str) -> None:
    position = from_diagram(to_diagram("..b.. ..b.. ..... ..b.. ....."), mover="w", mutators=mutators)
    assert position.facts((position.parse("C3"),)) == ()


def test_two_stones_in_a_turn_are_not_said_to_threaten() -> None:
    position = from_diagram(to_diagram("..b.. ..b.. ..... ..... ..b.."), mutators="c")
    facts = position.facts((position.parse("C3"),))
    assert MorphosFact.THREATENS_CONNECTION not in {fact.key for fact in facts}


def test_to_change_sides_has_no_facts() -> None:
    position = MORPHOS.initial_position(size=5)
    position = position.play(position.parse("C3"))
    assert position.facts((SWAP,)) == ()


@pytest.mark.long
@pytest.mark.parametrize("mutators", ["-", "a", "e", "ae"])
@pytest.mark.parametrize("seed", range(2))
def test_what_comes_next_agrees_with_all_replies(mutators: str, seed: int) -> None:
    for position, turn in random_turns(mutators, seed):
        facts = {fact.key: fact for fact in position.facts((turn,))}
        assert {key: facts[key].cells for key in NEXT_TURN & facts.keys()} == try_replies(position, turn)


@pytest.mark.long
@pytest.mark.parametrize("mutators", ["-", "a", "e"])
@pytest.mark.parametrize("seed", range(2))
def test_needed_points_agree_with_all_ways_to_fill_them(mutators: str, seed: int) -> None:
    for position, _ in random_turns(mutators, seed):
        for side in OPPONENT:
            needed, points = fill_points(position, side)
            counted = count_needed(position.board_stones, side)
            assert counted == needed or (needed is None and (counted is None or counted > MOST_FILLED))
            if needed:
                found = position.rules.board.to_cells(shortest_way_points(position.board_stones, side))
                assert set(found) == points


@pytest.mark.parametrize("seed", range(4))
def test_what_a_turn_changes_agrees_with_both_boards(seed: int) -> None:
    for position, turn in random_turns("-", seed):
        after = position.play(turn)
        facts = {fact.key: fact for fact in position.facts((turn,))}
        won = after.outcome is not None and after.outcome.winner is position.mover
        assert (MorphosFact.CONNECTS in facts) == won
        if after.outcome:
            assert facts.keys() <= {MorphosFact.CONNECTS}
            continue
        before, passed = pass_turn(position), pass_turn(after)
        own = {cell for cell, side in after.stones.items() if side is position.mover}
        threatened, exposed, was_exposed = passed.vulnerable, after.vulnerable, before.vulnerable
        for key, cells in (
            (MorphosFact.THREATENS_FLIPS, set(threatened) - set(position.vulnerable)),
            (MorphosFact.PROTECTS_STONES, set(was_exposed) & own - set(exposed)),
            (MorphosFact.ALLOWS_FLIPS, set(exposed) - set(was_exposed)),
        ):
            assert set(facts[key].cells if key in facts else ()) == cells
        for key, side in (
            (MorphosFact.LENGTHENS_CONNECTION, after.mover),
            (MorphosFact.SHORTENS_CONNECTION, position.mover),
        ):
            if key in facts:
                boards = (position.board_stones, after.board_stones)
                assert (facts[key].before, facts[key].count) == tuple(
                    count_needed(stones, side) for stones in boards
                )


NEXT_TURN = {
    MorphosFact.FORCES_CONNECTION,
    MorphosFact.PREVENTS_CONNECTION,
    MorphosFact.THREATENS_CONNECTION,
    MorphosFact.ALLOWS_CONNECTION,
    MorphosFact.ALLOWS_FORCED_CONNECTION,
}


def random_turns(mutators: str, seed: int) -> Iterator[tuple[MorphosPosition, MorphosTurn]]:
    """Yield the positions of a random game on a small board, each with the turn played; nobody swaps."""
    chance, position = random.Random(seed), MORPHOS.initial_position(size=5, mutators=mutators)
    while moves := list_turns(position):
        move = chance.choice(moves)
        yield position, move
        position = position.play(move)


def list_turns(position: MorphosPosition) -> list[MorphosTurn]:
    """Return the legal turns that change the board."""
    moves = (move for move in position.legal_moves() if isinstance(move, MorphosTurn))
    return [move for move in moves if move not in (SWAP, PASS)]


def to_diagram(ranks: str) -> str:
    return ranks.replace(" ", "\n")


def pass_turn(position: MorphosPosition) -> MorphosPosition:
    return replace(position, mover=OPPONENT[position.mover])


def to_cells(position: MorphosPosition, turns: list[MorphosTurn]) -> tuple[Cell, ...]:
    return position.rules.board.to_cells(sum(1 << turn.points[0] for turn in turns))


def connecting_turns(position: MorphosPosition) -> list[MorphosTurn]:
    """Return the turns with which the side to move wins at once."""
    results = ((turn, position.play(turn).outcome) for turn in list_turns(position))
    return [turn for turn, result in results if result is not None and result.winner is position.mover]


def is_forced(after: MorphosPosition) -> bool:
    """Return whether the side that has just moved can connect next, whatever the reply."""
    replies = [after.play(reply) for reply in after.legal_moves() if reply is not SWAP]
    return bool(connecting_turns(pass_turn(after))) and all(
        not reply.outcome and connecting_turns(reply) for reply in replies
    )


def try_replies(position: MorphosPosition, turn: MorphosTurn) -> dict[str, tuple[Cell, ...]]:
    """Return the facts of :data:`NEXT_TURN` as the rules of turns and results tell them."""
    after = position.play(turn)
    if after.outcome:
        return {}
    own, allowed = connecting_turns(pass_turn(after)), connecting_turns(after)
    prevented = connecting_turns(pass_turn(position))
    forcing = [reply for reply in list_turns(after) if is_forced_after(after, reply)]
    forced = is_forced(after)
    cells = {
        MorphosFact.FORCES_CONNECTION: own if forced else [],
        MorphosFact.THREATENS_CONNECTION: [] if forced or connecting_turns(position) else own,
        MorphosFact.PREVENTS_CONNECTION: [] if allowed else prevented,
        MorphosFact.ALLOWS_CONNECTION: allowed,
        MorphosFact.ALLOWS_FORCED_CONNECTION: [] if allowed else forcing,
    }
    return {key: to_cells(position, turns) for key, turns in cells.items() if turns}


def is_forced_after(position: MorphosPosition, turn: MorphosTurn) -> bool:
    reached = position.play(turn)
    return not reached.outcome and is_forced(reached)


def fill_points(position: MorphosPosition, side: Side) -> tuple[int | None, set[Cell]]:
    """Return the fewest points that connect `side` when filled or flipped, and those of all such ways.

    None if more than :data:`MOST_FILLED` are needed.
    """
    board = position.rules.board
    edges = board.black_edges if side == "black" else board.white_edges
    own = position.board_stones.of_side(side).stones_and_edges & board.points
    view = position if position.mover is not OPPONENT[side] else pass_turn(position)
    points = [
        board.point_of[cell] for cell in (*board.to_cells(position.board_stones.empty), *view.vulnerable)
    ]
    for count in range(MOST_FILLED + 1):
        ways = [
            way
            for way in combinations(points, count)
            if SideStones.from_stones(own | sum(1 << point for point in way), edges).is_connected
        ]
        if ways:
            return count, {board.cell_at[point] for way in ways for point in way}
    return None, set()
