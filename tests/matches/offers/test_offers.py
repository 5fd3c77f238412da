"""Offers of every kind: when they are possible, answered, and withdrawn."""

import asyncio

import pytest

from engine.game import OptionValue, Outcome
from matches import (
    AnnouncementKind,
    EndReason,
    Matches,
    MatchState,
    MatchView,
    OfferId,
    OfferKind,
    Person,
    Terms,
    possible_offers,
)
from matches.errors import Refusal
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
from tests.refusals import refusal_key, refused

END, DRAW, TAKEBACK = OfferKind.END, OfferKind.DRAW, OfferKind.TAKEBACK


async def start_morabaraba(matches: Matches) -> MatchView:
    return await start_match(matches, {}, game="morabaraba")


async def make_offer(matches: Matches, view: MatchView, by: Person, kind: OfferKind) -> OfferId:
    update = await matches.offers.make(view.id, by, kind, now=NOON)
    assert update.match.pending_offer is not None
    return update.match.pending_offer.id


async def test_draw_can_be_offered_in_games_with_draws(matches: Matches) -> None:
    view = await start_morabaraba(matches)
    update = await matches.offers.make(view.id, ALICE, DRAW, seen_revision=view.revision, now=NOON)
    announcement, standing = require_announcement(update.announcement), update.match.pending_offer
    assert standing is not None
    assert (announcement.kind, announcement.recipients) == (AnnouncementKind.OFFERED, (BOB.account,))
    assert announcement.details == {"offer": standing.id, "what": "draw"}
    assert (standing.kind, standing.by, end_offered_by(update.match)) == (DRAW, ALICE, None)
    assert await matches.view(view.id, now=NOON) == update.match


@pytest.mark.parametrize(
    ("game", "options", "terms", "moves", "expected"),
    [
        ("morelli", {"size": 9}, Terms(), 0, (END,)),
        ("morelli", {"size": 9}, Terms(), 1, (END, TAKEBACK)),
        ("morelli", {"size": 9}, Terms(takebacks_allowed=False), 1, (END,)),
        ("morabaraba", {}, Terms(), 0, (DRAW,)),
        ("morabaraba", {}, Terms(), 1, (DRAW, TAKEBACK)),
        ("morelli", FISTS, Terms(), 0, ()),  # no position yet
    ],
)
async def test_possible_offers_follow_the_rules_and_the_terms(
    matches: Matches,
    game: str,
    options: dict[str, OptionValue],
    terms: Terms,
    moves: int,
    expected: tuple[OfferKind, ...],
) -> None:
    view = await start_match(matches, options, game=game, terms=terms)
    for _ in range(moves):
        view = (await play_move(matches, view)).match
    assert possible_offers(view) == expected


async def test_no_offers_are_possible_while_one_is_pending_or_after_the_end(matches: Matches) -> None:
    view = await start_match(matches)
    pending = (await matches.offers.make(view.id, ALICE, END, now=NOON)).match
    ended = (await matches.resign(view.id, ALICE, now=NOON)).match
    assert (possible_offers(pending), possible_offers(ended)) == ((), ())


async def test_accepted_draw_ends_the_match(matches: Matches) -> None:
    view = await start_morabaraba(matches)
    update = await matches.offers.answer(
        await make_offer(matches, view, ALICE, DRAW), BOB, accept=True, now=later(hours=1)
    )
    assert update.match.result is not None
    assert (update.match.result.outcome, update.match.result.reason) == (Outcome.DRAW, EndReason.AGREED)
    announcement = require_announcement(update.announcement)
    assert (announcement.kind, announcement.recipients) == (AnnouncementKind.AGREED, (ALICE.account,))
    assert announcement.details["what"] == "draw"
    assert (update.match.pending_offer, update.match.waits_for) == (None, ())
    assert await matches.views.at_announcement(announcement) == update.match


async def test_draw_cannot_be_offered_in_games_without_draws(matches: Matches) -> None:
    view = await start_match(matches, {"size": 5}, game="morphos")
    with refused("no_draws"):
        await matches.offers.make(view.id, ALICE, DRAW, now=NOON)


async def test_draw_can_be_offered_if_the_rules_define_one(matches: Matches) -> None:
    view = await start_match(matches)
    assert view.position is not None
    assert view.position.agreed_outcome is Outcome.DRAW
    update = await matches.offers.answer(
        await make_offer(matches, view, BOB, DRAW), ALICE, accept=True, now=NOON
    )
    assert update.match.result is not None
    assert update.match.result.outcome is Outcome.DRAW


# With the last of these Black's tower occupies the Centre.
OCCUPYING = ("C1-C2", "A4-B4", "F1-H3", "A9-H2", "F9-G8", "A8-B8", "D9-B7")


