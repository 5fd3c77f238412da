"""Queries that run periodically use indexes and scan no table."""

import re
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

import pytest
from sqlalchemy import Engine, event

from matches import FollowMode, Grant, ListPosition, Matches, MatchId, MatchState, Reader, Terms, TimeControl
from matches.platforms import WEBSITE
from matches.tournaments.values import Kind, TournamentState
from storage import Database
from storage.indexes import METADATA
from tests.games import GAMES
from tests.matches.clocks.scenario import DAY
from tests.matches.scenario import (
    ALICE,
    BOB,
    CAROL,
    CHANNEL,
    NOON,
    SERVER,
    later,
    make_challenge,
    play_move,
    require_announcement,
    start_match,
)
from tests.matches.tournaments.scenario import START, make, player, see, start

MEMBER = Reader(servers=frozenset({SERVER}))
THREAD = "test:thread"
# One row for each shard, one for each game, only due rows, only unsent ones, or the session of one browser.
ONE_ROW_TABLES = {"heartbeats", "rating_games", "due", "unsent", "session", "(subquery)", "CONSTANT"}
SUBQUERY_NUMBER = re.compile(r"(?<=\(subquery)-\d+")
LEADERS = "ix_rating_steps_leaders (server=? AND game=?"
SCAN = re.compile(r"SCAN (?P<what>\S+)(?:.* INDEX (?P<index>\S+))?")


@contextmanager
def recorded_queries() -> Iterator[set[str]]:
    """Record the queries to any database inside this context."""
    found: set[str] = set()

    def note(_connection: Any, _cursor: Any, statement: str, *_rest: Any) -> None:
        if statement.startswith(("SELECT", "UPDATE", "WITH", "DELETE")):
            found.add(statement)

    event.listen(Engine, "before_cursor_execute", note)
    yield found
    event.remove(Engine, "before_cursor_execute", note)


def partial_indexes() -> set[str]:
    """Return the partial indexes, which contain only rows with something due."""
    indexes = (index for table in METADATA.tables.values() for index in table.indexes)
    return {str(index.name) for index in indexes if index.dialect_options["sqlite"]["where"] is not None}


@pytest.mark.long
async def test_no_periodic_query_scans_a_table(sqlite_url: str) -> None:
    async with await Database.open(sqlite_url) as database:
        matches = Matches(database)
        made = await make_challenge(
            matches, to=BOB, options={"size": 9}, terms=Terms(time_control=TimeControl.per_move(3 * DAY))
        )
        begun = await matches.challenges.accept(made.id, BOB, channel=THREAD, now=NOON)
        await matches.posting.threads.record_opened(THREAD, SERVER, CHANNEL, now=NOON)
        await matches.people.following.follow(begun.match.id, CAROL, FollowMode.DAILY, now=NOON)
        for update in (begun, await play_move(matches, begun.match)):
            post = require_announcement(update.announcement).id
            await matches.announcements.mark_sent(post, f"post/{post}", now=NOON)
        await matches.clocks.vacations.begin(CAROL, now=NOON)
        await make_challenge(matches, by=CAROL, to=ALICE)
        secret = await matches.people.sessions.start(ALICE, Grant(frozenset(), "token"), device="", now=NOON)
        with recorded_queries() as asked:
            assert await matches.people.sessions.find(secret, now=later(days=1)) is not None
            assert len(await matches.public_queries.list_outlines_of(ALICE.account)) == 1
            assert await matches.people.sessions.delete_expired(now=later(days=31)) == ("token",)
            assert await matches.posting.outdated_posts.list("test", now=NOON)
            for now in (later(days=2.9), later(days=60)):
                assert await matches.people.reminders.remind(now=now) == (now < later(days=3))
                assert not await matches.computer.is_due(now=now)
                assert await matches.game_analyses.claim(now=now) is None
                await matches.clocks.heartbeat(now)
                await matches.clocks.tick(now)
                await matches.challenges.expire(now=now)
                await matches.people.following.announce_digests(now=now)
                await matches.conditionals.claim_notices("test", now=now)
                await matches.posting.by_account.claim_due("test", now=now)
                await matches.posting.letters.claim_due(now=now)
                await matches.posting.letters.count_waiting(now=now)
                assert await matches.announcements.claim_due("test", now=now)
                await matches.posting.threads.list_finished("test", now=now)
                await matches.work.packing.pack(now=now)
                await matches.explorer.counts.count()
                await matches.posting.places.record_contact(ALICE.account, now=now)
            await matches.posting.places.list_untold("test")
            assert await matches.posting.places.list_used("test")
        async with database.read() as connection:
            for query in asked:
                plan = await connection.exec_driver_sql(
                    f"EXPLAIN QUERY PLAN {query}", (None,) * query.count("?")
                )
                scans = [
                    scan
                    for scan in (SCAN.match(SUBQUERY_NUMBER.sub("", row.detail)) for row in plan)
                    if scan is not None
                ]
                walked = [scan for scan in scans if scan["what"] not in ONE_ROW_TABLES]
                assert {scan["index"] for scan in walked} <= partial_indexes(), query


