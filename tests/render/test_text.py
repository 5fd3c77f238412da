"""The board in rows of signs."""

import engine
from engine.game import Side
from render import RenderOptions, build_scene, to_text
from tests.render.golden_images import play_turn

LINE = "morelli nestor 9/1b7/9/9/4W4/9/6w2/9/9 b -"


def test_rows_and_labels_from_black() -> None:
    told = to_text(build_scene(engine.GAMES["morelli"].load(LINE))).splitlines()
    assert told[:10] == [
        "9 . . . . . . . . .",
        "8 . b . . . . . . .",
        "7 . . . . . . . . .",
        "6 . . . . . . . . .",
        "5 . . . . W . . . .",
        "4 . . . . . . . . .",
        "3 . . . . . . w . .",
        "2 . . . . . . . . .",
        "1 . . . . . . . . .",
        "  A B C D E F G H I",
    ]


def test_rows_and_labels_from_white() -> None:
    told = to_text(
        build_scene(engine.GAMES["morelli"].load(LINE), RenderOptions(bottom_side=Side.WHITE))
    ).splitlines()
    assert told[2] == "3 . . w . . . . . ."
    assert told[7] == "8 . . . . . . . b ."
    assert told[9] == "  I H G F E D C B A"


def test_ranks_of_two_figures_keep_the_columns() -> None:
    told = to_text(build_scene(engine.GAMES["morelli"].initial_position(size=11))).splitlines()
    assert told[0] == "11 w b b b b b b b b b b"
    assert told[10] == " 1 b b b b b b b b b b w"
    assert told[11] == "   A B C D E F G H I J K"


def test_empty_centre_is_starred() -> None:
    told = to_text(build_scene(engine.GAMES["morelli"].initial_position(size=9))).splitlines()
    assert told[4] == "5 w . . . * . . . w"


def test_notes_tell_counts_turn_and_last_move() -> None:
    position, last = play_turn("morelli nestor 9/9/9/4b4/3w5/9/9/9/2b5w b -", "C1-C4")
    told = to_text(build_scene(position, RenderOptions(last_turn=last)))
    assert told.splitlines()[-3:] == ["black 3, white 1", "to move: white", "last turn: C1\u2013C4  \u00d7D5"]


def test_over_tells_the_result() -> None:
    told = to_text(build_scene(engine.GAMES["morelli"].load("morelli nestor 9/9/9/9/4W4/9/9/9/9 b -")))
    assert "result: white" in told


def test_text_fits_the_description_of_an_attachment() -> None:
    assert len(to_text(build_scene(engine.GAMES["morelli"].initial_position(size=13)))) <= 1024
