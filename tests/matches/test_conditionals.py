"""What people settle beforehand: if the other plays this, I answer that."""

import asyncio
from dataclasses import replace

import pytest
from sqlalchemy import event

from engine.game import Outcome
from matches import (
    AnnouncementKind,
    FistsClosed,
    LineBeyondEnd,
    LineTooLong,
    LineUnknown,
    MatchError,
    Matches,
    MatchOver,
    MatchState,
    MatchView,
    MoveIllegal,
    MoveUnreadable,
    NoAnswer,
    NotInMatch,
    OfferKind,
    OwnTurn,
    Person,
    Reason,
    StaleBoard,
    Store,
    TooManyMoves,
    TurnCutShort,
)
from matches.concerns import Concern, Concerns, Turned
from matches.conditionals import LONGEST, MOST, RESIGN, Line, Lost, Settled, lines, steps
from matches.conditionals.answering import Answering
from matches.conditionals.tree import Branch, written
from matches.holding import Held, Holder
from matches.turns import Turns
from storage import conditionals
from tests.matches.story import (
    ALICE,
    BOB,
    CAROL,
    FISTS,
    FREE,
    NOON,
    begin,
    later,
    legal,
    move,
    mover,
    play_out,
    told,
)

# Points of Morabaraba that close no mill in this order, and so can be placed on without more ado.
CALM = ("A1", "G7", "D3", "D5", "B2", "F6", "G4", "A4", "C5", "E3", "D6", "D2", "E5", "C3", "F2", "B6")


async def men(matches: Matches) -> MatchView:
    """Begin a match of Morabaraba, Alice to move: one man a turn is placed on any point."""
    return await begin(matches, {}, game="morabaraba")


async def settle(matches: Matches, view: MatchView, person: Person, *lines: str) -> Settled:
    """Settle lines written as turns parted by spaces; a run's placements by commas, ``!`` is resigning."""
    ply = view.ply - len(view.run)
    for line in lines:
        kept = await matches.conditionals.keep(view.id, person, read(line), seen_ply=ply, now=NOON)
    return kept


def read(line: str) -> Line:
    return tuple(RESIGN if turn == "!" else tuple(turn.split(",")) for turn in line.split())


def spelled(settled: Settled) -> list[str]:
    """Give the lines to all answers of a tree, as :func:`settle` reads them."""
    return [" ".join(",".join(turn) or "!" for turn in line) for line, end in lines(settled.tree) if end.own]


def waiting(view: MatchView) -> Person:
    return next(seat.person for seat in view.seats if seat.person != mover(view))


async def of(matches: Matches, view: MatchView, person: Person) -> list[str]:
    return spelled(await matches.conditionals.of(view.id, person))


async def log(matches: Matches, view: MatchView) -> list[str]:
    return [move.text for move in (await matches.history(view.id, now=NOON)).moves]


# Answers.


async def test_answer_is_played_at_once_and_told_with_the_move(matches: Matches) -> None:
    view = await men(matches)
    await settle(matches, view, BOB, "A1 G7")
    turn = await move(matches, view, "A1")
    announcement = told(turn.announcement)
    assert await log(matches, view) == ["A1", "G7"]
    assert (announcement.kind, announcement.first_ply, announcement.ply) == (AnnouncementKind.TURN, 1, 2)
    assert (announcement.by, announcement.whom) == (ALICE.account, (ALICE.account,))
    assert mover(turn.match) == ALICE
    assert (await matches.view_of(announcement, now=NOON)).lead == turn.match.lead


async def test_log_says_who_answered_and_replays(matches: Matches) -> None:
    view = await men(matches)
    await settle(matches, view, BOB, "A1 G7")
    await move(matches, view, "A1")
    moves = (await matches.history(view.id, now=NOON)).moves
    assert [(one.person, one.turn, one.at) for one in moves] == [(ALICE, 1, NOON), (BOB, 2, NOON)]
    assert (await matches.audit(view.id)).difference is None


