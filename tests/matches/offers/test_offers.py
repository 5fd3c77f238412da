"""Offers of every kind: what can be offered, how it is answered, and when it dies."""

import asyncio

import pytest

from engine.game import Outcome
from matches import (
    AnnouncementKind,
    ChoicePending,
    EndReason,
    MatchError,
    Matches,
    MatchOver,
    MatchState,
    MatchView,
    NoDraws,
    NotInMatch,
    OfferAlreadyAnswered,
    OfferAlreadyPending,
    OfferDeclined,
    OfferExpired,
    OfferId,
    OfferKind,
    OfferRepeated,
    OfferUnknown,
    OpponentOfferPending,
    OutcomeFixedByRules,
    OwnOffer,
    Person,
    StaleBoard,
)
from tests.matches.scenario import (
    ALICE,
    BOB,
    CAROL,
    FISTS,
    NOON,
    later,
    play_move,
    require_announcement,
    start_match,
)

END, DRAW, TAKEBACK = OfferKind.END, OfferKind.DRAW, OfferKind.TAKEBACK


async def start_morabaraba(matches: Matches) -> MatchView:
    return await start_match(matches, {}, game="morabaraba")


async def make_offer(matches: Matches, view: MatchView, by: Person, kind: OfferKind) -> OfferId:
    turn = await matches.offers.make(view.id, by, kind, now=NOON)
    assert turn.match.pending_offer is not None
    return turn.match.pending_offer.id


async def test_draw_is_offered_where_the_game_knows_one(matches: Matches) -> None:
    view = await start_morabaraba(matches)
    turn = await matches.offers.make(view.id, ALICE, DRAW, seen_revision=view.revision, now=NOON)
    announcement, standing = require_announcement(turn.announcement), turn.match.pending_offer
    assert standing is not None
    assert (announcement.kind, announcement.recipients) == (AnnouncementKind.OFFERED, (BOB.account,))
    assert announcement.details == {"offer": standing.id, "what": "draw"}
    assert (standing.kind, standing.by, turn.match.end_offered_by) == (DRAW, ALICE, None)
    assert await matches.view(view.id, now=NOON) == turn.match


async def test_accepted_draw_ends_the_match(matches: Matches) -> None:
    view = await start_morabaraba(matches)
    turn = await matches.offers.answer(
        await make_offer(matches, view, ALICE, DRAW), BOB, accept=True, now=later(hours=1)
    )
    assert turn.match.result is not None
    assert (turn.match.result.outcome, turn.match.result.reason) == (Outcome.DRAW, EndReason.AGREED)
    announcement = require_announcement(turn.announcement)
    assert (announcement.kind, announcement.recipients) == (AnnouncementKind.AGREED, (ALICE.account,))
    assert announcement.details["what"] == "draw"
    assert (turn.match.pending_offer, turn.match.waits_for) == (None, ())
    assert await matches.views.at_announcement(announcement) == turn.match


async def test_game_without_draws_has_none_to_offer(matches: Matches) -> None:
    view = await start_match(matches, {"size": 5}, game="morphos")
    with pytest.raises(NoDraws):
        await matches.offers.make(view.id, ALICE, DRAW, now=NOON)


async def test_draw_may_be_offered_where_the_rules_would_give_one(matches: Matches) -> None:
    view = await start_match(matches)
    assert view.position is not None
    assert view.position.agreed_outcome is Outcome.DRAW
    turn = await matches.offers.answer(
        await make_offer(matches, view, BOB, DRAW), ALICE, accept=True, now=NOON
    )
    assert turn.match.result is not None
    assert turn.match.result.outcome is Outcome.DRAW


# Black's tower takes the Centre with the last of these.
OCCUPYING = ("C1-C2", "A4-B4", "F1-H3", "A9-H2", "F9-G8", "A8-B8", "D9-B7")


async def test_no_draw_is_offered_where_the_rules_say_who_wins(matches: Matches) -> None:
    view = await start_match(matches)
    for text in OCCUPYING:
        view = (await play_move(matches, view, text)).match
    with pytest.raises(OutcomeFixedByRules):
        await matches.offers.make(view.id, ALICE, DRAW, now=NOON)
    turn = await matches.offers.answer(
        await make_offer(matches, view, BOB, END), ALICE, accept=True, now=NOON
    )
    assert turn.match.result is not None
    assert turn.match.result.outcome is Outcome.BLACK


