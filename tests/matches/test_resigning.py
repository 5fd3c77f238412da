import asyncio

import pytest

from engine.game import Outcome
from matches import AnnouncementKind, EndReason, Matches, MatchState, OfferKind, Person
from tests.matches.scenario import (
    ALICE,
    BOB,
    CAROL,
    FISTS,
    NOON,
    end_offered_by,
    later,
    play_move,
    require_announcement,
    start_match,
)
from tests.refusals import refused


@pytest.mark.parametrize(("person", "winner", "outcome"), [(ALICE, BOB, "white"), (BOB, ALICE, "black")])
async def test_resigning_player_loses(matches: Matches, person: Person, winner: Person, outcome: str) -> None:
    view = await start_match(matches)
    update = await matches.resign(view.id, person, now=later(hours=1))
    result, announcement = update.match.result, require_announcement(update.announcement)
    assert result is not None
    assert (result.reason, result.outcome) == (EndReason.RESIGNED, Outcome(outcome))
    assert result.winner is not None
    assert result.loser is not None
    assert (result.winner.person, result.loser.person) == (winner, person)
    assert (announcement.kind, announcement.recipients) == (AnnouncementKind.RESIGNED, (winner.account,))
    assert (update.match.state, update.match.changed_at) == (MatchState.OVER, later(hours=1))
    assert await matches.view(view.id, now=NOON) == update.match


async def test_spectator_cannot_resign(matches: Matches) -> None:
    view = await start_match(matches)
    with refused("not_in_match"):
        await matches.resign(view.id, CAROL, now=NOON)


async def test_nobody_resigns_twice(matches: Matches) -> None:
    view = await start_match(matches)
    await matches.resign(view.id, ALICE, now=NOON)
    for person in (ALICE, BOB):
        with refused("match_over"):
            await matches.resign(view.id, person, now=NOON)


async def test_resigning_during_the_choice_leaves_a_result_without_a_board(matches: Matches) -> None:
    view = await start_match(matches, FISTS)
    update = await matches.resign(view.id, ALICE, now=NOON)
    assert update.match.result is not None
    assert (update.match.result.outcome, update.match.position) == (Outcome.WHITE, None)
    assert await matches.view(view.id, now=NOON) == update.match


async def test_offer_notifies_the_opponent(matches: Matches) -> None:
    view = await start_match(matches)
    update = await matches.offers.make(view.id, BOB, OfferKind.END, seen_revision=0, now=NOON)
    announcement = require_announcement(update.announcement)
    assert (announcement.kind, announcement.recipients) == (AnnouncementKind.OFFERED, (ALICE.account,))
    assert (end_offered_by(update.match), update.match.state) == (BOB, MatchState.PLAYING)
    assert await matches.view(view.id, now=NOON) == update.match


async def test_accepted_offer_ends_the_match_by_the_rules(matches: Matches) -> None:
    view = (await play_move(matches, await start_match(matches))).match
    await matches.offers.make(view.id, ALICE, OfferKind.END, now=NOON)
    update = await matches.offers.answer_end(view.id, BOB, accept=True, seen_revision=1, now=NOON)
    announcement = require_announcement(update.announcement)
    assert update.match.result is not None
    assert update.match.position is not None
    assert (update.match.result.reason, update.match.result.winner) == (EndReason.AGREED, None)
    assert update.match.result.outcome == update.match.position.agreed_outcome
    assert (announcement.kind, announcement.recipients) == (AnnouncementKind.AGREED, (ALICE.account,))
    assert (end_offered_by(update.match), update.match.waits_for) == (None, ())
    assert (await matches.audit(view.id)).difference is None


async def test_mutual_offers_end_the_match(matches: Matches) -> None:
    view = await start_match(matches)
    await matches.offers.make(view.id, ALICE, OfferKind.END, now=NOON)
    update = await matches.offers.make(view.id, BOB, OfferKind.END, now=NOON)
    assert update.match.result is not None
    assert update.match.result.reason is EndReason.AGREED


async def test_declined_offer_does_not_end_the_match(matches: Matches) -> None:
    view = await start_match(matches)
    await matches.offers.make(view.id, ALICE, OfferKind.END, now=NOON)
    update = await matches.offers.answer_end(view.id, BOB, accept=False, now=NOON)
    announcement = require_announcement(update.announcement)
    assert (announcement.kind, announcement.recipients) == (AnnouncementKind.OFFER_DECLINED, (ALICE.account,))
    assert (end_offered_by(update.match), update.match.state) == (None, MatchState.PLAYING)


