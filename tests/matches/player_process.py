"""``python -m tests.matches.player_process URL MATCH ACCOUNT TEXT``: play on a signal, print the result."""

import asyncio
import sys

from matches import Database, Matches, MatchId, Person
from matches.errors import Refusal
from tests.matches.scenario import NOON


def print_line(line: str) -> None:
    sys.stdout.write(f"{line}\n")
    sys.stdout.flush()


async def main(address: str, match: str, account: str, text: str) -> None:
    async with await Database.open(address) as database:
        matches = Matches(database)
        print_line("ready")
        sys.stdin.readline()
        try:
            update = await matches.play(
                MatchId(int(match)), Person(account, "Alice"), [text], seen_revision=0, now=NOON
            )
        except Refusal as refusal:
            print_line(refusal.key)
        else:
            print_line(f"played {update.match.ply}")
        sys.stdin.readline()


if __name__ == "__main__":
    asyncio.run(main(*sys.argv[1:]))