async def test_draw_cannot_be_offered_if_the_rules_define_a_winner(matches: Matches) -> None:
    view = await start_match(matches)
    for text in OCCUPYING:
        view = (await play_move(matches, view, text)).match
    with refused("outcome_fixed_by_rules"):
        await matches.offers.make(view.id, ALICE, DRAW, now=NOON)
    update = await matches.offers.answer(
        await make_offer(matches, view, BOB, END), ALICE, accept=True, now=NOON
    )
    assert update.match.result is not None
    assert update.match.result.outcome is Outcome.BLACK


@pytest.mark.parametrize("kind", OfferKind)
async def test_nothing_is_offered_before_there_is_a_board(matches: Matches, kind: OfferKind) -> None:
    view = await start_match(matches, FISTS)
    with refused("choice_pending"):
        await matches.offers.make(view.id, ALICE, kind, now=NOON)


@pytest.mark.parametrize("kind", OfferKind)
async def test_nothing_is_offered_after_the_end(matches: Matches, kind: OfferKind) -> None:
    view = await start_match(matches)
    await matches.resign(view.id, BOB, now=NOON)
    with refused("match_over"):
        await matches.offers.make(view.id, ALICE, kind, now=NOON)


async def test_declined_offer_is_announced_and_removed(matches: Matches) -> None:
    view = await start_morabaraba(matches)
    number = await make_offer(matches, view, ALICE, DRAW)
    update = await matches.offers.answer(number, BOB, accept=False, now=NOON)
    announcement = require_announcement(update.announcement)
    assert (announcement.kind, announcement.recipients) == (AnnouncementKind.OFFER_DECLINED, (ALICE.account,))
    assert announcement.details == {"offer": number, "what": "draw"}
    assert (update.match.pending_offer, update.match.state) == (None, MatchState.PLAYING)


async def test_declined_kind_is_not_offered_again_on_the_same_board(matches: Matches) -> None:
    view = await start_morabaraba(matches)
    await matches.offers.answer(await make_offer(matches, view, ALICE, DRAW), BOB, accept=False, now=NOON)
    with refused("offer_declined"):
        await matches.offers.make(view.id, ALICE, DRAW, now=NOON)
    await play_move(matches, view)
    await make_offer(matches, view, ALICE, DRAW)


async def test_other_kind_may_follow_what_was_declined(matches: Matches) -> None:
    view = (await play_move(matches, await start_morabaraba(matches))).match
    await matches.offers.answer(await make_offer(matches, view, ALICE, DRAW), BOB, accept=False, now=NOON)
    await matches.offers.answer(await make_offer(matches, view, ALICE, TAKEBACK), BOB, accept=False, now=NOON)
    for kind in (DRAW, TAKEBACK):
        with refused("offer_declined"):
            await matches.offers.make(view.id, ALICE, kind, now=NOON)


async def test_new_offer_replaces_the_persons_pending_one(matches: Matches) -> None:
    view = (await play_move(matches, await start_morabaraba(matches))).match
    draw = await make_offer(matches, view, ALICE, DRAW)
    await make_offer(matches, view, ALICE, TAKEBACK)
    with refused("offer_expired"):
        await matches.offers.answer(draw, BOB, accept=True, now=NOON)
    with refused("offer_repeated"):
        await matches.offers.make(view.id, ALICE, DRAW, now=NOON)


async def test_opponents_offer_must_be_answered_first(matches: Matches) -> None:
    view = (await play_move(matches, await start_morabaraba(matches))).match
    await make_offer(matches, view, BOB, DRAW)
    with refused("opponent_offer_pending"):
        await matches.offers.make(view.id, ALICE, TAKEBACK, now=NOON)


async def test_same_offer_accepts_the_opponents_offer(matches: Matches) -> None:
    view = await start_morabaraba(matches)
    await make_offer(matches, view, ALICE, DRAW)
    update = await matches.offers.make(view.id, BOB, DRAW, now=NOON)
    assert require_announcement(update.announcement).kind is AnnouncementKind.AGREED


@pytest.mark.parametrize(("first", "second"), [(END, DRAW), (DRAW, END)])
async def test_offers_of_the_same_outcome_accept_each_other(
    matches: Matches, first: OfferKind, second: OfferKind
) -> None:
    view = await start_match(matches)  # the Centre is empty: ending is a draw
    await make_offer(matches, view, ALICE, first)
    ended = (await matches.offers.make(view.id, BOB, second, now=NOON)).match
    assert ended.result is not None
    assert (ended.result.outcome, ended.result.reason) == (Outcome.DRAW, EndReason.AGREED)


