"""Exclusions from a server and blocks between persons prevent new matches."""

import pytest

from matches import Challenge, Matches, Person
from tests.matches.scenario import (
    ALICE,
    BOB,
    CAROL,
    NOON,
    ROBOT,
    SERVER,
    make_challenge,
    play_move,
    start_match,
)
from tests.refusals import refused


async def test_excluded_person_cannot_challenge(matches: Matches) -> None:
    assert await matches.people.blocks.exclude(SERVER, BOB, ALICE, now=NOON)
    with refused("excluded"):
        await make_challenge(matches, by=BOB)


async def test_excluded_person_cannot_accept(matches: Matches) -> None:
    made = await make_challenge(matches)
    await matches.people.blocks.exclude(SERVER, BOB, CAROL, now=NOON)
    with refused("excluded"):
        await matches.challenges.accept(made.id, BOB, now=NOON)


async def test_excluded_person_cannot_be_challenged(matches: Matches) -> None:
    await matches.people.blocks.exclude(SERVER, BOB, CAROL, now=NOON)
    with refused("opponent_excluded") as caught:
        await make_challenge(matches, to=BOB)
    assert caught.value.values == {"name": BOB}


async def test_challenge_of_a_person_excluded_later_cannot_be_accepted(matches: Matches) -> None:
    made = await make_challenge(matches)
    await matches.people.blocks.exclude(SERVER, ALICE, CAROL, now=NOON)
    with refused("challenge_withdrawn"):
        await matches.challenges.accept(made.id, BOB, now=NOON)


async def test_exclusion_applies_to_one_server(matches: Matches) -> None:
    await matches.people.blocks.exclude("test:other", BOB, ALICE, now=NOON)
    assert (await make_challenge(matches, by=BOB)).by == BOB


async def test_active_matches_of_an_excluded_person_continue(matches: Matches) -> None:
    view = await start_match(matches)
    await matches.people.blocks.exclude(SERVER, ALICE, BOB, now=NOON)
    assert (await play_move(matches, view)).match.ply == 1


async def test_readmitted_person_can_play(matches: Matches) -> None:
    await matches.people.blocks.exclude(SERVER, BOB, ALICE, now=NOON)
    assert await matches.people.blocks.list_excluded(SERVER, now=NOON) == (BOB,)
    assert await matches.people.blocks.readmit(SERVER, BOB, now=NOON)
    assert await matches.people.blocks.list_excluded(SERVER, now=NOON) == ()
    await make_challenge(matches, by=BOB)


async def test_repeating_it_returns_false(matches: Matches) -> None:
    await matches.people.blocks.exclude(SERVER, BOB, ALICE, now=NOON)
    assert not await matches.people.blocks.exclude(SERVER, BOB, ALICE, now=NOON)
    assert not await matches.people.blocks.readmit(SERVER, CAROL, now=NOON)
    await matches.people.blocks.block(ALICE, BOB, now=NOON)
    assert not await matches.people.blocks.block(ALICE, BOB, now=NOON)
    assert not await matches.people.blocks.unblock(ALICE, CAROL, now=NOON)


@pytest.mark.parametrize(
    ("by", "to", "refusal"),
    [(BOB, ALICE, "blocked_by_opponent"), (ALICE, BOB, "opponent_blocked")],
    ids=["blocked", "own"],
)
async def test_block_prevents_challenges(matches: Matches, by: Person, to: Person, refusal: str) -> None:
    await matches.people.blocks.block(ALICE, BOB, now=NOON)
    with refused(refusal) as caught:
        await make_challenge(matches, by=by, to=to)
    assert caught.value.values == {"name": to}


@pytest.mark.parametrize(
    ("by", "taker", "refusal"),
    [(ALICE, BOB, "blocked_by_opponent"), (BOB, ALICE, "opponent_blocked")],
    ids=["blocked", "own"],
)
async def test_block_prevents_accepting_open_challenges(
    matches: Matches, by: Person, taker: Person, refusal: str
) -> None:
    made = await make_challenge(matches, by=by)
    await matches.people.blocks.block(ALICE, BOB, now=NOON)
    with refused(refusal):
        await matches.challenges.accept(made.id, taker, now=NOON)
    assert (await matches.challenges.accept(made.id, CAROL, now=NOON)).match.seat(CAROL.account)


async def test_active_matches_between_blocked_persons_continue(matches: Matches) -> None:
    view = await start_match(matches)
    await matches.people.blocks.block(BOB, ALICE, now=NOON)
    assert (await play_move(matches, view)).match.ply == 1


async def test_block_can_be_removed(matches: Matches) -> None:
    await matches.people.blocks.block(ALICE, BOB, now=NOON)
    assert await matches.people.blocks.list_blocked(ALICE, now=NOON) == (BOB,)
    assert await matches.people.blocks.list_blocked(BOB, now=NOON) == ()
    assert await matches.people.blocks.unblock(ALICE, BOB, now=NOON)
    await make_challenge(matches, by=BOB, to=ALICE)


async def test_nobody_blocks_themself(matches: Matches) -> None:
    with refused("self_block"):
        await matches.people.blocks.block(ALICE, ALICE, now=NOON)
    with refused("self_exclude"):
        await matches.people.blocks.exclude(SERVER, ALICE, ALICE, now=NOON)


async def test_nobody_blocks_a_bot(matches: Matches) -> None:
    with refused("bot_block"):
        await matches.people.blocks.block(ALICE, ROBOT, now=NOON)
    with refused("bot_exclude"):
        await matches.people.blocks.exclude(SERVER, ROBOT, ALICE, now=NOON)


async def test_no_rematch_across_a_block(matches: Matches) -> None:
    view = (await matches.resign((await start_match(matches)).id, BOB, now=NOON)).match
    await matches.people.blocks.block(BOB, ALICE, now=NOON)
    with refused("blocked_by_opponent"):
        await matches.rematches.request(view.id, ALICE, server=SERVER, channel=view.channel, now=NOON)
    with refused("opponent_blocked"):
        await matches.rematches.request(view.id, BOB, server=SERVER, channel=view.channel, now=NOON)


async def test_rematch_is_not_accepted_across_a_block(matches: Matches) -> None:
    view = (await matches.resign((await start_match(matches)).id, BOB, now=NOON)).match
    await matches.rematches.request(view.id, ALICE, server=SERVER, channel=view.channel, now=NOON)
    await matches.people.blocks.block(BOB, ALICE, now=NOON)
    offered = await matches.rematches.request(view.id, BOB, server=SERVER, channel=view.channel, now=NOON)
    assert isinstance(offered, Challenge)
    with refused("opponent_blocked"):
        await matches.challenges.accept(offered.id, BOB, now=NOON)
