"""Queries for spectators, seat keys, and announcements that become due early."""

import pytest

from matches import Audience, Matches, MatchFingerprint, MatchId, MatchState, MatchSummary, OfferKind
from matches.values import ACTIVE_STATES
from tests.matches.scenario import (
    ALICE,
    BOB,
    CAROL,
    CHANNEL,
    FISTS,
    FREE,
    NOON,
    SERVER,
    UNKNOWN_MATCH,
    later,
    legal_move,
    make_challenge,
    play_move,
    player_to_move,
    require_announcement,
    start_match,
)
from tests.refusals import refused


async def fingerprint_of(matches: Matches, match: MatchId) -> MatchFingerprint:
    return (await matches.public_queries.get_fingerprints([match]))[match]


async def list_active(matches: Matches, limit: int = 50) -> tuple[MatchSummary, ...]:
    return (await matches.public_queries.find_matches(ACTIVE_STATES, limit=limit)).matches


async def post_all(matches: Matches) -> None:
    while rows := await matches.announcements.claim_due("test", now=later(minutes=1)):
        for row in rows:
            await matches.announcements.mark_sent(row.id, "test:post", now=NOON)


@pytest.fixture
async def public(matches: Matches) -> Matches:
    """Return the matches of a server that shows them to everybody."""
    await matches.visibility.record_channels(SERVER, {CHANNEL})
    await matches.servers.change(SERVER, ALICE, audience=Audience.NAMES, now=NOON)
    return matches


async def test_active_matches_are_listed_the_latest_first(public: Matches) -> None:
    matches = public
    first, second, over = [await start_match(matches, now=later(minutes=at)) for at in range(3)]
    await matches.resign(over.id, BOB, now=NOON)
    await play_move(matches, first, now=later(minutes=9))
    fists = await start_match(matches, FISTS, now=later(minutes=10))
    assert [one.id for one in await list_active(matches)] == [fists.id, first.id, second.id]
    assert [one.id for one in await list_active(matches, limit=1)] == [fists.id]


async def test_open_challenges_are_listed_until_accepted_or_expired(public: Matches) -> None:
    matches = public
    await make_challenge(matches, to=BOB)
    older, taken, newer = [await make_challenge(matches) for _ in range(3)]
    await matches.challenges.accept(taken.id, BOB, now=NOON)
    assert [one.id for one in await matches.public_queries.list_open_challenges(now=NOON, limit=9)] == [
        newer.id,
        older.id,
    ]
    (page,) = await matches.public_queries.list_open_challenges(now=NOON, limit=9, before=newer.id)
    assert page.id == older.id
    assert await matches.public_queries.list_open_challenges(now=later(days=8), limit=9) == ()


async def test_fingerprint_changes_with_every_event(matches: Matches) -> None:
    view = await start_match(matches, FISTS)
    seen = [await fingerprint_of(matches, view.id)]
    for person in (ALICE, BOB):
        view = (await matches.pick(view.id, person, "LR", now=NOON)).match
        seen.append(await fingerprint_of(matches, view.id))
    view = (await play_move(matches, view)).match
    seen.append(await fingerprint_of(matches, view.id))
    await matches.offers.make(view.id, ALICE, OfferKind.END, now=NOON)
    seen.append(await fingerprint_of(matches, view.id))
    await matches.offers.answer_end(view.id, BOB, accept=False, now=NOON)
    assert await fingerprint_of(matches, view.id) == seen[3]
    await matches.resign(view.id, ALICE, now=NOON)
    seen.append(await fingerprint_of(matches, view.id))
    assert len(set(seen)) == len(seen) == 6
    assert [(one.pick_count, one.announced_revision, one.state) for one in (seen[0], seen[3], seen[5])] == [
        (0, 0, MatchState.CHOOSING),
        (2, 1, MatchState.PLAYING),
        (2, 1, MatchState.OVER),
    ]


async def test_fingerprint_and_lists_are_the_same_during_an_unfinished_turn(matches: Matches) -> None:
    view = (await play_move(matches, await start_match(matches, FREE))).match
    before = await fingerprint_of(matches, view.id), await list_active(matches)
    await matches.play(view.id, player_to_move(view), [legal_move(view)], now=later(hours=1))
    assert (await fingerprint_of(matches, view.id), await list_active(matches)) == before


async def test_last_move_is_never_one_of_an_unfinished_turn(matches: Matches) -> None:
    new, view = await start_match(matches), (await play_move(matches, await start_match(matches, FREE))).match
    await matches.play(view.id, player_to_move(view), [legal_move(view)], now=later(hours=1))
    listed = await matches.public_queries.list_matches([new.id, view.id, UNKNOWN_MATCH])
    assert {one.id for one in listed} == {new.id, view.id}
    (move,) = (await matches.public_queries.get_last_moves(listed)).values()
    assert (move.side, move.text, move.played_at) == (view.last_turn[0].side, view.last_turn[0].text, NOON)
    assert await matches.public_queries.list_outlines([new.id], [MatchState.OVER]) == ()


async def test_unknown_match_has_no_fingerprint(matches: Matches) -> None:
    assert await matches.public_queries.get_fingerprints([UNKNOWN_MATCH]) == {}


async def test_commit_calls_the_listener(matches: Matches) -> None:
    heard: list[str] = []
    with matches.on_commit(lambda: heard.append("change")):
        view = await start_match(matches)
        assert heard
        heard.clear()
        await matches.view(view.id, now=NOON)
        assert not heard


async def test_key_is_rotated_for_one_seat_of_one_match(matches: Matches) -> None:
    one, other = await start_match(matches), await start_match(matches)
    assert await matches.people.seats.rotate(one.id, ALICE) == 1
    assert await matches.people.seats.rotate(one.id, ALICE) == 2
    numbers = [
        await matches.people.seats.get_generation(match.id, person)
        for match in (one, other)
        for person in (ALICE, BOB)
    ]
    assert numbers == [2, 0, 0, 0]


async def test_spectator_has_no_key(matches: Matches) -> None:
    view = await start_match(matches)
    for call in (matches.people.seats.get_generation, matches.people.seats.rotate):
        with refused("not_in_match"):
            await call(view.id, CAROL)
        with refused("match_unknown"):
            await call(UNKNOWN_MATCH, ALICE)


async def test_released_announcement_is_due_at_once(matches: Matches) -> None:
    update = await play_move(matches, await start_match(matches))
    await post_all(matches)
    update = await play_move(matches, update.match)
    assert await matches.announcements.claim_due("test", now=NOON) == ()
    await matches.announcements.make_due(require_announcement(update.announcement).id, now=NOON)
    assert [row.id for row in await matches.announcements.claim_due("test", now=NOON)] == [
        require_announcement(update.announcement).id
    ]


async def test_released_announcement_that_was_posted_stays_posted(matches: Matches) -> None:
    update = await play_move(matches, await start_match(matches))
    await post_all(matches)
    await matches.announcements.make_due(require_announcement(update.announcement).id, now=NOON)
    assert await matches.announcements.claim_due("test", now=later(hours=1)) == ()
