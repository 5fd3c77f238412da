"""The opening explorer counts each public game once, and its counts follow what becomes of the game."""

from __future__ import annotations

import asyncio
import random
from collections import Counter
from contextlib import suppress
from typing import TYPE_CHECKING

import pytest
from sqlalchemy import func, insert, select, update

from engine.game import OptionValue, Outcome, Side
from matches import (
    ANONYMOUS_NAME,
    DELETED_NAME,
    OUTSIDER,
    Audience,
    ErasureChoice,
    Matches,
    MatchId,
    MatchView,
    Person,
    Reader,
    Refusal,
    StorageUnavailable,
    Terms,
)
from matches.explorer.counting import BATCH_SIZE
from matches.explorer.lines import MAX_MOVES, ExplorerBoard
from matches.explorer.values import (
    NOT_COUNTED,
    GameFilter,
    Players,
    Result,
    Results,
    decode_counted,
    encode_counted,
)
from matches.work.packing import PACK_AFTER
from storage.match.explorer import ExplorerMoveRow
from storage.statements import fetch_rows, select_rows
from storage.tables import EXPLORER_MOVES, EXPLORER_STARTS, MATCHES, MOVES, PACKED_LOGS, STALE
from tests.games import GAMES
from tests.matches.scenario import (
    ALICE,
    BOB,
    CAROL,
    CHANNEL,
    NOON,
    SERVER,
    legal_move,
    play_move,
    post_everything,
    start_match,
)

if TYPE_CHECKING:
    from storage import Database

MEMBER = Reader(servers=frozenset({SERVER}))
RATED, UNRATED = Terms(rated=True), Terms(rated=False)


async def set_audience(database: Database, audience: Audience, *ids: MatchId) -> None:
    """Set the audience of some matches, or of all."""
    statement = update(MATCHES).values(audience=audience)
    async with database.transaction() as connection:
        await connection.execute(statement.where(MATCHES.c.id.in_(ids)) if ids else statement)


async def play_moves(matches: Matches, *texts: str, terms: Terms = RATED) -> MatchView:
    """Play moves of Morabaraba, White being Alice."""
    view = await start_match(matches, {}, game="morabaraba", terms=terms)
    for text in texts:
        view = (await play_move(matches, view, text)).match
    return view


async def finish(matches: Matches, *texts: str, loser: Person = BOB, terms: Terms = RATED) -> MatchId:
    """Play moves of Morabaraba as :func:`play_moves` does, and resign."""
    view = await play_moves(matches, *texts, terms=terms)
    return (await matches.resign(view.id, loser, now=NOON)).match.id


async def count_all(matches: Matches) -> int:
    done = 0
    while found := await matches.explorer.counts.count(batches=1):
        done += found
    return done


async def explore(
    matches: Matches, *texts: str, games: GameFilter = GameFilter.PEOPLE, reader: Reader = MEMBER
) -> dict[str, Results]:
    """Return the results by move after some moves of Morabaraba."""
    position = GAMES["morabaraba"].initial_position()
    for text in texts:
        position = position.play(position.parse(text))
    board = ExplorerBoard.of(position)
    found = await matches.explorer.load(board, games, reader)
    return {move.text: move.results for move in board.show(found.moves)}


async def read_counts(database: Database) -> tuple[Counter[tuple[object, ...]], dict[tuple[str, str], int]]:
    """Return all counts that are stored, without the examples."""
    async with database.read() as connection:
        rows = await fetch_rows(connection, ExplorerMoveRow, select_rows(ExplorerMoveRow, EXPLORER_MOVES))
        starts = (await connection.execute(select(EXPLORER_STARTS))).all()
    counts = Counter[tuple[object, ...]]()
    for row in rows:
        for result, number in (
            ("first", row.won_by_first),
            ("drawn", row.drawn),
            ("second", row.won_by_second),
        ):
            counts[row.position, row.move, row.players, result] += number
    return +counts, {(row.game, row.options): row.games for row in starts if row.games}


async def recount(matches: Matches, database: Database) -> tuple[object, object]:
    """Count all matches again from nothing; return the counts."""
    async with database.transaction() as connection:
        await connection.execute(EXPLORER_MOVES.delete())
        await connection.execute(EXPLORER_STARTS.delete())
        await connection.execute(update(MATCHES).values(explored=None))
    await count_all(matches)
    return await read_counts(database)


