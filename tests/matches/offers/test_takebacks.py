"""Takebacks: where the match continues, and that no board is lost or mixed up."""

import asyncio
from dataclasses import replace
from datetime import timedelta

import pytest
from sqlalchemy import select, update

from engine import GAMES
from engine.game import OptionValue
from matches import (
    AnnouncementKind,
    Database,
    Matches,
    MatchUpdate,
    MatchView,
    OfferId,
    OfferKind,
    Person,
    parse_time_control,
)
from matches.terms import DEFAULT_TERMS
from storage.tables import TAKEBACKS, TAKEN_MOVES
from tests.matches.scenario import (
    ALICE,
    BOB,
    CHANNEL,
    FREE,
    NOON,
    SERVER,
    SMALL,
    later,
    legal_move,
    play_move,
    player_to_move,
    require_announcement,
    start_match,
)
from tests.refusals import refused


async def play_line(
    matches: Matches, *texts: str, game: str = "morelli", **options: OptionValue
) -> MatchView:
    view = await start_match(matches, {**SMALL, **options} if game == "morelli" else options, game=game)
    for text in texts:
        view = (await play_move(matches, view, text)).match
    return view


async def ask_takeback(matches: Matches, view: MatchView, by: Person) -> OfferId:
    update = await matches.offers.make(view.id, by, OfferKind.TAKEBACK, seen_revision=view.revision, now=NOON)
    assert update.match.pending_offer is not None
    return update.match.pending_offer.id


async def take_back(matches: Matches, view: MatchView, by: Person) -> MatchUpdate:
    other = BOB if by == ALICE else ALICE
    return await matches.offers.answer(
        await ask_takeback(matches, view, by), other, accept=True, now=later(hours=2)
    )


async def stored_moves(matches: Matches, view: MatchView) -> list[str]:
    return [one.text for one in (await matches.views.history(view.id)).moves]


LINE = ("C1-D2", "A2-B3", "E1-F2", "A4-B4", "G1-G3")


@pytest.mark.parametrize(
    ("moves", "by", "stays"),
    [(1, ALICE, 0), (2, BOB, 1), (2, ALICE, 0), (3, ALICE, 2), (4, ALICE, 2), (5, BOB, 3)],
)
async def test_takeback_returns_to_before_the_last_turn_of_its_maker(
    matches: Matches, moves: int, by: Person, stays: int
) -> None:
    view = await play_line(matches, *LINE[:moves])
    before = await matches.view(view.id, ply=stays, now=NOON)
    update = await take_back(matches, view, by)
    assert (update.match.ply, update.match.position, update.match.last_turn) == (
        stays,
        before.position,
        before.last_turn,
    )
    assert (update.match.waits_for, update.match.pending_offer) == ((by,), None)
    assert update.match.changed_at == later(hours=2)
    assert await matches.view(view.id, now=NOON) == update.match
    assert await stored_moves(matches, view) == list(LINE[:stays])
    assert (await matches.audit(view.id)).difference is None


@pytest.mark.long
async def test_takeback_is_announced_to_its_maker_with_the_board(matches: Matches) -> None:
    view = await play_line(matches, *LINE)
    update = await take_back(matches, view, ALICE)
    announcement = require_announcement(update.announcement)
    assert (announcement.kind, announcement.recipients) == (AnnouncementKind.TAKEN_BACK, (ALICE.account,))
    assert (announcement.ply, announcement.first_ply, announcement.takebacks) == (4, None, 1)
    late = await matches.views.at_announcement(announcement)
    assert replace(late, changed_at=update.match.changed_at) == update.match


@pytest.mark.long
async def test_match_continues_after_a_takeback(matches: Matches) -> None:
    view = (await take_back(matches, await play_line(matches, *LINE), ALICE)).match
    update = await play_move(matches, view, "H1-G2")
    assert (update.match.ply, [one.text for one in update.match.last_turn]) == (5, ["H1-G2"])
    assert require_announcement(update.announcement).first_ply == 5
    assert await stored_moves(matches, view) == [*LINE[:4], "H1-G2"]
    assert (await matches.audit(view.id)).difference is None


@pytest.mark.long
async def test_whole_run_is_one_turn(matches: Matches) -> None:
    view = await start_match(matches, FREE)
    for number in (1, 2, 2):
        texts: list[str] = []
        board = view.position
        for _ in range(number):
            assert board is not None
            texts.append(str(board.legal_moves()[0]))
            board = board.play(board.legal_moves()[0])
        view = (await matches.play(view.id, player_to_move(view), texts, now=NOON)).match
    assert (view.ply, view.waits_for) == (5, (BOB,))
    update = await take_back(matches, view, ALICE)
    assert (update.match.ply, update.match.moves_due, update.match.waits_for) == (3, 2, (ALICE,))


