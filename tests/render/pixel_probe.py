"""A painted position, and the colours found on it at places named by cells."""

from io import BytesIO

from PIL import Image

from engine.game import Cell, Position
from render import RenderOptions, build_scene, to_png
from render.layout import BoardLayout


class PixelProbe:
    """`position` as `view` shows it; `frame` says where the cells lie."""

    def __init__(self, position: Position, view: RenderOptions, frame: BoardLayout) -> None:
        self._picture = Image.open(BytesIO(to_png(build_scene(position, view)))).convert("RGB")
        self.frame = frame

    def colour_at(self, cell: str, right: float = 0, down: float = 0) -> str:
        """Return the colour beside the middle of `cell`; offsets are parts of a cell."""
        x, y = self.frame.centre(Cell(cell))
        step = self.frame.cell_width
        return self.colour_of_pixel(x + right * step, y + down * step)

    def colour_of_pixel(self, x: float, y: float) -> str:
        """Return the colour at (x, y)."""
        found = self._picture.getpixel((int(x), int(y)))
        assert isinstance(found, tuple)
        return "#{:02x}{:02x}{:02x}".format(*found)