async def test_results_are_counted_by_move(matches: Matches, database: Database) -> None:
    await finish(matches, "D6", "A1")
    await finish(matches, "D6", "B4", loser=ALICE)
    await finish(matches, "A1", "D6")
    await set_audience(database, Audience.NAMES)
    assert await count_all(matches) == 3
    assert await explore(matches) == {"B4": Results(1, 0, 1), "A1": Results(1, 0, 0)}
    assert await explore(matches, "D6") == {"A1": Results(1, 0, 0), "B4": Results(0, 0, 1)}
    assert await count_all(matches) == 0


async def test_mirrored_games_and_other_orders_of_moves_are_one(matches: Matches, database: Database) -> None:
    await finish(matches, "A1", "D6", "A4", "G7")
    await finish(matches, "A4", "D6", "A1", "G7")  # the same board by another order
    await finish(matches, "G1", "D6", "G4", "A7")  # the first one, mirrored
    await set_audience(database, Audience.NAMES)
    await count_all(matches)
    assert await explore(matches, "A1", "D6", "A4") == {"G7": Results(3, 0, 0)}
    assert await explore(matches, "G4", "D6", "G1") == {"A7": Results(3, 0, 0)}


async def test_counts_follow_the_audience(matches: Matches, database: Database) -> None:
    first, second = await finish(matches, "D6", "A1"), await finish(matches, "D6", "A1")
    assert await count_all(matches) == 0
    await set_audience(database, Audience.NAMES)
    await count_all(matches)
    assert await explore(matches, "D6") == {"A1": Results(2, 0, 0)}
    for audience in (Audience.MEMBERS, Audience.CLOSED, Audience.UNLISTED):
        await set_audience(database, audience, second)
        await count_all(matches)
        assert await explore(matches, "D6") == {"A1": Results(1, 0, 0)}
        await set_audience(database, Audience.ALIASES, second)
        await count_all(matches)
        assert await explore(matches, "D6") == {"A1": Results(2, 0, 0)}
    await set_audience(database, Audience.PLAYERS, first, second)
    await count_all(matches)
    assert await read_counts(database) == (Counter(), {})


async def test_corrected_game_is_counted_with_its_new_result(matches: Matches, database: Database) -> None:
    match = await finish(matches, "D6", "A1")
    await set_audience(database, Audience.NAMES)
    await count_all(matches)
    for outcome, expected in (
        (Outcome.DRAW, {"A1": Results(0, 1, 0)}),
        (None, {}),
        (Outcome.RED, {"A1": Results(0, 0, 1)}),
    ):
        await matches.corrections.correct(match, CAROL, outcome, reason="a test", server=SERVER, now=NOON)
        await count_all(matches)
        assert await explore(matches, "D6") == expected


async def test_what_players_did_not_decide_does_not_count(matches: Matches, database: Database) -> None:
    view = await start_match(matches, {}, game="morabaraba")
    await matches.offers.abort(view.id, ALICE, now=NOON)
    await play_moves(matches, "D6", "A1")  # still being played
    await matches.resign((await start_match(matches, {}, game="morabaraba")).id, BOB, now=NOON)  # no moves
    random_start = await start_match(matches, {"edition": "2015", "setup": "random"})
    await play_move(matches, random_start)
    await matches.resign(random_start.id, BOB, now=NOON)
    await set_audience(database, Audience.NAMES)
    assert await count_all(matches) == 3
    assert await read_counts(database) == (Counter(), {})
    assert await count_all(matches) == 0


async def play_computer(matches: Matches) -> MatchId:
    """Play D6, A1 against the computer, and resign."""
    started = await matches.computer.start(
        ALICE,
        level="club",
        server=SERVER,
        channel=CHANNEL,
        game="morabaraba",
        options={},
        colour=Side.WHITE,
        now=NOON,
    )
    view = started.match
    for text in ("D6", "A1"):
        view = (await play_move(matches, view, text)).match
    return (await matches.resign(view.id, ALICE, now=NOON)).match.id


async def test_games_are_told_apart_by_players(matches: Matches, database: Database) -> None:
    for terms in (RATED, RATED, UNRATED):
        await finish(matches, "D6", "A1", terms=terms)
    await play_computer(matches)
    await set_audience(database, Audience.NAMES)
    await count_all(matches)
    found = {
        games: sum(one.games for one in (await explore(matches, "D6", games=games)).values())
        for games in GameFilter
    }
    assert found == {
        GameFilter.PEOPLE: 3,
        GameFilter.FROM_1400: 2,
        GameFilter.FROM_1600: 0,
        GameFilter.FROM_1800: 0,
        GameFilter.UNRATED: 1,
        GameFilter.COMPUTER: 1,
        GameFilter.ALL: 4,
    }


