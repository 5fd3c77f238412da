"""Challenges and matches against the computer by mail: every order and spelling, and limits."""

from __future__ import annotations

from datetime import timedelta
from typing import TYPE_CHECKING

import pytest

from engine.game import Side
from mail.commands.challenge_line import read_challenge, read_computer_game
from matches import DEFAULT_TIME_CONTROL, MatchState, TimeControl, TimeoutRule
from storage.tables import LETTERS
from tests.games import GAMES, TEXTS
from tests.mail.commands.scenario import text_of, write
from tests.mail.scenario import ANN, BEN, start_quietly
from tests.matches.scenario import NOON
from tests.refusals import refused

if TYPE_CHECKING:
    from matches import Matches
    from storage import Database

THREE_DAYS = TimeControl.per_move(timedelta(days=3))
BANK = TimeControl(timedelta(days=14), timedelta(days=1), timedelta(days=21))


@pytest.fixture(autouse=True)
async def _handles(matches: Matches) -> None:
    for person in (ANN, BEN):
        await matches.people.handles.choose(person.account, person.name, now=NOON)


@pytest.mark.parametrize(
    ("typed", "time_control"),
    [
        ("ben morelli", DEFAULT_TIME_CONTROL),
        ("ben morelli 3d", THREE_DAYS),
        ("ben 3 days per move morelli", THREE_DAYS),
        ("ben morelli 14 days + 1 day per move, at most 21 days, black", BANK),
        ("ben morelli no clock", None),
        ("ben morelli none", None),
        ("ben morelli without a clock, not rated", None),
    ],
)
def test_time_control_of_a_challenge(typed: str, time_control: TimeControl | None) -> None:
    wish = read_challenge(TEXTS, GAMES, typed, DEFAULT_TIME_CONTROL)
    assert (wish.to, wish.game.name, wish.terms.time_control) == ("ben", "morelli", time_control)


@pytest.mark.parametrize(
    "typed",
    [
        'ben morelli 9x9 free black not rated no takebacks no vacation lost "Good luck!"',
        "ben Morelli, size 9, as Black, setup: free, unrated, no takebacks, no vacations, lost “Good luck!”",
        "ben free start, lost, black, 9 by 9, no takeback, no vacation and not rated morelli «Good luck!»",
        'ben morelli board=9 setup=free i play black, unrated, no takeback, no vacation, lost "Good luck!',
    ],
)
def test_options_come_in_any_order_and_spelling(typed: str) -> None:
    wish = read_challenge(TEXTS, GAMES, typed, DEFAULT_TIME_CONTROL)
    assert (wish.to, wish.game.name, wish.note) == ("ben", "morelli", "Good luck!")
    assert wish.options == {"size": 9, "setup": "free"}
    assert (wish.colour, wish.terms.timeout_rule) == (Side.BLACK, TimeoutRule.LOST)
    assert (wish.terms.rated, wish.terms.takebacks_allowed, wish.terms.vacation_stops_clock) == (False,) * 3


@pytest.mark.parametrize("game", sorted(GAMES))
def test_every_value_of_every_option_can_be_typed_by_its_name(game: str) -> None:
    for option in GAMES[game].options:
        for value in () if option.is_random else list(option.values())[:6]:
            try:
                GAMES[game].complete_options(**{option.name: value})
            except ValueError:
                continue
            wish = read_challenge(TEXTS, GAMES, f"ben {game} {option.name} {value}", None)
            assert wish.options[option.name] == value


@pytest.mark.parametrize(
    ("typed", "key"),
    [
        ("ben", "challenge_game_missing"),
        ("ben chess", "challenge_game_missing"),
        ("ben morelli tomorrow", "challenge_word_unknown"),
        ("ben morelli red", "challenge_word_unknown"),
        ("ben morelli rated unrated", "challenge_word_twice"),
        ("ben morelli 3d 5d", "challenge_word_twice"),
        ("ben morelli 1m", "time_control_out_of_bounds"),
        ("ben morelli " + "x " * 500, "challenge_word_unknown"),
        ("", "challenge_game_missing"),
    ],
)
def test_what_is_not_understood_is_asked(typed: str, key: str) -> None:
    with refused(key):
        read_challenge(TEXTS, GAMES, typed, None)


@pytest.mark.parametrize("to", ["", "anyone ", "@anyone "])
def test_challenge_to_anyone(to: str) -> None:
    typed = f"{to}morelli 3d"
    assert read_challenge(TEXTS, GAMES, typed, None).to.strip("@") in {"", "anyone"}


def test_name_of_a_game_can_be_a_player() -> None:
    assert read_challenge(TEXTS, GAMES, "morelli morphos", None).to == "morelli"


@pytest.mark.parametrize(
    ("typed", "level"),
    [
        ("casual morelli", "casual"),
        ("morelli expert 9x9", "expert"),
        ("morelli", "casual"),
        ("strong morelli", "strong"),
        ("strong+ morelli", "strong+"),
    ],
)
def test_level_of_the_computer(typed: str, level: str) -> None:
    wish = read_computer_game(TEXTS, GAMES, typed)
    assert (wish.level, wish.terms.time_control, wish.terms.rated) == (level, None, False)


