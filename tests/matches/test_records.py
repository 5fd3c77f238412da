"""Records: of a match, taken in from a text, and gone on from."""

import asyncio
import random

import pytest

from engine import GAMES
from engine.game import Outcome, Setting, Side
from engine.records import Entry, Record, read, write
from matches import (
    LARGEST_RECORD,
    AnnouncementKind,
    BotChallenge,
    Challenge,
    ColourRefused,
    FistsClosed,
    Matches,
    MatchState,
    MatchUnknown,
    MatchView,
    NeverStarted,
    RecordId,
    RecordOver,
    RecordTooLarge,
    RecordUnknown,
    RecordUnreadable,
    Replay,
    SelfChallenge,
    Terms,
    TooManyRecords,
    read_pace,
)
from matches.records.archive import MOST_A_DAY
from tests.matches.story import (
    ALICE,
    BOB,
    CAROL,
    FISTS,
    FREE,
    NOON,
    NOWHERE,
    PLACE,
    ROBOT,
    SERVER,
    SMALL,
    begin,
    later,
    legal,
    move,
    mover,
    play_out,
    told,
)

FACING: dict[str, Setting] = {"edition": "nestor", "size": 9, "setup": "facing", "seed": 7}
OPENING = Record(
    "morelli", 1, FACING, (Entry("C1-D2", "A quiet start."), Entry("A2-B3")), people=("Ann", "Ben")
)


async def written(matches: Matches, view: MatchView) -> Record:
    return read(await matches.record(view.id, now=NOON))


async def imported(matches: Matches, record: Record = OPENING, server: str = SERVER) -> Replay:
    return await matches.import_record(write(record).encode(), ALICE, server=server, now=NOON)


async def challenged(
    matches: Matches, record: RecordId | None, *, colour: Side | None = Side.BLACK, server: str = SERVER
) -> Challenge:
    assert record is not None
    step = await matches.challenge_from(
        record, ALICE, to=BOB, server=server, place=PLACE, colour=colour, now=NOON
    )
    return step.challenge


async def begun(matches: Matches, record: Record = OPENING) -> MatchView:
    """Begin a match from the end of a record, Alice at the game's first side."""
    made = await challenged(
        matches, (await imported(matches, record)).record, colour=GAMES[record.game].sides[0]
    )
    return (await matches.accept(made.id, BOB, now=later(hours=1))).match


async def play_some(matches: Matches, view: MatchView, count: int, seed: int = 3) -> MatchView:
    chance = random.Random(seed)
    for _ in range(count):
        if view.position is None or view.to_move is None:
            break
        text = str(chance.choice(view.position.legal_moves()))
        view = (await move(matches, view, text)).match
    return view


# A match as a record.


async def test_record_tells_the_match(matches: Matches) -> None:
    view = await play_some(matches, await begin(matches), 6)
    record = await written(matches, view)
    history = await matches.history(view.id, now=NOON)
    assert (record.game, record.rules_version, record.options) == ("morelli", 1, view.options)
    assert record.people == ("Alice", "Bob")
    assert [entry.move for entry in record.entries] == [played.text for played in history.moves]
    assert (record.began, record.ended, record.result, record.start) == ("2026-05-01T12:00:00Z", "", None, "")
    assert list(record.positions())[-1] == view.position


async def test_record_tells_the_pace(matches: Matches) -> None:
    terms = Terms(pace=read_pace("14d + 1d per move"))
    step = await matches.challenge(
        ALICE, to=BOB, server=SERVER, place=PLACE, game="morphos", terms=terms, now=NOON
    )
    view = (await matches.accept(step.challenge.id, BOB, now=NOON)).match
    assert (await written(matches, view)).pace == "14d + 1d per move"
    assert (await written(matches, await begin(matches))).pace == ""


async def test_record_holds_no_account_and_no_place(matches: Matches) -> None:
    text = await matches.record((await begin(matches)).id, now=NOON)
    assert "test:" not in text


async def test_record_of_a_match_played_out(matches: Matches) -> None:
    over = (await play_out(matches, await begin(matches, {}, game="morphos"))).match
    record = await written(matches, over)
    assert over.result is not None
    assert (record.result, record.reason) == (over.result.outcome, "played")


async def test_record_of_a_match_resigned(matches: Matches) -> None:
    view = (await move(matches, await begin(matches))).match
    await matches.resign(view.id, ALICE, now=later(days=2))
    record = await written(matches, view)
    assert (record.result, record.reason) == (Outcome.WHITE, "resigned")
    assert record.ended == "2026-05-03T12:00:00Z"