@pytest.mark.parametrize(
    ("rating", "players"),
    [
        (900, Players.BELOW_1400),
        (1399.9, Players.BELOW_1400),
        (1400, Players.FROM_1400),
        (1799, Players.FROM_1600),
        (2500, Players.FROM_1800),
    ],
)
def test_ratings_are_divided(rating: float, players: Players) -> None:
    assert Players.of_rating(rating) is players


def test_what_is_counted_of_a_match_is_one_number() -> None:
    pairs = [(players, result) for players in Players for result in Result]
    numbers = [encode_counted(*pair) for pair in pairs]
    assert [decode_counted(number) for number in numbers] == pairs
    assert [decode_counted(number + STALE) for number in numbers] == pairs
    assert max(numbers) < STALE
    assert NOT_COUNTED not in numbers


async def test_examples_are_public_now_and_have_the_names_that_the_reader_sees(
    matches: Matches, database: Database
) -> None:
    board = ExplorerBoard.of(GAMES["morabaraba"].initial_position())
    best = await finish(matches, "D6", "A1")
    plain = await finish(matches, "D6", "A1", terms=UNRATED)
    await set_audience(database, Audience.ALIASES)
    await count_all(matches)

    async def names(reader: Reader = OUTSIDER) -> dict[MatchId, str]:
        found = await matches.explorer.load(board, GameFilter.PEOPLE, reader)
        return {game.id: game.seats[0].person.name for game in found.games}

    assert list((await names()).items()) == [(best, ANONYMOUS_NAME), (plain, ANONYMOUS_NAME)]
    assert await names(MEMBER) == {best: ALICE.name, plain: ALICE.name}
    await set_audience(database, Audience.MEMBERS, best)
    assert list(await names()) == [plain]
    assert list(await names(MEMBER)) == [plain]
    await count_all(matches)
    await matches.people.personal_data.erase(ALICE.account, ErasureChoice.RESIGN, now=NOON)
    assert await names(MEMBER) == {plain: DELETED_NAME}


async def test_the_example_before_is_shown_when_the_latest_is_gone(
    matches: Matches, database: Database
) -> None:
    board = ExplorerBoard.of(GAMES["morabaraba"].initial_position())
    ids = [await finish(matches, "D6", "A1") for _ in range(3)]
    await set_audience(database, Audience.NAMES)
    await count_all(matches)
    for gone, left in ((2, [1]), (1, [])):
        await set_audience(database, Audience.MEMBERS, ids[gone])
        await count_all(matches)
        found = await matches.explorer.load(board)
        assert [game.id for game in found.games] == [ids[number] for number in left]


async def test_starts_are_listed_by_how_often_they_were_played(matches: Matches, database: Database) -> None:
    for men in (11, 12, 11):
        view = await start_match(matches, {"men": men}, game="morabaraba")
        view = (await play_move(matches, view)).match
        await matches.resign(view.id, ALICE, now=NOON)
    await set_audience(database, Audience.NAMES)
    await count_all(matches)
    starts = await matches.explorer.list_starts("morabaraba")
    assert [(one.options, one.games) for one in starts] == [({"men": 11}, 2), ({"men": 12}, 1)]
    assert await matches.explorer.list_starts("morphos") == ()


async def test_a_long_game_is_counted_up_to_the_limit(matches: Matches, database: Database) -> None:
    view = await start_match(matches, {}, game="morabaraba")
    for _ in range(MAX_MOVES + 2):
        view = (await play_move(matches, view)).match
    await matches.resign(view.id, ALICE, now=NOON)
    await set_audience(database, Audience.NAMES)
    await count_all(matches)
    counts, _ = await read_counts(database)
    assert counts.total() == MAX_MOVES


async def test_damaged_matches_do_not_keep_others_from_being_counted(
    matches: Matches, database: Database
) -> None:
    packed = await finish(matches, "D6", "A1")
    await post_everything(matches)
    assert await matches.work.packing.pack(now=NOON + 2 * PACK_AFTER) > 0
    damaged = await finish(matches, "D6", "A1")
    async with database.transaction() as connection:
        await connection.execute(
            update(PACKED_LOGS).where(PACKED_LOGS.c.match == packed).values(text="nonsense")
        )
        await connection.execute(update(MATCHES).where(MATCHES.c.id == damaged).values(options="nonsense"))
    await finish(matches, "D6", "A1")
    await set_audience(database, Audience.NAMES)
    assert await count_all(matches) == 3
    assert await explore(matches, "D6") == {"A1": Results(1, 0, 0)}
    assert await count_all(matches) == 0


