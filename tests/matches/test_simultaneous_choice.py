import asyncio
import logging

import pytest

from engine.game import Side
from matches import AnnouncementKind, Matches, MatchId, MatchState, MatchUpdate, OfferKind, Person
from tests.databases import open_database
from tests.matches.scenario import (
    ALICE,
    BOB,
    CAROL,
    CHANNEL,
    FISTS,
    NOON,
    SERVER,
    UNKNOWN_MATCH,
    later,
    make_challenge,
    require_announcement,
    start_match,
)
from tests.refusals import refusal_key, refused

HIDDEN = "LR"


async def picks(matches: Matches, match: MatchId, black: str, white: str) -> MatchUpdate:
    await matches.pick(match, ALICE, black, now=NOON)
    return await matches.pick(match, BOB, white, now=NOON)


async def test_choice_waits_for_both_players(matches: Matches) -> None:
    made = await make_challenge(matches, to=BOB, options=FISTS)
    update = await matches.challenges.accept(made.id, BOB, now=NOON)
    announcement = require_announcement(update.announcement)
    assert (announcement.kind, announcement.recipients) == (
        AnnouncementKind.CHOOSING,
        (ALICE.account, BOB.account),
    )
    assert (update.match.state, update.match.position, update.match.to_move) == (
        MatchState.CHOOSING,
        None,
        None,
    )
    assert update.match.waits_for == (ALICE, BOB)


async def test_first_pick_announces_nothing(matches: Matches) -> None:
    view = await start_match(matches, FISTS)
    update = await matches.pick(view.id, BOB, HIDDEN, now=NOON)
    assert (update.announcement, update.match.state) == (None, MatchState.CHOOSING)
    assert (update.match.picked_by, update.match.waits_for, update.match.reveal) == ((BOB,), (ALICE,), None)


@pytest.mark.parametrize(
    ("black", "white", "mode", "agreed"),
    [
        ("LL", "LL", "adjacent", True),
        ("RR", "RR", "facing", True),
        ("LR", "LR", "free", True),
        ("LL", "RR", "free", False),
        ("RR", "LL", "free", False),
        ("LL", "LR", "facing", False),
        ("RR", "LR", "adjacent", False),
    ],
)
async def test_second_pick_reveals_both_and_the_mode(
    matches: Matches, black: str, white: str, mode: str, *, agreed: bool
) -> None:
    view = await start_match(matches, FISTS)
    reveal = (await picks(matches, view.id, black, white)).match.reveal
    assert reveal is not None
    assert [(pick.person, pick.pick) for pick in reveal.picks] == [(ALICE, black), (BOB, white)]
    assert (reveal.option, reveal.value, reveal.agreed) == ("setup", mode, agreed)


async def test_second_pick_starts_the_game_and_notifies_the_first_player(matches: Matches) -> None:
    view = await start_match(matches, FISTS)
    update = await picks(matches, view.id, "LL", "LL")
    announcement = require_announcement(update.announcement)
    assert (announcement.kind, announcement.recipients) == (AnnouncementKind.REVEALED, (ALICE.account,))
    assert (announcement.ply, announcement.first_ply) == (0, None)
    assert update.match.state is MatchState.PLAYING
    assert update.match.options["setup"] == "adjacent"
    assert str(update.match.position).startswith("morelli nestor bwwwwwwww/")
    assert await matches.view(view.id, now=NOON) == update.match


async def test_person_who_takes_white_picks_for_white(matches: Matches) -> None:
    made = await make_challenge(matches, options=FISTS, colour=Side.WHITE)
    view = (await matches.challenges.accept(made.id, BOB, now=NOON)).match
    update = await picks(matches, view.id, "LL", "RR")
    assert update.match.reveal is not None
    assert [(pick.person, pick.pick) for pick in update.match.reveal.picks] == [(BOB, "RR"), (ALICE, "LL")]


@pytest.mark.parametrize(
    ("person", "pick", "refusal"),
    [(CAROL, "LL", "not_in_match"), (ALICE, "RL", "invalid_pick"), (ALICE, "", "invalid_pick")],
)
async def test_impossible_pick_is_refused(matches: Matches, person: Person, pick: str, refusal: str) -> None:
    view = await start_match(matches, FISTS)
    with refused(refusal):
        await matches.pick(view.id, person, pick, now=NOON)
    assert await matches.view(view.id, now=NOON) == view


