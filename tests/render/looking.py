"""A painted position, and the colours found on it at places named by cells."""

from io import BytesIO

from PIL import Image

from engine.game import Cell, Position
from render import View, png, scene
from render.frame import Frame


class Look:
    """`position` as `view` shows it; `frame` says where the cells lie."""

    def __init__(self, position: Position, view: View, frame: Frame) -> None:
        self._picture = Image.open(BytesIO(png(scene(position, view)))).convert("RGB")
        self.frame = frame

    def at(self, cell: str, right: float = 0, down: float = 0) -> str:
        """Give the colour beside the middle of `cell`; offsets are parts of a cell."""
        x, y = self.frame.centre(Cell(cell))
        step = self.frame.cell
        return self.pixel(x + right * step, y + down * step)

    def pixel(self, x: float, y: float) -> str:
        """Give the colour at (x, y)."""
        found = self._picture.getpixel((int(x), int(y)))
        assert isinstance(found, tuple)
        return "#{:02x}{:02x}{:02x}".format(*found)
