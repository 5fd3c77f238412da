"""Accounts of the website: made by mail, joined with guests and with Discord, and what letters say of it."""

import asyncio
import json
from io import BytesIO
from zipfile import ZipFile

import pytest
from sqlalchemy import insert, select, update

from matches import LEVELS, MAIL, WEBSITE, Database, ErasureChoice, Matches, MatchView, Person, Refusal
from matches.people.accounts import order_join
from matches.people.guests import NewGuest, save_guest
from matches.people.sessions import Grant
from matches.personal_data.__main__ import main
from matches.personal_data.export import DATA_FILE
from matches.posting.letters import LetterKind
from matches.times import to_millis
from storage.tables import OLD_HANDLES, PEOPLE, PUSH_SUBSCRIPTIONS, REPORTS, WEB_SESSIONS
from tests.matches.scenario import ALICE, BOB, NOON, later, make_challenge, start_match

GUEST = Person("web:" + "9" * 24, "Guest")
DISCORD = Person("discord:123456789012345678", "Disco")
ADDRESS, OTHER = "ann@heron.example", "other@heron.example"


async def add_guest(database: Database) -> str:
    """Store a guest with a session, and return its secret."""
    guest = NewGuest(GUEST, "x", "secret")
    async with database.transaction() as connection:
        await save_guest(connection, guest, NOON)
    return guest.secret


async def told(matches: Matches) -> list[tuple[str, str]]:
    """Return the addresses and subjects of letters about changes that wait."""
    letters = await matches.posting.letters.claim_due(now=later(days=1))
    return [(one.address, str(one.details["what"])) for one in letters if one.kind is LetterKind.NOTICE]


async def close(database: Database, account: str) -> None:
    async with database.transaction() as connection:
        await connection.execute(update(PEOPLE).where(PEOPLE.c.account == account).values(closed_at=1))


async def test_registering_makes_a_named_account(matches: Matches) -> None:
    person = await matches.people.accounts.register(ADDRESS, " Heron ", now=NOON)
    assert (person.account[:4], len(person.account), person.name) == ("web:", 28, "Heron")
    assert await matches.people.accounts.find_by_mail(ADDRESS) == person
    assert await matches.people.handles.find("heron") == person.account
    again = await matches.people.accounts.register(ADDRESS, "Owl", now=NOON)  # a double click
    assert again == person
    with pytest.raises(Refusal, match="handle_taken"):
        await matches.people.accounts.register(OTHER, "heron", now=NOON)
    assert await matches.people.accounts.find_by_mail(OTHER) is None


async def test_two_tabs_make_one_account(matches: Matches, other_matches: Matches) -> None:
    made = await asyncio.gather(
        matches.people.accounts.register(ADDRESS, "Heron", now=NOON),
        other_matches.people.accounts.register(ADDRESS, "Owl", now=NOON),
    )
    assert set(made) == {await matches.people.accounts.find_by_mail(ADDRESS)}


async def play_computer(matches: Matches, person: Person) -> MatchView:
    """Start a match of a person against the computer."""
    update = await matches.computer.start(
        person, level=LEVELS[0], server=WEBSITE, channel=WEBSITE, game="morabaraba", now=NOON
    )
    return update.match


async def test_guest_becomes_a_member_and_keeps_games(matches: Matches, database: Database) -> None:
    secret = await add_guest(database)
    view = await play_computer(matches, GUEST)
    person = await matches.people.accounts.register(ADDRESS, "Heron", guest=GUEST.account, now=NOON)
    assert person == Person(GUEST.account, "Heron")
    # Whoever else has a session of the guest does not get the account.
    assert await matches.people.sessions.find(secret, now=NOON) is None
    assert (await matches.view(view.id, now=NOON)).seat(GUEST.account) is not None
    # A member is no guest, so another tab makes an account of its own.
    other = await matches.people.accounts.register(OTHER, "Owl", guest=GUEST.account, now=NOON)
    assert other.account != GUEST.account


@pytest.mark.parametrize("is_known", [True, False])
async def test_guest_is_joined_into_the_account_they_sign_in_to(
    matches: Matches, database: Database, *, is_known: bool
) -> None:
    secret = await add_guest(database)
    view = await play_computer(matches, GUEST)
    into = await matches.people.accounts.register(ADDRESS, "Heron", now=NOON) if is_known else DISCORD
    for _ in range(2):  # a double click
        await matches.people.accounts.join_guest(GUEST.account, into, now=NOON)
    assert (await matches.view(view.id, now=NOON)).seat(into.account) is not None
    assert await matches.people.sessions.find(secret, now=NOON) is None
    assert await told(matches) == []
    await matches.people.accounts.join_guest(into.account, BOB, now=NOON)  # no guest
    assert await matches.people.accounts.get(into.account) == into


