"""Sessions and grants when several requests, also of several processes, change them at once."""

import asyncio

from matches import Grant, Matches, MatchId
from matches.people.sessions import Session
from tests.matches.scenario import ALICE, BOB, NOON, later, start_match


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


async def test_session_is_read_with_the_seat_of_its_account(matches: Matches, other_matches: Matches) -> None:
    match, people = (await start_match(matches)).id, matches.people
    await people.notes.save(match, ALICE, "mine", now=NOON)
    for person in (ALICE, BOB):
        secret = await people.sessions.start(person, Grant(frozenset(), "token"), device="here", now=NOON)
        session = await people.sessions.find(secret, now=NOON)
        assert session is not None
        state = await people.seats.load(match, (person.account,))
        assert await people.seats.load_of_session(match, secret, now=NOON) == (session, state)
        assert await people.seats.load_of_session(MatchId(match + 1), secret, now=NOON) is None
        assert await people.seats.load_of_session(match, f"{secret}x", now=NOON) is None
        assert await people.seats.load_of_session(match, secret, now=later(days=30)) is None
        await other_matches.people.sessions.end(person.account)
        assert await people.seats.load_of_session(match, secret, now=NOON) is None
