"""What people see of challenges on the website: the lobby, their own, notes and links."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import pytest

from matches import Audience, Challenge, ChallengeState, Matches, MatchState, Person, Reader
from matches.platforms import WEBSITE
from storage.tables import PEOPLE
from tests.matches.scenario import ALICE, BOB, CAROL, CHANNEL, NOON, SERVER, SMALL, later, make_challenge
from tests.refusals import refused

if TYPE_CHECKING:
    from storage import Database

SITE: dict[str, Any] = {"server": WEBSITE, "channel": WEBSITE, "game": "morelli", "options": SMALL}
BEGINNER = 1500


async def challenge(matches: Matches, by: Person = ALICE, **changes: Any) -> Challenge:
    return (await matches.challenges.create(by, **{**SITE, "now": NOON, **changes})).challenge


def reader(*people: Person, servers: frozenset[str] = frozenset()) -> Reader:
    return Reader(frozenset(one.account for one in people), servers)


async def listed(matches: Matches, *people: Person, **wanted: Any) -> list[int]:
    page = await matches.public_queries.list_lobby(reader(*people), now=NOON, **wanted)
    return [one.challenge.id for one in page.challenges]


async def win_rated_match(matches: Matches, winner: Person, loser: Person) -> int:
    """Have both move and the loser resign; return the winner's rating."""
    made = await challenge(matches, winner, to=loser)
    view = (await matches.challenges.accept(made.id, loser, now=NOON)).match
    for _ in range(2):
        assert view.position is not None
        assert view.to_move is not None
        text = str(view.position.legal_moves()[0])
        view = (await matches.play(view.id, view.to_move.person, [text], now=NOON)).match
    await matches.resign(view.id, loser, now=NOON)
    (standing,) = await matches.ratings.standings(winner, now=NOON)
    return round(standing.rating.rating)


async def test_lobby_lists_the_newest_first_in_pages(matches: Matches) -> None:
    made = [(await challenge(matches)).id for _ in range(3)]
    first = await matches.public_queries.list_lobby(limit=2, now=NOON)
    assert [one.challenge.id for one in first.challenges] == [made[2], made[1]]
    assert first.older == made[1]
    assert await listed(matches, before=first.older, limit=2) == [made[0]]


async def test_lobby_shows_only_what_anyone_may_accept(matches: Matches) -> None:
    made = await challenge(matches)
    await challenge(matches, to=BOB)
    await challenge(matches, by_link=True)
    taken = await challenge(matches, CAROL)
    await matches.challenges.accept(taken.id, BOB, now=NOON)
    assert await listed(matches) == [made.id]
    assert [one.id for one in await matches.public_queries.list_open_challenges(now=NOON, limit=9)] == [
        made.id
    ]


@pytest.mark.parametrize(
    ("wanted", "found"),
    [({"game": "morelli"}, 1), ({"game": "morphos"}, 0), ({"rated": True}, 1), ({"rated": False}, 0)],
)
async def test_lobby_has_filters(matches: Matches, wanted: dict[str, Any], found: int) -> None:
    await challenge(matches)
    assert len(await listed(matches, **wanted)) == found


@pytest.mark.parametrize("blocks", [(ALICE, BOB), (BOB, ALICE)])
async def test_lobby_leaves_out_whom_a_block_keeps_apart(
    matches: Matches, blocks: tuple[Person, Person]
) -> None:
    made = await challenge(matches)
    await matches.people.blocks.block(*blocks, now=NOON)
    assert await listed(matches, BOB) == []
    assert await listed(matches, CAROL) == [made.id]


async def test_exclusion_from_a_server_holds_on_the_website(matches: Matches) -> None:
    await matches.visibility.record_channels(SERVER, {CHANNEL})
    await matches.servers.change(SERVER, ALICE, audience=Audience.NAMES, now=NOON)
    made = await make_challenge(matches)
    assert await listed(matches, BOB) == [made.id]
    await matches.people.blocks.exclude(SERVER, BOB, ALICE, now=NOON)
    assert await listed(matches, BOB) == []
    with refused("excluded"):
        await matches.challenges.accept(made.id, BOB, now=NOON)


async def test_challenges_of_members_are_for_members(matches: Matches) -> None:
    await matches.visibility.record_channels(SERVER, {CHANNEL})
    made, everywhere = await make_challenge(matches), await challenge(matches)
    member = reader(BOB, servers=frozenset({SERVER}))
    page = await matches.public_queries.list_lobby(member, now=NOON)
    assert [one.challenge.id for one in page.challenges] == [everywhere.id, made.id]
    assert await listed(matches, BOB) == [everywhere.id]
    assert await matches.public_queries.find_for(made.id, reader(BOB), now=NOON) is None
    assert await matches.public_queries.find_for(made.id, member, now=NOON) is not None


async def test_closed_account_is_not_listed(matches: Matches, database: Database) -> None:
    await challenge(matches)
    async with database.transaction() as connection:
        await connection.execute(PEOPLE.update().values(closed_at=1))
    assert await listed(matches) == []


async def test_name_is_the_one_for_public_pages(matches: Matches) -> None:
    await challenge(matches)
    await matches.visibility.set_alias(ALICE, "Heron", now=NOON)
    for who, name in ((BOB, "Heron"), (ALICE, "Alice")):
        (shown,) = (await matches.public_queries.list_lobby(reader(who), now=NOON)).challenges
        assert (shown.challenge.by.name, shown.is_own) == (name, who is ALICE)