async def test_line_goes_on_for_several_turns(matches: Matches) -> None:
    view = await men(matches)
    await settle(matches, view, BOB, "A1 G7 D3 D5")
    view = (await move(matches, view, "A1")).match
    assert await of(matches, view, BOB) == ["D3 D5"]
    await move(matches, view, "D3")
    assert await log(matches, view) == ["A1", "G7", "D3", "D5"]


async def test_each_branch_has_its_own_answer(matches: Matches) -> None:
    view = await men(matches)
    settled = await settle(matches, view, BOB, "A1 G7 D3 D5", "D3 A1", "A1 G7 B2 F6")
    assert spelled(settled) == ["A1 G7", "A1 G7 D3 D5", "A1 G7 B2 F6", "D3 A1"]
    await move(matches, view, "D3")
    assert await log(matches, view) == ["D3", "A1"]
    assert await of(matches, view, BOB) == []


async def test_run_is_answered_by_a_run_however_its_placements_come(matches: Matches) -> None:
    view = (await move(matches, await begin(matches, FREE), "A1")).match
    await settle(matches, view, ALICE, "C1,B1 A9,B9")
    for cell in ("B1", "C1"):
        turn = await matches.play(view.id, BOB, [cell], now=NOON)
    assert await log(matches, view) == ["A1", "B1", "C1", "A9", "B9"]
    assert (told(turn.announcement).first_ply, told(turn.announcement).ply) == (2, 5)
    assert (await matches.audit(view.id)).difference is None


async def test_line_may_end_in_resigning(matches: Matches) -> None:
    view = await men(matches)
    settled = await settle(matches, view, BOB, "A1 !")
    assert spelled(settled) == ["A1 !"]
    turn = await move(matches, view, "A1")
    result = turn.match.result
    assert result is not None
    assert (result.outcome, result.reason) == (Outcome.WHITE, Reason.RESIGNED)
    assert told(turn.announcement).whom == (BOB.account,)
    assert await log(matches, view) == ["A1"]


async def test_answer_may_end_the_game(matches: Matches) -> None:
    view = await begin(matches, {"size": 5}, game="morphos")
    await play_out(matches, view)
    again = await begin(matches, {"size": 5}, game="morphos")
    played = await log(matches, view)
    for text in played[:-2]:
        again = (await move(matches, again, text)).match
    answering = waiting(again)
    await settle(matches, again, answering, " ".join(played[-2:]))
    turn = await move(matches, again, played[-2])
    assert turn.match.state is MatchState.OVER
    assert turn.match.result is not None
    assert turn.match.result.reason is Reason.PLAYED
    assert told(turn.announcement).whom == (answering.account,)


async def test_people_who_change_sides_are_followed(matches: Matches) -> None:
    view = (await move(matches, await begin(matches, {"size": 5}, game="morphos"), "C3")).match
    await settle(matches, view, ALICE, "swap B2 D4 A1")
    turn = await move(matches, view, "swap")
    assert await log(matches, view) == ["C3", "swap", "B2"]
    assert mover(turn.match) == BOB
    assert (await move(matches, turn.match, "D4")).match.ply == 5
    assert (await matches.audit(view.id)).difference is None


# Both sides.


async def settle_both(matches: Matches, view: MatchView) -> None:
    """Settle all of :data:`CALM` for both people, though whoever is to move cannot settle anything."""
    settled = await settle(matches, view, BOB, " ".join(CALM))
    async with matches._store.writing() as connection:
        await conditionals.put(
            connection,
            view.id,
            ALICE.account,
            ply=0,
            position=str(view.position),
            tree=written(mirrored(settled.tree)),
            changed_at=0,
        )


def mirrored(tree: tuple[Branch, ...]) -> tuple[Branch, ...]:
    return tuple(replace(one, own=not one.own, then=mirrored(one.then)) for one in tree)


