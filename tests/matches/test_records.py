"""Records: of a match, imported from text, and continued as a match."""

import asyncio
import random

import pytest

from engine import GAMES
from engine.game import OptionValue, Outcome, Side
from engine.records import Record, RecordEntry, format_record, parse_record
from matches import (
    MAX_RECORD_BYTES,
    AnnouncementKind,
    Challenge,
    Matches,
    MatchState,
    MatchView,
    OfferKind,
    RecordId,
    Replay,
    Terms,
    parse_time_control,
)
from matches.records.imports import MAX_IMPORTS_PER_DAY
from tests.matches.scenario import (
    ALICE,
    BOB,
    CAROL,
    CHANNEL,
    FISTS,
    FREE,
    NOON,
    ROBOT,
    SERVER,
    SMALL,
    UNKNOWN_MATCH,
    later,
    legal_move,
    play_move,
    play_to_end,
    player_to_move,
    require_announcement,
    start_match,
)
from tests.refusals import refused

FACING: dict[str, OptionValue] = {"edition": "nestor", "size": 9, "setup": "facing", "seed": 7}
OPENING = Record(
    "morelli",
    1,
    FACING,
    (RecordEntry("C1-D2", "A quiet start."), RecordEntry("A2-B3")),
    players=("Ann", "Ben"),
)


async def record_of(matches: Matches, view: MatchView) -> Record:
    return parse_record(await matches.export_record(view.id, now=NOON))


async def import_record(matches: Matches, record: Record = OPENING, server: str = SERVER) -> Replay:
    return await matches.records.import_record(format_record(record).encode(), ALICE, server=server, now=NOON)


async def challenge_from_record(
    matches: Matches, record: RecordId | None, *, colour: Side | None = Side.BLACK, server: str = SERVER
) -> Challenge:
    assert record is not None
    update = await matches.challenges.create_from_record(
        record, ALICE, to=BOB, server=server, channel=CHANNEL, colour=colour, now=NOON
    )
    return update.challenge


async def start_from_record(matches: Matches, record: Record = OPENING) -> MatchView:
    """Start a match from the end of a record, with Alice on the game's first side."""
    made = await challenge_from_record(
        matches, (await import_record(matches, record)).record, colour=GAMES[record.game].sides[0]
    )
    return (await matches.challenges.accept(made.id, BOB, now=later(hours=1))).match


async def play_random_moves(matches: Matches, view: MatchView, count: int, seed: int = 3) -> MatchView:
    chance = random.Random(seed)
    for _ in range(count):
        if view.position is None or view.to_move is None:
            break
        text = str(chance.choice(view.position.legal_moves()))
        view = (await play_move(matches, view, text)).match
    return view


# A match as a record.


async def test_record_describes_the_match(matches: Matches) -> None:
    view = await play_random_moves(matches, await start_match(matches), 6)
    record = await record_of(matches, view)
    history = await matches.views.history(view.id)
    assert (record.game, record.rules_version, record.options) == ("morelli", 1, view.options)
    assert record.players == ("Alice", "Bob")
    assert [entry.move for entry in record.entries] == [played.text for played in history.moves]
    assert (record.began, record.ended, record.result, record.start) == ("2026-05-01T12:00:00Z", "", None, "")
    assert list(record.positions())[-1] == view.position


async def test_record_has_the_time_control(matches: Matches) -> None:
    terms = Terms(time_control=parse_time_control("14d + 1d per move"))
    update = await matches.challenges.create(
        ALICE, to=BOB, server=SERVER, channel=CHANNEL, game="morphos", terms=terms, now=NOON
    )
    view = (await matches.challenges.accept(update.challenge.id, BOB, now=NOON)).match
    assert (await record_of(matches, view)).time_control == "14d + 1d per move"
    assert (await record_of(matches, await start_match(matches))).time_control == ""


async def test_record_has_no_account_and_no_channel(matches: Matches) -> None:
    text = await matches.export_record((await start_match(matches)).id, now=NOON)
    assert "test:" not in text


@pytest.mark.long
async def test_record_of_a_match_played_out(matches: Matches) -> None:
    over = (await play_to_end(matches, await start_match(matches, {}, game="morphos"))).match
    record = await record_of(matches, over)
    assert over.result is not None
    assert (record.result, record.reason) == (over.result.outcome, "played")


async def test_record_of_a_match_resigned(matches: Matches) -> None:
    view = (await play_move(matches, await start_match(matches))).match
    await matches.resign(view.id, ALICE, now=later(days=2))
    record = await record_of(matches, view)
    assert (record.result, record.reason) == (Outcome.WHITE, "resigned")
    assert record.ended == "2026-05-03T12:00:00Z"


