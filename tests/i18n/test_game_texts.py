"""Every text that a game needs is there; a missing one is named by its key."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from engine.game import EventKind, MoveChoice, Outcome, SelectionKind
from move_builder.state import is_cell
from tests.engine.random_games import GameStart, all_starts, random_game
from tests.games import GAMES, TEXTS

if TYPE_CHECKING:
    from collections.abc import Iterator

    from engine.game import Game, Position

STARTS = all_starts()


def missing_keys(vocabulary: str, keys: Iterator[str]) -> list[str]:
    return sorted({key for key in keys if not TEXTS.has_for_game(vocabulary, key)})


def start_keys(game: Game) -> Iterator[str]:
    """Return the keys of what is said about a game before there is a board."""
    yield f"game.{game.name}.name"
    yield f"game.{game.name}.about"
    yield from (f"{kind}.{side}" for side in game.sides for kind in ("side", "picture.name"))
    for option in game.options:
        if not option.is_random:
            yield from (f"option.{option.name}.name", f"option.{option.name}.about")
            if not TEXTS.has(f"setting.{option.name}"):
                yield from (f"setting.{game.name}.{option.name}.{value}" for value in option.choices)
    yield from (f"fact.{key}" for key in game.fact_keys)
    yield from (f"theme.{key}" for key in game.fact_keys if not key.startswith("allows"))
    if game.simultaneous_choice is not None:
        choice = game.simultaneous_choice
        if not TEXTS.has(f"setting.{choice.option}"):
            yield f"setting.{game.name}.{choice.option}.{choice.value}"
        yield from (f"pick.{pick}.{part}" for pick in choice.picks for part in ("picture", "name"))


def position_keys(position: Position) -> Iterator[str]:
    """Return the keys of what is said about a position and the moves from it."""
    yield from ("picture.title", "picture.legend")
    yield from (f"board_text.{group.kind}" for group in position.piece_groups)
    outcomes = {position.outcome, position.agreed_outcome}
    yield from (
        f"result.played.{'draw' if outcome is Outcome.DRAW else 'win'}" for outcome in outcomes if outcome
    )
    if position.outcome is not None:
        yield from (f"result.played.{position.outcome_cause}",) if position.outcome_cause else ()
        return
    if position.turns_to_draw is not None:
        yield "board.draw_in"
    path: tuple[str, ...] = ()
    choice = position.next_choice()
    while isinstance(choice, MoveChoice):
        yield from choice_keys(choice)
        path = (*path, "-" if choice.multiple else choice.options[0])
        choice = position.next_choice(path)
    yield from (f"event.{event.kind}" for event in position.events(choice))


def choice_keys(choice: MoveChoice) -> Iterator[str]:
    yield f"picking.ask.{choice.kind}"
    if choice.multiple:
        yield from (f"picking.answer.{choice.kind}.{name}" for name in ("all", "none"))
    for option in choice.options:
        if not is_cell(option):
            yield f"picking.answer.{choice.kind}.{'none' if option == '-' else option}"


@pytest.mark.parametrize("game", GAMES.values(), ids=lambda game: game.name)
def test_everything_about_a_game_before_its_start_has_a_text(game: Game) -> None:
    assert missing_keys(game.name, start_keys(game)) == []


@pytest.mark.parametrize("start", STARTS, ids=str)
def test_everything_that_happens_in_a_game_has_a_text(start: GameStart) -> None:
    for position in random_game(start.position(), seed=3, max_plies=60):
        assert missing_keys(position.vocabulary, position_keys(position)) == []


def test_what_any_game_may_need_has_a_general_text() -> None:
    without_text = {SelectionKind.OCCUPY}  # only Morelli asks this
    keys = [f"event.{kind}" for kind in EventKind]
    keys += [f"picking.ask.{kind}" for kind in SelectionKind if kind not in without_text]
    keys.append("board.draw_in")
    assert missing_keys("", iter(keys)) == []


@pytest.mark.parametrize("key", ["game.go.about", "board_text.elephants", "pick.XX.picture"])
def test_a_missing_text_is_named_by_its_key(key: str) -> None:
    assert missing_keys("morelli", iter([key, "game.morelli.name"])) == [key]
