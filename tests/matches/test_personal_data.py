"""What is kept about persons: listed, exported, erased, and deleted when it is old."""

import asyncio
import json
import os
import threading
from datetime import timedelta
from io import BytesIO
from pathlib import Path
from typing import Any
from zipfile import ZipFile

import jsonschema
import pytest
from sqlalchemy import BigInteger, Boolean, Integer, Table, Text, func, insert, or_, select, update

from engine.game import Outcome
from engine.records import parse_record
from matches import (
    DELETED_NAME,
    LEVELS,
    AnnouncementKind,
    Database,
    Erasure,
    ErasureChoice,
    FollowMode,
    Matches,
    MatchId,
    MatchState,
    MatchView,
    MoveReason,
    OfferKind,
    Person,
    Terms,
    TimeControl,
    is_deleted,
)
from matches.computer.accounts import computer_account
from matches.errors import Refusal
from matches.people.sessions import Grant
from matches.personal_data import export
from matches.personal_data.__main__ import main
from matches.personal_data.sections import SECTIONS
from matches.personal_data.values import LISTED, MODERATION
from matches.studies.values import ChapterBoard, StudyKey
from matches.times import to_millis
from matches.tournaments.values import Kind
from storage.copies.sqlite_files import copy_database
from storage.match import packed_logs
from storage.people.personal_data import PERSONAL
from storage.tables import (
    CHALLENGES,
    LETTERS,
    MAIL_CODES,
    MAIL_COMMANDS,
    MATCHES,
    METADATA,
    MODERATION_LOG,
    OLD_HANDLES,
    OUTBOX,
    PACKED_LOGS,
    PASSKEYS,
    PEOPLE,
    PUSH_SUBSCRIPTIONS,
    REPORTS,
    WEB_GRANTS,
)
from tests.matches.puzzles.puzzles import puzzle_of, store_puzzles, wrong_turn
from tests.matches.scenario import (
    ALICE,
    BOB,
    CAROL,
    CHANNEL,
    FISTS,
    FREE,
    NOON,
    SERVER,
    later,
    legal_move,
    make_challenge,
    play_move,
    start_match,
)
from tests.matches.tournaments.scenario import settings_of
from tests.refusals import refusal_key, refused

ROOT = Path(__file__).resolve().parents[2]
NUMBER = "912345678901234567"
ZOE = Person(f"test:{NUMBER}", "Zoë Quillfeather")
MANAGER = Person("test:812345678901234567", "Manager")
# Texts that only Zoë wrote, and one of another person that mentions her by number.
NOTE, REASON = "beware of the heron", "typed by a moderator called zq"
TOKEN, DEVICE = "refresh-token-of-zq", "Heron 7 on a tablet"
ALIAS = "The Silent Quill"
MAIL = "zq@heron.example"
PUSH_URL = "https://push.example/of-zq"
TRACES = (NUMBER, ZOE.name, "Quillfeather", "zquill", ALIAS, NOTE, REASON, TOKEN, DEVICE, MAIL, PUSH_URL)
DAY = timedelta(days=1)
TIMED = Terms(time_control=TimeControl.per_move(3 * DAY))
RATED = Terms(time_control=TimeControl.per_move(3 * DAY), rated=True)
QUIET = ("A1", "G7", "D3", "D5", "B2", "F6")

