"""The colours of a rendered position at its cells."""

from io import BytesIO

from PIL import Image

from engine.game import Cell, Position
from render import RenderOptions, build_scene, to_png
from render.layout import BoardLayout


def load_rgb(picture: bytes) -> Image.Image:
    """Return an encoded picture in RGB, because `getbbox` of RGBA checks only the opacity."""
    return Image.open(BytesIO(picture)).convert("RGB")


class PixelProbe:
    """A position rendered with `options`; `layout` says where its cells are."""

    def __init__(self, position: Position, options: RenderOptions, layout: BoardLayout) -> None:
        self._picture = load_rgb(to_png(build_scene(position, options)))
        self.layout = layout

    def colour_at(self, cell: str, right: float = 0, down: float = 0) -> str:
        """Return the colour at an offset from the centre of `cell`, in cell widths."""
        x, y = self.layout.centre(Cell(cell))
        step = self.layout.cell_width
        return self.colour_of_pixel(x + right * step, y + down * step)

    def colour_of_pixel(self, x: float, y: float) -> str:
        """Return the colour at (x, y)."""
        found = self._picture.getpixel((int(x), int(y)))
        assert isinstance(found, tuple)
        return "#{:02x}{:02x}{:02x}".format(*found)