async def test_record_of_a_match_ended_by_agreement(matches: Matches) -> None:
    view = (await move(matches, await begin(matches))).match
    await matches.offer_end(view.id, ALICE, now=NOON)
    await matches.answer_end(view.id, BOB, accept=True, now=NOON)
    record = await written(matches, view)
    assert (record.result, record.reason) == (Outcome.DRAW, "agreed")


async def test_people_of_a_record_are_those_who_began(matches: Matches) -> None:
    view = (await move(matches, await begin(matches, {"size": 5}, game="morphos"), "C3")).match
    swapped = (await move(matches, view, "swap")).match
    assert [seat.person for seat in swapped.seats] == [BOB, ALICE]
    assert (await written(matches, swapped)).people == ("Alice", "Bob")


async def test_picks_are_told_once_they_are_open(matches: Matches) -> None:
    view = await begin(matches, FISTS)
    await matches.pick(view.id, BOB, "LR", now=NOON)
    with pytest.raises(FistsClosed):
        await matches.record(view.id, now=NOON)
    await matches.pick(view.id, ALICE, "LL", now=NOON)
    record = await written(matches, view)
    assert record.others == (("Fists", "LL LR"),)
    assert record.options["setup"] == "facing"


async def test_match_given_up_before_its_board_has_no_record(matches: Matches) -> None:
    view = await begin(matches, FISTS)
    await matches.resign(view.id, BOB, now=NOON)
    for asked in (matches.record, matches.replay):
        with pytest.raises(NeverStarted):
            await asked(view.id, now=NOON)


async def test_run_under_way_is_nobodys_business(matches: Matches) -> None:
    view = (await move(matches, await begin(matches, FREE), "A2")).match
    view = (await matches.play(view.id, mover(view), [legal(view)], now=NOON)).match
    assert len(view.run) == 1
    assert [entry.move for entry in (await written(matches, view)).entries] == ["A2"]
    assert (await matches.replay(view.id, now=NOON)).turns == 1


async def test_run_cut_short_by_the_end_is_told(matches: Matches) -> None:
    view = (await move(matches, await begin(matches, FREE), "A2")).match
    view = (await matches.play(view.id, mover(view), ["A3"], now=NOON)).match
    await matches.resign(view.id, ALICE, now=NOON)
    assert [entry.move for entry in (await written(matches, view)).entries] == ["A2", "A3"]
    assert (await matches.replay(view.id, now=NOON)).pages[-1].texts == ("A3",)


@pytest.mark.parametrize(
    ("game", "options"),
    [
        ("morelli", {"size": 9, "setup": "free"}),
        ("morelli", {"edition": "2015", "size": 9, "setup": "pairs"}),
        ("morelli", {"edition": "mindsports", "size": 11}),
        ("morphos", {"size": 5, "mutators": "abcde"}),
        ("morabaraba", {"men": 11}),
    ],
)
async def test_record_comes_back_as_the_same_game(
    matches: Matches, game: str, options: dict[str, str | int]
) -> None:
    view = await play_some(matches, await begin(matches, options, game=game), 45)
    played = await matches.replay(view.id, now=NOON)
    text = await matches.record(view.id, now=NOON)
    back = await matches.import_record(text.encode(), CAROL, server=SERVER, now=NOON)
    assert [page.position for page in back.pages] == [page.position for page in played.pages]
    assert [page.texts for page in back.pages] == [page.texts for page in played.pages]
    assert [seat.person.name for seat in back.pages[0].seats] == ["Alice", "Bob"]
    assert (back.options, back.rules_version) == (played.options, played.rules_version)


# A match, page by page.


async def test_pages_follow_the_turns(matches: Matches) -> None:
    view = await begin(matches)
    for text in ("C1-D2", "A2-B3"):
        view = (await move(matches, view, text)).match
    replay = await matches.replay(view.id, now=NOON)
    assert [(page.turn, page.side, page.texts) for page in replay.pages] == [
        (0, None, ()),
        (1, Side.BLACK, ("C1-D2",)),
        (2, Side.WHITE, ("A2-B3",)),
    ]
    assert replay.pages[-1].position == view.position
    assert replay.pages[1].events
    assert (replay.match, replay.record, replay.server) == (view.id, None, SERVER)


async def test_run_is_one_page(matches: Matches) -> None:
    view = (await move(matches, await begin(matches, FREE), "A2")).match
    view = (await matches.play(view.id, mover(view), ["A3", "A4"], now=NOON)).match
    page = (await matches.replay(view.id, now=NOON)).pages[2]
    assert page.texts == ("A3", "A4")
    assert {cell for event in page.events for cell in event.cells} == {"A3", "A4"}


async def test_seats_of_each_page_are_those_of_then(matches: Matches) -> None:
    view = (await move(matches, await begin(matches, {"size": 5}, game="morphos"), "C3")).match
    view = (await move(matches, view, "swap")).match
    pages = (await matches.replay(view.id, now=NOON)).pages
    assert [page.seats[0].person for page in pages] == [ALICE, ALICE, BOB]