# All text columns that hold nothing about a person.
IMPERSONAL: frozenset[str] = frozenset(
    {
        *("servers.server", "server_settings.server", "server_settings.text", "exclusions.server"),
        *("threads.place", "threads.server", "threads.parent"),
        *("open_channels.channel", "open_channels.server"),
        *("matches.audience", "challenges.audience"),
        *("records.server", "records.game", "records.options", "records.position"),
        *("challenges.server", "challenges.place", "challenges.game", "challenges.options"),
        *("challenges.colour", "challenges.state", "challenges.terms"),
        *("matches.server", "matches.place", "matches.game", "matches.options", "matches.state"),
        *("matches.position", "matches.outcome", "matches.reason", "matches.base", "matches.terms"),
        "matches.post",
        "picks.pick",
        "identities.bounce_times",
        *("moves.side", "moves.text", "moves.position", "packed_logs.text"),
        *("taken_moves.side", "taken_moves.text", "taken_moves.position"),
        *("offers.kind", "offers.answer"),
        *("outbox.kind", "outbox.server", "outbox.place", "outbox.platform"),
        "game_analyses.text",
        *("tournaments.server", "tournaments.place", "tournaments.name", "tournaments.kind"),
        *("tournaments.state", "tournaments.settings", "tournament_entrants.withdrawn"),
        *("tournament_stages.state", "tournament_stages.groups", "tournament_stages.rules"),
        *("tournament_games.state", "tournament_games.decision"),
        *("tournament_log.act", "tournament_log.details"),
        *("puzzles.key", "puzzles.game", "puzzles.text", "puzzles.withdrawn"),
        *("puzzle_choices.game", "puzzle_choices.theme", "puzzle_choices.puzzle", "puzzle_attempts.puzzle"),
        *("puzzle_ratings.game", "puzzle_reports.puzzle", "daily_puzzles.day", "daily_puzzles.puzzle"),
        *("puzzle_sets.game", "puzzle_sets.digest", "daily_puzzle_tries.server", "daily_puzzle_tries.day"),
        *(f"daily_puzzle_places.{one}" for one in ("server", "place", "zone", "posting", "day", "puzzle")),
        *("daily_puzzle_places.post", "puzzle_mails.day", "puzzle_mails.asked_on", "puzzle_mails.mailed"),
        "mail_commands.puzzle",
        *("studies.key", "studies.audience", "chapters.study", "chapters.game"),
        *("reports.study", "moderation_log.study"),
        "invited_addresses.digest",  # says nothing about anybody who cannot guess the address
        *("letters.kind", "moderation_log.action", "installation_keys.name", "installation_keys.value"),
        *("leases.name", "leases.owner", "leases.done"),
        *("explorer_moves.move", "explorer_starts.game", "explorer_starts.options"),
        *("rating_games.game", "ratings.game", "rating_steps.game", "rating_steps.server"),
        *("corrections.old_outcome", "corrections.old_reason", "corrections.outcome", "corrections.reason"),
    }
)


async def test_every_column_is_listed() -> None:
    columns = {
        f"{table.name}.{column.name}": column for table in METADATA.tables.values() for column in table.c
    }
    persons = {
        name
        for name, column in columns.items()
        if name == "people.account" or any(key.column is PEOPLE.c.account for key in column.foreign_keys)
    }
    texts = {name for name, column in columns.items() if isinstance(column.type, Text)}
    # A column of any other type could hold a text that this test does not see.
    assert {type(column.type) for column in columns.values()} <= {Text, Integer, BigInteger, Boolean}
    assert PERSONAL.keys() | IMPERSONAL == persons | texts
    assert not PERSONAL.keys() & IMPERSONAL
    assert persons <= PERSONAL.keys()
    # Whatever names a person is in the export or decides what is; but not who is to move.
    owners = {f"{section.table}.{owner}" for section in SECTIONS for owner in section.owners}
    exported = {f"{section.table}.{column}" for section in SECTIONS for _, column in section.fields}
    found = {name for name in persons if name not in owners | exported}
    assert found == {"matches.mover"}


async def test_summary_mentions_every_section() -> None:
    """What a section counts is in its own line, or in the line of what it belongs to."""
    parts = {
        "person": "the heading",
        "erasure": "the line about it",
        **dict.fromkeys(("picks", "moves", "undone_moves", "takebacks"), "matches"),
        "rating_steps": "ratings",
        "puzzle_ratings": "puzzles",
        "discord_servers": "sign_ins",
    }
    own = {section.key for section in SECTIONS} - parts.keys()
    assert own == {*LISTED, *MODERATION} - {"in_progress", "moderation"}


@pytest.mark.long
async def test_packed_matches_are_read_for_an_export_alone_and_in_a_thread(
    matches: Matches, monkeypatch: pytest.MonkeyPatch
) -> None:
    match = await start_match(matches, {}, game="morabaraba", by=ZOE)
    for text in QUIET:
        await play_move(matches, await matches.view(match.id, now=NOON), text)
    await matches.resign(match.id, ZOE, now=NOON)
    assert await matches.work.packing.pack(now=later(days=401)) == 1
    threads: list[threading.Thread] = []

    def record_thread(*arguments: Any) -> list[packed_logs.MoveRow]:
        threads.append(threading.current_thread())
        return parse(*arguments)

    parse = packed_logs.parse_log
    monkeypatch.setattr(packed_logs, "parse_log", record_thread)
    summary = await matches.people.personal_data.summary(ZOE.account)
    assert (summary.counts["matches"], threads) == (1, [])
    monkeypatch.setattr(export, "_record", no_record)
    found = await matches.people.personal_data.export(ZOE.account, now=NOON)
    with ZipFile(BytesIO(found.data)) as archive:
        moves = json.loads(archive.read("data.json"))["moves"]
    assert [move["move"] for move in moves] == list(QUIET[::2])
    assert threads
    assert threading.main_thread() not in threads


