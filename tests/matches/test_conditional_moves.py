"""Conditional moves: saved replies to the opponent's turns."""

import asyncio
import re
from dataclasses import replace

import pytest
from sqlalchemy import event

from engine.game import Outcome
from matches import AnnouncementKind, Database, EndReason, Matches, MatchState, MatchView, OfferKind, Person
from matches.conditionals import (
    MAX_LINE_TURNS,
    MAX_TREE_TURNS,
    RESIGN,
    ConditionalMoves,
    Line,
    LossReason,
    iter_lines,
    play_line,
)
from matches.conditionals.hooks import ConditionalMoveHooks
from matches.conditionals.tree import Branch, format_tree
from matches.errors import Refusal
from matches.hook_events import NO_CHANGES, TurnPlayed
from matches.locking import LockedMatch, MatchHooks, MatchLocker
from matches.turns import MatchActions
from storage.match import conditionals
from storage.statements import Columns
from tests.matches.scenario import (
    ALICE,
    BOB,
    CAROL,
    FISTS,
    FREE,
    NOON,
    later,
    legal_move,
    play_move,
    play_to_end,
    player_to_move,
    require_announcement,
    start_match,
)
from tests.refusals import refusal_key, refused

# Points of Morabaraba that, placed in this order, close no mill.
QUIET_MOVES = ("A1", "G7", "D3", "D5", "B2", "F6", "G4", "A4", "C5", "E3", "D6", "D2", "E5", "C3", "F2", "B6")


async def start_morabaraba(matches: Matches) -> MatchView:
    """Start a match of Morabaraba with Alice to move: each turn places one man on any point."""
    return await start_match(matches, {}, game="morabaraba")


async def save_lines(matches: Matches, view: MatchView, person: Person, *lines: str) -> ConditionalMoves:
    """Save lines written as turns separated by spaces, placements of a run by commas; ``!`` is resigning."""
    ply = view.ply - len(view.unfinished_moves)
    for line in lines:
        kept = await matches.conditionals.add_line(
            view.id, person, parse_line(line), seen_revision=ply, now=NOON
        )
    return kept


def parse_line(line: str) -> Line:
    return tuple(RESIGN if turn == "!" else tuple(turn.split(",")) for turn in line.split())


def format_lines(tree: ConditionalMoves) -> list[str]:
    """Return the lines to all replies of a tree, in the notation of :func:`save_lines`."""
    return [
        " ".join(",".join(turn) or "!" for turn in line) for line, end in iter_lines(tree.tree) if end.is_own
    ]


def waiting(view: MatchView) -> Person:
    return next(seat.person for seat in view.seats if seat.person != player_to_move(view))


async def saved_lines(matches: Matches, view: MatchView, person: Person) -> list[str]:
    return format_lines(await matches.conditionals.get(view.id, person))


async def stored_moves(matches: Matches, view: MatchView) -> list[str]:
    return [move.text for move in (await matches.views.history(view.id)).moves]


# Playing replies.


async def test_reply_is_played_at_once_and_announced_with_the_move(matches: Matches) -> None:
    view = await start_morabaraba(matches)
    await save_lines(matches, view, BOB, "A1 G7")
    update = await play_move(matches, view, "A1")
    announcement = require_announcement(update.announcement)
    assert await stored_moves(matches, view) == ["A1", "G7"]
    assert (announcement.kind, announcement.first_ply, announcement.ply) == (AnnouncementKind.TURN, 1, 2)
    assert (announcement.by, announcement.recipients) == (ALICE.account, (ALICE.account,))
    assert player_to_move(update.match) == ALICE
    assert (await matches.views.at_announcement(announcement)).preceding_turns == update.match.preceding_turns


