"""Paint the kept pictures anew, ``python -m tests.render.regenerate``: look at what changed."""

from render import png
from tests.render.gallery import GOLDEN, pictures


def main() -> None:
    """Write every picture of the gallery and remove those that are no longer in it."""
    GOLDEN.mkdir(exist_ok=True)
    kept = pictures()
    for path in GOLDEN.glob("*.png"):
        if path.stem not in kept:
            path.unlink()
    for name, picture in kept.items():
        (GOLDEN / f"{name}.png").write_bytes(png(picture))


if __name__ == "__main__":
    main()