async def no_record(*_: object) -> None:
    """Stand for the record of a match, for which its moves are read again."""


async def test_name_from_before_names_were_cleaned_is_clean(matches: Matches, database: Database) -> None:
    await make_challenge(matches, ZOE, BOB)
    secret = await matches.people.sessions.start(ZOE, Grant(frozenset(), TOKEN), device=DEVICE, now=NOON)
    async with database.transaction() as connection:
        await connection.execute(update(PEOPLE).values(name="\u202eZoë\nQ"))
    assert (await matches.people.personal_data.summary(ZOE.account)).name == "Zoë Q"
    session = await matches.people.sessions.find(secret, now=NOON)
    assert session is not None
    assert session.name == "Zoë Q"


async def test_privacy_policy_lists_every_personal_column() -> None:
    text = (ROOT / "docs" / "privacy.md").read_text(encoding="utf-8")
    listed = [
        f"{cells[1].strip(' `')}.{column.strip(' `')}"
        for line in text.splitlines()
        if len(cells := line.split("|")) == 6 and cells[1].startswith(" `")
        for column in cells[2].split(",")
    ]
    assert sorted(listed) == sorted(PERSONAL)


async def sign_in(matches: Matches) -> None:
    """Start a session on the website for Zoë, who has an alias, an address and a study there."""
    await matches.people.identities.add(ZOE, "mail", MAIL, now=NOON)
    secret = await matches.people.sessions.start(
        ZOE, Grant(frozenset({SERVER}), TOKEN), device=DEVICE, now=NOON
    )
    assert await matches.people.sessions.find(secret, now=NOON) is not None
    await matches.visibility.set_alias(ZOE, ALIAS, now=NOON)
    study, board = StudyKey("0" * 16), ChapterBoard("morelli", NOTE)
    await matches.studies.add_chapter(study, ZOE.account, NOTE, board, new_study=NOTE, now=NOON)


async def use_the_website(database: Database) -> None:
    """Store what Zoë does on the website besides, and what moderators do there."""
    at = to_millis(NOON)
    own = {"account": ZOE.account, "made_at": at}
    rows: tuple[tuple[Table, dict[str, object]], ...] = (
        (OLD_HANDLES, {"account": ZOE.account, "folded": "zquill", "changed_at": at}),
        (MAIL_CODES, {**own, "id": "hash", "address": MAIL, "expires_at": at}),
        (LETTERS, {**own, "kind": "code", "address": MAIL, "details": "{}", "expires_at": at, "due_at": at}),
        (
            MAIL_COMMANDS,
            {**own, "address": MAIL, "typed": NOTE, "words": NOTE, "request": -1, "expires_at": at},
        ),
        (PASSKEYS, {**own, "id": "key-of-zq", "public_key": "of zq", "uses": 1, "device": DEVICE}),
        (
            PUSH_SUBSCRIPTIONS,
            {**own, "session": "s", "endpoint": PUSH_URL, "keys": "{}", "device": DEVICE},
        ),
        (REPORTS, {"by": ZOE.account, "about": BOB.account, "text": REASON, "made_at": at}),
        (REPORTS, {"by": BOB.account, "about": ZOE.account, "text": "rude", "note": NOTE, "made_at": at}),
        (
            MODERATION_LOG,
            {"by": ZOE.account, "about": BOB.account, "action": "warn", "reason": REASON, "made_at": at},
        ),
        (
            MODERATION_LOG,
            {"by": MANAGER.account, "about": ZOE.account, "action": "warn", "reason": NOTE, "made_at": at},
        ),
    )
    async with database.transaction() as connection:
        for table, values in rows:
            await connection.execute(insert(table).values(values))
        named = {
            "handle": ALIAS,
            "folded_handle": "zquill",
            "calendar_key": TOKEN,
            "notices": "{}",
            "locale": "ja",
        }
        await connection.execute(update(PEOPLE).where(PEOPLE.c.account == ZOE.account).values(named))
        own_challenges = CHALLENGES.c.by == ZOE.account
        await connection.execute(update(CHALLENGES).where(own_challenges).values(note=NOTE))