async def test_log_shows_who_replied_and_can_be_replayed(matches: Matches) -> None:
    view = await start_morabaraba(matches)
    await save_lines(matches, view, BOB, "A1 G7")
    await play_move(matches, view, "A1")
    moves = (await matches.views.history(view.id)).moves
    assert [(one.person, one.turn, one.played_at) for one in moves] == [(ALICE, 1, NOON), (BOB, 2, NOON)]
    assert (await matches.audit(view.id)).difference is None


async def test_line_continues_for_several_turns(matches: Matches) -> None:
    view = await start_morabaraba(matches)
    await save_lines(matches, view, BOB, "A1 G7 D3 D5")
    view = (await play_move(matches, view, "A1")).match
    assert await saved_lines(matches, view, BOB) == ["D3 D5"]
    await play_move(matches, view, "D3")
    assert await stored_moves(matches, view) == ["A1", "G7", "D3", "D5"]


async def test_each_branch_has_its_own_reply(matches: Matches) -> None:
    view = await start_morabaraba(matches)
    saved = await save_lines(matches, view, BOB, "A1 G7 D3 D5", "D3 A1", "A1 G7 B2 F6")
    assert format_lines(saved) == ["A1 G7", "A1 G7 D3 D5", "A1 G7 B2 F6", "D3 A1"]
    await play_move(matches, view, "D3")
    assert await stored_moves(matches, view) == ["D3", "A1"]
    assert await saved_lines(matches, view, BOB) == []


async def test_run_is_answered_by_a_run_in_any_placement_order(matches: Matches) -> None:
    view = (await play_move(matches, await start_match(matches, FREE), "A1")).match
    await save_lines(matches, view, ALICE, "C1,B1 A9,B9")
    for cell in ("B1", "C1"):
        update = await matches.play(view.id, BOB, [cell], now=NOON)
    assert await stored_moves(matches, view) == ["A1", "B1", "C1", "A9", "B9"]
    assert (
        require_announcement(update.announcement).first_ply,
        require_announcement(update.announcement).ply,
    ) == (2, 5)
    assert (await matches.audit(view.id)).difference is None


async def test_line_can_end_with_resigning(matches: Matches) -> None:
    view = await start_morabaraba(matches)
    saved = await save_lines(matches, view, BOB, "A1 !")
    assert format_lines(saved) == ["A1 !"]
    update = await play_move(matches, view, "A1")
    result = update.match.result
    assert result is not None
    assert (result.outcome, result.reason) == (Outcome.WHITE, EndReason.RESIGNED)
    assert require_announcement(update.announcement).recipients == (BOB.account,)
    assert await stored_moves(matches, view) == ["A1"]


@pytest.mark.long
async def test_reply_can_end_the_game(matches: Matches) -> None:
    view = await start_match(matches, {"size": 5}, game="morphos")
    await play_to_end(matches, view)
    again = await start_match(matches, {"size": 5}, game="morphos")
    played = await stored_moves(matches, view)
    for text in played[:-2]:
        again = (await play_move(matches, again, text)).match
    answering = waiting(again)
    await save_lines(matches, again, answering, " ".join(played[-2:]))
    update = await play_move(matches, again, played[-2])
    assert update.match.state is MatchState.OVER
    assert update.match.result is not None
    assert update.match.result.reason is EndReason.PLAYED
    assert require_announcement(update.announcement).recipients == (answering.account,)


async def test_trees_follow_a_swap(matches: Matches) -> None:
    view = (await play_move(matches, await start_match(matches, {"size": 5}, game="morphos"), "C3")).match
    await save_lines(matches, view, ALICE, "swap B2 D4 A1")
    update = await play_move(matches, view, "swap")
    assert await stored_moves(matches, view) == ["C3", "swap", "B2"]
    assert player_to_move(update.match) == BOB
    assert (await play_move(matches, update.match, "D4")).match.ply == 5
    assert (await matches.audit(view.id)).difference is None


# Lines of both players.