async def plans_of(database: Database, asked: set[str]) -> list[str]:
    """Return the steps of SQLite's plans for queries, without those that search a table of few rows."""
    async with database.read() as connection:
        plans = [
            await connection.exec_driver_sql(f"EXPLAIN QUERY PLAN {query}", (None,) * query.count("?"))
            for query in asked
        ]
        return [row[-1] for plan in plans for row in plan]


async def play_rated_match(database: Database) -> MatchId:
    matches = Matches(database)
    view = await start_match(matches)
    for _ in range(2):
        view = (await play_move(matches, view)).match
    await matches.resign(view.id, ALICE, now=NOON)
    return view.id


@pytest.mark.long
@pytest.mark.parametrize("has_statistics", [False, True])
async def test_what_players_ask_for_reads_no_other_players_rows(
    sqlite_url: str, *, has_statistics: bool
) -> None:
    async with await Database.open(sqlite_url) as database:
        match = await play_rated_match(database)
        if has_statistics:  # of a database of one match: every table is small
            async with database.read() as connection:
                await connection.exec_driver_sql("ANALYZE")
    async with await Database.open(sqlite_url) as database:
        matches = Matches(database)
        with recorded_queries() as asked:
            await matches.ratings.leaderboard(SERVER, "morelli", now=NOON)
            await matches.ratings.history(ALICE, "morelli", now=NOON)
            await matches.ratings.results(ALICE, SERVER, "morelli", now=NOON)
            assert await matches.ratings.latest_game(ALICE, SERVER, now=NOON) == "morelli"
            assert await matches.ratings.changes(match, now=NOON)
            await matches.views.list_active_of(ALICE, SERVER)
            await matches.views.list_awaiting(ALICE)
            await matches.views.list_awaiting_in(ALICE, CHANNEL)
            await matches.public_queries.load_lobby(SERVER, now=NOON)
            await matches.public_queries.get_fingerprints([match])
            assert await matches.public_queries.list_outlines([match], [MatchState.OVER])
            listed = await matches.public_queries.list_matches([match])
            assert await matches.public_queries.get_last_moves(listed)
            await matches.people.seats.load(match, (ALICE.account,))
            await matches.people.seats.load_of_session(match, "a secret", now=NOON)
            await matches.corrections.correct(match, CAROL, None, reason="a test", server=SERVER, now=NOON)
            await matches.ratings.recompute()
        steps = set(await plans_of(database, asked))
    assert {step for step in steps if step.startswith(("SEARCH rating_steps", "SEARCH same"))} == {
        f"SEARCH rating_steps USING COVERING INDEX {LEADERS})",
        f"SEARCH rating_steps USING COVERING INDEX {LEADERS} AND person>?)",
        "SEARCH rating_steps USING INDEX ix_rating_steps_match (match=?)",
        "SEARCH rating_steps USING INDEX ix_rating_steps_number (game=? AND number>? AND number<?)",
        "SEARCH rating_steps USING PRIMARY KEY (person=? AND game=?)",
        "SEARCH rating_steps USING PRIMARY KEY (person=? AND game=? AND number=?)",
        "SEARCH same USING PRIMARY KEY (person=? AND game=? AND number<?)",
    }
    assert {step for step in steps if step.startswith("SEARCH matches")} == {
        "SEARCH matches USING COVERING INDEX sqlite_autoindex_matches_1 (challenge=?) LEFT-JOIN",
        "SEARCH matches USING INDEX ix_matches_first (first=? AND state=?)",
        "SEARCH matches USING INDEX ix_matches_first (first=?)",
        "SEARCH matches USING INDEX ix_matches_second (second=? AND state=?)",
        "SEARCH matches USING INDEX ix_matches_second (second=?)",
        "SEARCH matches USING INDEX ix_matches_server_state (server=? AND state=?)",
        "SEARCH matches USING INTEGER PRIMARY KEY (rowid=?)",
    }
    scans = [scan for scan in map(SCAN.match, steps) if scan is not None]
    assert {scan["what"] for scan in scans} <= {*ONE_ROW_TABLES, "rated_people"}  # those of one server


