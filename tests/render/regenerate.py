"""Paint the kept pictures anew, ``python -m tests.render.regenerate``: look at what changed."""

from render import png
from tests.render.gallery import GOLDEN, PIECES


def main() -> None:
    """Write every picture of the gallery and remove those that are no longer in it."""
    GOLDEN.mkdir(exist_ok=True)
    for path in GOLDEN.glob("*.png"):
        if path.stem not in PIECES:
            path.unlink()
    for name, piece in PIECES.items():
        (GOLDEN / f"{name}.png").write_bytes(png(piece.scene()))


if __name__ == "__main__":
    main()