async def test_chain_goes_on_as_long_as_both_have_settled(matches: Matches) -> None:
    view = await men(matches)
    await settle_both(matches, view)
    turn = await move(matches, view, CALM[0])
    assert await log(matches, view) == list(CALM)
    assert told(turn.announcement).details == {"replies": len(CALM) - 1}
    assert [one.text for moves in turn.match.lead for one in moves] == list(CALM[:-1])
    assert (await matches.view_of(told(turn.announcement), now=NOON)).lead == turn.match.lead
    assert (await matches.audit(view.id)).difference is None


# Kept while possible, dropped when not.


async def test_other_move_drops_all_and_tells_its_person_alone(matches: Matches) -> None:
    view = await men(matches)
    await settle(matches, view, BOB, "A1 G7 D3 D5", "D3 A1")
    turn = await move(matches, view, "B2")
    assert turn.match.ply == 1
    assert told(turn.announcement).details == {}
    (notice,) = await matches.conditionals.notices(now=NOON)
    assert (notice.match, notice.whom, notice.why, notice.stamp) == (view.id, BOB.account, Lost.DEVIATED, 1)
    settled = await matches.conditionals.of(view.id, BOB)
    assert (spelled(settled), settled.lost) == ([], replace(notice))
    assert (await matches.conditionals.of(view.id, ALICE)).lost is None


async def test_nothing_is_said_where_all_came_true(matches: Matches) -> None:
    view = await men(matches)
    await settle(matches, view, BOB, "A1 G7", "D3 A1")
    await move(matches, view, "A1")
    assert await matches.conditionals.notices(now=later(hours=1)) == ()


async def test_notice_is_handed_out_to_one_at_a_time_until_told(matches: Matches, elsewhere: Matches) -> None:
    view = await men(matches)
    await settle(matches, view, BOB, "A1 G7")
    await move(matches, view, "B2")
    claimed = await asyncio.gather(
        matches.conditionals.notices(now=NOON), elsewhere.conditionals.notices(now=NOON)
    )
    assert sorted(map(len, claimed)) == [0, 1]
    assert await matches.conditionals.notices(now=later(seconds=59)) == ()
    (again,) = await matches.conditionals.notices(now=later(seconds=60))
    assert again.attempts == 2
    await matches.conditionals.noticed(again)
    assert await matches.conditionals.notices(now=later(hours=1)) == ()
    assert (await matches.conditionals.of(view.id, BOB)).lost is None


async def test_notice_that_cannot_be_sent_waits_for_its_person(matches: Matches) -> None:
    view = await men(matches)
    await settle(matches, view, BOB, "A1 G7")
    await move(matches, view, "B2")
    (notice,) = await matches.conditionals.notices(now=NOON)
    await matches.conditionals.unreached(notice)
    assert await matches.conditionals.notices(now=later(hours=1)) == ()
    lost = (await matches.conditionals.of(view.id, BOB)).lost
    assert lost is not None
    await matches.conditionals.noticed(lost)
    assert (await matches.conditionals.of(view.id, BOB)).lost is None


async def test_notice_is_void_once_something_new_is_settled(matches: Matches) -> None:
    view = await men(matches)
    await settle(matches, view, BOB, "A1 G7")
    view = (await move(matches, view, "B2")).match
    (notice,) = await matches.conditionals.notices(now=NOON)
    view = (await move(matches, view, "G7")).match
    await settle(matches, view, BOB, "A1 D3")
    await matches.conditionals.noticed(notice)
    await matches.conditionals.unreached(notice)
    assert await of(matches, view, BOB) == ["A1 D3"]
    assert await matches.conditionals.notices(now=later(hours=1)) == ()


@pytest.mark.parametrize("answer", [("A1",), ("Z9",), ("G7", "D3")], ids=["taken", "no point", "too many"])
async def test_answer_that_is_not_legal_any_more_is_dropped_and_the_move_stands(
    matches: Matches, answer: tuple[str, ...]
) -> None:
    view = await men(matches)
    await settle(matches, view, BOB, "A1 G7")
    tree = (Branch(("A1",), own=False, then=(Branch(answer, own=True),)),)
    async with matches._store.writing() as connection:
        await conditionals.change(connection, view.id, BOB.account, tree=written(tree))
    turn = await move(matches, view, "A1")
    assert (turn.match.ply, told(turn.announcement).details) == (1, {})
    (notice,) = await matches.conditionals.notices(now=NOON)
    assert notice.why is Lost.ILLEGAL