async def test_only_the_last_page_has_the_result(matches: Matches) -> None:
    over = (await play_out(matches, await begin(matches))).match
    pages = (await matches.replay(over.id, now=NOON)).pages
    assert over.result is not None
    assert (pages[-1].outcome, pages[-1].reason, pages[-1].to_move) == (over.result.outcome, "played", None)
    assert {page.outcome for page in pages[:-1]} == {None}
    assert all(page.to_move for page in pages[:-1])


async def test_page_beyond_the_ends_is_the_end(matches: Matches) -> None:
    replay = await matches.replay((await move(matches, await begin(matches))).match.id, now=NOON)
    assert (replay.page(-1), replay.page(99)) == (replay.pages[0], replay.pages[1])


async def test_unknown_match_has_no_replay(matches: Matches) -> None:
    for asked in (matches.record, matches.replay):
        with pytest.raises(MatchUnknown):
            await asked(NOWHERE, now=NOON)


# A record taken in.


async def test_imported_record_is_paged_through(matches: Matches) -> None:
    replay = await imported(matches)
    assert [page.texts for page in replay.pages] == [(), ("C1-D2",), ("A2-B3",)]
    assert [seat.person.name for seat in replay.pages[0].seats] == ["Ann", "Ben"]
    assert replay.pages[1].comment == "A quiet start."
    assert replay.match is None
    assert replay.record is not None
    assert await matches.imported(replay.record, SERVER, now=NOON) == replay


async def test_same_record_is_kept_once_a_server(matches: Matches) -> None:
    first, again = await imported(matches), await imported(matches)
    elsewhere = await imported(matches, server="test:elsewhere")
    assert first.record == again.record != elsewhere.record


async def test_same_record_from_two_processes_is_kept_once(matches: Matches, elsewhere: Matches) -> None:
    both = await asyncio.gather(imported(matches), imported(elsewhere))
    assert both[0].record == both[1].record


async def test_record_belongs_to_its_server(matches: Matches) -> None:
    record = (await imported(matches)).record
    assert record is not None
    with pytest.raises(RecordUnknown):
        await matches.imported(record, "test:elsewhere", now=NOON)
    with pytest.raises(RecordUnknown):
        await challenged(matches, record, server="test:elsewhere")


@pytest.mark.parametrize(
    ("text", "line", "column"),
    [
        (b"", 1, 1),
        (b"hello", 1, 1),
        (b"\xff\xfe", 1, 1),
        (write(OPENING).replace("A2-B3", "A2-A2").encode(), 9, 4),
        (write(OPENING).replace("morelli", "go").encode(), 1, 8),
        (b"\x89PNG\r\n\x1a\n\x00\x00", 1, 1),
        (b"{" * 100_000, 1, 1),
    ],
)
async def test_text_that_is_no_record_is_refused_with_its_place(
    matches: Matches, text: bytes, line: int, column: int
) -> None:
    with pytest.raises(RecordUnreadable) as refused:
        await matches.import_record(text, ALICE, server=SERVER, now=NOON)
    assert (refused.value.values["line"], refused.value.values["column"]) == (line, column)
    assert str(refused.value.values["reason"]).endswith(".")


async def test_text_that_is_too_large_is_not_read(matches: Matches) -> None:
    text = write(OPENING).encode().ljust(LARGEST_RECORD + 1)
    with pytest.raises(RecordTooLarge) as refused:
        await matches.import_record(text, ALICE, server=SERVER, now=NOON)
    assert refused.value.values == {"limit": LARGEST_RECORD, "size": LARGEST_RECORD + 1}


async def test_nobody_imports_without_end(matches: Matches) -> None:
    async def import_one(number: int, by: object = ALICE, **when: float) -> None:
        assert by in {ALICE, BOB}
        text = write(Record("morelli", 1, {**FACING, "seed": number})).encode()
        await matches.import_record(text, ALICE if by == ALICE else BOB, server=SERVER, now=later(**when))

    for number in range(MOST_A_DAY):
        await import_one(number, hours=number / 10)
    with pytest.raises(TooManyRecords):
        await import_one(99, hours=10)
    await import_one(0, hours=10)
    await import_one(99, BOB, hours=10)
    await import_one(98, hours=24.05)


# A match that goes on from a record.


async def test_match_begins_from_the_last_position(matches: Matches) -> None:
    made = await challenged(matches, (await imported(matches)).record)
    assert (made.game, made.options, made.record) == ("morelli", FACING, RecordId(made.record or 0))
    turn = await matches.accept(made.id, BOB, now=NOON)
    announcement = told(turn.announcement)
    assert (announcement.kind, announcement.whom) == (AnnouncementKind.STARTED, (ALICE.account,))
    assert turn.match.position == list(OPENING.positions())[-1]
    assert (turn.match.state, turn.match.ply, turn.match.last) == (MatchState.PLAYING, 0, ())
    assert (turn.match.options, turn.match.rules_version) == (FACING, 1)


