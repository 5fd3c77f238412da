"""The sentence that calls a player to move says what the legal moves are, under all options."""

from __future__ import annotations

from itertools import product
from random import Random
from typing import TYPE_CHECKING

import pytest

from engine import GAMES
from engine.game import EventKind, Game, OptionError
from i18n import Texts
from i18n.formatting import action_key_for

if TYPE_CHECKING:
    from collections.abc import Iterator

    from engine.game import OptionValue, Position

TEXTS = Texts.load()
PLIES = 8  # of a random game, for each set of options


def option_sets(game: Game) -> Iterator[dict[str, OptionValue]]:
    """Yield every combination of options that the game accepts; of a range of numbers the first only."""
    options = [option for option in game.options if not option.is_random]
    values = [option.choices or (option.minimum,) for option in options]
    for chosen in product(*values):
        given = dict(zip((option.name for option in options), chosen, strict=True))
        try:
            yield game.complete_options(**given)
        except OptionError:
            continue


def possible_turns(position: Position) -> set[tuple[tuple[EventKind, int], ...]]:
    """Return what legal moves do: the kinds of their events, with the number of cells of each."""
    moves = position.legal_moves()
    return {tuple((one.kind, len(one.cells)) for one in position.events(move)) for move in moves}


def expected_key(position: Position) -> str:
    turns = possible_turns(position)
    placements = {turn for turn in turns if turn[0][0] is EventKind.PLACE}
    if placements != turns:
        return "move"
    return "place" if len({turn[0][1] for turn in turns}) == 1 else "place_or_two"


@pytest.mark.parametrize("name", GAMES)
def test_prompt_says_what_a_turn_may_be(name: str) -> None:
    game, random = GAMES[name], Random(1)
    for options in option_sets(game):
        position = game.initial_position(**options)
        for _ in range(PLIES):
            key = action_key_for(position)
            assert key == expected_key(position), (options, str(position))
            assert TEXTS.has_for_game(position.vocabulary, f"your_turn.{key}")
            position = position.play(random.choice(position.legal_moves()))
            if position.to_move is None:
                break
