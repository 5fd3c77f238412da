"""Write the golden pictures: ``python -m tests.render.regenerate``. Look at every one that changed."""

from render import to_png
from tests.render.golden_images import GOLDEN, golden_images
from tools.picture_files import write_picture


def main() -> None:
    """Write every golden picture that has changed, and remove files that belong to none."""
    GOLDEN.mkdir(exist_ok=True)
    images = golden_images()
    for path in GOLDEN.glob("*.png"):
        if path.stem not in images:
            path.unlink()
    for name, picture in images.items():
        write_picture(GOLDEN / f"{name}.png", to_png(picture))


if __name__ == "__main__":
    main()