async def test_whoever_is_next_in_the_record_is_called(matches: Matches) -> None:
    one = Record("morelli", 1, FACING, OPENING.entries[:1])
    made = await challenged(matches, (await imported(matches, one)).record)
    turn = await matches.accept(made.id, BOB, now=NOON)
    assert told(turn.announcement).whom == (BOB.account,)
    assert mover(turn.match) == BOB


async def test_colour_is_the_challengers(matches: Matches) -> None:
    made = await challenged(matches, (await imported(matches)).record, colour=Side.WHITE)
    view = (await matches.accept(made.id, BOB, now=NOON)).match
    assert [seat.person for seat in view.seats] == [BOB, ALICE]


async def test_match_from_a_record_is_played_seen_and_told_like_any_other(matches: Matches) -> None:
    view = await begun(matches)
    first = view.position
    view = await play_some(matches, view, 5)
    assert (await matches.audit(view.id)).difference is None
    assert (await matches.view(view.id, at=0, now=NOON)).position == first
    assert (await matches.view(view.id, at=1, now=NOON)).last[0].ply == 1
    replay = await matches.replay(view.id, now=NOON)
    assert (replay.pages[0].position, replay.pages[-1].position) == (first, view.position)
    record = await written(matches, view)
    assert record.start == str(first)
    assert list(record.positions())[-1] == view.position
    assert record.people == ("Alice", "Bob")


async def test_record_that_breaks_off_within_a_run_goes_on_within_it(matches: Matches) -> None:
    options: dict[str, Setting] = {"edition": "nestor", "size": 9, "setup": "free", "seed": 1}
    view = await begun(matches, Record("morelli", 1, options, (Entry("A2"), Entry("A3"))))
    assert (mover(view), view.due) == (BOB, 1)
    turn = await move(matches, view, "A4")
    assert (told(turn.announcement).first_ply, mover(turn.match)) == (1, ALICE)


async def test_match_from_a_record_goes_on_elsewhere_too(matches: Matches, elsewhere: Matches) -> None:
    view = await begun(matches)
    assert await elsewhere.view(view.id, now=NOON) == view


async def test_record_of_a_start_of_its_own_can_be_gone_on_from(matches: Matches) -> None:
    line = str(list(OPENING.positions())[1])
    view = await begun(matches, Record("morelli", 1, FACING, OPENING.entries[1:], start=line))
    assert view.position == list(OPENING.positions())[-1]


async def test_record_of_a_game_that_was_resigned_can_be_gone_on_from(matches: Matches) -> None:
    given_up = Record("morelli", 1, FACING, OPENING.entries, result=Outcome.WHITE, reason="resigned")
    assert (await begun(matches, given_up)).state is MatchState.PLAYING


async def test_record_of_a_game_that_is_over_cannot(matches: Matches) -> None:
    over = (await play_out(matches, await begin(matches, SMALL))).match
    text = await matches.record(over.id, now=NOON)
    record = (await matches.import_record(text.encode(), ALICE, server=SERVER, now=NOON)).record
    with pytest.raises(RecordOver):
        await challenged(matches, record)


async def test_challenge_from_a_record_is_refused_as_any_other(matches: Matches) -> None:
    record = (await imported(matches)).record
    assert record is not None
    for to, refusal in ((ALICE, SelfChallenge), (ROBOT, BotChallenge)):
        with pytest.raises(refusal):
            await matches.challenge_from(record, ALICE, to=to, server=SERVER, place=PLACE, now=NOON)
    with pytest.raises(ColourRefused):
        await challenged(matches, record, colour=Side.RED)
    with pytest.raises(RecordUnknown):
        await challenged(matches, RecordId(4711))


# The newest matches of a place.


async def test_newest_matches_are_listed_first_over_or_not(matches: Matches) -> None:
    first, second = await begin(matches), await begin(matches, place="test:hall")
    await matches.resign(second.id, ALICE, now=NOON)
    third = await begin(matches)
    recent = await matches.recent(SERVER, now=NOON)
    assert [one.id for one in recent] == [third.id, second.id, first.id]
    assert recent[1].state is MatchState.OVER
    assert [one.id for one in await matches.recent(SERVER, now=NOON, limit=1)] == [third.id]
    assert [one.id for one in await matches.recent(SERVER, place=PLACE, now=NOON)] == [third.id, first.id]
    assert await matches.recent("test:elsewhere", now=NOON) == ()
