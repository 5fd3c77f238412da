"""Write the golden pictures: ``python -m tests.render.regenerate``. Look at every one that changed."""

from render import to_png
from tests.render.golden_images import GOLDEN, golden_images


def main() -> None:
    """Write every golden picture, and remove files that belong to none."""
    GOLDEN.mkdir(exist_ok=True)
    images = golden_images()
    for path in GOLDEN.glob("*.png"):
        if path.stem not in images:
            path.unlink()
    for name, picture in images.items():
        (GOLDEN / f"{name}.png").write_bytes(to_png(picture))


if __name__ == "__main__":
    main()