async def lead_a_full_life(matches: Matches) -> dict[str, MatchView]:
    """Have Zoë do everything that is stored; return her matches by what became of them."""
    views = {
        name: await start_match(matches, {}, game="morabaraba", by=ZOE, terms=RATED, channel=f"test:{name}")
        for name in ("won", "playing", "direct", "undone", "offered", "corrected")
    }
    for name in ("won", "playing", "undone", "corrected"):
        # The computer does not analyse what is played elsewhere.
        for text in QUIET[::-1] if name == "won" else QUIET:
            await play_move(matches, await matches.view(views[name].id, now=NOON), text)
    await play_move(matches, views["offered"], "A1")
    await matches.resign(views["won"].id, BOB, now=NOON)
    await matches.resign(views["corrected"].id, ZOE, now=NOON)
    await matches.corrections.correct(
        views["corrected"].id,
        MANAGER,
        Outcome.DRAW,
        reason=f"Agreed with <@{NUMBER}>.",
        server=SERVER,
        now=NOON,
    )
    others = await start_match(matches, {}, game="morabaraba", by=BOB, to=CAROL)
    await matches.resign(others.id, BOB, now=NOON)
    await matches.corrections.correct(others.id, ZOE, Outcome.DRAW, reason=REASON, server=SERVER, now=NOON)
    views["fists"] = await start_match(matches, FISTS, by=ZOE)
    started = await matches.computer.start(
        ZOE, level=LEVELS[0], server=SERVER, channel=CHANNEL, game="morabaraba", now=NOON
    )
    views["computer"] = started.match
    await matches.pick(views["fists"].id, ZOE, "LL", now=NOON)
    views["run"] = await start_match(matches, FREE, by=ZOE)
    await matches.play(views["run"].id, ZOE, [legal_move(views["run"])], now=NOON)
    for name, kind in (("undone", OfferKind.TAKEBACK), ("offered", OfferKind.END)):
        offer = (await matches.offers.make(views[name].id, ZOE, kind, now=NOON)).match.pending_offer
        assert offer is not None
        if name == "undone":
            await matches.offers.answer(offer.id, BOB, accept=True, now=NOON)
    await matches.clocks.pauses.offer(views["playing"].id, ZOE, now=NOON)
    await matches.clocks.vacations.begin(ZOE, now=NOON)
    await matches.clocks.vacations.end(ZOE, now=later(days=1))
    await matches.clocks.vacations.begin(ZOE, now=later(days=2))
    await matches.people.notes.save(views["won"].id, ZOE, NOTE, now=NOON)
    await matches.people.notes.save(views["won"].id, BOB, f"<@{NUMBER}> likes corners", now=NOON)
    await matches.people.analysis_lines.save(NOTE, ZOE, now=NOON)
    await matches.people.preferences.change(ZOE, zone="Berlin", quiet="22:00-7:00", now=NOON)
    await matches.people.following.follow(
        others_playing := (await start_match(matches, by=BOB, to=CAROL)).id, ZOE, FollowMode.TURNS, now=NOON
    )
    await play_move(matches, await matches.view(others_playing, now=NOON))
    playing = await matches.view(views["playing"].id, now=NOON)
    await matches.conditionals.add_line(
        playing.id, BOB, (("G4",), ("A4",)), seen_revision=playing.ply, now=NOON
    )
    await matches.conditionals.add_line(
        views["offered"].id, ZOE, (("G7",), ("D3",)), seen_revision=1, now=NOON
    )
    await matches.people.seats.rotate(playing.id, ZOE)
    await matches.people.blocks.block(ZOE, CAROL, now=NOON)
    await matches.people.blocks.block(MANAGER, ZOE, now=NOON)
    await matches.people.blocks.exclude("test:elsewhere", ZOE, MANAGER, now=NOON)
    await matches.people.blocks.exclude(SERVER, Person("test:rude", "Rude"), ZOE, now=NOON)
    await matches.servers.change(SERVER, ZOE, threads=False, now=NOON)
    record = (await matches.export_record(views["won"].id, now=NOON)).encode()
    for person, server in ((ZOE, SERVER), (BOB, "test:elsewhere")):
        imported = await matches.records.import_record(record, person, server=server, now=NOON)
        await matches.game_analyses.request(imported, BOB, now=NOON)
    won = await matches.replay(views["won"].id, now=NOON)
    await matches.game_analyses.request(won, ZOE, now=NOON)
    await sign_in(matches)
    await make_challenge(matches, ZOE, BOB)
    await make_challenge(matches, BOB, ZOE)
    await make_challenge(matches, ZOE)
    await matches.posting.places.lose(
        SERVER, "test:direct", MoveReason.DELETED, f"{ZOE.name} vs Bob", now=later(days=2)
    )
    await matches.people.reminders.remind(now=later(days=5))
    return views


