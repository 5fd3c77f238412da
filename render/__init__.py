"""A position as a picture: one scene, painted as PNG, as SVG and as plain text."""

from render.boards import scene
from render.film import animation
from render.plain import text
from render.raster import png
from render.reel import Reel, reel
from render.scene import Scene
from render.themes import ThemeName
from render.vector import Target, svg
from render.view import Mark, MarkKind, View

__all__ = [
    "Mark",
    "MarkKind",
    "Reel",
    "Scene",
    "Target",
    "ThemeName",
    "View",
    "animation",
    "png",
    "reel",
    "scene",
    "svg",
    "text",
]