def test_discord_accounts_remain() -> None:
    mail, other = "web:1", "web:2"
    assert order_join(DISCORD.account, mail) == order_join(mail, DISCORD.account) == (mail, DISCORD.account)
    assert order_join(mail, other) == (other, mail)
    with pytest.raises(Refusal, match="two_discord_accounts"):
        order_join(DISCORD.account, "discord:1")


async def test_joined_account_gives_what_the_other_lacks(matches: Matches, database: Database) -> None:
    mail = await matches.people.accounts.register(ADDRESS, "Heron", now=NOON)
    await matches.people.sessions.start(DISCORD, Grant(frozenset(), "token"), device="x", now=later(days=1))
    await matches.people.sessions.start(mail, None, device="x", now=NOON)
    async with database.transaction() as connection:
        await connection.execute(
            update(PEOPLE).where(PEOPLE.c.account == mail.account).values(notices="{}", calendar_key="key")
        )
        times = {
            "made_at": 0,
            "device": "x",
            "session": "s",
            "keys": "{}",
            "endpoint": "https://push.example",
        }
        await connection.execute(insert(PUSH_SUBSCRIPTIONS).values(account=mail.account, **times))
        for by, about in ((mail, DISCORD), (DISCORD, mail)):
            values = {"by": by.account, "about": about.account, "text": "x", "made_at": 0}
            await connection.execute(insert(REPORTS).values(**values))
    assert await matches.people.accounts.join(mail.account, DISCORD.account, now=NOON) == DISCORD.account
    async with database.read() as connection:
        row = (await connection.execute(select(PEOPLE).where(PEOPLE.c.account == DISCORD.account))).one()
        assert (row.name, row.handle, row.notices, row.calendar_key) == ("Disco", "Heron", "{}", "key")
        assert row.met_at == to_millis(NOON)
        assert list(await connection.scalars(select(WEB_SESSIONS.c.account))) == [DISCORD.account]
        for table in (PUSH_SUBSCRIPTIONS, REPORTS):
            assert (await connection.execute(select(table))).first() is None
    assert await matches.people.accounts.find_by_mail(ADDRESS) == DISCORD
    assert await told(matches) == [(ADDRESS, "accounts_joined")]


@pytest.mark.long
async def test_of_two_names_one_becomes_a_former_one(matches: Matches, database: Database) -> None:
    into = await matches.people.accounts.register(ADDRESS, "Heron", now=NOON)
    other = await matches.people.accounts.register(OTHER, "Owl", now=NOON)
    assert await matches.people.accounts.join(into.account, other.account, now=NOON) == into.account
    assert await matches.people.handles.find("owl") == into.account
    assert await matches.people.accounts.find_by_mail(OTHER) == into
    async with database.read() as connection:
        assert list(await connection.scalars(select(OLD_HANDLES.c.account))) == [into.account]
    assert sorted(await told(matches)) == [(ADDRESS, "accounts_joined"), (OTHER, "accounts_joined")]


async def test_closed_account_is_neither_entered_nor_joined(matches: Matches, database: Database) -> None:
    person = await matches.people.accounts.register(ADDRESS, "Heron", now=NOON)
    other = await matches.people.accounts.register(OTHER, "Owl", now=NOON)
    secret = await matches.people.sessions.start(person, None, device="x", now=NOON)
    await close(database, person.account)
    assert await matches.people.sessions.find(secret, now=NOON) is None
    with pytest.raises(Refusal, match="account_closed"):
        await matches.people.sessions.start(person, None, device="x", now=NOON)
    for one, two in ((person, other), (other, person)):
        with pytest.raises(Refusal, match="account_closed"):
            await matches.people.accounts.join(one.account, two.account, now=NOON)
    guest = await add_guest(database)
    assert guest
    await close(database, GUEST.account)
    with pytest.raises(Refusal, match="account_closed"):
        await matches.people.accounts.register("third@heron.example", "Ibis", guest=GUEST.account, now=NOON)


async def test_addresses_come_and_go_with_a_letter(matches: Matches) -> None:
    person = await matches.people.accounts.register(ADDRESS, "Heron", now=NOON)
    identities = matches.people.identities
    with pytest.raises(Refusal, match="last_address"):
        await identities.remove(person.account, MAIL, ADDRESS, now=NOON)
    await identities.add(person, MAIL, OTHER, is_confirmed=True, now=NOON)
    assert await told(matches) == [(ADDRESS, "address_added")]
    await identities.remove(person.account, MAIL, ADDRESS, now=NOON)
    assert await matches.people.accounts.find_by_mail(ADDRESS) is None
    with pytest.raises(Refusal, match="last_address"):
        await identities.remove(person.account, MAIL, OTHER, now=NOON)