async def test_rating_range_holds(matches: Matches) -> None:
    rating = await win_rated_match(matches, ALICE, BOB)
    made = await challenge(matches, within=100)
    (shown,) = (await matches.public_queries.list_lobby(reader(CAROL), now=NOON)).challenges
    assert (shown.rating, shown.is_provisional, shown.is_in_range) == (rating, True, False)
    with refused("rating_too_far") as caught:
        await matches.challenges.accept(made.id, CAROL, now=NOON)
    values = {"lowest": rating - 100, "highest": rating + 100, "own": BEGINNER}
    assert caught.value.values == values
    nearer = await challenge(matches, within=rating - BEGINNER)
    shown = (await matches.public_queries.list_lobby(reader(CAROL), now=NOON)).challenges[0]
    assert shown.is_in_range
    await matches.challenges.accept(nearer.id, CAROL, now=NOON)


async def test_challenger_without_matches_has_no_rating(matches: Matches) -> None:
    await challenge(matches, within=50)
    (shown,) = (await matches.public_queries.list_lobby(now=NOON)).challenges
    assert (shown.rating, shown.is_provisional, shown.is_in_range) == (None, True, True)


@pytest.mark.parametrize(
    ("changes", "refusal"),
    [
        ({"note": "Hello"}, "note_for_nobody"),
        ({"note": "o" * 201, "to": BOB}, "note_too_long_for_challenge"),
        ({"within": 100, "to": BOB}, "within_for_named"),
        ({"within": 24}, "within_out_of_range"),
        ({"within": 2001}, "within_out_of_range"),
        ({"by_link": True, "to": BOB}, "link_for_named"),
        ({"audience": Audience.PLAYERS}, "private_for_anyone"),
    ],
)
async def test_what_does_not_fit_is_refused(matches: Matches, changes: dict[str, Any], refusal: str) -> None:
    with refused(refusal):
        await challenge(matches, **changes)


async def test_note_is_one_clean_line(matches: Matches) -> None:
    made = await challenge(matches, to=BOB, note="  Good\n\u202egame\u200b " + "o" * 190)
    assert made.note == "Good game " + "o" * 190


async def test_note_is_for_both_alone(matches: Matches) -> None:
    made = await challenge(matches, to=BOB, note="Hello")
    for who, note in ((ALICE, "Hello"), (BOB, "Hello"), (CAROL, None)):
        shown = await matches.public_queries.find_for(made.id, reader(who), has_link=True, now=NOON)
        assert (None if shown is None else shown.challenge.note) == note


async def test_link_opens_what_nobody_else_finds(matches: Matches) -> None:
    made = await challenge(matches, by_link=True, note="Hello", audience=Audience.PLAYERS)
    find = matches.public_queries.find_for
    assert await find(made.id, reader(BOB), now=NOON) is None
    shown = await find(made.id, reader(BOB), has_link=True, now=NOON)
    assert shown is not None
    assert (shown.challenge.note, shown.is_to_reader) == ("Hello", False)
    for act in (matches.challenges.accept, matches.challenges.decline, matches.challenges.withdraw):
        with refused("challenge_unknown"):
            await act(made.id, BOB, now=NOON)
    match = (await matches.challenges.accept(made.id, BOB, has_link=True, now=NOON)).match
    assert (match.state, match.audience) == (MatchState.PLAYING, Audience.PLAYERS)


async def test_own_challenges_are_of_all_servers(matches: Matches) -> None:
    outgoing = [await challenge(matches, by_link=True), await make_challenge(matches)]
    incoming = [
        await challenge(matches, BOB, to=ALICE, note="Hello"),
        await challenge(matches, CAROL, to=ALICE),
    ]
    await challenge(matches, BOB, to=CAROL)
    standing = await challenge(matches, games=2)
    await matches.people.blocks.block(ALICE, CAROL, now=NOON)
    own = await matches.public_queries.list_own(reader(ALICE), now=NOON)
    assert [one.challenge.id for one in own.outgoing] == [standing.id, outgoing[1].id, outgoing[0].id]
    assert [(one.challenge.id, one.challenge.note) for one in own.incoming] == [(incoming[0].id, "Hello")]
    later_on = await matches.public_queries.list_own(reader(ALICE), now=later(days=20))
    assert [(one.challenge.id, one.challenge.is_paused) for one in later_on.outgoing] == [(standing.id, True)]


async def test_challenge_by_link_expires(matches: Matches) -> None:
    made = await challenge(matches, by_link=True)
    (expired,) = await matches.challenges.expire(now=later(days=7))
    assert (expired.id, expired.state) == (made.id, ChallengeState.EXPIRED)


async def test_rematch_of_a_private_match_is_private(matches: Matches) -> None:
    made = await challenge(matches, to=BOB, audience=Audience.PLAYERS)
    match = (await matches.challenges.accept(made.id, BOB, now=NOON)).match
    await matches.resign(match.id, BOB, now=NOON)
    await matches.rematches.request(match.id, BOB, server=WEBSITE, channel=WEBSITE, now=NOON)
    own = await matches.public_queries.list_own(reader(ALICE), now=NOON)
    assert [one.challenge.is_public for one in own.incoming] == [False]
