"""A painted position, and the colours found on it at places named by cells."""

from io import BytesIO

from PIL import Image

from engine.game import Cell, Position
from render import View, png, scene
from render.frame import Frame


class Look:
    """`position` as `view` shows it on a board of `size` cells a side."""

    def __init__(self, position: Position, view: View, size: int) -> None:
        self._picture = Image.open(BytesIO(png(scene(position, view)))).convert("RGB")
        self._frame = Frame(size, view.width, turned=view.side is position.game.sides[1])

    def at(self, cell: str, right: float = 0, down: float = 0) -> str:
        """Give the colour beside the middle of `cell`; offsets are parts of a cell."""
        x, y = self._frame.centre(Cell(cell))
        step = self._frame.cell
        return self.pixel(int(x + right * step), int(y + down * step))

    def pixel(self, x: int, y: int) -> str:
        """Give the colour at (x, y)."""
        found = self._picture.getpixel((x, y))
        assert isinstance(found, tuple)
        return "#{:02x}{:02x}{:02x}".format(*found)