async def test_branch_that_is_not_legal_any_more_hides_no_other(matches: Matches) -> None:
    view = await men(matches)
    await settle(matches, view, BOB, "A1 G7")
    good = (Branch(("A1",), own=False, then=(Branch(("G7",), own=True),)),)
    bad = (Branch(("Z9",), own=False, then=(Branch(("G7",), own=True),)),)
    async with matches._store.writing() as connection:
        await conditionals.change(connection, view.id, BOB.account, tree=written(bad + good))
    assert (await move(matches, view, "A1")).match.ply == 2


async def test_moves_taken_back_drop_all(matches: Matches) -> None:
    view = await men(matches)
    for text in ("A1", "G7"):
        view = (await move(matches, view, text)).match
    await settle(matches, view, BOB, "D3 D5")
    await take_back(matches, view, BOB)
    assert await of(matches, view, BOB) == []
    (notice,) = await matches.conditionals.notices(now=NOON)
    assert (notice.whom, notice.why) == (BOB.account, Lost.TAKEN_BACK)


async def test_lines_are_settled_and_lost_anew_after_moves_were_taken_back(matches: Matches) -> None:
    view = await men(matches)
    for text in ("A1", "G7"):
        view = (await move(matches, view, text)).match
    await take_back(matches, view, BOB)
    view = (await move(matches, await matches.view(view.id, now=NOON), "B2")).match
    with pytest.raises(StaleBoard):
        await matches.conditionals.keep(view.id, BOB, read("D3 D5"), seen_ply=2, now=NOON)
    stamp = (await matches.conditionals.of(view.id, BOB)).stamp
    await matches.conditionals.keep(view.id, BOB, read("D3 D5"), seen_ply=stamp, now=NOON)
    view = (await move(matches, view, "D3")).match
    assert await log(matches, view) == ["A1", "B2", "D3", "D5"]
    assert (await matches.audit(view.id)).difference is None


async def take_back(matches: Matches, view: MatchView, person: Person) -> None:
    """Have a person take their last turn back, which the other allows."""
    made = await matches.offers.make(view.id, person, OfferKind.TAKEBACK, now=NOON)
    offer = made.match.standing
    assert offer is not None
    other = next(seat.person for seat in view.seats if seat.person != person)
    await matches.offers.answer(offer.id, other, accept=True, now=NOON)


async def test_end_of_the_match_forgets_all(matches: Matches) -> None:
    view = await men(matches)
    await settle(matches, view, BOB, "A1 G7")
    await matches.resign(view.id, ALICE, now=NOON)
    with pytest.raises(MatchOver):
        await matches.conditionals.of(view.id, BOB)
    async with matches._store.reading() as connection:
        assert await conditionals.of_match(connection, view.id) == []
    assert await matches.conditionals.notices(now=later(hours=1)) == ()


async def test_offers_leave_it_alone(matches: Matches) -> None:
    view = await begin(matches)
    line = f"{legal(view)} {legal((await move(matches, await begin(matches))).match)}"
    await settle(matches, view, BOB, line)
    await matches.offer_end(view.id, ALICE, now=NOON)
    await matches.answer_end(view.id, BOB, accept=False, now=NOON)
    assert await of(matches, view, BOB) == [line]
    assert (await move(matches, view)).match.ply == 2


# Changing it.


async def test_other_answer_takes_the_place_of_the_first(matches: Matches) -> None:
    settled = await settle(matches, await men(matches), BOB, "A1 G7 D3 D5", "D3 A1", "A1 B2")
    assert spelled(settled) == ["A1 B2", "D3 A1"]