async def save_for_both(matches: Matches, view: MatchView) -> None:
    """Save all of :data:`QUIET_MOVES` for both players, for the player to move by writing the rows."""
    saved = await save_lines(matches, view, BOB, " ".join(QUIET_MOVES))
    async with matches._database.transaction() as connection:
        await conditionals.save(
            connection,
            view.id,
            ALICE.account,
            ply=0,
            position=str(view.position),
            tree=format_tree(mirrored(saved.tree)),
            changed_at=0,
        )


def mirrored(tree: tuple[Branch, ...]) -> tuple[Branch, ...]:
    return tuple(replace(one, is_own=not one.is_own, children=mirrored(one.children)) for one in tree)


async def test_replies_of_both_players_follow_each_other(matches: Matches) -> None:
    view = await start_morabaraba(matches)
    await save_for_both(matches, view)
    update = await play_move(matches, view, QUIET_MOVES[0])
    assert await stored_moves(matches, view) == list(QUIET_MOVES)
    assert require_announcement(update.announcement).details == {"replies": len(QUIET_MOVES) - 1}
    assert [one.text for moves in update.match.preceding_turns for one in moves] == list(QUIET_MOVES[:-1])
    assert (
        await matches.views.at_announcement(require_announcement(update.announcement))
    ).preceding_turns == update.match.preceding_turns
    assert (await matches.audit(view.id)).difference is None


# Invalidation.


async def test_another_move_invalidates_all_and_notifies_the_owner_only(matches: Matches) -> None:
    view = await start_morabaraba(matches)
    await save_lines(matches, view, BOB, "A1 G7 D3 D5", "D3 A1")
    update = await play_move(matches, view, "B2")
    assert update.match.ply == 1
    assert require_announcement(update.announcement).details == {}
    (notice,) = await matches.conditionals.claim_notices("test", now=NOON)
    assert (notice.match, notice.recipient, notice.reason, notice.revision) == (
        view.id,
        BOB.account,
        LossReason.DEVIATED,
        1,
    )
    saved = await matches.conditionals.get(view.id, BOB)
    assert (format_lines(saved), saved.loss) == ([], replace(notice))
    assert (await matches.conditionals.get(view.id, ALICE)).loss is None


async def test_no_notice_if_everything_was_played(matches: Matches) -> None:
    view = await start_morabaraba(matches)
    await save_lines(matches, view, BOB, "A1 G7", "D3 A1")
    await play_move(matches, view, "A1")
    assert await matches.conditionals.claim_notices("test", now=later(hours=1)) == ()


async def test_notice_is_claimed_exclusively_until_notified(matches: Matches, other_matches: Matches) -> None:
    view = await start_morabaraba(matches)
    await save_lines(matches, view, BOB, "A1 G7")
    await play_move(matches, view, "B2")
    claimed = await asyncio.gather(
        matches.conditionals.claim_notices("test", now=NOON),
        other_matches.conditionals.claim_notices("test", now=NOON),
    )
    assert sorted(map(len, claimed)) == [0, 1]
    assert await matches.conditionals.claim_notices("test", now=later(seconds=59)) == ()
    (again,) = await matches.conditionals.claim_notices("test", now=later(seconds=60))
    assert again.attempts == 2
    await matches.conditionals.mark_notified(again)
    assert await matches.conditionals.claim_notices("test", now=later(hours=1)) == ()
    assert (await matches.conditionals.get(view.id, BOB)).loss is None


async def test_notice_of_a_player_to_whom_nothing_is_sent_is_not_due(
    matches: Matches, database: Database
) -> None:
    guest = Person("web:guest", "Guest")
    view = await start_match(matches, {}, to=guest, game="morabaraba")
    await save_lines(matches, view, guest, "A1 G7")
    await play_move(matches, view, "B2")
    async with database.read() as connection:
        row = await conditionals.get(connection, view.id, guest.account)
    assert row is not None
    assert (row.lost, row.due_at) == (LossReason.DEVIATED, None)
    assert (await matches.conditionals.get(view.id, guest)).loss is not None


