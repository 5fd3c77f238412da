"""A scene as plain text: the board in rows of signs, for those who read instead of look."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from render.scene import Scene


def text(scene: Scene) -> str:
    """Write the diagram of `scene`: ranks at the left, files below, then its notes."""
    diagram = scene.diagram
    wide = max(map(len, diagram.ranks))
    rows = [
        f"{rank:>{wide}} {' '.join(row)}".rstrip()
        for rank, row in zip(diagram.ranks, diagram.rows, strict=True)
    ]
    files = f"{'':{wide}} {' '.join(diagram.files)}"
    return "\n".join((*rows, files, *diagram.notes))
