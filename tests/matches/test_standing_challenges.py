"""Challenges that stay open while few of their matches are under way."""

from __future__ import annotations

import asyncio
from typing import TYPE_CHECKING, Any

import pytest

from matches import Audience, ChallengeId, ChallengeState, ErasureChoice, Matches, Person
from matches.platforms import WEBSITE
from tests.matches.scenario import ALICE, BOB, CAROL, NOON, ROBOT, SERVER, later, play_move
from tests.refusals import refusal_key, refused

if TYPE_CHECKING:
    from datetime import datetime

    from matches import Challenge

DAVE = Person("test:dave", "Dave")


async def make_standing(
    matches: Matches, games: int = 2, game: str = "morelli", *, by: Person = ALICE, now: datetime = NOON
) -> Challenge:
    place: dict[str, Any] = {"server": WEBSITE, "channel": WEBSITE}
    return (await matches.challenges.create(by, **place, game=game, games=games, now=now)).challenge


async def listed(matches: Matches, now: datetime) -> list[ChallengeId]:
    return [one.challenge.id for one in (await matches.public_queries.list_lobby(now=now)).challenges]


async def test_accepting_it_accepts_a_copy(matches: Matches) -> None:
    made = await make_standing(matches)
    update = await matches.challenges.accept(made.id, BOB, now=NOON)
    assert update.match.challenge is not None
    copy = await matches.challenges.find(update.match.challenge, now=NOON)
    assert (copy.standing, copy.state, copy.match) == (made.id, ChallengeState.ACCEPTED, update.match.id)
    found = await matches.challenges.find(made.id, now=NOON)
    assert (found.state, found.match, found.running, found.free_places) == (ChallengeState.OPEN, None, 1, 1)
    assert update.match.audience is Audience.NAMES


async def test_full_one_is_not_listed_until_a_match_is_over(matches: Matches) -> None:
    made = await make_standing(matches, 1)
    match = (await matches.challenges.accept(made.id, BOB, now=NOON)).match
    assert await listed(matches, NOON) == []
    with refused("standing_full"):
        await matches.challenges.accept(made.id, CAROL, now=NOON)
    await matches.resign(match.id, BOB, now=NOON)
    assert await listed(matches, NOON) == [made.id]
    await matches.challenges.accept(made.id, CAROL, now=NOON)


async def test_one_opponent_takes_one_place(matches: Matches) -> None:
    made = await make_standing(matches, 3)
    await matches.challenges.accept(made.id, BOB, now=NOON)
    with refused("standing_playing"):
        await matches.challenges.accept(made.id, BOB, now=NOON)


async def test_two_processes_cannot_take_the_last_place(matches: Matches, other_matches: Matches) -> None:
    made = await make_standing(matches, 1)
    outcomes = await asyncio.gather(
        *(
            each.challenges.accept(made.id, person, now=NOON)
            for each, person in ((matches, BOB), (other_matches, CAROL), (matches, DAVE))
        ),
        return_exceptions=True,
    )
    assert sorted(map(refusal_key, outcomes)) == ["", "standing_full", "standing_full"]
    assert (await matches.challenges.find(made.id, now=NOON)).running == 1


async def test_withdrawn_while_somebody_accepts(matches: Matches, other_matches: Matches) -> None:
    made = await make_standing(matches)
    outcomes = await asyncio.gather(
        matches.challenges.withdraw(made.id, ALICE, now=NOON),
        other_matches.challenges.accept(made.id, BOB, now=NOON),
        return_exceptions=True,
    )
    assert {refusal_key(outcome) for outcome in outcomes} <= {"", "challenge_withdrawn"}
    assert (await matches.challenges.find(made.id, now=NOON)).state is ChallengeState.WITHDRAWN