async def test_notice_that_cannot_be_sent_waits_for_its_person(matches: Matches) -> None:
    view = await start_morabaraba(matches)
    await save_lines(matches, view, BOB, "A1 G7")
    await play_move(matches, view, "B2")
    (notice,) = await matches.conditionals.claim_notices("test", now=NOON)
    await matches.conditionals.mark_unreachable(notice)
    assert await matches.conditionals.claim_notices("test", now=later(hours=1)) == ()
    lost = (await matches.conditionals.get(view.id, BOB)).loss
    assert lost is not None
    await matches.conditionals.mark_notified(lost)
    assert (await matches.conditionals.get(view.id, BOB)).loss is None


async def test_notice_is_dropped_once_something_new_is_saved(matches: Matches) -> None:
    view = await start_morabaraba(matches)
    await save_lines(matches, view, BOB, "A1 G7")
    view = (await play_move(matches, view, "B2")).match
    (notice,) = await matches.conditionals.claim_notices("test", now=NOON)
    view = (await play_move(matches, view, "G7")).match
    await save_lines(matches, view, BOB, "A1 D3")
    await matches.conditionals.mark_notified(notice)
    await matches.conditionals.mark_unreachable(notice)
    assert await saved_lines(matches, view, BOB) == ["A1 D3"]
    assert await matches.conditionals.claim_notices("test", now=later(hours=1)) == ()


@pytest.mark.parametrize("answer", [("A1",), ("Z9",), ("G7", "D3")], ids=["taken", "no point", "too many"])
async def test_illegal_reply_is_invalidated_and_the_move_is_kept(
    matches: Matches, answer: tuple[str, ...]
) -> None:
    view = await start_morabaraba(matches)
    await save_lines(matches, view, BOB, "A1 G7")
    tree = (Branch(("A1",), is_own=False, children=(Branch(answer, is_own=True),)),)
    async with matches._database.transaction() as connection:
        await conditionals.update_columns(connection, view.id, BOB.account, tree=format_tree(tree))
    update = await play_move(matches, view, "A1")
    assert (update.match.ply, require_announcement(update.announcement).details) == (1, {})
    (notice,) = await matches.conditionals.claim_notices("test", now=NOON)
    assert notice.reason is LossReason.ILLEGAL


async def test_illegal_branch_hides_no_other(matches: Matches) -> None:
    view = await start_morabaraba(matches)
    await save_lines(matches, view, BOB, "A1 G7")
    good = (Branch(("A1",), is_own=False, children=(Branch(("G7",), is_own=True),)),)
    bad = (Branch(("Z9",), is_own=False, children=(Branch(("G7",), is_own=True),)),)
    async with matches._database.transaction() as connection:
        await conditionals.update_columns(connection, view.id, BOB.account, tree=format_tree(bad + good))
    assert (await play_move(matches, view, "A1")).match.ply == 2


async def test_takeback_invalidates_all(matches: Matches) -> None:
    view = await start_morabaraba(matches)
    for text in ("A1", "G7"):
        view = (await play_move(matches, view, text)).match
    await save_lines(matches, view, BOB, "D3 D5")
    await take_back(matches, view, BOB)
    assert await saved_lines(matches, view, BOB) == []
    (notice,) = await matches.conditionals.claim_notices("test", now=NOON)
    assert (notice.recipient, notice.reason) == (BOB.account, LossReason.TAKEN_BACK)


async def test_lines_can_be_saved_and_lost_after_a_takeback(matches: Matches) -> None:
    view = await start_morabaraba(matches)
    for text in ("A1", "G7"):
        view = (await play_move(matches, view, text)).match
    await take_back(matches, view, BOB)
    view = (await play_move(matches, await matches.view(view.id, now=NOON), "B2")).match
    with refused("stale_board"):
        await matches.conditionals.add_line(view.id, BOB, parse_line("D3 D5"), seen_revision=2, now=NOON)
    revision = (await matches.conditionals.get(view.id, BOB)).revision
    await matches.conditionals.add_line(view.id, BOB, parse_line("D3 D5"), seen_revision=revision, now=NOON)
    view = (await play_move(matches, view, "D3")).match
    assert await stored_moves(matches, view) == ["A1", "B2", "D3", "D5"]
    assert (await matches.audit(view.id)).difference is None


