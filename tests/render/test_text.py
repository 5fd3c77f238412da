"""The board as lines of text."""

import re

import pytest

import engine
from engine.game import Event, EventKind, Game, Side
from i18n import Texts
from render import RenderOptions, build_scene, to_text
from render.scene import Text
from tests.games import GAMES, TEXTS
from tests.render.golden_images import play_turn

LINE = "morelli nestor 9/1b7/9/9/4W4/9/6w2/9/9 b -"


def test_rows_and_labels_from_black() -> None:
    text = to_text(build_scene(engine.GAMES["morelli"].load(LINE), RenderOptions(TEXTS))).splitlines()
    assert text[:10] == [
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
    text = to_text(
        build_scene(engine.GAMES["morelli"].load(LINE), RenderOptions(TEXTS, bottom_side=Side.WHITE))
    ).splitlines()
    assert text[2] == "3 . . w . . . . . ."
    assert text[7] == "8 . . . . . . . b ."
    assert text[9] == "  I H G F E D C B A"


def test_ranks_of_two_digits_keep_the_columns() -> None:
    text = to_text(
        build_scene(engine.GAMES["morelli"].initial_position(size=11), RenderOptions(TEXTS))
    ).splitlines()
    assert text[0] == "11 w b b b b b b b b b b"
    assert text[10] == " 1 b b b b b b b b b b w"
    assert text[11] == "   A B C D E F G H I J K"


def test_empty_centre_is_a_star() -> None:
    text = to_text(
        build_scene(engine.GAMES["morelli"].initial_position(size=9), RenderOptions(TEXTS))
    ).splitlines()
    assert text[4] == "5 w . . . * . . . w"


def test_notes_have_counts_side_to_move_and_last_turn() -> None:
    position, last = play_turn("morelli nestor 9/9/9/4b4/3w5/9/9/9/2b5w b -", "C1-C4")
    text = to_text(build_scene(position, RenderOptions(TEXTS, last_turn=last)))
    assert text.splitlines()[-3:] == ["black 3, white 1", "to move: white", "last turn: C1\u2013C4  \u00d7D5"]


def test_notes_have_the_result() -> None:
    text = to_text(
        build_scene(
            engine.GAMES["morelli"].load("morelli nestor 9/9/9/9/4W4/9/9/9/9 b -"), RenderOptions(TEXTS)
        )
    )
    assert "result: white" in text


def test_text_fits_the_description_of_an_attachment() -> None:
    assert (
        len(to_text(build_scene(engine.GAMES["morelli"].initial_position(size=13), RenderOptions(TEXTS))))
        <= 1024
    )


PLACEHOLDER = re.compile(r"(\{\w+\})")
FOREIGN_TEXTS = Texts(
    {
        key: "".join(
            part if PLACEHOLDER.fullmatch(part) else re.sub(r"\w", "ж", part)
            for part in PLACEHOLDER.split(template)
        )
        for key, template in TEXTS.templates.items()
        if isinstance(template, str)
    }
)


@pytest.mark.parametrize("game", GAMES.values(), ids=lambda game: game.name)
@pytest.mark.parametrize("is_over", [False, True])
def test_every_word_is_from_the_catalogue(game: Game, *, is_over: bool) -> None:
    events = tuple(Event(kind, game.sides[0]) for kind in (EventKind.SWAP, EventKind.PASS))
    scene = build_scene(
        game.initial_position(), RenderOptions(FOREIGN_TEXTS, last_turn=events, is_over=is_over)
    )
    captions = [
        shape.text for sprite in scene.sprites for shape in sprite.sprite.shapes if isinstance(shape, Text)
    ]
    words = [scene.title, *scene.diagram.notes, *captions]
    moves = {"swap", "pass"}  # they are written alike in every language
    assert set(re.findall(r"[A-Za-z]+", " ".join(words))) == moves
