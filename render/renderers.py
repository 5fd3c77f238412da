"""Registry of renderers by game; a new game adds a line, a game outside this package registers itself."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, TypeAlias

from render import morabaraba, morelli, morphos

if TYPE_CHECKING:
    from collections.abc import Callable

    from engine.game import Position
    from render.options import RenderOptions
    from render.scene import Scene


Renderer: TypeAlias = "Callable[[Any, RenderOptions], Scene]"

_renderers: dict[str, Renderer] = {
    "morelli": morelli.build_scene,
    "morphos": morphos.build_scene,
    "morabaraba": morabaraba.build_scene,
}


def register_renderer(game_name: str, renderer: Renderer) -> None:
    """Draw positions of the game called `game_name` with `renderer`.

    For games outside this package; call it at import, as :func:`codecs.register` is used. Raises ValueError
    if another renderer has the name.
    """
    if _renderers.setdefault(game_name, renderer) is not renderer:
        raise ValueError(f"There is already a renderer for the game {game_name!r}.")


def renderer_for(game_name: str) -> Renderer:
    """Return the function that draws positions of the game called `game_name`. Raises LookupError."""
    if game_name not in _renderers:
        raise LookupError(f"There is no renderer for the game {game_name!r}.")
    return _renderers[game_name]


def build_scene(position: Position, options: RenderOptions) -> Scene:
    """Return the scene of `position`."""
    return renderer_for(position.game.name)(position, options)