async def test_player_is_challenged_by_name(matches: Matches) -> None:
    answer = await write(matches, ANN, 'challenge Ben morelli 3d black "Have fun"')
    assert answer.title == "You challenged Ben"
    assert answer.challenge is not None
    challenge = await matches.challenges.find(answer.challenge, now=NOON)
    assert challenge.to is not None
    assert (challenge.to.account, challenge.colour, challenge.note) == (BEN.account, Side.BLACK, "Have fun")
    accepted = await write(matches, BEN, "accept", challenge=challenge.id)
    assert accepted.title == f"Morelli vs Ann (#{accepted.match}) begins"


async def test_challenge_is_declined_or_withdrawn(matches: Matches) -> None:
    first = await write(matches, ANN, "challenge ben morelli")
    assert (
        await write(matches, BEN, "decline", challenge=first.challenge)
    ).title == "You declined the challenge of Ann"
    again = await write(matches, BEN, "accept", challenge=first.challenge)
    assert "was declined" in text_of(again)
    second = await write(matches, BEN, "challenge ann morelli")
    assert (
        await write(matches, BEN, "withdraw", challenge=second.challenge)
    ).title == "You withdrew your challenge"
    assert "was withdrawn" in text_of(await write(matches, ANN, "accept", challenge=second.challenge))


async def test_challenge_of_others_cannot_be_accepted(matches: Matches) -> None:
    made = await write(matches, ANN, "challenge ben morelli")
    assert "your own challenge" in text_of(await write(matches, ANN, "accept", challenge=made.challenge))


@pytest.mark.parametrize(
    ("typed", "said"),
    [
        ("challenge nobody morelli", "There is no player nobody here"),
        ("challenge ann morelli", "You cannot challenge yourself"),
        ("challenge morelli “hello”", "A note goes with a challenge to one person"),
        ("challenge ben@ morelli", "address"),
        ("challenge a@b@c morelli", "address"),
        ("challenge ben morelli size 99", "I do not understand size"),
        ("challenge", "do not understand"),
        ("play", "do not understand"),
        ("play wizard morelli", "I do not understand wizard"),
    ],
)
async def test_refusals_say_what_to_do_and_make_nothing(matches: Matches, typed: str, said: str) -> None:
    answer = await write(matches, ANN, typed)
    assert answer.title == "Nothing was done"
    assert said in text_of(answer)
    assert "no matches under way" in text_of(await write(matches, ANN, "games"))


async def test_several_challenges_are_asked_for_by_name(matches: Matches) -> None:
    await write(matches, ANN, "challenge ben morelli")
    await write(matches, ANN, "challenge ben morphos")
    asked = await write(matches, BEN, "accept")
    assert "Ann (Morphos" in text_of(asked)
    assert "Ann (Morelli" in text_of(asked)


async def test_stranger_is_invited_through_one_letter(matches: Matches, database: Database) -> None:
    answer = await write(matches, ANN, "challenge Zoe@Example.org morelli 3d")
    assert answer.title == "You challenged whoever reads zoe@example.org"
    await write(matches, ANN, "challenge zoe@example.org morphos")
    async with database.read() as connection:
        rows = (await connection.execute(LETTERS.select())).all()
    assert [row.address for row in rows] == ["zoe@example.org", ""]  # the second one is silent


async def test_limits_hold(matches: Matches) -> None:
    answers = [
        await write(matches, ANN, f"challenge anyone {game}") for game in ("morelli", "morphos", "morabaraba")
    ]
    assert {one.title for one in answers} == {"Your challenge is open to anyone"}
    refusal = await write(matches, ANN, "challenge anyone morelli 5d")
    assert "Your account is new" in text_of(refusal)


async def test_blocked_player_cannot_be_challenged(matches: Matches) -> None:
    await matches.people.blocks.block(BEN, ANN, now=NOON)
    assert "is not available" in text_of(await write(matches, ANN, "challenge ben morelli"))


@pytest.mark.plain("what is typed is compared with the texts of options")
@pytest.mark.parametrize(
    "typed", ["play casual morelli 9x9 facing", "challenge computer casual morelli 9x9 facing"]
)
async def test_match_against_the_computer_begins_at_once(matches: Matches, typed: str) -> None:
    answer = await write(matches, ANN, typed)
    assert answer.match is not None
    view = await matches.view(answer.match, now=NOON)
    assert (view.state, view.terms.rated, view.options["setup"]) == (MatchState.PLAYING, False, "facing")


async def test_the_game_of_the_words_is_not_that_of_the_mail(matches: Matches) -> None:
    view = await start_quietly(matches)
    answer = await write(matches, ANN, "challenge ben morphos", view)
    assert answer.title == "You challenged Ben"
    assert answer.match is None