async def take_back(matches: Matches, view: MatchView, person: Person) -> None:
    """Take back a person's last turn, with the opponent's consent."""
    made = await matches.offers.make(view.id, person, OfferKind.TAKEBACK, now=NOON)
    offer = made.match.pending_offer
    assert offer is not None
    other = next(seat.person for seat in view.seats if seat.person != person)
    await matches.offers.answer(offer.id, other, accept=True, now=NOON)


async def test_end_of_the_match_deletes_all(matches: Matches) -> None:
    view = await start_morabaraba(matches)
    await save_lines(matches, view, BOB, "A1 G7")
    await matches.resign(view.id, ALICE, now=NOON)
    with refused("match_over"):
        await matches.conditionals.get(view.id, BOB)
    async with matches._database.read() as connection:
        assert await conditionals.list_valid(connection, view.id) == []
    assert await matches.conditionals.claim_notices("test", now=later(hours=1)) == ()


async def test_offers_do_not_change_it(matches: Matches) -> None:
    view = await start_match(matches)
    line = f"{legal_move(view)} {legal_move((await play_move(matches, await start_match(matches))).match)}"
    await save_lines(matches, view, BOB, line)
    await matches.offers.make(view.id, ALICE, OfferKind.END, now=NOON)
    await matches.offers.answer_end(view.id, BOB, accept=False, now=NOON)
    assert await saved_lines(matches, view, BOB) == [line]
    assert (await play_move(matches, view)).match.ply == 2


# Changing lines.


async def test_another_reply_replaces_the_first(matches: Matches) -> None:
    saved = await save_lines(matches, await start_morabaraba(matches), BOB, "A1 G7 D3 D5", "D3 A1", "A1 B2")
    assert format_lines(saved) == ["A1 B2", "D3 A1"]


async def test_same_reply_keeps_what_follows(matches: Matches) -> None:
    saved = await save_lines(matches, await start_morabaraba(matches), BOB, "A1 G7 D3 D5", "A1 G7")
    assert format_lines(saved) == ["A1 G7", "A1 G7 D3 D5"]


@pytest.mark.parametrize(
    ("line", "rest"),
    [
        ("A1 G7 D3 D5", ["A1 G7", "D3 A1", "B2 !"]),
        ("A1 G7", ["D3 A1", "B2 !"]),
        ("A1", ["D3 A1", "B2 !"]),
        ("B2 !", ["A1 G7", "A1 G7 D3 D5", "D3 A1"]),
    ],
)
async def test_lines_are_removed_with_all_that_follows(matches: Matches, line: str, rest: list[str]) -> None:
    view = await start_morabaraba(matches)
    await save_lines(matches, view, BOB, "A1 G7 D3 D5", "D3 A1", "B2 !")
    saved = await matches.conditionals.remove_line(view.id, BOB, parse_line(line), seen_revision=0, now=NOON)
    assert format_lines(saved) == rest


async def test_last_line_removed_leaves_nothing(matches: Matches) -> None:
    view = await start_morabaraba(matches)
    await save_lines(matches, view, BOB, "A1 G7")
    await matches.conditionals.remove_line(view.id, BOB, parse_line("A1 G7"), seen_revision=0, now=NOON)
    assert (await play_move(matches, view, "A1")).match.ply == 1
    assert await matches.conditionals.claim_notices("test", now=NOON) == ()


