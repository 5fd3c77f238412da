"""Addresses of persons, and joining two accounts of one person."""

from pathlib import Path
from typing import Any

import pytest
from sqlalchemy import select

from matches import (
    AnnouncementKind,
    ChallengeState,
    Database,
    ErasureChoice,
    FollowMode,
    Matches,
    MatchView,
    Person,
    Refusal,
    Terms,
)
from matches.errors import NothingStored
from matches.people.identities import Identity
from matches.people.notes import MAX_NOTE_LENGTH
from matches.people.sessions import Grant
from matches.times import to_millis
from storage.copies.sqlite_files import copy_database
from storage.tables import FOLLOWS, METADATA, NOTES, OUTBOX, VACATIONS
from tests.matches.scenario import (
    ALICE,
    BOB,
    CAROL,
    NOON,
    SERVER,
    later,
    make_challenge,
    play_move,
    start_match,
)
from tests.matches.test_personal_data import NOTE, TIMED, ZOE, find_traces, lead_a_full_life

ZED = Person("pigeon:zed", "Zed")
MAIL = ("mail", "alice@heron.example")
RATED = Terms(rated=True)


async def test_address_belongs_to_whoever_confirms_it(matches: Matches) -> None:
    identities = matches.people.identities
    await identities.add(BOB, *MAIL, now=NOON)
    assert await identities.find_account(*MAIL) is None
    await identities.add(ALICE, *MAIL, now=NOON)
    with pytest.raises(Refusal, match="address_unknown"):
        await identities.confirm(BOB.account, *MAIL, now=NOON)
    await identities.confirm(ALICE.account, *MAIL, now=later(hours=1))
    assert await identities.find_account(*MAIL) == ALICE.account
    assert await identities.list(ALICE.account) == (Identity(*MAIL, later(hours=1)),)
    assert await identities.list(BOB.account) == ()
    with pytest.raises(Refusal, match="address_taken"):
        await identities.add(BOB, *MAIL, is_confirmed=True, now=NOON)
    await identities.add(ALICE, *MAIL, now=later(hours=2))  # it stays confirmed
    assert await identities.list(ALICE.account) == (Identity(*MAIL, later(hours=1)),)
    with pytest.raises(Refusal, match="address_unknown"):
        await identities.remove(BOB.account, *MAIL, now=NOON)
    await identities.remove(ALICE.account, *MAIL, now=NOON)
    assert await identities.find_account(*MAIL) is None


async def test_account_is_an_address_of_its_own(matches: Matches) -> None:
    await make_challenge(matches, ALICE)
    assert await matches.people.identities.find_account("test", "alice") == ALICE.account
    assert await matches.people.identities.list(ALICE.account) == ()
    with pytest.raises(Refusal, match="address_taken"):
        await matches.people.identities.add(BOB, "test", "alice", now=NOON)


async def rows_of(database: Database, table: Any, *columns: str) -> list[tuple[Any, ...]]:
    async with database.read() as connection:
        rows = await connection.execute(select(*(table.c[one] for one in columns)))
        return sorted(map(tuple, rows), key=repr)


async def play_rated(matches: Matches, one: Person, other: Person) -> MatchView:
    view = await start_match(matches, by=one, to=other, terms=RATED)
    for _ in range(2):
        view = (await play_move(matches, view)).match
    await matches.resign(view.id, other, now=NOON)
    return view


@pytest.mark.long
async def test_joined_account_lives_on_in_the_other(matches: Matches, database: Database) -> None:
    views = await lead_a_full_life(matches)
    await play_rated(matches, ZED, BOB)
    await play_rated(matches, CAROL, ZED)
    own = await start_match(matches, by=ZED, to=CAROL)
    await matches.people.sessions.start(ZED, Grant(frozenset(), "token"), device="x", now=NOON)
    await matches.people.notes.save(views["won"].id, ZED, "and of the owl", now=NOON)
    await matches.people.preferences.change(ZED, zone="Paris", now=NOON)
    before = await matches.people.personal_data.summary(ZOE.account)
    await matches.people.personal_data.join(ZOE.account, ZED.account, now=later(days=6))

    traces = await find_traces(database, (ZOE.account,))
    assert traces == []  # the address is there, in two columns
    assert await matches.people.identities.find_account(*ZOE.account.split(":")) == ZED.account
    after = await matches.people.personal_data.summary(ZED.account)
    assert after.counts["matches"] == before.counts["matches"] + 3
    for key in ("offers", "imported_records"):
        assert after.counts[key] >= before.counts[key] > 0
    assert (await matches.people.notes.get(views["won"].id, ZED)) == f"and of the owl\n{NOTE}"
    assert (await matches.people.preferences.get(ZED.account)).zone == "Europe/Paris"
    while await matches.ratings.recompute():
        pass
    assert await matches.ratings.audit() == {}
    for view in (*views.values(), own):
        assert (await matches.audit(view.id)).difference is None
    playing = await matches.view(views["playing"].id, readers=(ZED.account,), now=NOON)
    assert playing.seat(ZED.account) is not None
    # Who was joined is gone, and whoever comes with that account is a new person.
    with pytest.raises(NothingStored):
        await matches.people.personal_data.export(ZOE.account, now=NOON)
    await matches.people.personal_data.export(ZED.account, now=NOON)
    done = await matches.people.personal_data.erase(ZED.account, ErasureChoice.RESIGN, now=later(days=7))
    assert done.is_complete
    assert await find_traces(database, (ZOE.account, ZED.account, NOTE)) == []