async def play_own_tournament(matches: Matches) -> None:
    tournament = await matches.tournaments.create(settings_of(Kind.SWISS), ZOE, now=NOON)
    await matches.tournaments.join(tournament, ZOE, now=NOON)


async def try_puzzle(matches: Matches, database: Database) -> None:
    puzzle = puzzle_of("morabaraba")
    await store_puzzles(database, [puzzle])
    await matches.puzzle_mails.ask(ZOE, now=NOON)
    turns = [wrong_turn(puzzle)]
    await matches.puzzles.attempt(puzzle.key, ZOE, turns, now=NOON)
    await matches.puzzles.report(puzzle.key, ZOE, turns, now=NOON)
    await matches.daily_posts.switch_on(SERVER, "discord:5", NOON.time(), "UTC", by=ZOE, now=NOON)
    await matches.daily_posts.record_try(SERVER, NOON.date(), ZOE, now=NOON)


async def in_progress(database: Database) -> list[MatchId]:
    """Return Zoë's matches that are not over."""
    hers = or_(MATCHES.c.first == ZOE.account, MATCHES.c.second == ZOE.account)
    async with database.read() as connection:
        rows = await connection.execute(select(MATCHES.c.id).where(hers, MATCHES.c.state != MatchState.OVER))
        return [MatchId(number) for number in rows.scalars()]


async def find_traces(database: Database, traces: tuple[str, ...] = TRACES) -> list[str]:
    """Return every value of the database that contains a trace of a person."""
    found = []
    async with database.read() as connection:
        for table in METADATA.tables.values():
            for row in (await connection.execute(select(table))).mappings():
                found += [
                    f"{table.name}.{name}: {value}"
                    for name, value in row.items()
                    if isinstance(value, str)
                    and any(
                        trace in value or trace in json.dumps(value, ensure_ascii=True) for trace in traces
                    )
                ]
    return found


async def check_export(matches: Matches, views: dict[str, MatchView]) -> None:
    """Check that Zoë's export holds everything, and follows its schema."""
    export = await matches.people.personal_data.export(ZOE.account, now=later(days=6))
    with ZipFile(BytesIO(export.data)) as archive:
        data = json.loads(archive.read("data.json"))
        records = {
            name: archive.read(name).decode() for name in archive.namelist() if name.startswith("matches/")
        }
    schema = json.loads((ROOT / "docs" / "personal-data.schema.json").read_text(encoding="utf-8"))
    jsonschema.validate(data, schema, format_checker=jsonschema.FormatChecker())
    assert [key for key, rows in data.items() if rows == []] == ["erasure"]
    assert records[f"matches/match-{views['won'].id}.txt"] == await matches.export_record(
        views["won"].id, now=NOON
    )
    assert len(records) == len(views) - 1  # one match has no board yet
    # Others are in it by name only, with nothing that they keep for themselves.
    text = json.dumps(data)
    assert "likes corners" not in text
    assert MANAGER.account not in text
    assert TOKEN not in text
    assert data["discord_servers"][0]["servers"] == [SERVER]
    small = await matches.people.personal_data.export(
        ZOE.account, now=later(days=6), max_bytes=len(export.data) - 500
    )
    assert 0 < small.left_out < len(records)
    assert len(small.data) <= len(export.data) - 500
    with refused("export_too_large"):
        await matches.people.personal_data.export(ZOE.account, now=later(days=6), max_bytes=1_000)