@pytest.mark.long
async def test_tournaments_are_read_and_swept_by_indexes(sqlite_url: str) -> None:
    async with await Database.open(sqlite_url) as database:
        matches = Matches(database, games=GAMES)
        tournaments = matches.tournaments
        number = await make(matches, Kind.ROUND_ROBIN, 4, stage_length=21 * DAY)
        ladder = await start(matches, Kind.LADDER, 3)
        view = await see(matches, ladder)
        order = [] if view.stage is None else view.stage.groups[0].entrants
        with recorded_queries() as asked:
            await tournaments.sweep(now=START)
            game = await tournaments.challenge(ladder, view.entrant(order[1]).person, order[0], now=START)
            await tournaments.answer(ladder, game, view.entrant(order[0]).person, accept=False, now=START)
            await tournaments.leave(number, player(1), now=START)
            for now in (START, START + 21 * DAY):
                await tournaments.sweep(now=now)
            assert await tournaments.adjudication.claim(now=START + 21 * DAY)
            await tournaments.sweep(now=START + 22 * DAY)
            assert (await see(matches, number)).winners
            assert await tournaments.find_by_match(MatchId(1))
            await tournaments.list_wins(player(1).account)
            await tournaments.list_of(player(1).account, now=START)
            await tournaments.list(MEMBER, states=tuple(TournamentState), now=START)
        steps = await plans_of(database, {one for one in asked if "tournament" in one})
    plain = (SUBQUERY_NUMBER.sub("", step) for step in steps)
    scans = [scan for scan in map(SCAN.match, plain) if scan is not None]
    walked = [scan for scan in scans if scan["what"] not in ONE_ROW_TABLES]
    assert {scan["index"] for scan in walked} <= partial_indexes(), walked


async def test_lists_of_matches_sort_and_scan_no_table(sqlite_url: str) -> None:
    async with await Database.open(sqlite_url) as database:
        matches = Matches(database)
        with recorded_queries() as asked:
            for before in (None, ListPosition(1, 1)):
                await matches.public_queries.find_matches(
                    [MatchState.OVER], before=before, reader=MEMBER, limit=1
                )
        # Of the matches found, at most a page is read by id, and sorted.
        searches = {one for one in asked if "LIMIT" in one and "matches.id IN" not in one}
        steps = await plans_of(database, searches)
    shared = "SEARCH matches USING INDEX ix_matches_audience (server=? AND audience=? AND state=?"
    for after in (")", " AND changed_at<?)"):
        assert f"SEARCH matches USING INDEX ix_matches_public (state=?{after}" in steps
        assert f"{shared}{after}" in steps
    assert not [step for step in steps if "TEMP B-TREE" in step or step.startswith("SCAN")]


@pytest.mark.long
async def test_lobby_is_read_by_indexes(sqlite_url: str) -> None:
    async with await Database.open(sqlite_url) as database:
        matches = Matches(database)
        reader = Reader(frozenset({BOB.account}), frozenset({SERVER}))
        await matches.challenges.create(
            ALICE, server=WEBSITE, channel=WEBSITE, game="morelli", games=2, now=NOON
        )
        with recorded_queries() as asked:
            page = await matches.public_queries.list_lobby(reader, before=99, now=NOON)
            await matches.public_queries.list_own(reader, now=NOON)
            await matches.challenges.expire(now=NOON)
        assert len(page.challenges) == 1
        steps = await plans_of(database, asked)
    # Without statistics SQLite takes another index in the same order; on PostgreSQL it is the one for this.
    assert "SEARCH challenges USING INDEX ix_challenges_to (to=? AND state=? AND rowid<?)" in steps
    assert "SEARCH copy USING COVERING INDEX ix_challenges_standing (standing=?)" in steps
    assert "SEARCH matches USING INDEX ix_matches_first (first=? AND state=?)" in steps
    assert not [step for step in steps if re.match(r"SCAN (challenges|matches|moves|people|outbox)", step)]


async def test_searches_among_running_matches_scan_no_table(sqlite_url: str) -> None:
    async with await Database.open(sqlite_url) as database:
        match = await play_rated_match(database)
        matches = Matches(database)
        replay = await matches.replay(match, now=NOON)
        with recorded_queries() as asked:
            await matches.game_analyses.request(replay, ALICE, now=NOON)
            await matches.posting.places.list_returning(SERVER)
            await matches.posting.places.list_used("test", SERVER)
            await matches.views.list_recent_of(ALICE.account)
        steps = await plans_of(database, asked)
    assert "SEARCH moves USING PRIMARY KEY (match=? AND ply>? AND ply<?)" in steps
    assert not [step for step in steps if re.match(r"SCAN (matches|moves|outbox|threads)", step)]