@pytest.mark.long
async def test_ratings_are_as_if_one_person_had_played(matches: Matches) -> None:
    for _ in range(2):
        await play_rated(matches, ALICE, BOB)
        await play_rated(matches, ZED, BOB)
    dave = Person("test:dave", "Dave")
    eve = Person("test:eve", "Eve")
    for _ in range(4):
        await play_rated(matches, dave, eve)
    await matches.people.personal_data.join(ALICE.account, ZED.account, now=NOON)
    assert await matches.ratings.audit() == {}
    joined, alone = [(await matches.ratings.standings(one, now=NOON))[0] for one in (ZED, dave)]
    assert (joined.rating, joined.played) == (alone.rating, alone.played)
    assert await matches.ratings.standings(ALICE, now=NOON) == ()


@pytest.mark.long
async def test_restored_backup_joins_again_and_erases_nobody(sqlite_url: str, tmp_path: Path) -> None:
    async with await Database.open(sqlite_url) as database:
        matches = Matches(database)
        view = await start_match(matches, by=ALICE, to=CAROL)
        await make_challenge(matches, ZED)
        backup = tmp_path / "backup.db"
        copy_database(Path(sqlite_url.removeprefix("sqlite:///")), backup)
        await matches.people.personal_data.join(ALICE.account, ZED.account, now=NOON)
        async with await Database.open(f"sqlite:///{backup}") as restored:
            again = Matches(restored)
            await again.people.personal_data.repeat_erasures(database, now=NOON)
            seats = (await again.view(view.id, now=NOON)).seats
            assert {seat.person.account for seat in seats} == {ZED.account, CAROL.account}
            assert (await again.view(view.id, now=NOON)).result is None


@pytest.mark.long
async def test_accounts_that_met_are_two_persons(matches: Matches, database: Database) -> None:
    view = await start_match(matches)
    await matches.resign(view.id, BOB, now=NOON)
    before = await find_traces(database, ("",))
    for one, other in ((ALICE, BOB), (BOB, ALICE)):
        with pytest.raises(Refusal, match="accounts_met"):
            await matches.people.personal_data.join(one.account, other.account, now=NOON)
    with pytest.raises(NothingStored):
        await matches.people.personal_data.join(ALICE.account, ZED.account, now=NOON)
    with pytest.raises(ValueError, match="itself"):
        await matches.people.personal_data.join(ALICE.account, ALICE.account, now=NOON)
    assert await find_traces(database, ("",)) == before


@pytest.mark.long
async def test_persons_met_after_a_backup_are_joined_again(sqlite_url: str, tmp_path: Path) -> None:
    backup = tmp_path / "backup.db"
    async with await Database.open(sqlite_url) as database:
        matches = Matches(database)
        view = await start_match(matches, by=ALICE, to=CAROL)
        copy_database(Path(sqlite_url.removeprefix("sqlite:///")), backup)
        await make_challenge(matches, ZED)
        await matches.people.personal_data.join(ALICE.account, ZED.account, now=NOON)
        async with await Database.open(f"sqlite:///{backup}") as restored:
            again = Matches(restored)
            await again.people.personal_data.repeat_erasures(database, now=NOON)
            seats = (await again.view(view.id, now=NOON)).seats
            assert [seat.person for seat in seats if seat.person.account == ZED.account] == [ZED]
            assert (await again.view(view.id, now=NOON)).result is None


@pytest.mark.long
async def test_accounts_that_block_each_other_are_joined(matches: Matches) -> None:
    blocks, data = matches.people.blocks, matches.people.personal_data
    for one, other in ((ALICE, BOB), (BOB, ALICE), (ALICE, CAROL)):
        await blocks.block(one, other, now=NOON)
    await data.join(ALICE.account, BOB.account, now=NOON)
    assert await blocks.list_blocked(BOB, now=NOON) == (CAROL,)


@pytest.mark.long
async def test_a_hidden_name_stays_hidden(matches: Matches) -> None:
    await make_challenge(matches, BOB)
    await matches.visibility.set_alias(ALICE, "", now=NOON)
    await matches.people.personal_data.join(ALICE.account, BOB.account, now=NOON)
    assert await matches.visibility.get_alias(BOB.account) == ""