@pytest.mark.parametrize("kind", OfferKind)
async def test_nothing_is_offered_before_there_is_a_board(matches: Matches, kind: OfferKind) -> None:
    view = await start_match(matches, FISTS)
    with pytest.raises(ChoicePending):
        await matches.offers.make(view.id, ALICE, kind, now=NOON)


@pytest.mark.parametrize("kind", OfferKind)
async def test_nothing_is_offered_once_all_is_over(matches: Matches, kind: OfferKind) -> None:
    view = await start_match(matches)
    await matches.resign(view.id, BOB, now=NOON)
    with pytest.raises(MatchOver):
        await matches.offers.make(view.id, ALICE, kind, now=NOON)


async def test_declined_offer_is_told_and_gone(matches: Matches) -> None:
    view = await start_morabaraba(matches)
    number = await make_offer(matches, view, ALICE, DRAW)
    turn = await matches.offers.answer(number, BOB, accept=False, now=NOON)
    announcement = require_announcement(turn.announcement)
    assert (announcement.kind, announcement.recipients) == (AnnouncementKind.OFFER_DECLINED, (ALICE.account,))
    assert announcement.details == {"offer": number, "what": "draw"}
    assert (turn.match.pending_offer, turn.match.state) == (None, MatchState.PLAYING)


async def test_declined_kind_is_not_offered_again_on_the_same_board(matches: Matches) -> None:
    view = await start_morabaraba(matches)
    await matches.offers.answer(await make_offer(matches, view, ALICE, DRAW), BOB, accept=False, now=NOON)
    with pytest.raises(OfferDeclined):
        await matches.offers.make(view.id, ALICE, DRAW, now=NOON)
    await play_move(matches, view)
    await make_offer(matches, view, ALICE, DRAW)


async def test_other_kind_may_follow_what_was_declined(matches: Matches) -> None:
    view = (await play_move(matches, await start_morabaraba(matches))).match
    await matches.offers.answer(await make_offer(matches, view, ALICE, DRAW), BOB, accept=False, now=NOON)
    await matches.offers.answer(await make_offer(matches, view, ALICE, TAKEBACK), BOB, accept=False, now=NOON)
    for kind in (DRAW, TAKEBACK):
        with pytest.raises(OfferDeclined):
            await matches.offers.make(view.id, ALICE, kind, now=NOON)


async def test_own_offer_gives_way_to_another_and_does_not_come_back(matches: Matches) -> None:
    view = (await play_move(matches, await start_morabaraba(matches))).match
    draw = await make_offer(matches, view, ALICE, DRAW)
    await make_offer(matches, view, ALICE, TAKEBACK)
    with pytest.raises(OfferExpired):
        await matches.offers.answer(draw, BOB, accept=True, now=NOON)
    with pytest.raises(OfferRepeated):
        await matches.offers.make(view.id, ALICE, DRAW, now=NOON)


async def test_others_offer_is_answered_before_another_is_made(matches: Matches) -> None:
    view = (await play_move(matches, await start_morabaraba(matches))).match
    await make_offer(matches, view, BOB, DRAW)
    with pytest.raises(OpponentOfferPending):
        await matches.offers.make(view.id, ALICE, TAKEBACK, now=NOON)


async def test_offer_that_meets_the_same_accepts_it(matches: Matches) -> None:
    view = await start_morabaraba(matches)
    await make_offer(matches, view, ALICE, DRAW)
    turn = await matches.offers.make(view.id, BOB, DRAW, now=NOON)
    assert require_announcement(turn.announcement).kind is AnnouncementKind.AGREED


async def test_offer_stands_once(matches: Matches) -> None:
    view = await start_morabaraba(matches)
    await make_offer(matches, view, ALICE, DRAW)
    with pytest.raises(OfferAlreadyPending):
        await matches.offers.make(view.id, ALICE, DRAW, now=NOON)


