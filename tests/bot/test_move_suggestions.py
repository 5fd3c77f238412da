"""Which moves autocomplete suggests, and in what order."""

from __future__ import annotations

import pytest

from bot.features.move import suggestions
from move_builder import split_moves
from tests.games import GAMES

# Black to move: D1-D2 captures on D3 between D2 and D4; other moves capture nothing.
CAPTURE = "morelli nestor 9/9/9/9/9/3b5/3w5/9/3b5 b -"
# Black to move: E2-D3 completes the four rotations of D3 and thereby takes the Centre.
FRAME = "morelli nestor 9/9/5b3/2b6/9/6b2/9/4b4/9 b -"
PLAIN = "morelli 2015 9/9/9/9/9/9/9/9/3b5 b -"


def first_suggestions(line: str, count: int = 1) -> list[str]:
    """Return the first suggestions in a position."""
    return suggestions.suggest_moves(GAMES["morelli"].load(line), [])[:count]


def test_captures_come_first_and_declined_captures_last() -> None:
    every = suggestions.suggest_moves(GAMES["morelli"].load(CAPTURE), [])
    assert every[0] == "D1-D2"
    assert every[-1] == "D1-D2~D3"


def test_occupations_come_first_and_declined_occupations_last() -> None:
    every = suggestions.suggest_moves(GAMES["morelli"].load(FRAME), ["E2"])
    assert every[0] == "E2-D3"
    assert every[-1] == "E2-D3~E5"


def test_other_moves_are_sorted_by_distance_to_the_centre() -> None:
    every = [text.partition("-")[2] for text in suggestions.suggest_moves(GAMES["morelli"].load(PLAIN), [])]
    distances = [max(abs(ord(cell[0]) - ord("E")), abs(int(cell[1]) - 5)) for cell in every]
    assert distances == sorted(distances)
    assert len(set(distances)) > 2


@pytest.mark.parametrize("game", sorted(GAMES))
def test_at_most_25_legal_moves_of_any_game(game: str) -> None:
    position = GAMES[game].initial_position()
    every = suggestions.suggest_moves(position, [])
    assert 0 < len(every) <= 25
    assert {str(position.parse(text)) for text in every} == set(every)


@pytest.mark.parametrize(
    ("typed", "parts"),
    [
        ("A1 M5", ["A1", "M5"]),
        (" A1;M5 ", ["A1", "M5"]),
        ("d1 - i6 ~ h5 , h6", ["d1-i6~h5,h6"]),
        ("D1 \u2013 I6", ["D1\u2013I6"]),
        ("c3 + x d4", ["c3+x", "d4"]),
        ("", []),
        ("A1" + 1_000_000 * " " + "M5", ["A1", "M5"]),  # in time linear in its length
    ],
)
def test_typed_text_is_split_at_spaces(typed: str, parts: list[str]) -> None:
    assert split_moves(typed) == parts