async def test_record_of_a_match_ended_by_agreement(matches: Matches) -> None:
    view = (await play_move(matches, await start_match(matches))).match
    await matches.offers.make(view.id, ALICE, OfferKind.END, now=NOON)
    await matches.offers.answer_end(view.id, BOB, accept=True, now=NOON)
    record = await record_of(matches, view)
    assert (record.result, record.reason) == (Outcome.DRAW, "agreed")


@pytest.mark.long
async def test_players_of_a_record_are_those_at_the_start(matches: Matches) -> None:
    view = (await play_move(matches, await start_match(matches, {"size": 5}, game="morphos"), "C3")).match
    swapped = (await play_move(matches, view, "swap")).match
    assert [seat.person for seat in swapped.seats] == [BOB, ALICE]
    assert (await record_of(matches, swapped)).players == ("Alice", "Bob")


async def test_picks_are_recorded_once_revealed(matches: Matches) -> None:
    view = await start_match(matches, FISTS)
    await matches.pick(view.id, BOB, "LR", now=NOON)
    with refused("choice_pending"):
        await matches.export_record(view.id, now=NOON)
    await matches.pick(view.id, ALICE, "LL", now=NOON)
    record = await record_of(matches, view)
    assert record.other_headers == (("Fists", "LL LR"),)
    assert record.options["setup"] == "facing"


async def test_match_that_never_started_has_no_record(matches: Matches) -> None:
    view = await start_match(matches, FISTS)
    await matches.resign(view.id, BOB, now=NOON)
    for asked in (matches.export_record, matches.replay):
        with refused("never_started"):
            await asked(view.id, now=NOON)


async def test_unfinished_run_stays_private(matches: Matches) -> None:
    view = (await play_move(matches, await start_match(matches, FREE), "A2")).match
    view = (await matches.play(view.id, player_to_move(view), [legal_move(view)], now=NOON)).match
    assert len(view.unfinished_moves) == 1
    assert [entry.move for entry in (await record_of(matches, view)).entries] == ["A2"]
    assert (await matches.replay(view.id, now=NOON)).turn_count == 1


@pytest.mark.long
async def test_incomplete_run_is_recorded_after_the_end(matches: Matches) -> None:
    view = (await play_move(matches, await start_match(matches, FREE), "A2")).match
    view = (await matches.play(view.id, player_to_move(view), ["A3"], now=NOON)).match
    await matches.resign(view.id, ALICE, now=NOON)
    assert [entry.move for entry in (await record_of(matches, view)).entries] == ["A2", "A3"]
    assert (await matches.replay(view.id, now=NOON)).turns[-1].move_texts == ("A3",)


@pytest.mark.long
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
    view = await play_random_moves(matches, await start_match(matches, options, game=game), 45)
    played = await matches.replay(view.id, now=NOON)
    text = await matches.export_record(view.id, now=NOON)
    back = await matches.records.import_record(text.encode(), CAROL, server=SERVER, now=NOON)
    assert [page.position for page in back.turns] == [page.position for page in played.turns]
    assert [page.move_texts for page in back.turns] == [page.move_texts for page in played.turns]
    assert [seat.person.name for seat in back.turns[0].seats] == ["Alice", "Bob"]
    assert (back.options, back.rules_version) == (played.options, played.rules_version)


# A match, page by page.


@pytest.mark.long
async def test_pages_follow_the_turns(matches: Matches) -> None:
    view = await start_match(matches)
    for text in ("C1-D2", "A2-B3"):
        view = (await play_move(matches, view, text)).match
    replay = await matches.replay(view.id, now=NOON)
    assert [(page.number, page.side, page.move_texts) for page in replay.turns] == [
        (0, None, ()),
        (1, Side.BLACK, ("C1-D2",)),
        (2, Side.WHITE, ("A2-B3",)),
    ]
    assert replay.turns[-1].position == view.position
    assert replay.turns[1].events
    assert (replay.match, replay.record, replay.server) == (view.id, None, SERVER)


async def test_run_is_one_page(matches: Matches) -> None:
    view = (await play_move(matches, await start_match(matches, FREE), "A2")).match
    view = (await matches.play(view.id, player_to_move(view), ["A3", "A4"], now=NOON)).match
    page = (await matches.replay(view.id, now=NOON)).turns[2]
    assert page.move_texts == ("A3", "A4")
    assert {cell for event in page.events for cell in event.cells} == {"A3", "A4"}


async def test_seats_of_each_page_are_those_of_then(matches: Matches) -> None:
    view = (await play_move(matches, await start_match(matches, {"size": 5}, game="morphos"), "C3")).match
    view = (await play_move(matches, view, "swap")).match
    pages = (await matches.replay(view.id, now=NOON)).turns
    assert [page.seats[0].person for page in pages] == [ALICE, ALICE, BOB]