@pytest.mark.long
async def test_takeback_drops_the_opponents_unfinished_turn(matches: Matches) -> None:
    view = (await play_move(matches, await start_match(matches, FREE))).match
    view = (await matches.play(view.id, BOB, [legal_move(view)], now=NOON)).match
    assert (view.ply, view.moves_due) == (2, 1)
    with refused("nothing_to_take_back"):
        await matches.offers.make(view.id, BOB, OfferKind.TAKEBACK, now=NOON)
    update = await take_back(matches, view, ALICE)
    assert (update.match.ply, update.match.moves_due, update.match.unfinished_moves) == (0, 1, ())
    assert (await matches.audit(view.id)).difference is None


async def test_takeback_undoes_a_swap(matches: Matches) -> None:
    view = await play_line(matches, "C3", "swap", game="morphos", size=5)
    seats = (await matches.view(view.id, ply=1, now=NOON)).seats
    assert view.seats != seats
    update = await take_back(matches, view, BOB)
    assert (update.match.seats, update.match.waits_for) == (seats, (BOB,))
    again = (await play_move(matches, update.match, "swap")).match
    assert again.seats == view.seats
    assert (await matches.audit(view.id)).difference is None


async def test_takeback_restores_the_initial_position(matches: Matches) -> None:
    view = await start_match(matches, {"edition": "2015", "size": 9})
    update = await take_back(matches, (await play_move(matches, view)).match, ALICE)
    assert (update.match.position, update.match.last_turn, update.match.ply) == (view.position, (), 0)


async def test_nothing_is_taken_back_against_the_terms(matches: Matches) -> None:
    step = await matches.challenges.create(
        ALICE,
        to=BOB,
        server=SERVER,
        channel=CHANNEL,
        game="morabaraba",
        terms=replace(DEFAULT_TERMS, takebacks_allowed=False),
        colour=GAMES["morabaraba"].sides[0],
        now=NOON,
    )
    view = (
        await play_move(matches, (await matches.challenges.accept(step.challenge.id, BOB, now=NOON)).match)
    ).match
    with refused("takebacks_not_allowed"):
        await ask_takeback(matches, view, ALICE)


@pytest.mark.parametrize(("moves", "by"), [(0, ALICE), (0, BOB), (1, BOB)])
async def test_nothing_to_take_back_before_the_first_move(matches: Matches, moves: int, by: Person) -> None:
    view = await play_line(matches, *LINE[:moves])
    with refused("nothing_to_take_back"):
        await ask_takeback(matches, view, by)


async def test_own_takeback_offer_does_not_allow_the_opponents(matches: Matches) -> None:
    view = await play_line(matches, *LINE[:2])
    await ask_takeback(matches, view, ALICE)
    with refused("opponent_offer_pending"):
        await matches.offers.make(view.id, BOB, OfferKind.TAKEBACK, now=NOON)
    assert await stored_moves(matches, view) == list(LINE[:2])


async def test_declined_takeback_leaves_the_board(matches: Matches) -> None:
    view = await play_line(matches, *LINE)
    update = await matches.offers.answer(
        await ask_takeback(matches, view, BOB), ALICE, accept=False, now=NOON
    )
    assert (update.match.position, update.match.ply, update.match.takebacks) == (view.position, 5, 0)


async def test_undone_board_is_stale_even_at_the_same_ply(matches: Matches) -> None:
    undone = await play_line(matches, *LINE)
    view = (await take_back(matches, undone, ALICE)).match
    view = (await play_move(matches, view, "H1-G2")).match
    assert (view.ply, view.waits_for) == (undone.ply, undone.waits_for)
    assert view.revision != undone.revision
    with refused("stale_board"):
        await matches.play(view.id, BOB, [legal_move(view)], seen_revision=undone.revision, now=NOON)
    assert (await play_move(matches, replace(view), None)).match.ply == 6


@pytest.mark.long
async def test_takeback_withdraws_a_pending_offer(matches: Matches) -> None:
    view = await play_line(matches, *LINE)
    first = await ask_takeback(matches, view, ALICE)
    view = (await matches.offers.answer(first, BOB, accept=True, now=NOON)).match
    second = await ask_takeback(matches, view, BOB)
    view = (await matches.offers.answer(second, ALICE, accept=True, now=NOON)).match
    third = await ask_takeback(matches, view, ALICE)
    await play_move(matches, view)
    with refused("offer_expired"):
        await matches.offers.answer(third, BOB, accept=True, now=NOON)


@pytest.mark.long
async def test_declined_offer_can_be_repeated_after_a_takeback(matches: Matches) -> None:
    view = await play_line(matches, *LINE)
    await matches.offers.answer(await ask_takeback(matches, view, ALICE), BOB, accept=False, now=NOON)
    view = (await take_back(matches, view, BOB)).match
    for text in LINE[3:]:
        view = (await play_move(matches, view, text)).match
    await ask_takeback(matches, view, ALICE)