@pytest.mark.parametrize("again", ["LL", "RR"])
async def test_pick_is_final(matches: Matches, again: str) -> None:
    view = await start_match(matches, FISTS)
    await matches.pick(view.id, ALICE, "LL", now=NOON)
    with refused("already_picked") as caught:
        await matches.pick(view.id, ALICE, again, now=NOON)
    assert caught.value.values == {"match": view.id}
    update = await matches.pick(view.id, BOB, "LL", now=NOON)
    assert update.match.options["setup"] == "adjacent"


async def test_nothing_is_picked_twice(matches: Matches) -> None:
    view = await start_match(matches, FISTS)
    await picks(matches, view.id, "LL", "LL")
    with refused("choice_over"):
        await matches.pick(view.id, ALICE, "RR", now=NOON)


async def test_nothing_is_picked_in_a_match_without_a_choice(matches: Matches) -> None:
    view = await start_match(matches)
    with refused("choice_over"):
        await matches.pick(view.id, ALICE, "RR", now=NOON)


async def test_unknown_match_has_no_picks(matches: Matches) -> None:
    with refused("match_unknown"):
        await matches.pick(UNKNOWN_MATCH, ALICE, "RR", now=NOON)


async def test_nothing_is_played_before_both_picks_are_in(matches: Matches) -> None:
    view = await start_match(matches, FISTS)
    await matches.pick(view.id, ALICE, "LL", now=NOON)
    with refused("choice_pending"):
        await matches.play(view.id, ALICE, ["A1-C3"], now=NOON)
    with refused("choice_pending"):
        await matches.offers.make(view.id, ALICE, OfferKind.END, now=NOON)


@pytest.mark.long
async def test_pick_is_secret_until_both_have_picked(
    database_url: str, caplog: pytest.LogCaptureFixture
) -> None:
    caplog.set_level(logging.DEBUG)
    caplog.set_level(logging.DEBUG, "sqlalchemy.engine")
    async with open_database(database_url, 2) as database:
        matches = Matches(database)
        view = await start_match(matches, FISTS)
        shown: list[object] = [await matches.pick(view.id, ALICE, HIDDEN, now=NOON)]
        with refused("already_picked") as caught:
            await matches.pick(view.id, ALICE, HIDDEN, now=NOON)
        shown += [
            caught.value,
            await matches.view(view.id, now=NOON),
            await matches.views.history(view.id),
            await matches.views.list_active_of(BOB, SERVER),
            await matches.views.list_awaiting_in(BOB, CHANNEL),
            await matches.announcements.claim_due("test", now=later(minutes=1)),
            await matches.audit(view.id),
        ]
    assert not [each for each in shown if HIDDEN in repr(each) or HIDDEN in str(each)]
    assert caplog.records
    assert not [record for record in caplog.records if HIDDEN in record.getMessage()]


async def test_resigning_reveals_no_pick(matches: Matches) -> None:
    view = await start_match(matches, FISTS)
    await matches.pick(view.id, ALICE, HIDDEN, now=NOON)
    update = await matches.resign(view.id, BOB, now=NOON)
    assert (update.match.state, update.match.position) == (MatchState.OVER, None)
    assert HIDDEN not in repr(await matches.view(view.id, now=NOON))
    with refused("match_over"):
        await matches.pick(view.id, BOB, "LL", now=NOON)
    assert (await matches.audit(view.id)).difference is None


async def test_concurrent_picks_are_revealed_once(matches: Matches, other_matches: Matches) -> None:
    view = await start_match(matches, FISTS)
    turns = await asyncio.gather(
        matches.pick(view.id, ALICE, "LL", now=NOON), other_matches.pick(view.id, BOB, "RR", now=NOON)
    )
    assert sorted(update.announcement is None for update in turns) == [False, True]
    assert (await matches.view(view.id, now=NOON)).options["setup"] == "free"


async def test_concurrent_picks_of_one_person_count_once(matches: Matches, other_matches: Matches) -> None:
    view = await start_match(matches, FISTS)
    done = await asyncio.gather(
        matches.pick(view.id, ALICE, "LL", now=NOON),
        other_matches.pick(view.id, ALICE, "RR", now=NOON),
        return_exceptions=True,
    )
    assert sum(refusal_key(outcome) == "already_picked" for outcome in done) == 1