@pytest.mark.long
async def test_only_the_last_page_has_the_result(matches: Matches) -> None:
    over = (await play_to_end(matches, await start_match(matches))).match
    pages = (await matches.replay(over.id, now=NOON)).turns
    assert over.result is not None
    assert (pages[-1].result, pages[-1].to_move) == (over.result, None)
    assert {page.result for page in pages[:-1]} == {None}
    assert all(page.to_move for page in pages[:-1])


async def test_page_out_of_range_is_the_nearest(matches: Matches) -> None:
    replay = await matches.replay((await play_move(matches, await start_match(matches))).match.id, now=NOON)
    assert (replay.turn_at(-1), replay.turn_at(99)) == (replay.turns[0], replay.turns[1])


async def test_unknown_match_has_no_replay(matches: Matches) -> None:
    for asked in (matches.export_record, matches.replay):
        with refused("match_unknown"):
            await asked(UNKNOWN_MATCH, now=NOON)


# Importing a record.


async def test_imported_record_has_a_replay(matches: Matches) -> None:
    replay = await import_record(matches)
    assert [page.move_texts for page in replay.turns] == [(), ("C1-D2",), ("A2-B3",)]
    assert [seat.person.name for seat in replay.turns[0].seats] == ["Ann", "Ben"]
    assert replay.turns[1].comment == "A quiet start."
    assert replay.match is None
    assert replay.record is not None
    assert await matches.records.replay(replay.record, SERVER) == replay


async def test_equal_records_are_stored_once_a_server(matches: Matches) -> None:
    first, again = await import_record(matches), await import_record(matches)
    other_matches = await import_record(matches, server="test:elsewhere")
    assert first.record == again.record != other_matches.record


@pytest.mark.long
async def test_equal_records_from_two_processes_are_stored_once(
    matches: Matches, other_matches: Matches
) -> None:
    both = await asyncio.gather(import_record(matches), import_record(other_matches))
    assert both[0].record == both[1].record


async def test_record_belongs_to_its_server(matches: Matches) -> None:
    record = (await import_record(matches)).record
    assert record is not None
    with refused("record_unknown"):
        await matches.records.replay(record, "test:elsewhere")
    with refused("record_unknown"):
        await challenge_from_record(matches, record, server="test:elsewhere")


@pytest.mark.parametrize(
    ("text", "line", "column"),
    [
        (b"", 1, 1),
        (b"hello", 1, 1),
        (b"\xff\xfe", 1, 1),
        (format_record(OPENING).replace("A2-B3", "A2-A2").encode(), 9, 4),
        (format_record(OPENING).replace("morelli", "go").encode(), 1, 8),
        (b"\x89PNG\r\n\x1a\n\x00\x00", 1, 1),
        (b"{" * 100_000, 1, 1),
    ],
)
async def test_unreadable_record_is_refused_with_its_location(
    matches: Matches, text: bytes, line: int, column: int
) -> None:
    with refused("record_unreadable") as caught:
        await matches.records.import_record(text, ALICE, server=SERVER, now=NOON)
    assert (caught.value.values["line"], caught.value.values["column"]) == (line, column)
    assert str(caught.value.values["reason"]).endswith(".")


async def test_text_that_is_too_large_is_not_read(matches: Matches) -> None:
    text = format_record(OPENING).encode().ljust(MAX_RECORD_BYTES + 1)
    with refused("record_too_large") as caught:
        await matches.records.import_record(text, ALICE, server=SERVER, now=NOON)
    assert caught.value.values == {"limit": MAX_RECORD_BYTES, "size": MAX_RECORD_BYTES + 1}


@pytest.mark.long
async def test_imports_a_day_are_limited(matches: Matches) -> None:
    async def import_one(number: int, by: object = ALICE, **when: float) -> None:
        assert by in {ALICE, BOB}
        text = format_record(Record("morelli", 1, {**FACING, "seed": number})).encode()
        await matches.records.import_record(
            text, ALICE if by == ALICE else BOB, server=SERVER, now=later(**when)
        )

    for number in range(MAX_IMPORTS_PER_DAY):
        await import_one(number, hours=number / 10)
    with refused("too_many_records"):
        await import_one(99, hours=10)
    await import_one(0, hours=10)
    await import_one(99, BOB, hours=10)
    await import_one(98, hours=24.05)


# Continuing a record.


async def test_match_starts_from_the_last_position(matches: Matches) -> None:
    made = await challenge_from_record(matches, (await import_record(matches)).record)
    assert (made.game, made.options, made.record) == ("morelli", FACING, RecordId(made.record or 0))
    update = await matches.challenges.accept(made.id, BOB, now=NOON)
    announcement = require_announcement(update.announcement)
    assert (announcement.kind, announcement.recipients) == (AnnouncementKind.STARTED, (ALICE.account,))
    assert update.match.position == list(OPENING.positions())[-1]
    assert (update.match.state, update.match.ply, update.match.last_turn) == (MatchState.PLAYING, 0, ())
    assert (update.match.options, update.match.rules_version) == (FACING, 1)


