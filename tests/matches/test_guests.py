"""Guests: how they come, how long they stay, and that nobody else is erased with them."""

from __future__ import annotations

import asyncio
from typing import TYPE_CHECKING

import pytest

from matches import WEBSITE, Audience, EndReason, NewGuest, Reader, is_computer, is_deleted
from matches.people.guests import MAX_SESSIONS
from matches.platforms import is_of_local_game, list_told_privately
from storage.people import personal_data
from tests.games import GAMES
from tests.matches.scenario import ALICE, NOON, later, play_move
from tests.refusals import refused

if TYPE_CHECKING:
    from datetime import datetime

    from matches import Database, Matches, MatchView

DEVICE = "Firefox on Linux"


async def arrive(matches: Matches, *, now: datetime = NOON, **more: object) -> tuple[NewGuest, MatchView]:
    """Start the first match of a new guest."""
    guest = NewGuest.create("Guest", DEVICE)
    values = {"level": "beginner", "server": WEBSITE, "channel": WEBSITE, "game": "morelli"} | more
    update = await matches.computer.start(
        guest.person,
        audience=Audience.UNLISTED,
        guest=guest,
        now=now,
        **values,  # type: ignore[arg-type]
    )
    return guest, update.match


async def accounts(database: Database) -> list[str]:
    async with database.read() as connection:
        return await personal_data.list_accounts(connection)


async def test_session_lasts_a_day_and_then_ninety_after_each_visit(matches: Matches) -> None:
    sessions, guests = matches.people.sessions, matches.people.guests
    guest, _ = await arrive(matches)
    found = await sessions.find(guest.secret, now=NOON)
    assert found is not None
    assert (found.account, found.name, found.device, found.is_guest) == (
        guest.person.account,
        "Guest",
        DEVICE,
        True,
    )
    assert await sessions.find(guest.secret, now=later(days=1)) is None
    visits = [later(hours=1), later(hours=20), later(days=80), later(days=165)]
    kept = []
    for now in visits:
        session = await sessions.find(guest.secret, now=now)
        assert session is not None
        kept.append(await guests.keep(session, now=now))
    assert kept == [True, False, True, True]
    assert await sessions.find(guest.secret, now=later(days=254)) is not None
    assert await sessions.find(guest.secret, now=later(days=255)) is None


async def test_sessions_of_members_are_not_prolonged(matches: Matches) -> None:
    secret = await matches.people.sessions.start(ALICE, None, device=DEVICE, now=NOON)
    session = await matches.people.sessions.find(secret, now=later(days=29))
    assert session is not None
    assert not await matches.people.guests.keep(session, now=later(days=29))
    assert await matches.people.sessions.find(secret, now=later(days=30)) is None


async def test_guest_without_a_session_is_erased_with_the_match(matches: Matches, database: Database) -> None:
    _, match = await arrive(matches, colour=GAMES["morelli"].sides[0], options={"size": 9})
    await play_move(matches, match)
    stays, _ = await arrive(matches)
    session = await matches.people.sessions.find(stays.secret, now=NOON)
    assert session is not None
    await matches.people.guests.keep(session, now=NOON)
    await matches.people.sessions.start(ALICE, None, device=DEVICE, now=NOON)
    data = matches.people.personal_data
    assert await data.finish_erasures(now=later(hours=23)) == 0
    # In this order as on the website: expired sessions are deleted first.
    await matches.people.sessions.delete_expired(now=later(days=31))
    assert await data.finish_erasures(now=later(days=31)) == 1
    view = await matches.view(match.id, now=later(days=31))
    assert view.result is not None
    assert view.result.reason is EndReason.RESIGNED
    assert [seat.person.name for seat in view.seats if is_deleted(seat.person.account)] == ["Deleted player"]
    assert {stays.person.account, ALICE.account} <= set(await accounts(database))
    assert await data.finish_erasures(now=later(days=31)) == 0
    assert await data.finish_erasures(now=later(days=91)) == 1
    assert stays.person.account not in await accounts(database)


