"""The contract of `engine.game`, for every game and every set of options."""

from __future__ import annotations

import pickle
import re
from functools import cache
from itertools import islice
from typing import TypeVar

import pytest

from engine import (
    Event,
    Game,
    GameError,
    IllegalMove,
    Move,
    MoveChoice,
    OptionError,
    Outcome,
    Position,
    UnknownGameError,
    get_game,
)
from engine.text_move import TextMove
from tests.engine.random_games import GameStart, all_starts, random_game
from tests.examples import for_each
from tests.games import GAMES

pytestmark = pytest.mark.xdist_group("contract")  # so that each random game is played once
STARTS = all_starts()
Item = TypeVar("Item")
MAX_SAMPLES = 60
"""The maximum number of moves of one position that slow tests check."""

games = pytest.mark.parametrize("game", GAMES.values(), ids=lambda game: game.name)
every_start = for_each("start", STARTS)


@cache
def random_positions(start: GameStart) -> tuple[Position, ...]:
    """Return all positions of one game."""
    return tuple(random_game(start.position(), seed=2))


def spread_sample(items: tuple[Item, ...], max_items: int) -> list[Item]:
    """Return at most `max_items` of `items`, evenly spread, with the first and the last."""
    step = max(1, (len(items) - 1) // max(1, max_items - 1))
    chosen = list(islice(items, 0, None, step))[: max_items - 1]
    return [*chosen, items[-1]] if items else []


def sample_positions(start: GameStart, max_positions: int = 7) -> list[Position]:
    return spread_sample(random_positions(start), max_positions)


def reachable_moves(position: Position, path: tuple[str, ...] = ()) -> list[Move]:
    """Return all moves that can be built step by step."""
    step = position.next_choice(path)
    if not isinstance(step, MoveChoice):
        return [step]
    assert step.options, path
    return [move for answer in possible_answers(step) for move in reachable_moves(position, (*path, answer))]


def possible_answers(question: MoveChoice) -> list[str]:
    if not question.multiple:
        return list(question.options)
    subsets = [""]
    for option in question.options:
        subsets += [f"{subset},{option}".strip(",") for subset in subsets]
    return [subset or "-" for subset in subsets]


@every_start
def test_a_random_game_ends_with_an_outcome(start: GameStart) -> None:
    last = random_positions(start)[-1]
    assert isinstance(last.outcome, Outcome)
    assert last.outcome is Outcome.DRAW or last.outcome.winner in last.game.sides


@every_start
def test_a_game_without_draws_never_ends_in_one(start: GameStart) -> None:
    game, ends = GAMES[start.game], {start.position().agreed_outcome, random_positions(start)[-1].outcome}
    assert game.allows_draws or Outcome.DRAW not in ends


@every_start
def test_side_to_move_outcome_and_moves_agree(start: GameStart) -> None:
    for position in random_positions(start):
        is_active = position.outcome is None
        assert (position.to_move is not None) == is_active
        assert bool(position.legal_moves()) == is_active


@every_start
def test_the_first_side_moves_first(start: GameStart) -> None:
    assert start.position().to_move is GAMES[start.game].sides[0]


@every_start
def test_legal_moves_are_sorted_by_text_and_unique(start: GameStart) -> None:
    for position in random_positions(start):
        texts = list(map(str, position.legal_moves()))
        assert texts == sorted(set(texts))


@every_start
def test_moves_with_prefix_are_the_legal_moves_that_begin_so(start: GameStart) -> None:
    for position in sample_positions(start, 4):
        moves = position.legal_moves()
        for typed in {str(move)[:length] for move in spread_sample(moves, 4) for length in (0, 1, 2, 4)}:
            expected = [move for move in moves if str(move).lower().startswith(typed.lower())]
            assert list(position.moves_with_prefix(" ".join(typed.swapcase()))) == expected


@every_start
def test_a_move_can_be_parsed_from_its_text(start: GameStart) -> None:
    for position in sample_positions(start):
        for move in spread_sample(position.legal_moves(), MAX_SAMPLES):
            parsed = position.parse(str(move))
            assert parsed == move
            assert hash(parsed) == hash(move)
            assert str(parsed) == str(move)


@every_start
def test_parsing_ignores_case_spaces_and_the_kind_of_dash(start: GameStart) -> None:
    for position in sample_positions(start, 4):
        for move in spread_sample(position.legal_moves(), 20):
            loose = "  ".join(str(move).swapcase()).replace("-", "\N{EN DASH}")
            assert position.parse(loose) == move
            assert position.parse(str(move).lower().replace("-", "\N{MINUS SIGN}")) == move


@every_start
def test_playing_does_not_change_the_position(start: GameStart) -> None:
    for position in sample_positions(start):
        text, value = str(position), hash(position)
        for move in spread_sample(position.legal_moves(), MAX_SAMPLES):
            after = position.play(move)
            assert after != position
            assert type(after) is type(position)
        assert (str(position), hash(position)) == (text, value)


@every_start
def test_a_parsed_move_plays_like_the_listed_move(start: GameStart) -> None:
    for position in sample_positions(start):
        for move in spread_sample(position.legal_moves(), MAX_SAMPLES):
            assert position.play(position.parse(str(move))) == position.play(move)


@every_start
def test_a_position_can_be_loaded_from_its_line(start: GameStart) -> None:
    for position in random_positions(start):
        loaded = position.game.load(str(position))
        assert loaded == position
        assert hash(loaded) == hash(position)
        assert str(loaded) == str(position)


@every_start
def test_a_loaded_position_continues_in_the_same_way(start: GameStart) -> None:
    for position in sample_positions(start):
        loaded = position.game.load(str(position))
        assert loaded.legal_moves() == position.legal_moves()
        assert (loaded.to_move, loaded.outcome, loaded.agreed_outcome) == (
            position.to_move,
            position.outcome,
            position.agreed_outcome,
        )
        assert (loaded.moves_due, loaded.vocabulary) == (position.moves_due, position.vocabulary)
        for move in spread_sample(position.legal_moves(), MAX_SAMPLES):
            assert loaded.play(move) == position.play(move)
            assert loaded.events(move) == position.events(move)


@every_start
def test_options_of_a_position_are_some_of_those_it_started_with(start: GameStart) -> None:
    game = GAMES[start.game]
    given = game.complete_options(**dict(start.options))
    for position in sample_positions(start):
        assert position.options.items() <= given.items()
        assert game.load(str(position)).options == position.options


@every_start
def test_a_position_line_is_one_line_with_single_spaces(start: GameStart) -> None:
    for position in random_positions(start):
        assert str(position) == " ".join(str(position).split())
        assert str(position).split()[0] == start.game


@every_start
def test_events_name_sides_and_cells_of_the_game(start: GameStart) -> None:
    for position in sample_positions(start):
        for move in spread_sample(position.legal_moves(), MAX_SAMPLES):
            events = position.events(move)
            assert events
            for event in events:
                assert isinstance(event, Event)
                assert event.side in position.game.sides
                assert all(re.fullmatch(r"[A-S][1-9][0-9]?", cell) for cell in event.cells)


@every_start
def test_facts_are_those_of_the_game_in_the_order_of_their_importance(start: GameStart) -> None:
    keys = start.position().game.fact_keys
    for position in sample_positions(start):
        moves = tuple(islice(position.moves_with_prefix(""), MAX_SAMPLES))
        for move in spread_sample(moves, 5) if position.moves_due == 1 else ():
            facts = position.facts((move,))
            found = [fact.key for fact in facts]
            assert found == [key for key in keys if key in found]
            assert [fact.is_drawback for fact in facts] == [key.startswith("allows") for key in found]
            assert all(re.fullmatch(r"[A-S][1-9][0-9]?", cell) for fact in facts for cell in fact.cells)
        if keys:
            with pytest.raises(IllegalMove):
                position.facts((TextMove("Z99"),))


@every_start
def test_different_moves_have_different_events(start: GameStart) -> None:
    for position in sample_positions(start):
        events = {position.events(move) for move in position.legal_moves()}
        assert len(events) == len(position.legal_moves())


@every_start
def test_step_by_step_input_gives_exactly_the_legal_moves(start: GameStart) -> None:
    for position in sample_positions(start, 5)[:-1]:
        assert sorted(set(map(str, reachable_moves(position)))) == list(map(str, position.legal_moves()))


@every_start
def test_moves_built_step_by_step_can_be_played(start: GameStart) -> None:
    for position in sample_positions(start, 4)[:-1]:
        for move in spread_sample(tuple(reachable_moves(position)), 20):
            assert move in position.legal_moves()
            assert isinstance(position.play(move), Position)


@every_start
def test_an_answer_that_was_not_offered_is_refused(start: GameStart) -> None:
    for position in sample_positions(start, 4):
        for path in [("Z99",), ("",), ("A1", "A1", "A1", "A1", "A1", "A1")]:
            with pytest.raises(IllegalMove) as caught:
                position.next_choice(path)
            assert caught.value.position == position


@every_start
def test_next_choice_is_refused_after_the_game(start: GameStart) -> None:
    with pytest.raises(IllegalMove):
        random_positions(start)[-1].next_choice()


@every_start
def test_moves_due_counts_down(start: GameStart) -> None:
    for position, after in zip(random_positions(start), random_positions(start)[1:], strict=False):
        if position.moves_due > 1:
            assert (after.moves_due, after.to_move) == (position.moves_due - 1, position.to_move)
        else:
            assert position.moves_due == 1


@every_start
def test_unreadable_text_is_refused_with_the_text_and_the_position(start: GameStart) -> None:
    for position in sample_positions(start, 4):
        for text in ["", "no move", "A1-", "-", "~", "\0", "é1", "A0", "A1-B2-C3", "9" * 5000]:
            with pytest.raises(GameError) as caught:
                position.parse(text)
            assert caught.value.position == position
            assert caught.value.text in {text, text[:200]}
            assert caught.value.reason == str(caught.value)
            assert "\n" not in caught.value.reason
            assert len(caught.value.reason) < 400


@every_start
def test_a_move_of_another_position_is_refused(start: GameStart) -> None:
    positions = random_positions(start)
    for position in sample_positions(start, 5):
        legal = set(position.legal_moves())
        for other in spread_sample(positions, 10):
            for move in spread_sample(other.legal_moves(), 20):
                if move not in legal:
                    with pytest.raises(IllegalMove):
                        position.play(move)
                    with pytest.raises(IllegalMove):
                        position.events(move)


class UnknownMove(Move):
    """A move that belongs to no game."""

    __slots__ = ()

    def __str__(self) -> str:
        return "nonsense"


@every_start
def test_a_move_of_another_type_is_refused(start: GameStart) -> None:
    for act in (start.position().play, start.position().events):
        with pytest.raises(IllegalMove):
            act(UnknownMove())


@every_start
def test_positions_cannot_be_changed(start: GameStart) -> None:
    position = start.position()
    for name in ("to_move", "outcome", "anything", *type(position).__slots__):
        with pytest.raises((AttributeError, TypeError)):
            setattr(position, name, None)


@every_start
def test_a_position_that_has_found_its_outcome_is_the_same_position(start: GameStart) -> None:
    for position in (start.position(), random_positions(start)[-1]):
        fresh = position.game.load(str(position))
        assert position.outcome is position.outcome is fresh.find_outcome()
        assert (position, hash(position), repr(position)) == (fresh, hash(fresh), repr(fresh))
        again = pickle.loads(pickle.dumps(position))  # noqa: S301 - made here
        assert (again, again.outcome) == (position, position.outcome)


@every_start
def test_starting_twice_gives_equal_positions(start: GameStart) -> None:
    assert start.position() == start.position()
    assert len({start.position(), start.position()}) == 1


@every_start
def test_option_values_may_be_given_as_text(start: GameStart) -> None:
    options = dict(start.options)
    game = GAMES[start.game]
    assert game.complete_options(**{name: f" {value} ".upper() for name, value in options.items()}) == options


@every_start
def test_completed_options_are_complete(start: GameStart) -> None:
    game = GAMES[start.game]
    completed = game.complete_options(**dict(start.options))
    assert game.complete_options(**completed) == completed
    assert set(completed) == {option.name for option in game.options}


@games
def test_random_options_are_not_completed(game: Game) -> None:
    completed = game.complete_options()
    assert game.complete_options(**game.first_options).items() >= game.first_options.items()
    for option in (option for option in game.options if option.is_random):
        assert option.name not in completed
        assert option.minimum <= option.random_value() <= option.maximum


@games
def test_an_unknown_option_is_refused(game: Game) -> None:
    for name in ("colour", "self", ""):
        with pytest.raises(OptionError, match=f"has no option {name}"):
            game.complete_options(**{name: "black"})


@games
def test_values_out_of_bounds_are_refused(game: Game) -> None:
    for option in game.options:
        for value in ("", "nonsense", -1, option.maximum + 1 if option.maximum else 99, "1e3", "١٣"):
            with pytest.raises(OptionError, match=option.name) as caught:
                game.initial_position(**{option.name: value})
            assert caught.value.text == str(value)


@games
def test_invalid_position_lines_are_refused(game: Game) -> None:
    line = str(game.initial_position())
    broken = [
        "",
        " ",
        "nonsense",
        line + " x",
        line.rpartition(" ")[0],
        line[1:],
        line.replace("/", ""),
        "9" * 9999,
    ]
    for text in [*broken, line.upper(), "\0", line.replace(" ", "/")]:
        with pytest.raises(GameError) as caught:
            game.load(text)
        assert caught.value.text == text
        assert "\n" not in caught.value.reason


@games
def test_positions_know_their_game(game: Game) -> None:
    assert game.initial_position().game is game
    assert get_game(game.name, game.rules_version, GAMES) is game


@games
def test_an_unknown_version_of_the_rules_is_refused(game: Game) -> None:
    with pytest.raises(UnknownGameError, match=game.name):
        get_game(game.name, game.rules_version + 1, GAMES)


def test_an_unknown_game_is_refused() -> None:
    with pytest.raises(UnknownGameError, match="tag"):
        get_game("tag", 1)


@every_start
def test_piece_groups_name_cells_of_the_board_once(start: GameStart) -> None:
    for position in sample_positions(start):
        groups = position.piece_groups
        assert len({(group.kind, group.side) for group in groups}) == len(groups)
        cells = [cell for group in groups for cell in group.cells]
        assert len(set(cells)) == len(cells)
        assert all(re.fullmatch(r"[A-S][1-9][0-9]?", cell) for cell in cells)
        assert all(group.side is None or group.side in position.game.sides for group in groups)
        assert all(group.cells or group.side for group in groups)


@every_start
def test_an_example_move_is_legal(start: GameStart) -> None:
    for position in sample_positions(start)[:-1]:
        assert str(position.parse(position.example_move)) == position.example_move
    assert random_positions(start)[-1].example_move == ""


@games
def test_first_move_is_legal_in_a_usual_game_and_in_a_first_one(game: Game) -> None:
    for options in ({}, game.first_options) if game.first_move else ():
        assert str(game.initial_position(**options).parse(game.first_move)) == game.first_move


def test_each_simultaneous_choice_has_its_own_command_and_plain_picks() -> None:
    choices = [game.simultaneous_choice for game in GAMES.values() if game.simultaneous_choice]
    assert len({choice.value for choice in choices}) == len(choices)
    assert all(re.fullmatch(r"\w+", pick) for choice in choices for pick in choice.picks)


@games
def test_picks_set_an_option(game: Game) -> None:
    if game.simultaneous_choice is None:
        with pytest.raises(OptionError):
            game.resolve_picks("LL", "LL")
        return
    option = next(option for option in game.options if option.name == game.simultaneous_choice.option)
    assert (
        game.complete_options(**{option.name: game.simultaneous_choice.value})[option.name]
        == game.simultaneous_choice.value
    )
    with pytest.raises(OptionError):
        game.initial_position(**{option.name: game.simultaneous_choice.value})
    for first in game.simultaneous_choice.picks:
        for second in game.simultaneous_choice.picks:
            value = game.resolve_picks(first, second)
            assert value in option.choices
            assert value == game.resolve_picks(second, first)
            assert game.initial_position(**{option.name: value}).outcome is None
