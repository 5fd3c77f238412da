"""A scene as SVG: one file that needs nothing else, runs nothing, and tells itself to screen readers."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING
from xml.sax.saxutils import escape, quoteattr
from zlib import crc32

from render.plain import text
from render.scene import Box, Disc, Patch, Point, Shape, Stroke, Text

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from render.scene import Colour, Scene, Stamp

_FONTS = "Karla, 'Segoe UI', 'Helvetica Neue', Arial, sans-serif"
# Stands before every id until the whole is written, and no document can hold it. Then it gives way to a sum
# of the whole: boards that differ share no id, so that one page can hold many.
OWN = "\0"


@dataclass(frozen=True, slots=True)
class Target:
    """What a click on a cell is for: `label` tells it to a screen reader, `kind` is its class for style.

    With `href` the cell is a link. Without, it is a switch for whoever scripts the page, `on` or not.
    """

    label: str
    kind: str
    href: str = ""
    on: bool = False


def svg(scene: Scene, targets: Mapping[str, Target] | None = None) -> str:
    """Paint `scene` as an SVG document of its own size.

    With `targets`, by cell, it is a board to be clicked on and no mere picture: over every cell lies a square
    whose ``data-cell`` names it, and those that are targets can be reached by keyboard too.
    """
    ground = scene.ground
    shapes = dict.fromkeys(f.stamp for f in scene.figures)
    stamps = {stamp: f"{OWN}s{index}" for index, stamp in enumerate(shapes)}
    size = f'width="{ground.width}" height="{ground.height}" viewBox="0 0 {ground.width} {ground.height}"'
    whole = "\n".join(
        (
            f'<svg xmlns="http://www.w3.org/2000/svg" {size} {_role(targets)}>',
            f'<title id="{OWN}t">{escape(scene.title)}</title>',
            f'<desc id="{OWN}d">{escape(text(scene))}</desc>',
            "<defs>",
            *(_group(stamp, name) for stamp, name in stamps.items()),
            "</defs>",
            f'<rect width="{ground.width}" height="{ground.height}" fill="{ground.backdrop}"/>',
            f'<g font-family="{_FONTS}" font-weight="700" text-anchor="middle">',
            *map(_element, ground.shapes),
            *(f'<use href="#{stamps[f.stamp]}" x="{_n(f.x)}" y="{_n(f.y)}"/>' for f in scene.figures),
            "</g>",
            *(() if targets is None else _overlay(scene, targets)),
            "</svg>",
            "",
        ),
    )
    return whole.replace(OWN, f"b{crc32(whole.encode()):x}")


def _role(targets: Mapping[str, Target] | None) -> str:
    if targets is None:
        return f'role="img" aria-labelledby="{OWN}t {OWN}d"'
    return f'role="group" aria-labelledby="{OWN}t"'


def _overlay(scene: Scene, targets: Mapping[str, Target]) -> Iterator[str]:
    """Give the squares over the cells, unseen until a style sheet shows them."""
    pitch = scene.ground.lattice.pitch
    yield '<g class="cells" fill-opacity="0">'
    for cell, x, y in scene.squares():
        target = targets.get(cell)
        place = f'x="{x}" y="{y}" width="{pitch}" height="{pitch}"'
        if target is None:
            yield f'<rect data-cell="{cell}" {place}/>'
            continue
        about = f'data-cell="{cell}" class={quoteattr(target.kind)} aria-label={quoteattr(target.label)}'
        if target.href:
            yield f'<a {about} href={quoteattr(target.href)} tabindex="-1"><rect {place}/></a>'
        else:
            checked = str(target.on).lower()
            yield f'<rect {about} role="checkbox" aria-checked="{checked}" tabindex="-1" {place}/>'
    yield "</g>"


def _group(stamp: Stamp, name: str) -> str:
    return f'<g id="{name}">{"".join(map(_element, stamp.shapes))}</g>'


def _n(number: float) -> str:
    return f"{round(number, 2):g}"


def _element(shape: Shape) -> str:
    match shape:
        case Box():
            return _box(shape)
        case Disc():
            return _disc(shape)
        case Patch():
            return f'<polygon points="{_points(shape.points)}"{_paint(shape.fill)}/>'
        case Stroke():
            line = _paint(None, shape.colour, shape.width)
            return (
                f'<polyline points="{_points(shape.points)}"{line} stroke-linecap="round"'
                ' stroke-linejoin="round"/>'
            )
        case Text():
            place = f'x="{_n(shape.x)}" y="{_n(shape.y)}" font-size="{_n(shape.size)}"'
            return f"<text {place}{_paint(shape.fill)}>{escape(shape.words)}</text>"


def _box(box: Box) -> str:
    inset = box.line_width / 2
    place = f'x="{_n(box.x + inset)}" y="{_n(box.y + inset)}"'
    size = f'width="{_n(box.width - 2 * inset)}" height="{_n(box.height - 2 * inset)}"'
    return f'<rect {place} {size} rx="{_n(box.radius)}"{_paint(box.fill, box.line, box.line_width)}/>'


def _disc(disc: Disc) -> str:
    inset = disc.line_width / 2
    place = f'cx="{_n(disc.x)}" cy="{_n(disc.y)}"'
    size = f'rx="{_n(disc.radius - inset)}" ry="{_n(disc.radius * disc.flat - inset)}"'
    return f"<ellipse {place} {size}{_paint(disc.fill, disc.line, disc.line_width)}/>"


def _points(points: tuple[Point, ...]) -> str:
    return " ".join(f"{_n(x)},{_n(y)}" for x, y in points)


def _paint(fill: Colour | None, line: Colour | None = None, width: float = 0) -> str:
    stroke = f'{_colour("stroke", line)} stroke-width="{_n(width)}"' if line else ""
    return _colour("fill", fill) + stroke


def _colour(name: str, colour: Colour | None) -> str:
    if colour is None:
        return f' {name}="none"'
    seen = f' {name}-opacity="{int(colour[7:], 16) / 255:.3g}"' if colour[7:] else ""
    return f' {name}="{colour[:7]}"{seen}'