async def play_random_season(matches: Matches, database: Database, games: int) -> list[MatchId]:
    """Play, end, hide, correct and pack games at random, while some of the work is done in between."""
    chance, ids = random.Random(4), list[MatchId]()
    setups: list[tuple[str, dict[str, OptionValue]]] = [
        ("morabaraba", {}),
        ("morelli", {"size": 9, "setup": "facing"}),
        ("morphos", {"size": 5}),
    ]
    for _ in range(games):
        game, options = chance.choice(setups)
        view = await start_match(matches, options, game=game, terms=Terms(rated=chance.random() < 0.5))
        for _ in range(chance.randrange(1, 6)):
            view = (await play_move(matches, view, legal_move(view, chance.randrange(3)))).match
        ids.append((await matches.resign(view.id, chance.choice((ALICE, BOB)), now=NOON)).match.id)
        changed = chance.choice(ids)
        audience = chance.choice((Audience.NAMES, Audience.NAMES, Audience.ALIASES, Audience.CLOSED))
        await set_audience(database, audience, changed, ids[-1])
        if chance.random() < 0.4:
            outcome = chance.choice((None, Outcome.DRAW))
            with suppress(Refusal):
                await matches.corrections.correct(
                    changed, CAROL, outcome, reason="x", server=SERVER, now=NOON
                )
        await matches.explorer.counts.count(batches=chance.randrange(2))
    return ids


async def count_public_moves(database: Database) -> int:
    """Return how many moves the public decided games have, none of which is longer than what is counted."""
    statement = select(func.sum(MATCHES.c.ply)).where(
        MATCHES.c.audience.in_((Audience.NAMES, Audience.ALIASES)), MATCHES.c.outcome.is_not(None)
    )
    async with database.read() as connection:
        return int((await connection.execute(statement)).scalar_one())


@pytest.mark.long
async def test_counts_are_those_of_a_recount(matches: Matches, database: Database) -> None:
    await play_random_season(matches, database, 25)
    await count_all(matches)
    found = await read_counts(database)
    assert found[0].total() == await count_public_moves(database) > 0
    assert await recount(matches, database) == found
    # Packed games are counted as before.
    await post_everything(matches)
    assert await matches.work.packing.pack(now=NOON + 2 * PACK_AFTER) > 0
    assert await recount(matches, database) == found


async def copy_match(database: Database, match: MatchId, copies: int) -> None:
    """Copy a finished match and its moves."""
    async with database.transaction() as connection:
        (row,) = (await connection.execute(select(MATCHES).where(MATCHES.c.id == match))).mappings()
        moves = (await connection.execute(select(MOVES).where(MOVES.c.match == match))).mappings().all()
        for number in range(match + 1, match + 1 + copies):
            await connection.execute(insert(MATCHES).values({**row, "id": number, "challenge": None}))
            await connection.execute(insert(MOVES), [{**move, "match": number} for move in moves])


async def test_two_processes_count_each_game_once(
    matches: Matches, other_matches: Matches, database: Database
) -> None:
    match = await finish(matches, "D6", "A1")
    await set_audience(database, Audience.NAMES)
    await copy_match(database, match, 3 * BATCH_SIZE)
    await asyncio.gather(*(count_all(one) for one in (matches, other_matches)))
    await count_all(matches)
    assert await explore(matches, "D6") == {"A1": Results(3 * BATCH_SIZE + 1, 0, 0)}


async def test_what_was_interrupted_goes_on(matches: Matches, database: Database) -> None:
    match = await finish(matches, "D6", "A1")
    await set_audience(database, Audience.NAMES)
    await copy_match(database, match, BATCH_SIZE)

    def interrupt() -> None:
        raise StorageUnavailable("killed after the first batch")

    with database.on_commit(interrupt), pytest.raises(StorageUnavailable):
        await matches.explorer.counts.count()
    assert await explore(matches) == {"B4": Results(BATCH_SIZE, 0, 0)}
    assert await count_all(matches) == 1
    assert await explore(matches) == {"B4": Results(BATCH_SIZE + 1, 0, 0)}
