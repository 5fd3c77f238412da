"""The terms of a challenge: time control, time-out rule, vacation and takebacks."""

from __future__ import annotations

from datetime import timedelta
from typing import TYPE_CHECKING, Any

import pytest

from bot.ui import ids
from i18n import Texts, clocks
from matches import Person, Terms, TimeControl, parse_time_control
from tests.bot.clocks.timestamps import DAY, seconds_ahead

if TYPE_CHECKING:
    from tests.bot.environment import BotEnvironment

TEXTS = Texts.load()
TYPED = pytest.mark.plain("what is typed is compared with the texts of suggestions")


@pytest.mark.parametrize(
    ("options", "expected"),
    [
        ({}, "No clock · rated"),
        ({"rated": False}, "No clock · not rated"),
        ({"takeback": False}, "No clock · no takeback · rated"),
        ({"time_control": "3 days"}, "3 days per move · on time-out the opponent may claim the win · rated"),
        (
            {"time_control": "14d + 1d, max 21d", "time_out": "lost", "vacation": False},
            "14 days + 1 day per move, at most 21 days · running out of time loses · no vacation",
        ),
        pytest.param(
            {"time_control": "30 days in all", "time_out": "The match is lost at once"},
            "30 days for the whole match · running out of time loses · rated",
            marks=TYPED,
        ),
        pytest.param({"time_control": "no clock"}, "No clock · rated", marks=TYPED),
        (
            {"time_control": "7 days + 1 day per move, at most 14 days"},
            "7 days + 1 day per move, at most 14 days · on time-out",
        ),
    ],
)
async def test_challenge_post_shows_its_terms(
    env: BotEnvironment, options: dict[str, Any], expected: str
) -> None:
    assert f"\n{expected}" in (await env.make_challenge(**options)).text


@pytest.mark.parametrize(
    ("options", "sentence"),
    [
        ({"time_control": "soon"}, "soon is not a time control"),
        ({"time_control": "1m"}, "A time control can be from 5 minutes to 365 days"),
        ({"time_control": "14d + 1d, at most 3d"}, "cannot be less than the starting time"),
        ({"time_out": "boom"}, "boom is not a time-out rule. Choose `The opponent may claim the win` or"),
    ],
)
async def test_invalid_terms_are_refused(env: BotEnvironment, options: dict[str, Any], sentence: str) -> None:
    reply = await env.make_challenge(**options)
    assert sentence in reply.text
    assert reply.ephemeral


async def suggestions(env: BotEnvironment, option: str, text: str) -> list[tuple[str, str]]:
    """Return the autocomplete choices of an option of /challenge as pairs of name and value."""
    choices = await env.alice.autocomplete("challenge", {option: text}, focused=option, channel=env.channel)
    return [(choice.name, str(choice.value)) for choice in choices]


async def test_time_controls_are_suggested(env: BotEnvironment) -> None:
    paces = await suggestions(env, "time_control", "")
    assert paces[:2] == [("No clock", "none"), ("1 day per move", "1d per move")]
    assert ("14 days + 1 day per move, at most 21 days", "14d + 1d per move, at most 21d") in paces


async def test_typed_time_control_is_suggested_in_words(env: BotEnvironment) -> None:
    assert await suggestions(env, "time_control", "36h") == [
        ("1 day and 12 hours per move", "1d12h per move")
    ]
    assert (await suggestions(env, "time_control", "3 d"))[0] == ("3 days per move", "3d per move")


async def test_timeout_rules_are_suggested(env: BotEnvironment) -> None:
    assert await suggestions(env, "time_out", "lost") == [("The match is lost at once", "lost")]


async def test_challenge_terms_apply_to_the_match(env: BotEnvironment) -> None:
    await env.start_match(time_control="3d", time_out="lost", vacation=False, takeback=False, rated=False)
    (line,) = await env.bot.matches.views.list_active_of(
        Person(ids.stored_id(env.alice.id), "Alice"),
        ids.stored_id(env.guild.id),
    )
    assert line.terms.time_control == parse_time_control("3d")
    assert [line.terms.vacation_stops_clock, line.terms.takebacks_allowed, line.terms.rated] == [False] * 3


async def test_default_time_control_of_the_server_applies(env: BotEnvironment) -> None:
    server, by = ids.stored_id(env.guild.id), Person(ids.stored_id(env.alice.id), "Alice")
    await env.bot.matches.servers.change(server, by, time_control=parse_time_control("2d"), now=env.bot.now())
    assert "\n2 days per move ·" in (await env.make_challenge()).text
    assert "\nNo clock ·" in (await env.make_challenge(time_control="none", game="morphos")).text


async def test_challenge_has_no_running_clock(env: BotEnvironment) -> None:
    reply = await env.make_challenge(time_control="1d", start="facing", board="9")
    await env.advance_time(days=3)
    board = await env.wait_for_board(after=await env.bob.click(reply, "Accept"))
    assert seconds_ahead(env, board) == [DAY]


@pytest.mark.parametrize(
    ("time_control", "expected"),
    [
        (None, "No clock"),
        ("1d12h", "1 day and 12 hours per move"),
        ("1d 1h 1m", "1 day, 1 hour and 1 minute per move"),
        ("7d+1d", "7 days + 1 day per move"),
    ],
)
def test_time_control_is_described(time_control: str | None, expected: str) -> None:
    assert (
        clocks.describe_time_control(
            TEXTS, None if time_control is None else parse_time_control(time_control)
        )
        == expected
    )


def test_terms_are_described() -> None:
    assert clocks.describe_terms(
        TEXTS, Terms(time_control=TimeControl.per_move(timedelta(days=1)))
    ).startswith("1 day per move · ")
