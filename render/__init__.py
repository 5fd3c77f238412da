"""A position as a picture: one scene, painted as PNG, as SVG and as plain text; and ratings as a curve."""

from render.boards import scene
from render.chart import MOST_SIGNED, Course, Rated, chart
from render.film import animation
from render.plain import text
from render.raster import png
from render.reel import Reel, reel
from render.scene import Scene
from render.sheet import Sheet
from render.themes import ThemeName
from render.vector import Target, svg
from render.view import Mark, MarkKind, View

__all__ = [
    "MOST_SIGNED",
    "Course",
    "Mark",
    "MarkKind",
    "Rated",
    "Reel",
    "Scene",
    "Sheet",
    "Target",
    "ThemeName",
    "View",
    "animation",
    "chart",
    "png",
    "reel",
    "scene",
    "svg",
    "text",
]
