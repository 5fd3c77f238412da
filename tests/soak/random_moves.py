"""Moves chosen by lot: the questions of a move in the making are answered at random."""

from __future__ import annotations

from typing import TYPE_CHECKING

from engine.game import MoveChoice

if TYPE_CHECKING:
    from random import Random

    from engine.game import Move, Position


def random_turn(position: Position, rng: Random) -> str:
    """Return a whole turn, all of a set-up run at once."""
    moves: list[str] = []
    for _ in range(position.moves_due):
        move = random_move(position, rng)
        moves.append(str(move))
        position = position.play(move)
    return " ".join(moves)


def random_move(position: Position, rng: Random) -> Move:
    """Return a legal move."""
    path: tuple[str, ...] = ()
    while isinstance(choice := position.next_choice(path), MoveChoice):
        path = (*path, _random_answer(choice, rng))
    return choice


def _random_answer(choice: MoveChoice, rng: Random) -> str:
    if not choice.multiple:
        return rng.choice(choice.options)
    selected = [option for option in choice.options if rng.random() < 0.8]
    return ",".join(selected) or "-"