async def test_player_to_move_in_the_record_is_notified(matches: Matches) -> None:
    one = Record("morelli", 1, FACING, OPENING.entries[:1])
    made = await challenge_from_record(matches, (await import_record(matches, one)).record)
    update = await matches.challenges.accept(made.id, BOB, now=NOON)
    # The challenger is called too: the challenge was accepted.
    assert require_announcement(update.announcement).recipients == (BOB.account, ALICE.account)
    assert player_to_move(update.match) == BOB


async def test_colour_is_the_challengers(matches: Matches) -> None:
    made = await challenge_from_record(matches, (await import_record(matches)).record, colour=Side.WHITE)
    view = (await matches.challenges.accept(made.id, BOB, now=NOON)).match
    assert [seat.person for seat in view.seats] == [BOB, ALICE]


@pytest.mark.long
async def test_match_from_a_record_behaves_like_any_other(matches: Matches) -> None:
    view = await start_from_record(matches)
    first = view.position
    view = await play_random_moves(matches, view, 5)
    assert (await matches.audit(view.id)).difference is None
    assert (await matches.view(view.id, ply=0, now=NOON)).position == first
    assert (await matches.view(view.id, ply=1, now=NOON)).last_turn[0].ply == 1
    replay = await matches.replay(view.id, now=NOON)
    assert (replay.turns[0].position, replay.turns[-1].position) == (first, view.position)
    record = await record_of(matches, view)
    assert record.start == str(first)
    assert list(record.positions())[-1] == view.position
    assert record.players == ("Alice", "Bob")


async def test_record_that_ends_within_a_run_continues_within_it(matches: Matches) -> None:
    options: dict[str, OptionValue] = {"edition": "nestor", "size": 9, "setup": "free", "seed": 1}
    view = await start_from_record(
        matches, Record("morelli", 1, options, (RecordEntry("A2"), RecordEntry("A3")))
    )
    assert (player_to_move(view), view.moves_due) == (BOB, 1)
    update = await play_move(matches, view, "A4")
    assert (require_announcement(update.announcement).first_ply, player_to_move(update.match)) == (1, ALICE)


async def test_match_from_a_record_continues_in_another_process(
    matches: Matches, other_matches: Matches
) -> None:
    view = await start_from_record(matches)
    assert await other_matches.view(view.id, now=NOON) == view


async def test_record_with_its_own_start_can_be_continued(matches: Matches) -> None:
    line = str(list(OPENING.positions())[1])
    view = await start_from_record(matches, Record("morelli", 1, FACING, OPENING.entries[1:], start=line))
    assert view.position == list(OPENING.positions())[-1]


async def test_record_of_a_resigned_game_can_be_continued(matches: Matches) -> None:
    given_up = Record("morelli", 1, FACING, OPENING.entries, result=Outcome.WHITE, reason="resigned")
    assert (await start_from_record(matches, given_up)).state is MatchState.PLAYING


@pytest.mark.long
async def test_record_of_a_finished_game_cannot_be_continued(matches: Matches) -> None:
    over = (await play_to_end(matches, await start_match(matches, SMALL))).match
    text = await matches.export_record(over.id, now=NOON)
    record = (await matches.records.import_record(text.encode(), ALICE, server=SERVER, now=NOON)).record
    with refused("recorded_game_over"):
        await challenge_from_record(matches, record)


async def test_challenge_from_a_record_is_refused_as_any_other(matches: Matches) -> None:
    record = (await import_record(matches)).record
    assert record is not None
    for to, refusal in ((ALICE, "self_challenge"), (ROBOT, "bot_challenge")):
        with refused(refusal):
            await matches.challenges.create_from_record(
                record, ALICE, to=to, server=SERVER, channel=CHANNEL, now=NOON
            )
    with refused("invalid_colour"):
        await challenge_from_record(matches, record, colour=Side.RED)
    with refused("record_unknown"):
        await challenge_from_record(matches, RecordId(4711))


# The newest matches of a channel.


@pytest.mark.long
async def test_newest_matches_are_listed_first_over_or_not(matches: Matches) -> None:
    first, second = await start_match(matches), await start_match(matches, channel="test:hall")
    await matches.resign(second.id, ALICE, now=NOON)
    third = await start_match(matches)
    recent = await matches.views.list_recent(SERVER)
    assert [one.id for one in recent] == [third.id, second.id, first.id]
    assert recent[1].state is MatchState.OVER
    assert [one.id for one in await matches.views.list_recent(SERVER, limit=1)] == [third.id]
    assert [one.id for one in await matches.views.list_recent(SERVER, channel=CHANNEL)] == [
        third.id,
        first.id,
    ]
    assert await matches.views.list_recent("test:elsewhere") == ()