async def test_same_answer_again_keeps_what_follows(matches: Matches) -> None:
    settled = await settle(matches, await men(matches), BOB, "A1 G7 D3 D5", "A1 G7")
    assert spelled(settled) == ["A1 G7", "A1 G7 D3 D5"]


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
    view = await men(matches)
    await settle(matches, view, BOB, "A1 G7 D3 D5", "D3 A1", "B2 !")
    settled = await matches.conditionals.remove(view.id, BOB, read(line), seen_ply=0, now=NOON)
    assert spelled(settled) == rest


async def test_last_line_removed_leaves_nothing(matches: Matches) -> None:
    view = await men(matches)
    await settle(matches, view, BOB, "A1 G7")
    await matches.conditionals.remove(view.id, BOB, read("A1 G7"), seen_ply=0, now=NOON)
    assert (await move(matches, view, "A1")).match.ply == 1
    assert await matches.conditionals.notices(now=NOON) == ()


async def test_cleared(matches: Matches) -> None:
    view = await men(matches)
    await settle(matches, view, BOB, "A1 G7", "D3 A1")
    await matches.conditionals.clear(view.id, BOB, now=NOON)
    assert await of(matches, view, BOB) == []
    assert (await move(matches, view, "A1")).match.ply == 1


async def test_placements_of_a_run_in_another_order_are_the_same_turn(matches: Matches) -> None:
    view = (await move(matches, await begin(matches, FREE), "A1")).match
    settled = await settle(matches, view, ALICE, "B1,C1 A9,B9", "C1,B1 A9,C9")
    assert spelled(settled) == ["B1,C1 A9,C9"]
    gone = await matches.conditionals.remove(view.id, ALICE, read("C1,B1 C9,A9"), seen_ply=1, now=NOON)
    assert spelled(gone) == []


async def test_run_under_way_is_nobodys_business(matches: Matches) -> None:
    view = (await move(matches, await begin(matches, FREE), "A1")).match
    view = (await matches.play(view.id, BOB, ["B1"], now=NOON)).match
    settled = await matches.conditionals.of(view.id, ALICE)
    assert (settled.stamp, settled.waits) == (1, True)
    assert str(settled.board.position) != str(view.position)
    await settle(matches, view, ALICE, "B1,C1 A9,B9")
    assert (await matches.play(view.id, BOB, ["C1"], now=NOON)).match.ply == 5


async def test_settled_before_the_first_move(matches: Matches) -> None:
    view = await begin(matches, FREE)
    await settle(matches, view, BOB, "A1 B1,C1")
    assert (await move(matches, view, "A1")).match.ply == 3


# Refusals.


@pytest.mark.parametrize(
    ("line", "refusal"),
    [
        ("A1", NoAnswer),
        ("A1 G7 D3", NoAnswer),
        ("!", NoAnswer),
        ("A1 A1", MoveIllegal),
        ("A1 help", MoveUnreadable),
        ("A1 G7,D3", TooManyMoves),
        ("A1 ! D3", LineBeyondEnd),
        (" ".join(CALM * 2), MoveIllegal),
    ],
)
async def test_line_is_played_through_when_it_is_settled(
    matches: Matches, line: str, refusal: type[MatchError]
) -> None:
    view = await men(matches)
    with pytest.raises(refusal):
        await settle(matches, view, BOB, line)
    assert await of(matches, view, BOB) == []


async def test_empty_line_is_refused(matches: Matches) -> None:
    view = await men(matches)
    with pytest.raises(NoAnswer):
        await matches.conditionals.keep(view.id, BOB, (), seen_ply=0, now=NOON)


async def test_run_must_be_whole(matches: Matches) -> None:
    view = (await move(matches, await begin(matches, FREE), "A1")).match
    with pytest.raises(TurnCutShort) as refused:
        await settle(matches, view, ALICE, "B1 A9,B9")
    assert dict(refused.value.values) == {"match": view.id, "due": 2, "given": 1}


