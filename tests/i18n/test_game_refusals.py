"""Refusals of the games in another language; the engine's English where a sentence is missing."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from bot.ui.markdown import DISCORD
from engine import GameError
from i18n.refusals import format_game_error, format_refusal
from matches.errors import MoveUnreadable
from tests.games import GAMES
from tests.i18n.german import GERMAN

if TYPE_CHECKING:
    from engine import Position

FACING = GAMES["morelli"].initial_position(size=9)
THRONE = GAMES["morelli"].initial_position(size=9, edition="2015", seed=1)
MILL = GAMES["morabaraba"].load("morabaraba 12 2r/3/r1r/6/3/3/ww1 w 10,9 -")


@pytest.mark.parametrize(
    ("position", "text", "sentence"),
    [
        (FACING, "B5-C5", "Auf B5 steht kein Stein."),
        (THRONE, "B5-C5", "Auf B5 steht keine Figur."),
        (FACING, "A2-B3", "Der Stein auf A2 gehört Weiß."),
        (GAMES["morphos"].initial_position(size=5), "F1", "„F1“: Das Brett reicht nur bis E5."),
        (MILL, "G1", "Welcher Stein (C5, E5, G7) wird geschlagen?"),
        (FACING, "D1-D1", "D1 to D1: the stone must move to another cell."),
        (GAMES["breakthrough"].initial_position(), "A2-A6", "A2-A6 is not possible here."),
    ],
)
def test_a_refusal_is_in_the_language_of_the_reader(position: Position, text: str, sentence: str) -> None:
    with pytest.raises(GameError) as caught:
        position.parse(text)
    assert format_game_error(GERMAN, caught.value) == sentence


def test_refusal_of_a_game_is_escaped_once() -> None:
    with pytest.raises(GameError) as caught:
        GAMES["morphos"].initial_position(size=5, mutators="-").parse("*Z*9")
    texts = GERMAN.with_writer(DISCORD)
    shown = format_refusal(texts, MoveUnreadable(7, 0, "*Z*9", caught.value))
    assert "“\\*Z\\*9” ist kein Zug." in shown
