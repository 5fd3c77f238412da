import asyncio
from collections.abc import Callable

import pytest
from sqlalchemy import Update, update

from matches import Difference, Matches, MatchUnknown, MatchView
from matches.audit import main
from storage import Store
from storage.tables import MATCHES, MOVES
from storage.tables_ratings import RATINGS
from tests.matches.story import BOB, FISTS, FREE, NOON, NOWHERE, begin, legal, move, mover, play_out
from tests.processes import process

Damage = Callable[[MatchView], Update]
OTHER_BOARD = "morelli nestor 9/9/9/9/9/9/9/9/9 b -"


async def played(matches: Matches) -> MatchView:
    view = await begin(matches)
    for _ in range(4):
        view = (await move(matches, view)).match
    return view


def of_move(ply: int, **values: object) -> Update:
    return update(MOVES).where(MOVES.c.ply == ply).values(**values)


def of_match(**values: object) -> Update:
    return update(MATCHES).values(**values)


async def damage(store: Store, statement: Update) -> None:
    async with store.writing() as connection:
        await connection.execute(statement)


async def test_match_agrees_with_its_log(matches: Matches) -> None:
    view = await played(matches)
    audit = await matches.audit(view.id)
    assert (audit.match, audit.moves, audit.difference) == (view.id, 4, None)


async def test_match_played_to_its_end_agrees_with_its_log(matches: Matches) -> None:
    view = (await play_out(matches, await begin(matches))).match
    assert (await matches.audit(view.id)).difference is None


async def test_set_up_in_parts_agrees_with_its_log(matches: Matches) -> None:
    view = await begin(matches, FREE)
    for _ in range(6):
        view = (await matches.play(view.id, mover(view), [legal(view)], now=NOON)).match
        assert (await matches.audit(view.id)).difference is None


async def test_closed_fists_agree(matches: Matches) -> None:
    view = await begin(matches, FISTS)
    assert (await matches.audit(view.id)).difference is None


async def test_unknown_match_is_not_audited(matches: Matches) -> None:
    with pytest.raises(MatchUnknown):
        await matches.audit(NOWHERE)


@pytest.mark.parametrize(
    ("statement", "ply", "what"),
    [
        (of_move(2, position=OTHER_BOARD), 2, "position"),
        (of_move(2, text="A1-A1"), 2, "move"),
        (of_move(2, text="b9-b6"), 2, "move"),
        (of_move(3, person=BOB.account), 3, "person"),
        (of_move(3, side="white"), 3, "side"),
        (of_move(3, turn=7), 3, "turn"),
        (update(MOVES).where(MOVES.c.ply == 4).values(ply=5), 4, "ply"),
        (of_match(position=OTHER_BOARD), 4, "position"),
        (of_match(ply=9), 4, "ply"),
        (of_match(turn=9), 4, "turn"),
        (of_match(turn_ply=3), 4, "turn_ply"),
        (of_match(mover=BOB.account), 4, "mover"),
        (of_match(first=MATCHES.c.second, second=MATCHES.c.first), 4, "first"),
        (of_match(state="over", reason="played", outcome="white", mover=None), 4, "outcome"),
        (of_match(options='{"size": 10}'), 0, "start"),
        (of_match(rules_version=99), 0, "start"),
    ],
)
async def test_first_difference_is_named(
    matches: Matches, store: Store, statement: Update, ply: int, what: str
) -> None:
    view = await played(matches)
    await damage(store, statement)
    difference = (await matches.audit(view.id)).difference
    assert difference is not None
    assert (difference.ply, difference.what) == (ply, what)


async def test_difference_tells_both_sides(matches: Matches, store: Store) -> None:
    view = await played(matches)
    await damage(store, of_match(position=OTHER_BOARD))
    assert (await matches.audit(view.id)).difference == Difference(
        4, "position", OTHER_BOARD, str(view.position)
    )


async def filled(address: str, *statements: Update) -> None:
    async with await Store.open(address) as store:
        matches = Matches(store)
        await played(matches)
        await begin(matches)
        for statement in statements:
            await damage(store, statement)


def test_command_says_that_all_agree(sqlite_database: str, capsys: pytest.CaptureFixture[str]) -> None:
    asyncio.run(filled(sqlite_database))
    assert main([sqlite_database]) == 0
    assert capsys.readouterr().out == "match 1: 4 moves, agrees\nmatch 2: 0 moves, agrees\n"


def test_command_says_where_one_differs(sqlite_database: str, capsys: pytest.CaptureFixture[str]) -> None:
    asyncio.run(filled(sqlite_database, of_move(3, turn=7)))
    assert main([sqlite_database, "1"]) == 1
    said = "match 1: differs at ply 3 in turn: stored '7', replayed '3'\n"
    assert capsys.readouterr().out == said


@pytest.mark.parametrize("arguments", [["mysql://somewhere"], ["DATABASE", "7"]])
def test_command_that_cannot_tell_says_so(
    sqlite_database: str, capsys: pytest.CaptureFixture[str], arguments: list[str]
) -> None:
    given = [sqlite_database if argument == "DATABASE" else argument for argument in arguments]
    assert main(given) == 2
    captured = capsys.readouterr()
    assert (captured.out, captured.err.count("\n")) == ("", 1)


async def test_command_is_run_as_the_manual_says(database: str, matches: Matches) -> None:
    await played(matches)
    async with process("matches.audit", database) as audit:
        assert (await audit.says()).endswith(": 4 moves, agrees")
        assert await audit.ends() == 0


def test_command_says_where_ratings_differ(sqlite_database: str, capsys: pytest.CaptureFixture[str]) -> None:
    async def rated() -> None:
        async with await Store.open(sqlite_database) as store:
            await Matches(store).resign((await played(Matches(store))).id, BOB, now=NOON)
            await damage(store, update(RATINGS).values(rating=1))

    asyncio.run(rated())
    assert main([sqlite_database]) == 1
    assert "ratings of morelli: rating of test:alice: stored" in capsys.readouterr().out
