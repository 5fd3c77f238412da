"""Which board draws which game: the one table that grows when a game is added."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from render import morabaraba, morelli, morphos
from render.view import View

if TYPE_CHECKING:
    from collections.abc import Callable

    from engine.game import Position
    from render.scene import Scene


def board(name: str) -> Callable[[Any, View], Scene]:
    """Give the function that pictures positions of the game called `name`. Raises LookupError."""
    boards: dict[str, Callable[[Any, View], Scene]] = {
        "morelli": morelli.scene,
        "morphos": morphos.scene,
        "morabaraba": morabaraba.scene,
    }
    if name not in boards:
        raise LookupError(f"There is no board for the game {name!r}.")
    return boards[name]


def scene(position: Position, view: View | None = None) -> Scene:
    """Give the picture of `position` as `view` asks for it."""
    return board(position.game.name)(position, view or View())
