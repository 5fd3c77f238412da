"""Pictures in the repository. The bytes of a PNG depend on which zlib made it; its pixels do not."""

from __future__ import annotations

from io import BytesIO
from typing import TYPE_CHECKING

from PIL import Image

if TYPE_CHECKING:
    from pathlib import Path


def same_pixels(one: bytes, other: bytes) -> bool:
    """Return whether two encoded pictures have the same size and the same pixels, opacity included."""
    first, second = (Image.open(BytesIO(picture)).convert("RGBA") for picture in (one, other))
    return first.size == second.size and first.tobytes() == second.tobytes()


def write_picture(path: Path, picture: bytes) -> None:
    """Write an encoded picture, unless the file has the same pixels already."""
    if not path.exists() or not same_pixels(picture, path.read_bytes()):
        path.write_bytes(picture)