@pytest.mark.parametrize(
    ("changes", "refusal"),
    [
        ({"to": BOB}, "standing_not_here"),
        ({"by_link": True}, "standing_not_here"),
        ({"server": SERVER}, "standing_not_here"),
        ({"games": 0}, "standing_out_of_range"),
        ({"games": 4}, "standing_out_of_range"),
        ({"audience": Audience.PLAYERS}, "private_for_anyone"),
    ],
)
async def test_impossible_one_is_refused(matches: Matches, changes: dict[str, Any], refusal: str) -> None:
    asked = {"server": WEBSITE, "channel": WEBSITE, "game": "morelli", "games": 2, **changes}
    with refused(refusal):
        await matches.challenges.create(ALICE, **asked, now=NOON)


async def test_there_is_one_for_each_game(matches: Matches) -> None:
    made = await make_standing(matches)
    with refused("standing_exists"):
        await make_standing(matches)
    await matches.challenges.withdraw(made.id, ALICE, now=NOON)
    await make_standing(matches)


async def test_the_computer_does_not_accept_it(matches: Matches) -> None:
    made = await make_standing(matches)
    with refused("standing_for_people"):
        await matches.computer.take_challenge(made.id, ALICE, level="casual", now=NOON)
    with refused("bot_challenge"):
        await matches.challenges.accept(made.id, ROBOT, now=NOON)


async def test_pauses_while_its_challenger_is_away(matches: Matches) -> None:
    made = await make_standing(matches)
    gone = later(days=14)
    await matches.challenges.expire(now=gone)
    found = await matches.challenges.find(made.id, now=gone)
    assert (found.state, found.is_paused) == (ChallengeState.OPEN, True)
    assert await listed(matches, gone) == []
    with refused("standing_paused"):
        await matches.challenges.accept(made.id, BOB, now=gone)
    await matches.people.sessions.start(ALICE, None, device="", now=later(days=20))
    await matches.challenges.expire(now=later(days=20))
    assert await listed(matches, later(days=33)) == [made.id]
    assert await listed(matches, later(days=34)) == []


async def test_move_of_its_challenger_keeps_it_open(matches: Matches) -> None:
    made = await make_standing(matches)
    match = (await matches.challenges.accept(made.id, BOB, now=NOON)).match
    for day in (10, 11):
        match = (await play_move(matches, match, now=later(days=day))).match
    await matches.challenges.expire(now=later(days=15))
    found = await matches.challenges.find(made.id, now=later(days=15))
    assert (found.is_paused, found.expires_at) in {(False, later(days=24)), (False, later(days=25))}


async def test_paused_one_can_be_withdrawn(matches: Matches) -> None:
    made = await make_standing(matches)
    await matches.challenges.withdraw(made.id, ALICE, now=later(days=30))
    with refused("challenge_withdrawn"):
        await matches.challenges.accept(made.id, BOB, now=later(days=30))


async def test_matches_outlive_the_challenge_they_came_from(matches: Matches) -> None:
    made = await make_standing(matches)
    match = (await matches.challenges.accept(made.id, BOB, now=NOON)).match
    await matches.challenges.withdraw(made.id, ALICE, now=NOON)
    await make_standing(matches, now=later(days=1))
    await matches.people.personal_data.delete_old(now=later(days=100))
    with refused("challenge_unknown"):
        await matches.challenges.find(made.id, now=later(days=100))
    view = await matches.view(match.id, now=later(days=100))
    assert view.challenge is not None
    copy = await matches.challenges.find(view.challenge, now=later(days=100))
    assert (copy.standing, copy.match) == (made.id, match.id)
    await matches.resign(match.id, BOB, now=later(days=100))


async def test_erasure_of_its_challenger_ends_it(matches: Matches) -> None:
    made = await make_standing(matches)
    await matches.people.personal_data.erase(ALICE.account, ErasureChoice.RESIGN, now=NOON)
    with refused("challenge_withdrawn"):
        await matches.challenges.accept(made.id, BOB, now=NOON)


async def test_paused_one_of_an_excluded_player_is_withdrawn(matches: Matches) -> None:
    made = await make_standing(matches)
    back = later(days=20)
    await matches.people.blocks.exclude(WEBSITE, ALICE, BOB, now=back)
    assert (await matches.challenges.find(made.id, now=back)).state is ChallengeState.WITHDRAWN
