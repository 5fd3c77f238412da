"""Positions as pictures: scenes, written as PNG, GIF, SVG or text; charts of ratings and winning chances."""

from render.canvas import can_write
from render.chances_chart import build_chances_chart, place_labels
from render.gif import GameAnimation, animate_game, to_gif
from render.options import NO_WORDS, Mark, MarkKind, RenderOptions, Words
from render.png import to_png
from render.rating_chart import MAX_MARKED_POINTS, RatingPoint, RatingSeries, build_rating_chart
from render.renderers import build_scene, register_renderer
from render.scene import Drawing, Scene, Sprite, to_text, with_caption, without_status_bar
from render.svg import ClickTarget, to_svg
from render.themes import ThemeName
