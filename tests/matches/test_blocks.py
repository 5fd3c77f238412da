"""Who may not begin matches: people kept out of a server, and people who have blocked each other."""

import pytest

from matches import (
    BotBlock,
    Challenge,
    KeptOut,
    MatchError,
    Matches,
    OtherBlocked,
    OtherKeptOut,
    Person,
    SelfBlock,
    YouBlocked,
)
from tests.matches.story import ALICE, BOB, CAROL, NOON, ROBOT, SERVER, begin, challenge, move


async def test_whoever_is_kept_out_cannot_challenge(matches: Matches) -> None:
    assert await matches.blocks.keep_out(SERVER, BOB, ALICE, now=NOON)
    with pytest.raises(KeptOut):
        await challenge(matches, by=BOB)


async def test_whoever_is_kept_out_cannot_accept(matches: Matches) -> None:
    made = await challenge(matches)
    await matches.blocks.keep_out(SERVER, BOB, CAROL, now=NOON)
    with pytest.raises(KeptOut):
        await matches.accept(made.id, BOB, now=NOON)


async def test_whoever_is_kept_out_is_not_challenged(matches: Matches) -> None:
    await matches.blocks.keep_out(SERVER, BOB, CAROL, now=NOON)
    with pytest.raises(OtherKeptOut) as refused:
        await challenge(matches, to=BOB)
    assert refused.value.values == {"name": "Bob"}


async def test_challenge_of_somebody_kept_out_since_is_not_accepted(matches: Matches) -> None:
    made = await challenge(matches)
    await matches.blocks.keep_out(SERVER, ALICE, CAROL, now=NOON)
    with pytest.raises(OtherKeptOut):
        await matches.accept(made.id, BOB, now=NOON)


async def test_keeping_out_holds_on_one_server(matches: Matches) -> None:
    await matches.blocks.keep_out("test:other", BOB, ALICE, now=NOON)
    assert (await challenge(matches, by=BOB)).by == BOB


async def test_matches_of_somebody_kept_out_go_on(matches: Matches) -> None:
    view = await begin(matches)
    await matches.blocks.keep_out(SERVER, ALICE, BOB, now=NOON)
    assert (await move(matches, view)).match.ply == 1


async def test_whoever_is_let_in_again_plays(matches: Matches) -> None:
    await matches.blocks.keep_out(SERVER, BOB, ALICE, now=NOON)
    assert await matches.blocks.kept_out(SERVER, now=NOON) == (BOB,)
    assert await matches.blocks.let_in(SERVER, BOB, now=NOON)
    assert await matches.blocks.kept_out(SERVER, now=NOON) == ()
    await challenge(matches, by=BOB)


async def test_saying_it_twice_is_no_news(matches: Matches) -> None:
    await matches.blocks.keep_out(SERVER, BOB, ALICE, now=NOON)
    assert not await matches.blocks.keep_out(SERVER, BOB, ALICE, now=NOON)
    assert not await matches.blocks.let_in(SERVER, CAROL, now=NOON)
    await matches.blocks.block(ALICE, BOB, now=NOON)
    assert not await matches.blocks.block(ALICE, BOB, now=NOON)
    assert not await matches.blocks.unblock(ALICE, CAROL, now=NOON)


@pytest.mark.parametrize(
    ("by", "to", "refusal"), [(BOB, ALICE, OtherBlocked), (ALICE, BOB, YouBlocked)], ids=["blocked", "own"]
)
async def test_block_keeps_challenges_away(
    matches: Matches, by: Person, to: Person, refusal: type[MatchError]
) -> None:
    await matches.blocks.block(ALICE, BOB, now=NOON)
    with pytest.raises(refusal) as refused:
        await challenge(matches, by=by, to=to)
    assert refused.value.values == {"name": to.name}


@pytest.mark.parametrize(
    ("by", "taker", "refusal"), [(ALICE, BOB, OtherBlocked), (BOB, ALICE, YouBlocked)], ids=["blocked", "own"]
)
async def test_block_keeps_open_challenges_from_being_accepted(
    matches: Matches, by: Person, taker: Person, refusal: type[MatchError]
) -> None:
    made = await challenge(matches, by=by)
    await matches.blocks.block(ALICE, BOB, now=NOON)
    with pytest.raises(refusal):
        await matches.accept(made.id, taker, now=NOON)
    assert (await matches.accept(made.id, CAROL, now=NOON)).match.seat(CAROL.account)


async def test_matches_of_people_who_block_each_other_go_on(matches: Matches) -> None:
    view = await begin(matches)
    await matches.blocks.block(BOB, ALICE, now=NOON)
    assert (await move(matches, view)).match.ply == 1


async def test_block_is_taken_back(matches: Matches) -> None:
    await matches.blocks.block(ALICE, BOB, now=NOON)
    assert await matches.blocks.blocked(ALICE, now=NOON) == (BOB,)
    assert await matches.blocks.blocked(BOB, now=NOON) == ()
    assert await matches.blocks.unblock(ALICE, BOB, now=NOON)
    await challenge(matches, by=BOB, to=ALICE)


async def test_nobody_blocks_themself(matches: Matches) -> None:
    with pytest.raises(SelfBlock):
        await matches.blocks.block(ALICE, ALICE, now=NOON)
    with pytest.raises(SelfBlock):
        await matches.blocks.keep_out(SERVER, ALICE, ALICE, now=NOON)


async def test_nobody_blocks_a_bot(matches: Matches) -> None:
    with pytest.raises(BotBlock):
        await matches.blocks.block(ALICE, ROBOT, now=NOON)
    with pytest.raises(BotBlock):
        await matches.blocks.keep_out(SERVER, ROBOT, ALICE, now=NOON)


async def test_no_rematch_across_a_block(matches: Matches) -> None:
    view = (await matches.resign((await begin(matches)).id, BOB, now=NOON)).match
    await matches.blocks.block(BOB, ALICE, now=NOON)
    with pytest.raises(OtherBlocked):
        await matches.offers.rematch(view.id, ALICE, server=SERVER, place=view.place, now=NOON)
    with pytest.raises(YouBlocked):
        await matches.offers.rematch(view.id, BOB, server=SERVER, place=view.place, now=NOON)


async def test_rematch_is_not_accepted_across_a_block(matches: Matches) -> None:
    view = (await matches.resign((await begin(matches)).id, BOB, now=NOON)).match
    await matches.offers.rematch(view.id, ALICE, server=SERVER, place=view.place, now=NOON)
    await matches.blocks.block(BOB, ALICE, now=NOON)
    offered = await matches.offers.rematch(view.id, BOB, server=SERVER, place=view.place, now=NOON)
    assert isinstance(offered, Challenge)
    with pytest.raises(YouBlocked):
        await matches.accept(offered.id, BOB, now=NOON)
