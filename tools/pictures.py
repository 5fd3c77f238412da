"""Write the README's pictures: `python -m tools.pictures`."""

from dataclasses import dataclass
from pathlib import Path

from engine import GAMES
from render import NO_WORDS, RenderOptions, build_scene, to_png
from tools.picture_files import write_picture

FOLDER = Path(__file__).resolve().parent.parent / "docs" / "pictures"


@dataclass(frozen=True, slots=True)
class Illustration:
    """A picture of the position after `move`, played from the position line `position`."""

    game: str
    position: str
    move: str


ILLUSTRATIONS = {
    "morelli.png": Illustration(
        "morelli",
        "morelli mindsports b12/1w6ww3/5ww3b2/w3b1w2ww2/3bbwwwwwww1/3bbwwww2b1/3bbw3w3/3bb2w5/3bwwwbww3/"
        "9w3/1bw10/1w2b8/12w w -",
        "B12-D10",
    ),
    "morphos.png": Illustration(
        "morphos",
        "morphos - wwbbbbbbbbbbb/w3wwbbbbbbw/b1bwwwwbbw1ww/1bwwwwbbbwww1/wwwwwbbbbwww1/wwww1b1wwwwww/"
        "wwwwwwbbwwbbw/wbbbbbbbw1bbb/wbbbbbbwwbbbb/wbb1bww1bb2b/wbbbwwwbbwbbw/wbbb1wwwwwww1/wbbbbbwwww2w "
        "b 180 -",
        "xF7",
    ),
    "morabaraba.png": Illustration("morabaraba", "morabaraba 12 1rw/1r1/2r/3ww1/www/1r1/r2 w 6,6 -", "G4xE5"),
}


def render_illustration(illustration: Illustration) -> bytes:
    """Return the picture as PNG."""
    before = GAMES[illustration.game].load(illustration.position)
    move = before.parse(illustration.move)
    return to_png(build_scene(before.play(move), RenderOptions(NO_WORDS, last_turn=before.events(move))))


def main() -> None:
    """Write every picture that has changed."""
    FOLDER.mkdir(parents=True, exist_ok=True)
    for name, illustration in ILLUSTRATIONS.items():
        write_picture(FOLDER / name, render_illustration(illustration))


if __name__ == "__main__":
    main()
