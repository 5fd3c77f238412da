"""A scene as SVG: one file without scripts or external parts, described for screen readers."""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache
from typing import TYPE_CHECKING
from xml.sax.saxutils import escape, quoteattr
from zlib import crc32

from render.scene import Box, Circle, Point, Polygon, Shape, Stroke, Text, to_text

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from render.scene import Colour, PlacedSprite, Scene, Sprite

_FONTS = "Karla, 'Segoe UI', 'Helvetica Neue', Arial, sans-serif"
# Prefix of every id while the document is written; no XML can contain it. A checksum of the document replaces
# it in the end, so that different boards on one page share no id.
ID_PLACEHOLDER = "\0"
# Light marks on cells that can be clicked, by name: stops of a gradient around the middle, as offset, colour
# and opacity. Unlike the marks of a scene they belong to the overlay, so pictures do not have them.
CELL_MARKS = {
    "dot": ((0.15, "#fff", 0.9), (0.17, "#15161b", 0.6), (0.23, "#15161b", 0.6), (0.25, "#15161b", 0)),
    "ring": (
        (0.78, "#fff", 0),
        (0.86, "#fff", 1),
        (0.9, "#fff", 1),
        (0.95, "#15161b", 0.3),
        (1, "#15161b", 0),
    ),
}


@dataclass(frozen=True, slots=True)
class ClickTarget:
    """A cell that can be clicked on. `label` is its accessible name, `css_class` its class for styles.

    With `href` the cell is a link; without, it is a checkbox for the page's script, `is_checked` or not.
    `mark` is the name of a light mark, or empty; `changes` are the cells whose pieces a click would change.
    """

    label: str
    css_class: str
    href: str = ""
    is_checked: bool = False
    mark: str = ""
    changes: tuple[str, ...] = ()


def to_svg(
    scene: Scene, targets: Mapping[str, ClickTarget] | None = None, placed: Sprite | None = None
) -> str:
    """Return `scene` as an SVG document.

    With `targets`, by cell, the board can be clicked on: every cell has a square whose ``data-cell`` names
    it, and targets can also be reached by keyboard. `placed` is the piece that a click would put on a cell;
    ``data-placed`` has its id.
    """
    background = scene.background
    sprites = dict.fromkeys((*(one.sprite for one in scene.sprites), *([placed] if placed else ())))
    ids = {sprite: f"{ID_PLACEHOLDER}s{index}" for index, sprite in enumerate(sprites)}
    size = f'width="{background.width}" height="{background.height}" viewBox="0 0 {background.width} {background.height}"'  # noqa: E501
    document = "\n".join(
        (
            f'<svg xmlns="http://www.w3.org/2000/svg" {size} {_role(targets)}>',
            f'<title id="{ID_PLACEHOLDER}t">{escape(scene.title)}</title>',
            f'<desc id="{ID_PLACEHOLDER}d">{escape(to_text(scene))}</desc>',
            "<defs>",
            *(_sprite_group(sprite, name) for sprite, name in ids.items()),
            "</defs>",
            f'<rect width="{background.width}" height="{background.height}" fill="{background.fill}"/>',
            f'<g font-family="{_FONTS}" font-weight="700" text-anchor="middle"{_hidden(targets)}>',
            *map(_element, background.shapes),
            *(_placed(one, ids[one.sprite]) for one in scene.sprites),
            "</g>",
            *(() if targets is None else _click_overlay(scene, targets, ids[placed] if placed else "")),
            "</svg>",
            "",
        ),
    )
    return document.replace(ID_PLACEHOLDER, f"b{crc32(document.encode()):x}")


def _role(targets: Mapping[str, ClickTarget] | None) -> str:
    if targets is None:
        return f'role="img" aria-labelledby="{ID_PLACEHOLDER}t {ID_PLACEHOLDER}d"'
    return f'role="group" aria-labelledby="{ID_PLACEHOLDER}t"'


def _hidden(targets: Mapping[str, ClickTarget] | None) -> str:
    """Hide the picture from screen readers where they read the cells instead of an image."""
    return "" if targets is None else ' aria-hidden="true"'


