"""What the page of a player shows, and to whom."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from matches import WEBSITE, Audience, ErasureChoice, Person, ProfileAudience
from matches.ratings.values import ResultCounts
from tests.games import GAMES
from tests.matches.scenario import ALICE, BOB, NOON, SMALL, later

if TYPE_CHECKING:
    from matches import Matches


async def finish(
    matches: Matches, loser: Person, *, server: str = WEBSITE, audience: Audience = Audience.NAMES
) -> None:
    """Play a match of Alice, who begins, and Bob, which one of them resigns."""
    made = await matches.challenges.create(
        ALICE,
        to=BOB,
        server=server,
        channel=server,
        game="morelli",
        options=SMALL,
        colour=GAMES["morelli"].sides[0],
        audience=audience,
        now=NOON,
    )
    view = (await matches.challenges.accept(made.challenge.id, BOB, now=NOON)).match
    for _ in range(2):
        assert view.position is not None
        assert view.to_move is not None
        move = str(view.position.legal_moves()[0])
        view = (await matches.play(view.id, view.to_move.person, [move], now=NOON)).match
    await matches.resign(view.id, loser, now=NOON)


@pytest.mark.long
async def test_profile_counts_public_results_on_the_website(matches: Matches) -> None:
    for loser in (BOB, BOB, ALICE):
        await finish(matches, loser)
    await finish(matches, BOB, server="test:server")
    await finish(matches, BOB, audience=Audience.PLAYERS)
    await matches.people.handles.choose(ALICE.account, "alice", now=NOON)
    profile = await matches.people.profiles.load(ALICE.account, None, now=NOON)
    assert profile is not None
    assert profile.results == {"morelli": ResultCounts(won=2, lost=1)}
    assert [(one.game, one.played) for one in profile.standings] == [("morelli", 5)]


async def test_nobody_has_a_page_without_a_name(matches: Matches) -> None:
    await finish(matches, BOB)
    assert await matches.people.profiles.load(ALICE.account, ALICE.account, now=NOON) is None
    assert await matches.people.profiles.load("test:nobody", None, now=NOON) is None


@pytest.mark.parametrize(
    ("audience", "readers"),
    [
        (ProfileAudience.EVERYBODY, {None, BOB.account, ALICE.account}),
        (ProfileAudience.MEMBERS, {BOB.account, ALICE.account}),
        (ProfileAudience.NOBODY, {ALICE.account}),
    ],
)
async def test_player_chooses_who_sees_the_page(
    matches: Matches, audience: ProfileAudience, readers: set[str | None]
) -> None:
    await finish(matches, BOB)
    await matches.people.handles.choose(ALICE.account, "alice", now=NOON)
    await matches.people.preferences.change(ALICE, profile=audience, now=NOON)
    load = matches.people.profiles.load
    found = {one for one in (None, BOB.account, ALICE.account) if await load(ALICE.account, one, now=NOON)}
    assert found == readers


async def test_page_and_calendar_end_with_the_account(matches: Matches) -> None:
    await finish(matches, BOB)
    await matches.people.handles.choose(ALICE.account, "alice", now=NOON)
    key = await matches.people.calendars.renew_key(ALICE.account)
    assert await matches.people.calendars.find_account(key) == ALICE.account
    await matches.people.personal_data.erase(ALICE.account, ErasureChoice.RESIGN, now=later(days=1))
    assert await matches.people.calendars.find_account(key) is None
    assert await matches.people.handles.find("alice") is None
