import asyncio
from collections.abc import Callable

import pytest
from sqlalchemy import Update, update

from matches import Matches, MatchView
from matches.audit import main
from matches.updates import AuditDifference
from storage import Database
from storage.tables import MATCHES, MOVES, RATINGS
from tests.matches.scenario import (
    BOB,
    FISTS,
    FREE,
    NOON,
    UNKNOWN_MATCH,
    legal_move,
    play_move,
    play_to_end,
    player_to_move,
    start_match,
)
from tests.processes import run_script
from tests.refusals import refused

Damage = Callable[[MatchView], Update]
OTHER_BOARD = "morelli nestor 9/9/9/9/9/9/9/9/9 b -"


async def play_some_moves(matches: Matches) -> MatchView:
    view = await start_match(matches)
    for _ in range(4):
        view = (await play_move(matches, view)).match
    return view


def where_move(ply: int, **values: object) -> Update:
    return update(MOVES).where(MOVES.c.ply == ply).values(**values)


def where_match(**values: object) -> Update:
    return update(MATCHES).values(**values)


async def damage(database: Database, statement: Update) -> None:
    async with database.transaction() as connection:
        await connection.execute(statement)


async def test_match_agrees_with_its_log(matches: Matches) -> None:
    view = await play_some_moves(matches)
    audit = await matches.audit(view.id)
    assert (audit.match, audit.moves, audit.difference) == (view.id, 4, None)


@pytest.mark.long
async def test_match_played_to_its_end_agrees_with_its_log(matches: Matches) -> None:
    view = (await play_to_end(matches, await start_match(matches))).match
    assert (await matches.audit(view.id)).difference is None


async def test_set_up_in_parts_agrees_with_its_log(matches: Matches) -> None:
    view = await start_match(matches, FREE)
    for _ in range(6):
        view = (await matches.play(view.id, player_to_move(view), [legal_move(view)], now=NOON)).match
        assert (await matches.audit(view.id)).difference is None


async def test_pending_choice_agrees_with_its_log(matches: Matches) -> None:
    view = await start_match(matches, FISTS)
    assert (await matches.audit(view.id)).difference is None


async def test_unknown_match_is_not_audited(matches: Matches) -> None:
    with refused("match_unknown"):
        await matches.audit(UNKNOWN_MATCH)


@pytest.mark.parametrize(
    ("statement", "ply", "what"),
    [
        (where_move(2, position=OTHER_BOARD), 2, "position"),
        (where_move(2, text="A1-A1"), 2, "move"),
        (where_move(2, text="b9-b6"), 2, "move"),
        (where_move(3, person=BOB.account), 3, "person"),
        (where_move(3, side="white"), 3, "side"),
        (where_move(3, turn=7), 3, "turn"),
        (update(MOVES).where(MOVES.c.ply == 4).values(ply=5), 4, "ply"),
        (where_match(position=OTHER_BOARD), 4, "position"),
        (where_match(ply=9), 4, "ply"),
        (where_match(turn=9), 4, "turn"),
        (where_match(turn_ply=3), 4, "turn_ply"),
        (where_match(mover=BOB.account), 4, "mover"),
        (where_match(first=MATCHES.c.second, second=MATCHES.c.first), 4, "first"),
        (where_match(state="over", reason="played", outcome="white", mover=None), 4, "outcome"),
        (where_match(options='{"size": 10}'), 0, "start"),
        (where_match(rules_version=99), 0, "start"),
    ],
)
async def test_first_difference_is_named(
    matches: Matches, database: Database, statement: Update, ply: int, what: str
) -> None:
    view = await play_some_moves(matches)
    await damage(database, statement)
    difference = (await matches.audit(view.id)).difference
    assert difference is not None
    assert (difference.ply, difference.field) == (ply, what)


async def test_difference_shows_both_values(matches: Matches, database: Database) -> None:
    view = await play_some_moves(matches)
    await damage(database, where_match(position=OTHER_BOARD))
    assert (await matches.audit(view.id)).difference == AuditDifference(
        4, "position", OTHER_BOARD, str(view.position)
    )


async def filled(address: str, *statements: Update) -> None:
    async with await Database.open(address) as database:
        matches = Matches(database)
        await play_some_moves(matches)
        await start_match(matches)
        for statement in statements:
            await damage(database, statement)


def test_command_reports_that_all_agree(sqlite_url: str, capsys: pytest.CaptureFixture[str]) -> None:
    asyncio.run(filled(sqlite_url))
    assert main([sqlite_url]) == 0
    summary = "matches: 2, of which 0 differ\n"
    assert capsys.readouterr().out == f"match 1: 4 moves, agrees\nmatch 2: 0 moves, agrees\n{summary}"
    assert main([sqlite_url, "--quiet"]) == 0
    assert capsys.readouterr().out == summary


def test_command_reports_a_difference(sqlite_url: str, capsys: pytest.CaptureFixture[str]) -> None:
    asyncio.run(filled(sqlite_url, where_move(3, turn=7)))
    assert main([sqlite_url, "1"]) == 1
    said = "match 1: differs at ply 3 in turn: stored '7', replayed '3'\n"
    assert capsys.readouterr().out == f"{said}matches: 1, of which 1 differ\n"
    assert main([sqlite_url, "--quiet"]) == 1
    assert capsys.readouterr().out == f"{said}matches: 2, of which 1 differ\n"


@pytest.mark.parametrize("arguments", [["mysql://somewhere"], ["DATABASE", "7"]])
def test_command_reports_failure(
    sqlite_url: str, capsys: pytest.CaptureFixture[str], arguments: list[str]
) -> None:
    given = [sqlite_url if argument == "DATABASE" else argument for argument in arguments]
    assert main(given) == 2
    captured = capsys.readouterr()
    assert (captured.out, captured.err.count("\n")) == ("", 1)


@pytest.mark.long
async def test_command_runs_as_documented(database_url: str, matches: Matches) -> None:
    await play_some_moves(matches)
    async with run_script("matches.audit", database_url) as audit:
        assert (await audit.read_line()).endswith(": 4 moves, agrees")
        assert await audit.wait_for_exit() == 0


def test_command_reports_rating_differences(sqlite_url: str, capsys: pytest.CaptureFixture[str]) -> None:
    async def rated() -> None:
        async with await Database.open(sqlite_url) as database:
            await Matches(database).resign((await play_some_moves(Matches(database))).id, BOB, now=NOON)
            await damage(database, update(RATINGS).values(rating=1))

    asyncio.run(rated())
    assert main([sqlite_url]) == 1
    assert "ratings of morelli: rating of test:alice: stored" in capsys.readouterr().out