async def test_nothing_follows_the_end_of_the_game(matches: Matches) -> None:
    view = await begin(matches, {"size": 5}, game="morphos")
    await play_out(matches, view)
    again = await begin(matches, {"size": 5}, game="morphos")
    played = await log(matches, view)
    for text in played[:-1]:
        again = (await move(matches, again, text)).match
    with pytest.raises(LineBeyondEnd):
        await settle(matches, again, waiting(again), f"{played[-1]} A1")


async def test_line_has_a_greatest_length(matches: Matches) -> None:
    view = await begin(matches)
    position, texts = view.position, list[str]()
    assert position is not None
    for _ in range(LONGEST + 2):
        texts.append(str(position.legal_moves()[0]))
        position = position.play(position.legal_moves()[0])
    await settle(matches, view, BOB, " ".join(texts[:LONGEST]))
    with pytest.raises(LineTooLong) as refused:
        await settle(matches, view, BOB, " ".join(texts))
    assert refused.value.values["limit"] == LONGEST


async def test_all_lines_together_have_a_greatest_size(matches: Matches) -> None:
    view = await begin(matches, {"size": 19}, game="morphos")
    assert view.position is not None
    texts = [str(one) for one in view.position.legal_moves()]
    for text in texts[1 : MOST // 2 + 1]:
        await settle(matches, view, BOB, f"{text} {texts[0]}")
    with pytest.raises(LineTooLong) as refused:
        await settle(matches, view, BOB, f"{texts[-1]} {texts[0]}")
    assert refused.value.values["limit"] == MOST


async def test_whoever_is_to_move_plays_instead(matches: Matches) -> None:
    view = await men(matches)
    assert not (await matches.conditionals.of(view.id, ALICE)).waits
    with pytest.raises(OwnTurn):
        await settle(matches, view, ALICE, "A1 G7")


async def test_board_must_be_the_present_one(matches: Matches) -> None:
    view = await men(matches)
    for text in ("A1", "G7"):
        await move(matches, (await matches.view(view.id, now=NOON)), text)
    for change in (matches.conditionals.keep, matches.conditionals.remove):
        with pytest.raises(StaleBoard):
            await change(view.id, BOB, read("D3 D5"), seen_ply=0, now=NOON)


async def test_line_that_is_not_there_cannot_be_removed(matches: Matches) -> None:
    view = await men(matches)
    await settle(matches, view, BOB, "A1 G7")
    for line in ("D3 A1", "A1 B2", "A1 !"):
        with pytest.raises(LineUnknown):
            await matches.conditionals.remove(view.id, BOB, read(line), seen_ply=0, now=NOON)


async def test_onlookers_settle_nothing(matches: Matches) -> None:
    view = await men(matches)
    with pytest.raises(NotInMatch):
        await settle(matches, view, CAROL, "A1 G7")
    with pytest.raises(NotInMatch):
        await matches.conditionals.of(view.id, CAROL)


async def test_nothing_is_settled_while_fists_are_closed(matches: Matches) -> None:
    view = await begin(matches, FISTS)
    with pytest.raises(FistsClosed):
        await matches.conditionals.of(view.id, BOB)
    with pytest.raises(FistsClosed):
        await settle(matches, view, BOB, "A1 G7")


async def test_nothing_is_settled_when_the_match_is_over(matches: Matches) -> None:
    view = (await play_out(matches, await begin(matches))).match
    with pytest.raises(MatchOver):
        await settle(matches, view, BOB, "A1 G7")


# What it costs.


async def test_turn_where_nothing_is_settled_asks_for_nothing_of_it(matches: Matches, store: Store) -> None:
    other, view = await men(matches), await men(matches)
    await settle(matches, other, BOB, "A1 G7")
    said: list[str] = []

    def listen(_: object, __: object, statement: str, *___: object) -> None:
        said.append(statement)

    engine = store._engine.sync_engine
    event.listen(engine, "before_cursor_execute", listen)
    await move(matches, view, "A1")
    event.remove(engine, "before_cursor_execute", listen)
    assert len(said) > 3
    assert [statement for statement in said if "conditionals" in statement] == []


# Two processes, and what fails.


async def test_settled_in_one_process_answers_in_another(matches: Matches, elsewhere: Matches) -> None:
    view = await men(matches)
    await settle(matches, view, BOB, "A1 G7")
    assert (await move(elsewhere, view, "A1")).match.ply == 2
    assert (await matches.view(view.id, now=NOON)).ply == 2


async def test_move_and_settling_at_once_leave_one_order_of_the_two(
    matches: Matches, elsewhere: Matches
) -> None:
    for _ in range(8):
        view = await men(matches)
        played, kept = await asyncio.gather(
            move(matches, view, "A1"), settle(elsewhere, view, BOB, "A1 G7"), return_exceptions=True
        )
        assert not isinstance(played, BaseException)
        late = isinstance(kept, StaleBoard | OwnTurn)
        assert late or isinstance(kept, Settled)
        assert played.match.ply == (1 if late else 2)


async def test_what_fails_after_the_answer_undoes_move_and_answer(matches: Matches, store: Store) -> None:
    class Failing(Concern):
        async def after_turn(self, held: Held, turned: Turned) -> None:
            if turned.person == BOB:
                raise MatchOver(match=held.row.id)

    view = await men(matches)
    await settle(matches, view, BOB, "A1 G7 D3 D5")
    holder = Holder(store, Concerns(Answering(), Failing()))
    with pytest.raises(MatchOver):
        await Turns(holder).play(view.id, ALICE, ["A1"], None, exact=False, now=NOON)
    assert (await matches.view(view.id, now=NOON)).ply == 0
    assert await of(matches, view, BOB) == ["A1 G7", "A1 G7 D3 D5"]


# Secrecy.


async def everything(matches: Matches, view: MatchView) -> list[object]:
    """Give all that anybody but its person may ask of a match."""
    now = later(hours=1)
    history = await matches.history(view.id, now=now)
    return [
        await matches.view(view.id, now=now),
        await matches.view(view.id, at=0, now=now),
        (history.match, history.start, history.moves),
        await matches.replay(view.id, now=now),
        await matches.record(view.id, now=now),
        await matches.games(ALICE, view.server, now=now),
        await matches.waiting(ALICE, view.place, now=now),
        await matches.recent(view.server, now=now),
        await matches.under_way(now=now),
        await matches.pulses([view.id], now=now),
        await matches.unannounced(now=now),
        await matches.audit(view.id),
        spelled(await matches.conditionals.of(view.id, ALICE)),
    ]


async def test_nothing_that_anybody_else_can_ask_changes(matches: Matches) -> None:
    view = await men(matches)
    for announcement in await matches.unannounced(now=later(minutes=30)):
        await matches.announced(announcement.id, "test:post", now=NOON)
    before = await everything(matches, view)
    await settle(matches, view, BOB, "A1 G7 D3 D5", "B2 !")
    assert await everything(matches, view) == before
    await matches.conditionals.clear(view.id, BOB, now=NOON)
    assert await everything(matches, view) == before


async def test_dropping_it_shows_in_no_announcement(matches: Matches) -> None:
    quiet, secret = await men(matches), await men(matches)
    await settle(matches, secret, BOB, "A1 G7")
    turns = [await move(matches, view, "B2") for view in (quiet, secret)]
    announcements = [told(turn.announcement) for turn in turns]
    assert announcements[1].id == announcements[0].id + 1
    first, second = (replace(one, id=announcements[0].id, match=quiet.id) for one in announcements)
    assert first == second


async def test_no_repr_shows_a_move(matches: Matches) -> None:
    view = await men(matches)
    settled = await settle(matches, view, BOB, "A1 G7 D3 D5", "B2 !")
    async with matches._store.reading() as connection:
        row = await conditionals.get(connection, view.id, BOB.account)
    shown = repr([settled, settled.tree, *steps(settled.board, read("A1 G7 D3 D5")), row])
    assert [text for text in ("A1", "G7", "D3", "D5", "B2") if text in shown] == []