async def test_challenges_to_oneself_are_withdrawn(matches: Matches) -> None:
    made = [await make_challenge(matches, ALICE, BOB), await make_challenge(matches, BOB, ALICE)]
    other = await make_challenge(matches, ALICE, CAROL)
    await matches.people.personal_data.join(ALICE.account, BOB.account, now=NOON)
    found = [await matches.challenges.find(one.id, now=NOON) for one in (*made, other)]
    assert [one.state for one in found] == [
        *(ChallengeState.WITHDRAWN, ChallengeState.WITHDRAWN),
        ChallengeState.OPEN,
    ]
    assert found[2].by.account == BOB.account


async def test_what_there_is_only_once_stays_once(matches: Matches, database: Database) -> None:
    theirs = await start_match(matches, by=CAROL, to=ZED)
    own = await start_match(matches, by=BOB, to=CAROL)
    for person in (ALICE, BOB):
        await matches.people.following.follow(theirs.id, person, FollowMode.TURNS, now=NOON)
        await matches.people.notes.save(theirs.id, person, person.name, now=NOON)
        await matches.people.blocks.block(person, ZED, now=NOON)
        await matches.people.blocks.exclude(SERVER, person, CAROL, now=NOON)
        await matches.people.analysis_lines.save("line", person, now=NOON)
        await matches.people.preferences.change(person, zone="Rome", now=NOON)
        await matches.people.sessions.start(person, Grant(frozenset(), "token"), device="x", now=NOON)
    await matches.people.blocks.block(ALICE, BOB, now=NOON)
    await matches.people.following.follow(own.id, ALICE, FollowMode.TURNS, now=NOON)
    await matches.clocks.vacations.begin(ALICE, now=NOON)
    await matches.clocks.vacations.begin(BOB, now=later(days=1))
    ends = [row[0] for row in await rows_of(database, VACATIONS, "ends_at")]
    await matches.people.personal_data.join(ALICE.account, BOB.account, now=later(days=2))
    kept = {
        name: len(await rows_of(database, METADATA.tables[name], *columns))
        for name, columns in {
            "follows": ("match",),
            "notes": ("match",),
            "blocks": ("blocked",),
            "exclusions": ("person",),
            "analysis_lines": ("person",),
            "preferences": ("account",),
            "web_grants": ("account",),
            "web_sessions": ("account",),
        }.items()
    }
    assert kept == {
        "follows": 1,
        "notes": 1,
        "blocks": 1,
        "exclusions": 1,
        "analysis_lines": 1,
        "preferences": 1,
        "web_grants": 1,
        "web_sessions": 1,
    }
    assert await rows_of(database, FOLLOWS, "match", "person") == [(theirs.id, BOB.account)]
    assert await rows_of(database, NOTES, "text") == [("Bob\nAlice",)]
    assert await rows_of(database, VACATIONS, "person", "ends_at") == [(BOB.account, max(ends))]


async def test_joined_note_is_cut_at_the_limit(matches: Matches, database: Database) -> None:
    match = (await start_match(matches, by=CAROL, to=ZED)).id
    for person, text in ((ALICE, "a" * 9), (BOB, "b" * (MAX_NOTE_LENGTH - 4))):
        await matches.people.notes.save(match, person, text, now=NOON)
    await matches.people.personal_data.join(ALICE.account, BOB.account, now=later(days=2))
    assert await matches.people.notes.get(match, BOB) == "b" * (MAX_NOTE_LENGTH - 4) + "\naaa"
    assert await rows_of(database, NOTES, "changed_at") == [(to_millis(later(days=2)),)]


@pytest.mark.long
async def test_person_is_called_once_and_told_where_they_are_now(
    matches: Matches, database: Database
) -> None:
    """Both accounts were called by the same vacation, and one of them privately."""
    for other in (ALICE, BOB):
        await start_match(matches, by=CAROL, to=other, terms=TIMED)
    await start_match(matches, by=CAROL, to=ZED, terms=TIMED)
    await matches.clocks.vacations.begin(CAROL, now=NOON)
    await matches.people.personal_data.join(ALICE.account, BOB.account, now=NOON)
    async with database.read() as connection:
        away = select(OUTBOX.c.recipients).where(
            OUTBOX.c.kind == AnnouncementKind.AWAY, OUTBOX.c.to.is_(None)
        )
        called = set((await connection.execute(away)).scalars())
    assert f'["{BOB.account}"]' in called
    await matches.people.personal_data.join(ZED.account, BOB.account, now=NOON)
    unsent = await rows_of(database, OUTBOX, "to", "platform")
    assert {row for row in unsent if row[0]} == {(BOB.account, "test")}