@pytest.mark.long
async def test_erasure_leaves_no_trace(matches: Matches, database: Database) -> None:
    views = await lead_a_full_life(matches)
    await play_own_tournament(matches)
    await try_puzzle(matches, database)
    await use_the_website(database)
    before = await find_traces(database)
    filled = {one.partition(":")[0] for one in before}
    accounts = {
        name
        for name in PERSONAL
        if name.partition(".")[2]
        in {"account", "by", "to", "person", "first", "blocked", "accepted_by", "opponent"}
    }
    never = {"erasures.account", "challenges.accepted_by"}
    assert accounts - filled <= never, "the life is not full"
    await check_export(matches, views)

    done = await matches.people.personal_data.erase(ZOE.account, ErasureChoice.RESIGN, now=later(days=6))
    assert (done.is_complete, done.resigned) == (True, 7)
    assert await find_traces(database) == []
    async with database.read() as connection:
        (text,) = (await connection.execute(select(METADATA.tables["records"].c.text))).scalars()
    assert parse_record(text).players == (DELETED_NAME, BOB.name)

    computer = computer_account(LEVELS[0])
    after = {name: await matches.view(view.id, now=NOON) for name, view in views.items()}
    gone = {
        seat.person
        for view in after.values()
        for seat in view.seats
        if seat.person.account not in {BOB.account, computer}
    }
    assert len(gone) == 1
    (stand_in,) = gone
    assert is_deleted(stand_in.account)
    assert stand_in.name == DELETED_NAME
    assert {view.state for view in after.values()} == {MatchState.OVER}
    for view in after.values():
        assert (await matches.audit(view.id)).difference is None
    assert await matches.ratings.audit() == {}
    board = await matches.ratings.leaderboard(SERVER, "morabaraba", now=later(days=6))
    assert BOB.account in {one.person.account for one in board.standings}
    assert stand_in.account not in {one.person.account for one in board.standings}
    with refused("opponent_erased"):
        await matches.rematches.request(
            views["won"].id, BOB, server=SERVER, channel=CHANNEL, now=later(days=6)
        )
    with refused("nothing_stored"):
        await matches.people.personal_data.export(ZOE.account, now=NOON)
    for account in (stand_in.account, computer):
        with refused("nothing_stored"):
            await matches.people.personal_data.erase(account, ErasureChoice.RESIGN, now=NOON)
    # Who comes back is a new person.
    again = await start_match(matches, by=ZOE, channel="test:again", now=later(days=7))
    assert (await matches.people.personal_data.summary(ZOE.account)).counts["matches"] == 1
    await matches.resign(again.id, ZOE, now=later(days=7))
    await matches.people.personal_data.erase(ZOE.account, ErasureChoice.RESIGN, now=later(days=8))
    async with database.read() as connection:
        stand_ins = [
            row.account for row in await connection.execute(select(PEOPLE)) if is_deleted(row.account)
        ]
    assert len(set(stand_ins)) == 2


async def test_two_processes_erase_while_the_match_goes_on(database: Database, database_url: str) -> None:
    async with await Database.open(database_url) as second:
        first, other = Matches(database), Matches(second)
        view = await start_match(first, {}, game="morabaraba", by=ZOE, terms=RATED)
        for text in QUIET:
            view = (await play_move(first, view, text)).match
        results = await asyncio.gather(
            *(
                one.people.personal_data.erase(ZOE.account, ErasureChoice.RESIGN, now=NOON)
                for one in (first, other)
            ),
            *(play_move(one, view) for one in (first, other)),
            *(one.offers.make(view.id, ZOE, OfferKind.DRAW, now=NOON) for one in (first, other)),
            return_exceptions=True,
        )
        refused = [one for one in results if isinstance(one, BaseException)]
        assert [one for one in refused if not isinstance(one, Refusal)] == []
        assert [one.resigned for one in results if isinstance(one, Erasure)] == [1]
        assert len([one for one in refused if refusal_key(one) == "nothing_stored"]) == 1
        assert await find_traces(database) == []
        async with second.read() as connection:
            accounts = list((await connection.execute(select(PEOPLE.c.account))).scalars())
        assert [is_deleted(account) for account in accounts].count(True) == 1
        assert (await other.audit(view.id)).difference is None


@pytest.mark.long
async def test_kept_matches_are_played_to_their_end(matches: Matches, database: Database) -> None:
    views = await lead_a_full_life(matches)
    done = await matches.people.personal_data.erase(ZOE.account, ErasureChoice.KEEP, now=later(days=6))
    assert (done.is_complete, done.resigned, done.kept) == (False, 0, 7)
    counts = (await matches.people.personal_data.summary(ZOE.account)).counts
    gone = (
        "notes",
        "sign_ins",
        "analysis_lines",
        "watched_matches",
        "blocked_players",
        "imported_records",
        "studies",
        "chapters",
    )
    assert [counts[key] for key in gone] == [0] * len(gone)
    async with database.read() as connection:
        grants = await connection.execute(select(WEB_GRANTS).where(WEB_GRANTS.c.account == ZOE.account))
        assert grants.all() == []
    assert await matches.people.personal_data.finish_erasures(now=later(days=7)) == 0
    for number in await in_progress(database):
        by = ZOE if number == views["computer"].id else BOB
        await matches.resign(number, by, now=later(days=7))
    assert await matches.people.personal_data.finish_erasures(now=later(days=8)) == 1
    assert await find_traces(database) == []


