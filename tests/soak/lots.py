"""Moves chosen by lot: the questions of a move in the making are answered at random."""

from __future__ import annotations

from typing import TYPE_CHECKING

from engine.game import Choice

if TYPE_CHECKING:
    from random import Random

    from engine.game import Move, Position


def some_turn(position: Position, chance: Random) -> str:
    """Give a whole turn, all of a set-up run at once."""
    texts: list[str] = []
    for _ in range(position.due):
        move = some_move(position, chance)
        texts.append(str(move))
        position = position.play(move)
    return " ".join(texts)


def some_move(position: Position, chance: Random) -> Move:
    """Give a legal move."""
    path: tuple[str, ...] = ()
    while isinstance(asked := position.choice(path), Choice):
        path = (*path, _answer(asked, chance))
    return asked


def _answer(asked: Choice, chance: Random) -> str:
    if not asked.many:
        return chance.choice(asked.options)
    chosen = [option for option in asked.options if chance.random() < 0.8]
    return ",".join(chosen) or "-"
