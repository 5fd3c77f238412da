"""``python -m tests.storms.racer_process URL``: carry out lists of actions, print what came of each.

A line is a JSON list of actions: a name, a subject (the id of a challenge, match or offer), an account and
further arguments. The answer is a JSON list: "done", the key of a refusal, or what the action returned.
"""

from __future__ import annotations

import asyncio
import json
import sys
from datetime import datetime, timedelta
from typing import Any

from matches import ChallengeId, Database, MatchError, Matches, MatchId, OfferId, Person, StorageUnavailable
from tests.matches.scenario import NOON

AT_ONCE = 8  # actions of a process
NO_OUTAGE = timedelta(days=10_000)
CLAIM_LIMIT = 5


class Racer:
    """The actions, by name."""

    def __init__(self, matches: Matches) -> None:
        self._matches = matches
        self._free = asyncio.Semaphore(AT_ONCE)

    async def perform(self, name: str, subject: int, *arguments: Any) -> Any:
        async with self._free:
            while True:
                try:
                    return await getattr(self, name)(subject, *arguments) or "done"
                except MatchError as refusal:
                    return refusal.key
                except StorageUnavailable as error:  # busy: a person would try again
                    if error.uncertain:
                        raise

    async def accept(self, challenge: int, account: str) -> None:
        await self._matches.challenges.accept(ChallengeId(challenge), Person(account, account), now=NOON)

    async def play(self, match: int, account: str, move: str, revision: int) -> None:
        who = Person(account, account)
        await self._matches.play(MatchId(match), who, [move], seen_revision=revision, now=NOON)

    async def answer(self, offer: int, account: str) -> None:
        who = Person(account, account)
        await self._matches.offers.answer(OfferId(offer), who, accept=True, now=NOON)

    async def claim(self, match: int, account: str, now: str) -> None:
        moment = datetime.fromisoformat(now)
        await self._matches.clocks.claim(MatchId(match), Person(account, account), now=moment)

    async def tick(self, _: int, now: str) -> None:
        await self._matches.clocks.tick(datetime.fromisoformat(now))

    async def remind(self, _: int, now: str) -> None:
        await self._matches.people.reminders.remind(now=datetime.fromisoformat(now))

    async def deliver(self, _: int, now: str) -> list[int]:
        """Claim announcements until none is due; return those that this process recorded as sent."""
        moment, sent, outbox = datetime.fromisoformat(now), list[int](), self._matches.announcements
        while rows := await outbox.claim_due("test", now=moment, limit=CLAIM_LIMIT):
            for row in rows:
                await outbox.mark_sent(row.id, f"test:post/{row.id}", now=moment)
                sent.append(row.id)
        return sent


def print_line(line: str) -> None:
    sys.stdout.write(f"{line}\n")
    sys.stdout.flush()


async def main(url: str) -> None:
    async with await Database.open(url) as database:
        racer = Racer(Matches(database, outage=NO_OUTAGE))
        print_line("ready")
        while line := await asyncio.to_thread(sys.stdin.readline):
            actions = json.loads(line)
            print_line(json.dumps(await asyncio.gather(*(racer.perform(*action) for action in actions))))


if __name__ == "__main__":
    asyncio.run(main(sys.argv[1]))