async def test_two_removals_leave_one_address(matches: Matches, other_matches: Matches) -> None:
    person = await matches.people.accounts.register(ADDRESS, "Heron", now=NOON)
    await matches.people.identities.add(person, MAIL, OTHER, is_confirmed=True, now=NOON)
    removed = await asyncio.gather(
        matches.people.identities.remove(person.account, MAIL, ADDRESS, now=NOON),
        other_matches.people.identities.remove(person.account, MAIL, OTHER, now=NOON),
        return_exceptions=True,
    )
    assert sorted(map(str, removed)) == ["None", "last_address"]


async def test_only_so_many_addresses(matches: Matches) -> None:
    await make_challenge(matches, ALICE)
    for number in range(5):
        await matches.people.identities.add(
            ALICE, MAIL, f"{number}@heron.example", is_confirmed=True, now=NOON
        )
    with pytest.raises(Refusal, match="too_many_addresses"):
        await matches.people.identities.add(ALICE, MAIL, ADDRESS, is_confirmed=True, now=NOON)


@pytest.mark.long
def test_operator_adds_an_address_for_who_lost_theirs(
    sqlite_url: str, capsys: pytest.CaptureFixture[str]
) -> None:
    async def register() -> str:
        async with await Database.open(sqlite_url) as database:
            return (await Matches(database).people.accounts.register(ADDRESS, "Heron", now=NOON)).account

    account = asyncio.run(register())
    assert main(["add-address", sqlite_url, account, " Other@Heron.example"]) == 0
    assert main(["add-address", sqlite_url, account, "none"]) == 1
    assert main(["add-address", sqlite_url, "web:nobody", OTHER]) == 1
    for unknown in ("@nobody", "third@heron.example"):
        assert main(["add-address", sqlite_url, unknown, OTHER]) == 1
    captured = capsys.readouterr()
    assert captured.out == f"Added {OTHER}.\n"
    assert captured.err.startswith("That is not a mail address.\nNothing is stored about this account.")


@pytest.mark.long
@pytest.mark.parametrize("named", ["@heron", "Ann@Heron.example"])
def test_operator_names_a_person_as_that_person_does(
    sqlite_url: str, capsys: pytest.CaptureFixture[str], named: str
) -> None:
    async def register() -> None:
        async with await Database.open(sqlite_url) as database:
            await Matches(database).people.accounts.register(ADDRESS, "Heron", now=NOON)

    asyncio.run(register())
    assert main(["add-address", sqlite_url, named, OTHER]) == 0
    assert main(["erase", sqlite_url, named, "--matches", "resign"]) == 0
    assert main(["erase", sqlite_url, named, "--matches", "resign"]) == 1
    assert capsys.readouterr().out == f"Added {OTHER}.\nErased. Matches resigned: 0.\n"


async def test_mails_by_which_somebody_signs_in_are_in_their_data(matches: Matches) -> None:
    person = await matches.people.accounts.register(ADDRESS, "Heron", now=NOON)
    for address in (ADDRESS, OTHER):
        await matches.people.mail_codes.ask(address, now=NOON)
    export = await matches.people.personal_data.export(person.account, now=NOON)
    data = json.loads(ZipFile(BytesIO(export.data)).read(DATA_FILE))
    assert [[one["address"] for one in data[key]] for key in ("codes", "mails")] == [[ADDRESS], [ADDRESS]]
    counts = (await matches.people.personal_data.summary(person.account)).counts
    assert (counts["codes"], counts["mails"]) == (1, 1)


async def test_double_click_on_a_name_makes_one_account(matches: Matches, other_matches: Matches) -> None:
    made = await asyncio.gather(
        *(one.people.accounts.register(ADDRESS, "Heron", now=NOON) for one in (matches, other_matches) * 4)
    )
    assert set(made) == {await matches.people.accounts.find_by_mail(ADDRESS)}


async def test_account_that_is_gone_is_not_entered(matches: Matches) -> None:
    accounts, sessions = matches.people.accounts, matches.people.sessions
    person = await accounts.register(ADDRESS, "Heron", now=NOON)
    await matches.people.personal_data.erase(person.account, ErasureChoice.RESIGN, now=NOON)
    with pytest.raises(Refusal, match="nothing_stored"):  # found before, in another tab
        await sessions.start(person, None, device="x", now=NOON)
    assert await accounts.get(person.account) is None


async def test_person_of_the_website_can_sign_in_until_the_last_match_ends(matches: Matches) -> None:
    person = await matches.people.accounts.register(ADDRESS, "Heron", now=NOON)
    view = await start_match(matches, by=person)
    data = matches.people.personal_data
    assert not (await data.erase(person.account, ErasureChoice.KEEP, now=NOON)).is_complete
    assert await matches.people.accounts.find_by_mail(ADDRESS) == person
    await matches.resign(view.id, BOB, now=NOON)
    assert await data.finish_erasures(now=NOON) == 1
    assert await matches.people.accounts.find_by_mail(ADDRESS) is None
