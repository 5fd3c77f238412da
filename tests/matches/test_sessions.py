"""Sessions and grants when several requests, also of several processes, change them at once."""

import asyncio

from matches import Grant, Matches
from matches.people.sessions import Session
from tests.matches.scenario import ALICE, NOON, later


async def start(matches: Matches, token: str) -> Session:
    secret = await matches.people.sessions.start(
        ALICE, Grant(frozenset({"test:x"}), token), device="here", now=NOON
    )
    found = await matches.people.sessions.find(secret, now=NOON)
    assert found is not None
    return found


async def test_one_request_reads_the_servers_and_one_gets_the_token_at_the_end(
    matches: Matches, other_matches: Matches
) -> None:
    both, due_at = (matches.people.sessions, other_matches.people.sessions), later(hours=1)
    for _ in range(3):
        sessions = [await start(matches, "first"), await start(matches, "second")]
        claims = [one.claim_grant(sessions[0], now=due_at) for one in both * 2]
        assert sorted(await asyncio.gather(*claims), key=str) == [None, None, None, "second"]
        # What comes too late changes nothing: a sign-in has replaced the token that was used.
        await both[1].renew_grant(ALICE.account, "first", "third", {"test:x"}, now=due_at)
        await both[1].revoke_grant(ALICE.account, "first")
        assert len(await both[0].list_for(ALICE.account, now=due_at)) == 2
        await both[1].renew_grant(ALICE.account, "second", "third", None, now=due_at)
        ends = [one.end(ALICE.account, session.id) for one, session in zip(both, sessions, strict=True)]
        assert sorted(await asyncio.gather(*ends), key=str) == [None, "third"]
        assert await both[0].list_for(ALICE.account, now=due_at) == ()