async def test_declined_offer_is_not_repeated_on_the_same_board(matches: Matches) -> None:
    view = await start_match(matches)
    await matches.offers.make(view.id, ALICE, OfferKind.END, now=NOON)
    await matches.offers.answer_end(view.id, BOB, accept=False, now=NOON)
    with refused("offer_declined"):
        await matches.offers.make(view.id, ALICE, OfferKind.END, now=NOON)
    update = await play_move(matches, view)
    update = await matches.offers.make(
        view.id, ALICE, OfferKind.END, seen_revision=update.match.ply, now=NOON
    )
    assert end_offered_by(update.match) == ALICE


async def test_player_who_declined_can_offer(matches: Matches) -> None:
    view = await start_match(matches)
    await matches.offers.make(view.id, ALICE, OfferKind.END, now=NOON)
    await matches.offers.answer_end(view.id, BOB, accept=False, now=NOON)
    update = await matches.offers.make(view.id, BOB, OfferKind.END, now=NOON)
    assert (end_offered_by(update.match), update.match.state) == (BOB, MatchState.PLAYING)


@pytest.mark.parametrize("offerer", [ALICE, BOB])
async def test_any_move_withdraws_the_offer(matches: Matches, offerer: Person) -> None:
    view = await start_match(matches)
    await matches.offers.make(view.id, offerer, OfferKind.END, now=NOON)
    update = await play_move(matches, view)
    assert end_offered_by(update.match) is None
    other = BOB if offerer is ALICE else ALICE
    with refused("no_offer"):
        await matches.offers.answer_end(view.id, other, accept=True, seen_revision=0, now=NOON)


async def test_answer_to_a_withdrawn_offer_does_not_accept_a_later_one(matches: Matches) -> None:
    view = await start_match(matches)
    await matches.offers.make(view.id, ALICE, OfferKind.END, now=NOON)
    await play_move(matches, view)
    await matches.offers.make(view.id, ALICE, OfferKind.END, now=NOON)
    with refused("stale_board"):
        await matches.offers.answer_end(view.id, BOB, accept=True, seen_revision=0, now=NOON)


async def test_pending_offer_cannot_be_repeated(matches: Matches) -> None:
    view = await start_match(matches)
    await matches.offers.make(view.id, ALICE, OfferKind.END, now=NOON)
    with refused("offer_pending"):
        await matches.offers.make(view.id, ALICE, OfferKind.END, now=NOON)


@pytest.mark.long
async def test_offer_on_an_outdated_board_is_stale(matches: Matches) -> None:
    view = await start_match(matches)
    await play_move(matches, view)
    with refused("stale_board"):
        await matches.offers.make(view.id, ALICE, OfferKind.END, seen_revision=0, now=NOON)


@pytest.mark.parametrize(("person", "refusal"), [(ALICE, "own_offer"), (CAROL, "not_in_match")])
async def test_only_the_opponent_answers_an_offer(matches: Matches, person: Person, refusal: str) -> None:
    view = await start_match(matches)
    offered = await matches.offers.make(view.id, ALICE, OfferKind.END, now=NOON)
    with refused(refusal):
        await matches.offers.answer_end(view.id, person, accept=True, now=NOON)
    assert await matches.view(view.id, now=NOON) == offered.match


async def test_there_is_nothing_to_answer_without_an_offer(matches: Matches) -> None:
    view = await start_match(matches)
    with refused("no_offer"):
        await matches.offers.answer_end(view.id, ALICE, accept=True, now=NOON)


async def test_nothing_is_agreed_before_there_is_a_board(matches: Matches) -> None:
    view = await start_match(matches, FISTS)
    with refused("choice_pending"):
        await matches.offers.answer_end(view.id, ALICE, accept=True, now=NOON)


async def test_concurrent_offer_and_move_are_serialised(matches: Matches, other_matches: Matches) -> None:
    view = await start_match(matches)
    await matches.offers.make(view.id, BOB, OfferKind.END, now=NOON)
    await asyncio.gather(
        matches.offers.answer_end(view.id, ALICE, accept=True, seen_revision=0, now=NOON),
        play_move(other_matches, view),
        return_exceptions=True,
    )
    found = await matches.view(view.id, now=NOON)
    assert (found.state is MatchState.OVER) == (found.ply == 0)
    assert (await matches.audit(view.id)).difference is None


async def test_concurrent_offers_of_both_end_the_match(matches: Matches, other_matches: Matches) -> None:
    view = await start_match(matches)
    await asyncio.gather(
        matches.offers.make(view.id, ALICE, OfferKind.END, now=NOON),
        other_matches.offers.make(view.id, BOB, OfferKind.END, now=NOON),
    )
    result = (await matches.view(view.id, now=NOON)).result
    assert result is not None
    assert result.reason is EndReason.AGREED
