"""What is agreed on in a challenge beside the game."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import pytest

from bot import people
from bot.clocks import wording
from matches import Pace, Person, Terms, read_pace
from tests.bot.clocks.reading import DAY, ahead
from words import Words

if TYPE_CHECKING:
    from tests.bot.stage import Stage

WORDS = Words.load()


@pytest.mark.parametrize(
    ("options", "told"),
    [
        ({}, "No clock · rated"),
        ({"rated": False}, "No clock · not rated"),
        ({"takeback": False}, "No clock · no takeback · rated"),
        ({"pace": "3 days"}, "3 days per move · at the flag the other may claim the match · rated"),
        (
            {"pace": "14d + 1d, max 21d", "flag": "lost", "vacation": False},
            "14 days, and 1 day more per move, at most 21 days · who runs out of time loses · no vacation",
        ),
        (
            {"pace": "30 days in all", "flag": "The match is lost at once"},
            "30 days for the whole match · who runs out of time loses · rated",
        ),
        ({"pace": "no clock"}, "No clock · rated"),
        (
            {"pace": "7 days, and 1 day more per move, at most 14 days"},
            "7 days, and 1 day more per move, at most 14 days · at the flag",
        ),
    ],
)
async def test_challenge_tells_its_terms(stage: Stage, options: dict[str, Any], told: str) -> None:
    assert f"\n{told}" in (await stage.challenge(**options)).text


@pytest.mark.parametrize(
    ("options", "sentence"),
    [
        ({"pace": "soon"}, "soon is no pace"),
        ({"pace": "1m"}, "A pace goes from 5 minutes to 365 days"),
        ({"pace": "14d + 1d, at most 3d"}, "cannot be less than its start"),
        ({"flag": "boom"}, "boom is nothing that can happen at the flag. Choose `claim` or `lost`."),
    ],
)
async def test_terms_that_cannot_be_are_refused(stage: Stage, options: dict[str, Any], sentence: str) -> None:
    reply = await stage.challenge(**options)
    assert sentence in reply.text
    assert reply.ephemeral


async def proposed(stage: Stage, option: str, typed: str) -> list[tuple[str, str]]:
    choices = await stage.alice.autocomplete(
        "challenge", {option: typed}, focused=option, channel=stage.channel
    )
    return [(choice.name, str(choice.value)) for choice in choices]


async def test_paces_are_proposed(stage: Stage) -> None:
    paces = await proposed(stage, "pace", "")
    assert paces[:2] == [("No clock", "none"), ("1 day per move", "1d per move")]
    assert ("14 days, and 1 day more per move, at most 21 days", "14d + 1d per move, at most 21d") in paces


async def test_pace_that_is_typed_is_read_back(stage: Stage) -> None:
    assert await proposed(stage, "pace", "36h") == [("1 day and 12 hours per move", "1d12h per move")]
    assert (await proposed(stage, "pace", "3 d"))[0] == ("3 days per move", "3d per move")


async def test_flags_are_proposed(stage: Stage) -> None:
    assert await proposed(stage, "flag", "lost") == [("The match is lost at once", "lost")]


async def test_terms_become_those_of_the_match(stage: Stage) -> None:
    await stage.start(pace="3d", flag="lost", vacation=False, takeback=False, rated=False)
    (line,) = await stage.bot.matches.games(
        Person(people.place(stage.alice.id), "Alice"),
        people.place(stage.guild.id),
        now=stage.bot.now(),
    )
    assert line.terms.pace == read_pace("3d")
    assert [line.terms.vacation, line.terms.takeback, line.terms.rated] == [False] * 3


async def test_pace_of_the_server_holds_where_none_is_named(stage: Stage) -> None:
    server, by = people.place(stage.guild.id), Person(people.place(stage.alice.id), "Alice")
    await stage.bot.matches.servers.default_pace(server, by, read_pace("2d"), now=stage.bot.now())
    assert "\n2 days per move ·" in (await stage.challenge()).text
    assert "\nNo clock ·" in (await stage.challenge(pace="none")).text


async def test_challenge_waits_without_a_clock(stage: Stage) -> None:
    reply = await stage.challenge(pace="1d", start="facing", board="9")
    await stage.pass_time(days=3)
    board = await stage.board(after=await stage.bob.click(reply, "Accept"))
    assert ahead(stage, board) == [DAY]


@pytest.mark.parametrize(
    ("pace", "told"),
    [
        (None, "No clock"),
        ("1d12h", "1 day and 12 hours per move"),
        ("1d 1h 1m", "1 day, 1 hour and 1 minute per move"),
        ("7d+1d", "7 days, and 1 day more per move"),
    ],
)
def test_pace_reads(pace: str | None, told: str) -> None:
    assert wording.pace(WORDS, None if pace is None else read_pace(pace)) == told


def test_terms_read() -> None:
    assert wording.terms(WORDS, Terms(pace=Pace.per_move(wording.DAY))).startswith("1 day per move · ")
