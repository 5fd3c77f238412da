"""A season of several hundred rated matches, stored in a moment, and a process that recomputes its ratings.

``python -m tests.matches.long_season URL``: compute corrected ratings again, and stop after the first commit,
to be killed.
"""

import asyncio
import random
import sys

from sqlalchemy import insert, select

from engine.game import Outcome
from matches import EndReason, Matches, MatchId, MatchState, Person, Rating
from matches.times import to_millis
from storage import Database
from storage.match import ratings
from storage.match.ratings import RatingStepRow
from storage.people import people
from storage.tables import MATCHES, MOVES
from tests.matches.scenario import SERVER, later, play_move, start_match

PLAYERS = tuple(Person(f"test:player{number:02}", f"Player {number}") for number in range(17))
AFTERWARDS = later(days=900)
FIRST_ID = 1_000_000  # far from those that the database gives


async def store_season(database: Database, length: int, seed: int = 1) -> list[MatchId]:
    """Store `length` rated matches with random results, an hour apart; return their ids.

    They are copies of one match that was played, with other players. The first two players play only the
    first match and the last.
    """
    matches, chance = Matches(database), random.Random(seed)
    played = (await play_move(matches, (await play_move(matches, await start_match(matches))).match)).match
    pairs = [chance.sample(PLAYERS[2:], 2) for _ in range(length - 2)]
    new_matches, new_moves, new_steps = [], [], []
    async with database.transaction() as connection:
        for player in PLAYERS:
            await people.save(connection, player.account, player.name, 0)
        (row,) = (await connection.execute(select(MATCHES).where(MATCHES.c.id == played.id))).mappings()
        moves = (await connection.execute(select(MOVES).where(MOVES.c.match == played.id))).mappings().all()
        ids = [MatchId(FIRST_ID + number) for number in range(length)]
        for number, (match, pair) in enumerate(zip(ids, (PLAYERS[:2], *pairs, PLAYERS[:2]), strict=True), 1):
            score = chance.choice((0, 1, 2))
            outcome = {0: Outcome.WHITE, 1: Outcome.DRAW, 2: Outcome.BLACK}[score]
            one, other = (player.account for player in pair)
            over = {"state": MatchState.OVER, "outcome": outcome, "reason": EndReason.PLAYED, "mover": None}
            new_matches.append({**row, **over, "id": match, "challenge": None, "first": one, "second": other})
            for person, move in zip((one, other), moves, strict=True):
                new_moves.append({**move, "match": match, "person": person})
            for person, opponent, points in ((one, other, score), (other, one, 2 - score)):
                at = to_millis(later(hours=number))
                new_steps.append(
                    RatingStepRow("morelli", number, person, match, opponent, points, SERVER, at, 0, 0, 0)
                )
        await connection.execute(insert(MATCHES), new_matches)
        await connection.execute(insert(MOVES), new_moves)
        await ratings.add_steps(connection, new_steps)
        await ratings.lock_game(connection, "morelli", increment=length)
        await ratings.set_stale_from(connection, "morelli", 1)
    while await matches.ratings.recompute():
        continue
    return ids


async def all_ratings(database: Database) -> dict[str, tuple[Rating, int, list[Rating]]]:
    """Return each player's rating, number of rated matches, and rating after each of them."""
    service, found = Matches(database).ratings, {}
    for player in PLAYERS:
        history = await service.history(player, "morelli", now=AFTERWARDS)
        for standing in await service.standings(player, now=AFTERWARDS):
            found[player.name] = (standing.rating, standing.played, [step.rating for step in history])
    return found


def _stop_here() -> None:
    sys.stdout.write("committed\n")
    sys.stdout.flush()
    sys.stdin.readline()


async def main() -> None:
    """Recompute until killed."""
    async with await Database.open(sys.argv[1]) as database:
        with database.on_commit(_stop_here):
            await Matches(database).ratings.recompute()


if __name__ == "__main__":
    asyncio.run(main())