async def test_cleared(matches: Matches) -> None:
    view = await start_morabaraba(matches)
    await save_lines(matches, view, BOB, "A1 G7", "D3 A1")
    await matches.conditionals.clear(view.id, BOB, now=NOON)
    assert await saved_lines(matches, view, BOB) == []
    assert (await play_move(matches, view, "A1")).match.ply == 1


async def test_placements_of_a_run_in_another_order_are_the_same_turn(matches: Matches) -> None:
    view = (await play_move(matches, await start_match(matches, FREE), "A1")).match
    saved = await save_lines(matches, view, ALICE, "B1,C1 A9,B9", "C1,B1 A9,C9")
    assert format_lines(saved) == ["B1,C1 A9,C9"]
    cleared = await matches.conditionals.remove_line(
        view.id, ALICE, parse_line("C1,B1 C9,A9"), seen_revision=1, now=NOON
    )
    assert format_lines(cleared) == []


async def test_unfinished_run_stays_private(matches: Matches) -> None:
    view = (await play_move(matches, await start_match(matches, FREE), "A1")).match
    view = (await matches.play(view.id, BOB, ["B1"], now=NOON)).match
    saved = await matches.conditionals.get(view.id, ALICE)
    assert (saved.revision, saved.can_edit) == (1, True)
    assert str(saved.board.position) != str(view.position)
    await save_lines(matches, view, ALICE, "B1,C1 A9,B9")
    assert (await matches.play(view.id, BOB, ["C1"], now=NOON)).match.ply == 5


async def test_saved_before_the_first_move(matches: Matches) -> None:
    view = await start_match(matches, FREE)
    await save_lines(matches, view, BOB, "A1 B1,C1")
    assert (await play_move(matches, view, "A1")).match.ply == 3


# Refusals.


@pytest.mark.parametrize(
    ("line", "refusal"),
    [
        ("A1", "line_without_answer"),
        ("A1 G7 D3", "line_without_answer"),
        ("!", "line_without_answer"),
        ("A1 A1", "move_illegal"),
        ("A1 help", "move_unreadable"),
        ("A1 G7,D3", "too_many_moves"),
        ("A1 ! D3", "line_after_game_end"),
        (" ".join(QUIET_MOVES * 2), "move_illegal"),
    ],
)
async def test_line_is_validated_when_it_is_saved(matches: Matches, line: str, refusal: str) -> None:
    view = await start_morabaraba(matches)
    with refused(refusal):
        await save_lines(matches, view, BOB, line)
    assert await saved_lines(matches, view, BOB) == []


async def test_empty_line_is_refused(matches: Matches) -> None:
    view = await start_morabaraba(matches)
    with refused("line_without_answer"):
        await matches.conditionals.add_line(view.id, BOB, (), seen_revision=0, now=NOON)


async def test_run_must_be_whole(matches: Matches) -> None:
    view = (await play_move(matches, await start_match(matches, FREE), "A1")).match
    with refused("incomplete_turn") as caught:
        await save_lines(matches, view, ALICE, "B1 A9,B9")
    assert dict(caught.value.values) == {"match": view.id, "due": 2, "given": 1}


@pytest.mark.long
async def test_nothing_follows_the_end_of_the_game(matches: Matches) -> None:
    view = await start_match(matches, {"size": 5}, game="morphos")
    await play_to_end(matches, view)
    again = await start_match(matches, {"size": 5}, game="morphos")
    played = await stored_moves(matches, view)
    for text in played[:-1]:
        again = (await play_move(matches, again, text)).match
    with refused("line_after_game_end"):
        await save_lines(matches, again, waiting(again), f"{played[-1]} A1")


async def test_line_length_is_limited(matches: Matches) -> None:
    view = await start_match(matches)
    position, texts = view.position, list[str]()
    assert position is not None
    for _ in range(MAX_LINE_TURNS + 2):
        texts.append(str(position.legal_moves()[0]))
        position = position.play(position.legal_moves()[0])
    await save_lines(matches, view, BOB, " ".join(texts[:MAX_LINE_TURNS]))
    with refused("line_too_long") as caught:
        await save_lines(matches, view, BOB, " ".join(texts))
    assert caught.value.values["limit"] == MAX_LINE_TURNS


