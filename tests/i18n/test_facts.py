"""Facts about turns as sentences."""

from __future__ import annotations

import pytest

from engine.game import Cell, Fact
from i18n import Texts
from i18n.facts import format_facts
from tests.games import GAMES, TEXTS
from tests.toy_games import TEXTS_FOLDER

LANGUAGES = ("en", "ja", "de")
FACTS = [(name, key) for name, game in GAMES.items() for key in game.fact_keys]
CELLS = tuple(map(Cell, ("D3", "E4", "F5", "G6", "H7")))


def example(key: str, count: int) -> Fact:
    """Return a fact of a key that has `count` cells, and counts them."""
    return Fact(key, CELLS[:count], count, before=count + 1, is_drawback=key.startswith("allows"))


@pytest.mark.parametrize(
    ("vocabulary", "facts", "sentence"),
    [
        ("morabaraba", [], ""),
        ("morabaraba", [example("threatens_mills", 1)], "It threatens to close a mill on D3."),
        (
            "morabaraba",
            [example("prevents_mills", 2), example("closes_mills", 1)],
            "It keeps the opponent from closing a mill on D3 or E4 and closes a mill.",
        ),
        ("morabaraba", [example("allows_mills", 5)], "It lets the opponent close a mill on 5 points."),
        (
            "morelli.nestor",
            [example("makes_three_corners", 4)],
            "It makes three corners of a square around the Centre (only G6 is missing).",
        ),
        ("morelli.nestor", [example("captures", 1)], "It captures the stone on D3."),
        ("morelli.throne", [example("captures", 3)], "It captures 3 pieces."),
        (
            "morphos",
            [example("shortens_connection", 3), example("threatens_flips", 1)],
            "It shortens the way to connect from 4 missing stones to 3 and threatens to flip D3.",
        ),
    ],
)
def test_facts_become_one_sentence(vocabulary: str, facts: list[Fact], sentence: str) -> None:
    assert format_facts(TEXTS, vocabulary, facts) == sentence


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize(("game", "key"), FACTS)
@pytest.mark.parametrize("count", [1, 2, 5])
def test_every_fact_has_a_sentence_in_every_language(
    language: str, game: str, key: str, count: int, caplog: pytest.LogCaptureFixture
) -> None:
    texts = Texts.load(TEXTS_FOLDER, language=language)
    sentence = format_facts(texts, game, [example(key, count), example(key, count)])
    assert sentence
    assert not caplog.records