async def test_offer_to_end_is_a_draw_offer_where_the_rules_say_nothing(matches: Matches) -> None:
    view = await start_morabaraba(matches)
    update = await matches.offers.make(view.id, ALICE, END, now=NOON)
    assert update.match.pending_offer is not None
    assert update.match.pending_offer.kind is DRAW


async def test_pending_offer_cannot_be_repeated(matches: Matches) -> None:
    view = await start_morabaraba(matches)
    await make_offer(matches, view, ALICE, DRAW)
    with refused("offer_pending"):
        await matches.offers.make(view.id, ALICE, DRAW, now=NOON)


async def test_offer_on_an_outdated_board_is_stale(matches: Matches) -> None:
    view = await start_morabaraba(matches)
    await play_move(matches, view)
    with refused("stale_board"):
        await matches.offers.make(view.id, ALICE, DRAW, seen_revision=view.revision, now=NOON)


@pytest.mark.parametrize("accept", [True, False])
@pytest.mark.parametrize("kind", OfferKind)
async def test_move_withdraws_the_offer(matches: Matches, kind: OfferKind, accept: bool) -> None:
    view = await start_match(matches)
    for _ in range(3):
        view = (await play_move(matches, view)).match
    number = await make_offer(matches, view, ALICE, kind)
    moved = await play_move(matches, view)
    assert moved.match.pending_offer is None
    with refused("offer_expired"):
        await matches.offers.answer(number, BOB, accept=accept, now=NOON)
    assert await matches.view(view.id, now=NOON) == moved.match


async def test_end_of_the_match_withdraws_the_offer(matches: Matches) -> None:
    view = await start_morabaraba(matches)
    number = await make_offer(matches, view, ALICE, DRAW)
    update = await matches.resign(view.id, ALICE, now=NOON)
    assert update.match.pending_offer is None
    with refused("match_over"):
        await matches.offers.answer(number, BOB, accept=True, now=NOON)


@pytest.mark.parametrize(("first", "second"), [(False, True), (False, False)])
async def test_offer_is_answered_once(matches: Matches, first: bool, second: bool) -> None:
    view = await start_morabaraba(matches)
    number = await make_offer(matches, view, ALICE, DRAW)
    await matches.offers.answer(number, BOB, accept=first, now=NOON)
    with refused("offer_answered"):
        await matches.offers.answer(number, BOB, accept=second, now=NOON)


@pytest.mark.parametrize(("person", "refusal"), [(ALICE, "own_offer"), (CAROL, "not_in_match")])
async def test_only_the_opponent_answers_an_offer(matches: Matches, person: Person, refusal: str) -> None:
    view = await start_morabaraba(matches)
    number = await make_offer(matches, view, ALICE, DRAW)
    with refused(refusal):
        await matches.offers.answer(number, person, accept=True, now=NOON)


async def test_unknown_offer_is_refused(matches: Matches) -> None:
    with refused("offer_unknown"):
        await matches.offers.answer(OfferId(4711), ALICE, accept=True, now=NOON)


async def test_late_announcement_still_shows_its_offer(matches: Matches) -> None:
    view = await start_morabaraba(matches)
    made = await matches.offers.make(view.id, ALICE, DRAW, now=NOON)
    await play_move(matches, view)
    late = await matches.views.at_announcement(require_announcement(made.announcement))
    assert (late.pending_offer, late.ply, late.is_current) == (made.match.pending_offer, 0, False)


async def test_one_of_two_concurrent_answers_counts(matches: Matches, other_matches: Matches) -> None:
    view = await start_morabaraba(matches)
    number = await make_offer(matches, view, ALICE, DRAW)
    answers = await asyncio.gather(
        matches.offers.answer(number, BOB, accept=True, now=NOON),
        other_matches.offers.answer(number, BOB, accept=False, now=NOON),
        return_exceptions=True,
    )
    assert sum(isinstance(answer, Refusal) for answer in answers) == 1
    over = (await matches.view(view.id, now=NOON)).state is MatchState.OVER
    assert refusal_key(answers[1 if over else 0]) in {"match_over", "offer_answered"}


async def test_concurrent_answer_and_move_are_serialised(matches: Matches, other_matches: Matches) -> None:
    view = await start_morabaraba(matches)
    number = await make_offer(matches, view, BOB, DRAW)
    await asyncio.gather(
        matches.offers.answer(number, ALICE, accept=True, now=NOON),
        play_move(other_matches, view),
        return_exceptions=True,
    )
    found = await matches.view(view.id, now=NOON)
    assert (found.state is MatchState.OVER) == (found.ply == 0)