async def test_undone_moves_remain_stored(matches: Matches, database: Database) -> None:
    view = await play_line(matches, *LINE)
    await take_back(matches, view, BOB)
    async with database.read() as connection:
        back = (await connection.execute(select(TAKEBACKS.c.number, TAKEBACKS.c.ply, TAKEBACKS.c.by))).one()
        kept = (await connection.execute(select(TAKEN_MOVES.c.text).order_by(TAKEN_MOVES.c.ply))).scalars()
        assert tuple(back) == (1, 3, BOB.account)
        assert list(kept) == list(LINE[3:])


async def play_with_takebacks(matches: Matches) -> list[MatchView]:
    """Play a match with three takebacks, some after others; return every board that was announced."""
    view = await start_match(matches)
    seen = [view]
    for step in ("", "", "", "", "back", "", "back", "", "", "", "back", ""):
        by = player_to_move(view)
        update = await (
            take_back(matches, view, by) if step else play_move(matches, view, legal_move(view, len(seen)))
        )
        view = update.match
        seen.append(view)
    return seen


@pytest.mark.long
async def test_every_board_is_found_by_its_revision(matches: Matches) -> None:
    seen = await play_with_takebacks(matches)
    for view in seen:
        found = await matches.view(view.id, revision=view.revision, now=NOON)
        assert (found.position, found.last_turn, found.seats) == (view.position, view.last_turn, view.seats)
        assert found.is_current == (view is seen[-1])
    assert len({view.revision for view in seen}) == len(seen)


@pytest.mark.long
async def test_late_announcements_show_their_own_board(matches: Matches) -> None:
    seen = await play_with_takebacks(matches)
    told_of = []
    while rows := await matches.announcements.claim_due("test", now=NOON + timedelta(days=1)):
        for row in rows:
            if row.match is not None and row.kind in {AnnouncementKind.TURN, AnnouncementKind.TAKEN_BACK}:
                view = await matches.views.at_announcement(row)
                told_of.append((view.revision, view.position, view.last_turn))
            await matches.announcements.mark_sent(row.id, "test:post", now=NOON)
    assert told_of == [(view.revision, view.position, view.last_turn) for view in seen[1:]]


@pytest.mark.long
async def test_log_stays_consistent(matches: Matches) -> None:
    seen = await play_with_takebacks(matches)
    audit = await matches.audit(seen[-1].id)
    assert (audit.difference, audit.moves) == (None, seen[-1].ply)
    assert [one.ply for one in (await matches.views.history(seen[-1].id)).moves] == list(
        range(1, seen[-1].ply + 1)
    )


@pytest.mark.long
async def test_audit_replays_undone_moves(matches: Matches, database: Database) -> None:
    seen = await play_with_takebacks(matches)
    async with database.transaction() as connection:
        await connection.execute(update(TAKEN_MOVES).where(TAKEN_MOVES.c.takeback == 2).values(text="A1-A1"))
    difference = (await matches.audit(seen[-1].id)).difference
    assert difference is not None
    assert difference.stored == "A1-A1"


@pytest.mark.parametrize("revision", [6, 1_000_005, 2_000_000, -1])
async def test_revision_that_never_existed_is_unknown(matches: Matches, revision: int) -> None:
    view = await play_line(matches, *LINE)
    await take_back(matches, view, ALICE)
    with refused("match_unknown"):
        await matches.view(view.id, revision=revision, now=NOON)


async def test_takeback_restarts_the_time_of_the_player_to_move(matches: Matches) -> None:
    step = await matches.challenges.create(
        ALICE,
        to=BOB,
        server=SERVER,
        channel=CHANNEL,
        game="morabaraba",
        terms=replace(DEFAULT_TERMS, time_control=parse_time_control("10 days + 1 day a move")),
        colour=GAMES["morabaraba"].sides[0],
        now=NOON,
    )
    view = (await matches.challenges.accept(step.challenge.id, BOB, now=NOON)).match
    view = (await play_move(matches, view, now=later(days=4))).match
    asked = await matches.offers.make(view.id, ALICE, OfferKind.TAKEBACK, now=later(days=5))
    assert asked.match.pending_offer is not None
    update = await matches.offers.answer(asked.match.pending_offer.id, BOB, accept=True, now=later(days=6))
    assert update.match.time is not None
    alice, bob = update.match.time.seats
    assert (alice.must_act, alice.deadline) == (True, later(days=6 + 6))
    assert (bob.must_act, bob.remaining) == (False, timedelta(days=8))


@pytest.mark.long
async def test_concurrent_takeback_and_move_are_serialised(matches: Matches, other_matches: Matches) -> None:
    view = await play_line(matches, *LINE[:2])
    number = await ask_takeback(matches, view, BOB)
    await asyncio.gather(
        matches.offers.answer(number, ALICE, accept=True, now=NOON),
        play_move(other_matches, view, "E1-F2"),
        return_exceptions=True,
    )
    assert len(await stored_moves(matches, view)) in {1, 3}
    assert (await matches.audit(view.id)).difference is None
