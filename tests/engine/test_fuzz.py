"""Any text raises only the documented errors and leaves the position unchanged."""

from __future__ import annotations

from contextlib import suppress
from typing import TYPE_CHECKING

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from engine import AmbiguousMove, Game, GameError, IllegalMove, NotationError, Position
from engine.protocol import Session
from tests.engine.random_games import GameStart, all_starts, random_game
from tests.games import GAMES
from tests.unicode_text import unicode_text

if TYPE_CHECKING:
    from collections.abc import Callable

games = pytest.mark.parametrize("game", GAMES.values(), ids=lambda game: game.name)
some_starts = pytest.mark.parametrize("start", all_starts()[::3], ids=str)
brief = settings(max_examples=40, deadline=None)
cells = st.from_regex(r"\A[A-Na-n][0-9]{1,2}\Z")
signs = st.sampled_from([*"-~,+x/ ", "\N{EN DASH}", "\N{MINUS SIGN}", "swap", "pass"])
nearly_moves = st.lists(st.one_of(cells, signs), max_size=8).map("".join)
texts = st.one_of(unicode_text(30), nearly_moves)


def refusal(act: Callable[[], object]) -> GameError | None:
    """Return the GameError that `act` raises, or None."""
    try:
        act()
    except GameError as error:
        return error
    return None


@some_starts
def test_any_text_is_a_move_or_a_named_error(start: GameStart) -> None:
    positions = list(random_game(start.position(), seed=4))[::12]

    @brief
    @given(texts, st.sampled_from(positions))
    def check(text: str, position: Position) -> None:
        before = str(position)
        error = refusal(lambda: position.parse(text))
        if error:
            assert isinstance(error, NotationError | IllegalMove | AmbiguousMove)
            assert error.position is position
            assert error.reason.isprintable()
        else:
            assert position.parse(text) in position.legal_moves()
        assert str(position) == before

    check()


@games
def test_any_line_is_a_position_or_a_notation_error(game: Game) -> None:
    lines = [str(position) for position in random_game(game.initial_position(), seed=6)][::9]
    put = st.text(alphabet="bwrBW0123459/-x, ,swaped:=AG", max_size=3)

    @brief
    @given(st.sampled_from(lines), st.integers(0, 200), st.integers(0, 3), put)
    def check(line: str, at: int, cut: int, new: str) -> None:
        changed = line[:at] + new + line[at + cut :]
        error = refusal(lambda: game.load(changed))
        if error:
            assert isinstance(error, NotationError)
            assert error.text == changed
            assert error.reason.isprintable()
        else:
            position = game.load(changed)
            assert game.load(str(position)) == position
            assert bool(position.legal_moves()) == (position.outcome is None)

    check()


@games
def test_any_path_of_answers_gives_a_question_or_a_move_or_is_illegal(game: Game) -> None:
    positions = list(random_game(game.initial_position(), seed=8))[::12]

    @brief
    @given(
        st.lists(st.one_of(unicode_text(5), cells, st.sampled_from(["-", "yes", "no", "place"])), max_size=4),
        st.sampled_from(positions),
    )
    def check(path: list[str], position: Position) -> None:
        with suppress(IllegalMove):
            position.next_choice(tuple(path))

    check()


@games
def test_any_option_is_accepted_or_refused(game: Game) -> None:
    known = [option.name for option in game.options] or ["size"]
    names = st.one_of(st.sampled_from(known), unicode_text(8))
    values = st.one_of(
        unicode_text(8),
        st.integers(),
        st.sampled_from([str(value) for option in game.options for value in option.choices] or [""]),
    )

    @brief
    @given(st.dictionaries(names, values, max_size=3))
    def check(options: dict[str, str | int]) -> None:
        with suppress(GameError):
            assert game.complete_options(**game.complete_options(**options)) == game.complete_options(
                **options
            )

    check()


commands = st.sampled_from([*Session().commands])
arguments = st.one_of(
    texts, st.sampled_from([*GAMES, "0", "1", "size=9", "morelli size=9 setup=free", "LL RR"])
)


@brief
@given(
    st.lists(
        st.one_of(st.builds("{} {}".format, commands, arguments), commands, unicode_text(40)), max_size=12
    )
)
def test_every_line_of_the_protocol_gets_one_answer(lines: list[str]) -> None:
    session = Session()
    for line in lines:
        answer = session.answer(line)
        if not line.strip() or line.strip().startswith("#"):
            assert answer is None
        else:
            assert answer is not None
            assert answer[:2] in {"= ", "? ", "="}
            assert "\n" not in answer