async def test_offer_on_a_board_that_moved_on_is_stale(matches: Matches) -> None:
    view = await start_morabaraba(matches)
    await play_move(matches, view)
    with pytest.raises(StaleBoard):
        await matches.offers.make(view.id, ALICE, DRAW, seen_revision=view.revision, now=NOON)


@pytest.mark.parametrize("accept", [True, False])
@pytest.mark.parametrize("kind", OfferKind)
async def test_offer_dies_with_a_move(matches: Matches, kind: OfferKind, accept: bool) -> None:
    view = await start_match(matches)
    for _ in range(3):
        view = (await play_move(matches, view)).match
    number = await make_offer(matches, view, ALICE, kind)
    moved = await play_move(matches, view)
    assert moved.match.pending_offer is None
    with pytest.raises(OfferExpired):
        await matches.offers.answer(number, BOB, accept=accept, now=NOON)
    assert await matches.view(view.id, now=NOON) == moved.match


async def test_offer_dies_with_the_match(matches: Matches) -> None:
    view = await start_morabaraba(matches)
    number = await make_offer(matches, view, ALICE, DRAW)
    turn = await matches.resign(view.id, ALICE, now=NOON)
    assert turn.match.pending_offer is None
    with pytest.raises(MatchOver):
        await matches.offers.answer(number, BOB, accept=True, now=NOON)


@pytest.mark.parametrize(("first", "second"), [(False, True), (False, False)])
async def test_offer_is_answered_once(matches: Matches, first: bool, second: bool) -> None:
    view = await start_morabaraba(matches)
    number = await make_offer(matches, view, ALICE, DRAW)
    await matches.offers.answer(number, BOB, accept=first, now=NOON)
    with pytest.raises(OfferAlreadyAnswered):
        await matches.offers.answer(number, BOB, accept=second, now=NOON)


@pytest.mark.parametrize(("person", "refusal"), [(ALICE, OwnOffer), (CAROL, NotInMatch)])
async def test_offer_is_answered_by_the_other_alone(
    matches: Matches, person: Person, refusal: type[MatchError]
) -> None:
    view = await start_morabaraba(matches)
    number = await make_offer(matches, view, ALICE, DRAW)
    with pytest.raises(refusal):
        await matches.offers.answer(number, person, accept=True, now=NOON)


async def test_unknown_offer_is_refused(matches: Matches) -> None:
    with pytest.raises(OfferUnknown):
        await matches.offers.answer(OfferId(4711), ALICE, accept=True, now=NOON)


async def test_late_announcement_shows_its_offer_though_it_is_gone(matches: Matches) -> None:
    view = await start_morabaraba(matches)
    made = await matches.offers.make(view.id, ALICE, DRAW, now=NOON)
    await play_move(matches, view)
    late = await matches.views.at_announcement(require_announcement(made.announcement))
    assert (late.pending_offer, late.ply, late.is_current) == (made.match.pending_offer, 0, False)


async def test_two_answers_at_once_are_one(matches: Matches, other_matches: Matches) -> None:
    view = await start_morabaraba(matches)
    number = await make_offer(matches, view, ALICE, DRAW)
    answers = await asyncio.gather(
        matches.offers.answer(number, BOB, accept=True, now=NOON),
        other_matches.offers.answer(number, BOB, accept=False, now=NOON),
        return_exceptions=True,
    )
    assert sum(isinstance(answer, MatchError) for answer in answers) == 1
    over = (await matches.view(view.id, now=NOON)).state is MatchState.OVER
    assert isinstance(answers[1 if over else 0], MatchOver | OfferAlreadyAnswered)


async def test_answer_and_move_at_once_never_end_a_match_behind_a_move(
    matches: Matches, other_matches: Matches
) -> None:
    view = await start_morabaraba(matches)
    number = await make_offer(matches, view, BOB, DRAW)
    await asyncio.gather(
        matches.offers.answer(number, ALICE, accept=True, now=NOON),
        play_move(other_matches, view),
        return_exceptions=True,
    )
    found = await matches.view(view.id, now=NOON)
    assert (found.state is MatchState.OVER) == (found.ply == 0)