@pytest.mark.long
async def test_restored_backup_repeats_the_erasures(
    sqlite_url: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    async with await Database.open(sqlite_url) as database:
        matches = Matches(database)
        await start_match(matches, by=ZOE)
    backup = tmp_path / "backup.db"
    copy_database(Path(sqlite_url.removeprefix("sqlite:///")), backup)
    run = asyncio.to_thread
    assert await run(main, ["export", sqlite_url, ZOE.account, str(tmp_path / "zoe.zip")]) == 0
    assert ZipFile(tmp_path / "zoe.zip").testzip() is None
    assert os.stat(tmp_path / "zoe.zip").st_mode & 0o777 == 0o600  # noqa: PTH116 - quick
    assert await run(main, ["erase", sqlite_url, ZOE.account, "--matches", "resign"]) == 0
    assert await run(main, ["erase", sqlite_url, ZOE.account, "--matches", "keep"]) == 1
    assert await run(main, ["repeat", f"sqlite:///{backup}", sqlite_url]) == 0
    assert "Erased again: 1." in capsys.readouterr().out
    async with await Database.open(f"sqlite:///{backup}") as restored:
        assert await find_traces(restored) == []


@pytest.mark.long
async def test_files_have_no_trace_after_an_erasure(sqlite_url: str, tmp_path: Path) -> None:
    """Neither the file of a closed database nor a backup has it, also not where nothing is stored now."""
    file, backup = Path(sqlite_url.removeprefix("sqlite:///")), tmp_path / "backup.db"
    async with await Database.open(sqlite_url) as database:
        matches = Matches(database)
        await lead_a_full_life(matches)
        await matches.people.personal_data.erase(ZOE.account, ErasureChoice.RESIGN, now=later(days=6))
    copy_database(file, backup)
    contents = [one.read_bytes() for one in (backup, *file.parent.glob(f"{file.name}*"))]
    assert [trace for trace in TRACES for content in contents if trace.encode() in content] == []


@pytest.mark.long
async def test_old_rows_are_deleted_and_needed_ones_stay(matches: Matches, database: Database) -> None:
    over = await start_match(matches, {}, game="morabaraba", by=CAROL)
    await play_move(matches, over)
    await matches.resign(over.id, BOB, now=NOON)
    playing = await start_match(matches, {}, game="morabaraba", by=CAROL, terms=TIMED, channel="test:lost")
    await matches.posting.places.lose(SERVER, "test:lost", MoveReason.DELETED, now=NOON)
    declined = await make_challenge(matches, CAROL, BOB)
    await matches.challenges.decline(declined.id, BOB, now=NOON)
    await matches.people.analysis_lines.save("old line", CAROL, now=NOON)
    await matches.people.analysis_lines.save("new line", CAROL, now=later(days=399))
    async with database.transaction() as connection:
        sent = {"sent_at": to_millis(NOON), "post": "1/2"}
        await connection.execute(update(OUTBOX).values(sent))
        reminder = insert(OUTBOX).values(
            kind=AnnouncementKind.REMINDED,
            match=playing.id,
            ply=0,
            by=CAROL.account,
            to=CAROL.account,
            recipients="[]",
            server=SERVER,
            place=CHANNEL,
            made_at=0,
            due_at=0,
            sent_at=1,
        )
        await connection.execute(reminder)
    open_one = await make_challenge(matches, CAROL, BOB, now=later(days=400))
    replay = await matches.replay(over.id, now=NOON)
    await matches.game_analyses.request(replay, CAROL, now=NOON)
    await matches.people.personal_data.delete_old(now=later(hours=23))
    assert (await matches.people.personal_data.summary(CAROL.account)).counts["requested_analyses"] == 1
    await matches.people.personal_data.delete_old(now=later(days=29))
    assert (await matches.people.personal_data.summary(CAROL.account)).counts["requested_analyses"] == 0
    assert (await matches.people.personal_data.summary(CAROL.account)).counts["analysis_lines"] == 2
    await matches.people.personal_data.delete_old(now=later(days=401))
    assert await matches.work.packing.pack(now=later(days=401)) == 1
    async with database.read() as connection:
        rows = (await connection.execute(select(OUTBOX).order_by(OUTBOX.c.id))).mappings().all()
    assert over.id not in {row["match"] for row in rows}
    # Of a match in progress everything stays that its players may still need.
    assert {row["to"] for row in rows if row["match"] == playing.id} == {None, CAROL.account, BOB.account}
    assert AnnouncementKind.REMINDED not in {row["kind"] for row in rows}
    async with database.read() as connection:
        led_to = dict(list(map(tuple, await connection.execute(select(MATCHES.c.id, MATCHES.c.challenge)))))
    assert {row["challenge"] for row in rows} == {None, led_to[playing.id], open_one.id}
    with refused("challenge_unknown"):
        await matches.challenges.find(declined.id, now=NOON)
    assert (await matches.people.personal_data.summary(CAROL.account)).counts["analysis_lines"] == 1
    assert (await matches.views.summary(over.id)).post is not None


@pytest.mark.long
async def test_summary_decodes_no_packed_log(
    matches: Matches, database: Database, monkeypatch: pytest.MonkeyPatch
) -> None:
    view = (await play_move(matches, await start_match(matches))).match
    await matches.resign(view.id, ALICE, now=NOON)
    async with database.transaction() as connection:
        await connection.execute(update(OUTBOX).values(sent_at=1))
    assert await matches.work.packing.pack(now=later(days=401)) == 1
    async with database.transaction() as connection:
        (row,) = (await connection.execute(select(MATCHES).where(MATCHES.c.id == view.id))).mappings()
        (packed,) = (await connection.execute(select(PACKED_LOGS))).mappings()
        copies = range(view.id + 1, view.id + 2000)
        own = [{**row, "id": number, "challenge": None} for number in copies]
        await connection.execute(insert(MATCHES), own)
        await connection.execute(insert(PACKED_LOGS), [{**packed, "match": number} for number in copies])
    decoded, parse = list[str](), packed_logs.parse_log

    def count(text: str, *rest: Any) -> list[packed_logs.MoveRow]:
        decoded.append(text)
        return parse(text, *rest)

    monkeypatch.setattr(packed_logs, "parse_log", count)
    summary = await matches.people.personal_data.summary(ALICE.account)
    assert (summary.counts["matches"], decoded) == (2000, [])
    async with database.read() as connection:
        assert len(await packed_logs.list_logs_of(connection, ALICE.account)) == len(decoded) == 2000


@pytest.mark.long
async def test_id_of_a_deleted_row_is_not_given_again(matches: Matches, database: Database) -> None:
    first = await make_challenge(matches, CAROL, BOB)
    await matches.challenges.decline(first.id, BOB, now=NOON)
    last = await make_challenge(matches, CAROL, ALICE)
    await matches.challenges.decline(last.id, ALICE, now=NOON)
    async with database.transaction() as connection:
        await connection.execute(update(OUTBOX).values(sent_at=to_millis(NOON), post="1/2"))
        newest = (await connection.execute(select(func.max(OUTBOX.c.id)))).scalar_one()
    await matches.people.personal_data.delete_old(now=later(days=400))
    with refused("challenge_unknown"):
        await matches.challenges.find(first.id, now=NOON)
    following = await make_challenge(matches, CAROL, BOB, now=later(days=400))
    async with database.read() as connection:
        announced = select(func.max(OUTBOX.c.id)).where(OUTBOX.c.challenge == following.id)
        assert (await connection.execute(announced)).scalar_one() > newest
    assert following.id > last.id


async def test_erased_server_keeps_only_its_matches(matches: Matches, database: Database) -> None:
    view = (await play_move(matches, await start_match(matches, {}, game="morabaraba", by=CAROL))).match
    await matches.servers.change(SERVER, CAROL, threads=False, now=NOON)
    for server in (SERVER, "test:elsewhere"):
        await matches.people.blocks.exclude(server, ALICE, MANAGER, now=NOON)
    record = (await matches.export_record(view.id, now=NOON)).encode()
    imported = (await matches.records.import_record(record, CAROL, server=SERVER, now=NOON)).record
    assert imported is not None
    await matches.challenges.create_from_record(imported, CAROL, server=SERVER, channel=CHANNEL, now=NOON)
    await matches.challenges.expire(now=later(days=100))
    await matches.people.personal_data.erase_server(SERVER)
    async with database.read() as connection:
        counts = {
            name: (await connection.execute(select(func.count()).select_from(METADATA.tables[name]))).scalar()
            for name in ("server_settings", "exclusions", "records", "matches", "challenges")
        }
    assert counts == {"server_settings": 0, "exclusions": 1, "records": 0, "matches": 1, "challenges": 1}
    assert (await matches.audit(view.id)).difference is None
