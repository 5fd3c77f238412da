"""``python -m tests.matches.player URL MATCH ACCOUNT TEXT``: play on a sign, and say how that went."""

import asyncio
import sys

from matches import MatchError, Matches, MatchId, Person, Store
from tests.matches.story import NOON


def say(line: str) -> None:
    sys.stdout.write(f"{line}\n")
    sys.stdout.flush()


async def main(address: str, match: str, account: str, text: str) -> None:
    async with await Store.open(address) as store:
        matches = Matches(store)
        say("ready")
        sys.stdin.readline()
        try:
            turn = await matches.play(
                MatchId(int(match)), Person(account, "Alice"), [text], seen_ply=0, now=NOON
            )
        except MatchError as refusal:
            say(refusal.key)
        else:
            say(f"played {turn.match.ply}")
        sys.stdin.readline()


if __name__ == "__main__":
    asyncio.run(main(*sys.argv[1:]))
