"""The table of renderers by game; a new game adds a line."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from render import morabaraba, morelli, morphos
from render.options import RenderOptions

if TYPE_CHECKING:
    from collections.abc import Callable

    from engine.game import Position
    from render.scene import Scene


def renderer_for(game_name: str) -> Callable[[Any, RenderOptions], Scene]:
    """Return the function that builds the scenes of a game. Raises LookupError for an unknown game."""
    renderers: dict[str, Callable[[Any, RenderOptions], Scene]] = {
        "morelli": morelli.build_scene,
        "morphos": morphos.build_scene,
        "morabaraba": morabaraba.build_scene,
    }
    if game_name not in renderers:
        raise LookupError(f"There is no board for the game {game_name!r}.")
    return renderers[game_name]


def build_scene(position: Position, options: RenderOptions | None = None) -> Scene:
    """Return the scene of `position`."""
    return renderer_for(position.game.name)(position, options or RenderOptions())