@pytest.mark.long
@pytest.mark.parametrize("options", [{}, {"size": 9, "setup": "fists"}])
async def test_match_that_a_guest_never_played_is_deleted(
    matches: Matches, database: Database, options: dict[str, object]
) -> None:
    gone = [(await arrive(matches, options=options))[1].id for _ in range(3)]
    newest = gone.pop()  # stays, resigned: its number must not be given to another match
    assert await matches.people.personal_data.finish_erasures(now=later(days=2)) == 3
    known = await matches.public_queries.get_fingerprints([*gone, newest])
    assert set(known) == {newest}
    assert all(is_deleted(one) or is_computer(one) for one in await accounts(database))
    assert (await arrive(matches))[1].id > newest


@pytest.mark.long
async def test_only_some_guests_are_erased_at_once(matches: Matches, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("matches.personal_data.service.GUESTS_AT_ONCE", 3)
    for _ in range(4):
        await arrive(matches, game="morabaraba")
    data = matches.people.personal_data
    assert [await data.finish_erasures(now=later(days=2)) for _ in range(3)] == [3, 1, 0]


async def test_two_processes_erase_a_guest_once(matches: Matches, other_matches: Matches) -> None:
    await arrive(matches)
    both = (one.people.personal_data.finish_erasures(now=later(days=2)) for one in (matches, other_matches))
    assert sum(await asyncio.gather(*both)) == 1


async def test_refused_match_leaves_no_guest(matches: Matches, database: Database) -> None:
    with refused("level_unknown"):
        await arrive(matches, level="god")
    with refused("invalid_option"):
        await arrive(matches, options={"size": 8})
    assert await accounts(database) == []


async def test_another_session_is_only_for_guests_and_only_some(matches: Matches) -> None:
    guest, _ = await arrive(matches)
    resume = matches.people.guests.resume
    secrets = [await resume(guest.person.account, device=DEVICE, now=NOON) for _ in range(MAX_SESSIONS)]
    assert [secret is None for secret in secrets] == [False] * (MAX_SESSIONS - 1) + [True]
    for secret in secrets[:-1]:
        assert secret is not None
        session = await matches.people.sessions.find(secret, now=NOON)
        assert session is not None
        assert session.account == guest.person.account
    await matches.people.sessions.start(ALICE, None, device=DEVICE, now=NOON)
    for account in (ALICE.account, "web:nobody"):
        assert await resume(account, device=DEVICE, now=NOON) is None


async def test_match_of_a_request_is_found(matches: Matches) -> None:
    with matches.work.requests.handle(-5, now=NOON, is_shared=False):
        _, match = await arrive(matches)
    assert await matches.work.requests.find_match(-5) == match.id
    assert await matches.work.requests.find_match(-6) is None


async def test_unlisted_match_opens_for_everybody_and_is_in_no_list(matches: Matches) -> None:
    _, match = await arrive(matches)
    access = (await matches.public_queries.get_fingerprints([match.id]))[match.id].access
    assert Reader().names_in(access) is not None
    found = await matches.public_queries.find_matches((match.state,), limit=10)
    assert found.matches == ()


@pytest.mark.parametrize(
    ("account", "is_local"),
    [
        ("web:0a:1", True),
        ("web:0a", False),
        ("discord:1", False),
        ("discord:1:2", False),
        ("deleted:0a", False),
    ],
)
def test_accounts_of_local_games(account: str, is_local: bool) -> None:
    assert is_of_local_game(account) is is_local


@pytest.mark.parametrize(
    ("place", "players", "told"),
    [
        (WEBSITE, ("discord:1", "computer:club"), ()),
        (WEBSITE, ("discord:1", "web:0a"), ("discord:1",)),
        ("discord:9", ("discord:1", "computer:club"), ()),
        ("", ("discord:1", "computer:club"), ("discord:1",)),
    ],
)
def test_who_is_told_privately(place: str, players: tuple[str, ...], told: tuple[str, ...]) -> None:
    assert list_told_privately(place, players) == told