def _click_overlay(scene: Scene, targets: Mapping[str, ClickTarget], placed: str) -> Iterator[str]:
    """Return the squares over the cells; they are invisible until a style sheet shows them."""
    cell_size = scene.background.grid.cell_size
    yield from map(_mark_gradient, sorted({target.mark for target in targets.values() if target.mark}))
    piece = f' data-placed="{placed}"' if placed else ""
    yield f'<g class="cells" fill-opacity="0"{piece}>'
    for cell, x, y in scene.cell_positions():
        target = targets.get(cell)
        geometry = f'x="{x}" y="{y}" width="{cell_size}" height="{cell_size}"'
        if target is None:
            yield f'<rect data-cell="{cell}" {geometry}/>'
            continue
        attributes = (
            f'data-cell="{cell}" class={quoteattr(target.css_class)} aria-label={quoteattr(target.label)}'
        )
        if target.href:
            changes = f" data-changes={quoteattr(' '.join(target.changes))}" if target.changes else ""
            fill = f' fill="url(#{_mark_id(target.mark)})"' if target.mark else ""
            link = f"{attributes} href={quoteattr(target.href)}{changes}"
            yield f'<a {link} tabindex="-1"><rect {geometry}{fill}/></a>'
        else:
            checked = str(target.is_checked).lower()
            yield f'<rect {attributes} role="checkbox" aria-checked="{checked}" tabindex="-1" {geometry}/>'
    yield "</g>"


def _mark_id(mark: str) -> str:
    return f"{ID_PLACEHOLDER}m{mark}"


def _mark_gradient(mark: str) -> str:
    stops = (
        f'<stop offset="{offset:g}" stop-color="{colour}" stop-opacity="{opacity:g}"/>'
        for offset, colour, opacity in CELL_MARKS[mark]
    )
    return f'<radialGradient id="{_mark_id(mark)}">{"".join(stops)}</radialGradient>'


@lru_cache(maxsize=256)
def _sprite_group(sprite: Sprite, name: str) -> str:
    return f'<g id="{name}">{"".join(map(_element, sprite.shapes))}</g>'


def _placed(placed: PlacedSprite, name: str) -> str:
    css_class = ' class="piece"' if placed.is_piece else ""
    return f'<use href="#{name}" x="{_format_number(placed.x)}" y="{_format_number(placed.y)}"{css_class}/>'


@lru_cache(maxsize=4096)
def _format_number(number: float) -> str:
    return f"{round(number, 2):g}"


@lru_cache(maxsize=4096)
def _element(shape: Shape) -> str:
    match shape:
        case Box():
            return _box(shape)
        case Circle():
            return _circle(shape)
        case Polygon():
            return f'<polygon points="{_format_points(shape.points)}"{_paint_attributes(shape.fill)}/>'
        case Stroke():
            stroke = _paint_attributes(None, shape.colour, shape.width)
            return (
                f'<polyline points="{_format_points(shape.points)}"{stroke} stroke-linecap="round"'
                ' stroke-linejoin="round"/>'
            )
        case Text():
            position = f'x="{_format_number(shape.x)}" y="{_format_number(shape.y)}" font-size="{_format_number(shape.size)}"'  # noqa: E501
            return f"<text {position}{_paint_attributes(shape.fill)}>{escape(shape.text)}</text>"


def _box(box: Box) -> str:
    inset = box.line_width / 2
    position = f'x="{_format_number(box.x + inset)}" y="{_format_number(box.y + inset)}"'
    size = (
        f'width="{_format_number(box.width - 2 * inset)}" height="{_format_number(box.height - 2 * inset)}"'
    )
    return f'<rect {position} {size} rx="{_format_number(box.radius)}"{_paint_attributes(box.fill, box.line, box.line_width)}/>'  # noqa: E501


def _circle(circle: Circle) -> str:
    inset = circle.line_width / 2
    position = f'cx="{_format_number(circle.x)}" cy="{_format_number(circle.y)}"'
    size = f'rx="{_format_number(circle.radius - inset)}" ry="{_format_number(circle.radius * circle.height_ratio - inset)}"'  # noqa: E501
    return f"<ellipse {position} {size}{_paint_attributes(circle.fill, circle.line, circle.line_width)}/>"


def _format_points(points: tuple[Point, ...]) -> str:
    return " ".join(f"{_format_number(x)},{_format_number(y)}" for x, y in points)


def _paint_attributes(fill: Colour | None, line: Colour | None = None, width: float = 0) -> str:
    stroke = f'{_colour_attribute("stroke", line)} stroke-width="{_format_number(width)}"' if line else ""
    return _colour_attribute("fill", fill) + stroke


def _colour_attribute(attribute: str, colour: Colour | None) -> str:
    if colour is None:
        return f' {attribute}="none"'
    opacity = f' {attribute}-opacity="{int(colour[7:], 16) / 255:.3g}"' if colour[7:] else ""
    return f' {attribute}="{colour[:7]}"{opacity}'
