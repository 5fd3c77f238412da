"""Moves played from a board by their texts, wherever they come from; nothing is stored."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from engine.game import AmbiguousMove, GameError, NotationError
from matches.errors import MoveIllegal, MoveOpen, MoveUnreadable

if TYPE_CHECKING:
    from collections.abc import Sequence

    from engine.game import Event, Move, Position


@dataclass(frozen=True, slots=True)
class Moved:
    """One move: its canonical text, what it does, the position after it."""

    text: str
    events: tuple[Event, ...]
    position: Position


def moved(match: int, position: Position, texts: Sequence[str]) -> tuple[Moved, ...]:
    """Play every text from `position`. Raises MoveRefused, one of its three kinds."""
    played = []
    for index, text in enumerate(texts):
        move = parse(match, position, index, text)
        played.append(Moved(str(move), position.events(move), position.play(move)))
        position = played[-1].position
    return tuple(played)


def parse(match: int, position: Position, index: int, text: str) -> Move:
    """Read a legal move; `index` is the number of its text among several.

    Raises MoveRefused, one of its three kinds.
    """
    try:
        return position.parse(text)
    except NotationError as error:
        raise MoveUnreadable(match, index, text, error) from error
    except AmbiguousMove as error:
        raise MoveOpen(match, index, text, error) from error
    except GameError as error:
        raise MoveIllegal(match, index, text, error) from error