@pytest.mark.long
async def test_total_size_of_all_lines_is_limited(matches: Matches) -> None:
    view = await start_match(matches, {"size": 19}, game="morphos")
    assert view.position is not None
    texts = [str(one) for one in view.position.legal_moves()]
    for text in texts[1 : MAX_TREE_TURNS // 2 + 1]:
        await save_lines(matches, view, BOB, f"{text} {texts[0]}")
    with refused("line_too_long") as caught:
        await save_lines(matches, view, BOB, f"{texts[-1]} {texts[0]}")
    assert caught.value.values["limit"] == MAX_TREE_TURNS


async def test_lines_cannot_be_saved_in_ones_own_turn(matches: Matches) -> None:
    view = await start_morabaraba(matches)
    assert not (await matches.conditionals.get(view.id, ALICE)).can_edit
    with refused("is_your_turn"):
        await save_lines(matches, view, ALICE, "A1 G7")


async def test_revision_must_be_current(matches: Matches) -> None:
    view = await start_morabaraba(matches)
    for text in ("A1", "G7"):
        await play_move(matches, (await matches.view(view.id, now=NOON)), text)
    for change in (matches.conditionals.add_line, matches.conditionals.remove_line):
        with refused("stale_board"):
            await change(view.id, BOB, parse_line("D3 D5"), seen_revision=0, now=NOON)


async def test_unknown_line_cannot_be_removed(matches: Matches) -> None:
    view = await start_morabaraba(matches)
    await save_lines(matches, view, BOB, "A1 G7")
    for line in ("D3 A1", "A1 B2", "A1 !"):
        with refused("line_unknown"):
            await matches.conditionals.remove_line(view.id, BOB, parse_line(line), seen_revision=0, now=NOON)


async def test_spectators_cannot_save_lines(matches: Matches) -> None:
    view = await start_morabaraba(matches)
    with refused("not_in_match"):
        await save_lines(matches, view, CAROL, "A1 G7")
    with refused("not_in_match"):
        await matches.conditionals.get(view.id, CAROL)


async def test_nothing_is_saved_during_the_choice(matches: Matches) -> None:
    view = await start_match(matches, FISTS)
    with refused("choice_pending"):
        await matches.conditionals.get(view.id, BOB)
    with refused("choice_pending"):
        await save_lines(matches, view, BOB, "A1 G7")


async def test_nothing_is_saved_when_the_match_is_over(matches: Matches) -> None:
    view = (await play_to_end(matches, await start_match(matches))).match
    with refused("match_over"):
        await save_lines(matches, view, BOB, "A1 G7")


# Cost.


async def test_turn_without_saved_lines_needs_no_query(matches: Matches, database: Database) -> None:
    other, view = await start_morabaraba(matches), await start_morabaraba(matches)
    await save_lines(matches, other, BOB, "A1 G7")
    said: list[str] = []

    def listen(_: object, __: object, statement: str, *___: object) -> None:
        said.append(statement)

    engine = database._engine.sync_engine
    event.listen(engine, "before_cursor_execute", listen)
    await play_move(matches, view, "A1")
    event.remove(engine, "before_cursor_execute", listen)
    assert len(said) > 3
    assert [one for one in said if re.search(r"\bconditional_moves\b", one)] == []


# Concurrency and failures.


async def test_lines_saved_in_one_process_reply_in_another(matches: Matches, other_matches: Matches) -> None:
    view = await start_morabaraba(matches)
    await save_lines(matches, view, BOB, "A1 G7")
    assert (await play_move(other_matches, view, "A1")).match.ply == 2
    assert (await matches.view(view.id, now=NOON)).ply == 2


@pytest.mark.long
async def test_concurrent_move_and_saving_are_serialised(matches: Matches, other_matches: Matches) -> None:
    for _ in range(8):
        view = await start_morabaraba(matches)
        played, kept = await asyncio.gather(
            play_move(matches, view, "A1"),
            save_lines(other_matches, view, BOB, "A1 G7"),
            return_exceptions=True,
        )
        assert not isinstance(played, BaseException)
        late = refusal_key(kept) in {"stale_board", "is_your_turn"}
        assert late or isinstance(kept, ConditionalMoves)
        assert played.match.ply == (1 if late else 2)


async def test_failure_after_the_reply_undoes_move_and_reply(matches: Matches, database: Database) -> None:
    class Failing(MatchHooks):
        def on_turn(self, locked: LockedMatch, turn: TurnPlayed) -> Columns:
            if turn.person == BOB:
                raise Refusal("match_over", match=locked.row.id)
            return NO_CHANGES

    view = await start_morabaraba(matches)
    await save_lines(matches, view, BOB, "A1 G7 D3 D5")
    locker = MatchLocker(database, [ConditionalMoveHooks(), Failing()])
    with refused("match_over"):
        await MatchActions(locker).play(view.id, ALICE, ["A1"], None, latest_only=False, now=NOON)
    assert (await matches.view(view.id, now=NOON)).ply == 0
    assert await saved_lines(matches, view, BOB) == ["A1 G7", "A1 G7 D3 D5"]


# Secrecy.


async def public_view(matches: Matches, view: MatchView) -> list[object]:
    """Return everything that persons other than the owner can query about a match."""
    now = later(hours=1)
    history = await matches.views.history(view.id)
    return [
        await matches.view(view.id, now=now),
        await matches.view(view.id, ply=0, now=now),
        (history.match, history.start, history.moves),
        await matches.replay(view.id, now=now),
        await matches.export_record(view.id, now=now),
        await matches.views.list_active_of(ALICE, view.server),
        await matches.views.list_awaiting_in(ALICE, view.channel),
        await matches.views.list_recent(view.server),
        await matches.public_queries.find_matches([MatchState.PLAYING], limit=50),
        await matches.public_queries.get_fingerprints([view.id]),
        await matches.announcements.claim_due("test", now=now),
        await matches.audit(view.id),
        format_lines(await matches.conditionals.get(view.id, ALICE)),
    ]


async def test_public_views_do_not_reveal_saved_lines(matches: Matches) -> None:
    view = await start_morabaraba(matches)
    for announcement in await matches.announcements.claim_due("test", now=later(minutes=30)):
        await matches.announcements.mark_sent(announcement.id, "test:post", now=NOON)
    before = await public_view(matches, view)
    await save_lines(matches, view, BOB, "A1 G7 D3 D5", "B2 !")
    assert await public_view(matches, view) == before
    await matches.conditionals.clear(view.id, BOB, now=NOON)
    assert await public_view(matches, view) == before


async def test_invalidation_is_not_announced(matches: Matches) -> None:
    quiet, secret = await start_morabaraba(matches), await start_morabaraba(matches)
    await save_lines(matches, secret, BOB, "A1 G7")
    turns = [await play_move(matches, view, "B2") for view in (quiet, secret)]
    announcements = [require_announcement(update.announcement) for update in turns]
    assert announcements[1].id == announcements[0].id + 1
    first, second = (replace(one, id=announcements[0].id, match=quiet.id) for one in announcements)
    assert first == second


async def test_no_repr_shows_a_move(matches: Matches) -> None:
    view = await start_morabaraba(matches)
    saved = await save_lines(matches, view, BOB, "A1 G7 D3 D5", "B2 !")
    async with matches._database.read() as connection:
        row = await conditionals.get(connection, view.id, BOB.account)
    shown = repr([saved, saved.tree, *play_line(saved.board, parse_line("A1 G7 D3 D5")), row])
    assert [text for text in ("A1", "G7", "D3", "D5", "B2") if text in shown] == []
