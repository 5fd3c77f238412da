"""Reports reach moderators; what they do has effect, is logged, and is theirs alone to do."""

import asyncio
import json
from collections.abc import AsyncIterator

import pytest
from sqlalchemy import func, select, update

from matches import (
    DISCORD,
    WEB,
    Audience,
    Database,
    EndReason,
    Grant,
    Matches,
    MatchId,
    MatchState,
    Person,
    Reader,
    Terms,
)
from matches.moderation.rights import parse_moderators
from matches.moderation.values import MAX_REPORTS, Act, ReportSubject
from matches.names import fold_name
from matches.platforms import MAIL, WEBSITE
from matches.studies.values import StudyKey
from matches.times import to_millis
from storage.people import people
from storage.tables import CHALLENGES, LETTERS, MODERATION_LOG, PEOPLE, REPORTS
from tests.databases import open_database
from tests.games import GAMES
from tests.matches.scenario import CHANNEL, NOON, SMALL, later, legal_move, start_match
from tests.refusals import refused

MOD = Person("discord:100000000000000001", "Mod")
SECOND_MOD = Person("discord:100000000000000002", "Second")
ANNA, BEN, CLEO, DIRK = (
    Person(f"{WEB}:{number:024x}", name) for number, name in enumerate(("Anna", "Ben", "Cleo", "Dirk"), 10)
)
MODERATORS = (MOD.account, SECOND_MOD.account)
PEOPLE_HERE = (MOD, SECOND_MOD, ANNA, BEN, CLEO, DIRK)
WHY, TEXT = "Insults in notes", "They sent me an insult."
UNRATED = Terms(rated=False)


@pytest.fixture
async def matches(database: Database) -> Matches:
    """Return matches with moderators, where everybody is known; those of the website have names there."""
    matches = Matches(database, games=GAMES, moderators=MODERATORS)
    async with database.transaction() as connection:
        await people.save_all(connection, {one.account: one.name for one in PEOPLE_HERE}, to_millis(NOON))
    for person in PEOPLE_HERE:
        await matches.people.sessions.start(person, Grant(frozenset(), "token"), device="", now=NOON)
    async with database.transaction() as connection:
        for person in (ANNA, BEN, CLEO, DIRK):
            named = {"handle": person.name, "folded_handle": fold_name(person.name), "handle_at": 1}
            await connection.execute(update(PEOPLE).where(PEOPLE.c.account == person.account).values(named))
    return matches


@pytest.fixture
async def other_database(database_url: str) -> AsyncIterator[Database]:
    """Return the same database as another process has it."""
    async with open_database(database_url, 2) as second:
        yield second


async def challenge(
    matches: Matches, by: Person, to: Person | None, server: str = WEBSITE, audience: Audience | None = None
) -> int:
    update_ = await matches.challenges.create(
        by,
        to=to,
        server=server,
        channel=CHANNEL if server != WEBSITE else WEBSITE,
        game="morelli",
        options=SMALL,
        audience=audience,
        terms=UNRATED,
        now=NOON,
    )
    return int(update_.challenge.id)


async def play(matches: Matches, by: Person, to: Person) -> MatchId:
    made = await challenge(matches, by, to)
    return (await matches.challenges.accept(made, to, now=NOON)).match.id  # type: ignore[arg-type]


async def report(matches: Matches, by: Person, subject: ReportSubject, text: str = TEXT) -> int:
    reader = Reader(frozenset({by.account}))
    return await matches.moderation.reports.report(by.account, reader, subject, text, now=NOON)


def about(person: Person) -> ReportSubject:
    return ReportSubject(handle=person.name)


async def count(database: Database, *actions: str) -> int:
    async with database.read() as connection:
        query = select(func.count()).select_from(MODERATION_LOG).where(MODERATION_LOG.c.action.in_(actions))
        return int((await connection.execute(query)).scalar_one())


# Who is a moderator.


@pytest.mark.parametrize(
    ("entry", "is_one"),
    [
        ("discord:100000000000000009", False),
        ("anna@Example.org", True),
        ("other@example.org", False),
        ("@ANNA", True),
        ("@Ben", False),
    ],
)
async def test_moderator_is_whom_the_setting_names(
    matches: Matches, database: Database, entry: str, is_one: bool
) -> None:
    await matches.people.identities.add(ANNA, MAIL, "anna@example.org", is_confirmed=True, now=NOON)
    await matches.people.identities.add(ANNA, MAIL, "other@example.org", now=NOON)
    named = Matches(database, games=GAMES, moderators=parse_moderators(entry))
    assert await named.moderation.is_moderator(ANNA.account) is is_one


async def test_moderator_whose_account_was_joined_stays_one(matches: Matches) -> None:
    await matches.people.personal_data.join(MOD.account, ANNA.account, now=NOON)
    assert await matches.moderation.is_moderator(ANNA.account)


@pytest.mark.parametrize("text", ["alice", "discord:12", "web:1", "a b@example.org", "@", "x@"])
def test_other_entries_are_refused(text: str) -> None:
    with pytest.raises(ValueError, match="neither"):
        parse_moderators(f"{MOD.account}, {text}")


# What only moderators can do.


async def act(matches: Matches, kind: Act, by: Person, target: Person, reason: str = WHY) -> bool:
    moderation = matches.moderation
    if kind is Act.CLOSE:
        return (await moderation.close(by.account, target.account, reason, now=NOON))[0]
    if kind is Act.REMOVE_NAME:
        return await moderation.remove_name(by.account, target.account, reason, seen=target.name, now=NOON)
    if kind is Act.CLOSE_REPORT:
        found = await moderation.find_person(by.account, target.account)
        return await moderation.close_report(by.account, found.reports[0].id, reason, now=NOON)
    if kind in {Act.HIDE_STUDY, Act.SHOW_STUDY}:
        is_hidden, study = kind is Act.HIDE_STUDY, StudyKey("0" * 16)
        return await moderation.set_study_hidden(
            by.account, target.account, reason, study=study, is_hidden=is_hidden, now=NOON
        )
    simple = {
        Act.WARN: moderation.warn,
        Act.EXCLUDE: moderation.exclude,
        Act.READMIT: moderation.readmit,
        Act.REOPEN: moderation.reopen,
    }
    return await simple[kind](by.account, target.account, reason, now=NOON)


@pytest.mark.parametrize("kind", [one for one in Act if one is not Act.CLOSE_REPORT])
@pytest.mark.parametrize(
    ("by", "target", "reason", "refusal"),
    [
        pytest.param(BEN, ANNA, WHY, "not_moderator", id="player"),
        pytest.param(MOD, MOD, WHY, "moderates_self", id="self"),
        pytest.param(MOD, SECOND_MOD, WHY, "moderates_moderator", id="moderator"),
        pytest.param(MOD, Person("web:nobody", "?"), WHY, "person_unknown", id="unknown"),
        pytest.param(MOD, ANNA, "  ", "act_reason", id="no reason"),
        pytest.param(MOD, ANNA, "x" * 301, "act_reason", id="long reason"),
    ],
)
async def test_rights(
    matches: Matches, database: Database, kind: Act, by: Person, target: Person, reason: str, refusal: str
) -> None:
    with refused(refusal):
        await act(matches, kind, by, target, reason)
    assert await count(database, *Act) == 0


async def test_report_is_closed_by_a_moderator_whom_it_is_not_about(
    matches: Matches, database: Database
) -> None:
    async with database.transaction() as connection:
        named = {"handle": "Mod", "folded_handle": fold_name("Mod")}
        await connection.execute(update(PEOPLE).where(PEOPLE.c.account == MOD.account).values(named))
    made = await report(matches, ANNA, about(MOD))
    moderation = matches.moderation
    assert await moderation.list_open(MOD.account, limit=9) == ()
    with refused("moderates_self"):
        await moderation.close_report(MOD.account, made, WHY, now=NOON)
    with refused("not_moderator"):
        await moderation.close_report(ANNA.account, made, WHY, now=NOON)
    assert await moderation.close_report(SECOND_MOD.account, made, WHY, now=NOON)
    assert not await moderation.close_report(SECOND_MOD.account, made, WHY, now=NOON)


async def test_only_moderators_see_reports(matches: Matches) -> None:
    await report(matches, ANNA, about(BEN))
    with refused("not_moderator"):
        await matches.moderation.list_open(ANNA.account, limit=9)
    with refused("not_moderator"):
        await matches.moderation.find_person(ANNA.account, BEN.account)
    (seen,) = await matches.moderation.list_open(MOD.account, limit=9)
    assert (seen.by_name, seen.about, seen.text) == ("Anna", BEN.account, TEXT)
    assert (await matches.moderation.find_person(MOD.account, "@ben")).reports == (seen,)


@pytest.mark.long
@pytest.mark.parametrize("kind", [Act.WARN, Act.EXCLUDE, Act.CLOSE, Act.REMOVE_NAME, Act.CLOSE_REPORT])
async def test_double_click_is_logged_once(
    matches: Matches, other_database: Database, database: Database, kind: Act
) -> None:
    await report(matches, ANNA, about(BEN))
    other = Matches(other_database, games=GAMES, moderators=MODERATORS)
    done = await asyncio.gather(act(matches, kind, MOD, BEN), act(other, kind, MOD, BEN))
    assert sorted(done) == [False, True]
    assert await count(database, kind) == 1


# Reports.


@pytest.mark.long
async def test_note_of_a_challenge_is_copied_for_its_addressee(matches: Matches, database: Database) -> None:
    made = await challenge(matches, ANNA, BEN)
    async with database.transaction() as connection:
        await connection.execute(update(CHALLENGES).where(CHALLENGES.c.id == made).values(note="rude words"))
    await report(matches, BEN, ReportSubject(challenge=made))
    (found,) = await matches.moderation.list_open(MOD.account, limit=9)
    assert (found.about, found.challenge, found.note) == (ANNA.account, made, "rude words")


@pytest.mark.long
@pytest.mark.parametrize(
    ("by", "to", "audience", "by_link", "refusal"),
    [
        (BEN, BEN, Audience.PLAYERS, False, None),
        (CLEO, BEN, Audience.NAMES, False, "report_unknown"),
        (CLEO, None, Audience.NAMES, False, None),
        (CLEO, None, Audience.NAMES, True, "report_unknown"),
        (CLEO, None, Audience.PLAYERS, False, "report_unknown"),
        (ANNA, BEN, Audience.NAMES, False, "self_report"),
    ],
    ids=["addressee", "another's", "in the lobby", "by link", "private", "own"],
)
async def test_who_can_report_a_challenge(
    matches: Matches,
    database: Database,
    by: Person,
    to: Person | None,
    audience: Audience,
    by_link: bool,
    refusal: str | None,
) -> None:
    made = await challenge(matches, ANNA, to)
    async with database.transaction() as connection:
        await connection.execute(update(CHALLENGES).values(by_link=by_link, audience=audience))
    subject = ReportSubject(challenge=made)
    if refusal is None:
        assert await report(matches, by, subject)
    else:
        with refused(refusal):
            await report(matches, by, subject)


@pytest.mark.long
async def test_player_reports_the_opponent_and_a_spectator_chooses(matches: Matches) -> None:
    made = await challenge(matches, ANNA, BEN, audience=Audience.NAMES)
    match = (await matches.challenges.accept(made, BEN, now=NOON)).match.id  # type: ignore[arg-type]
    await report(matches, ANNA, ReportSubject(match=match))
    await report(matches, CLEO, ReportSubject(match=match, player=1))
    with refused("report_unknown"):
        await report(matches, DIRK, ReportSubject(match=match))
    found = [one.about for one in await matches.moderation.list_open(MOD.account, limit=9)]
    assert found == [ANNA.account, BEN.account]


async def test_private_match_is_reported_by_its_players_only(matches: Matches) -> None:
    view = await start_match(matches)
    subject = ReportSubject(match=view.id, player=1)
    with refused("report_unknown"):
        await report(matches, CLEO, subject)


@pytest.mark.parametrize(
    ("subject", "text", "refusal"),
    [
        (about(BEN), "x" * 9, "report_length"),
        (about(BEN), "x" * 1001, "report_length"),
        (about(BEN), " " * 20, "report_length"),
        (about(ANNA), TEXT, "self_report"),
        (ReportSubject(handle="nobody"), TEXT, "report_unknown"),
        (ReportSubject(), TEXT, "report_unknown"),
        (ReportSubject(challenge=99), TEXT, "report_unknown"),
        (ReportSubject(match=MatchId(99)), TEXT, "report_unknown"),
    ],
)
async def test_what_cannot_be_reported(
    matches: Matches, subject: ReportSubject, text: str, refusal: str
) -> None:
    with refused(refusal):
        await report(matches, ANNA, subject, text)


async def test_guest_cannot_report(matches: Matches, database: Database) -> None:
    async with database.transaction() as connection:
        await connection.execute(update(PEOPLE).where(PEOPLE.c.account == ANNA.account).values(is_guest=True))
    with refused("guest_report"):
        await report(matches, ANNA, about(BEN))


async def test_same_report_is_sent_once_and_another_has_to_wait(matches: Matches) -> None:
    first, second = await asyncio.gather(*(report(matches, ANNA, about(BEN)) for _ in range(2)))
    assert first == second
    with refused("reported_before"):
        await report(matches, ANNA, about(BEN), "Something else happened.")
    await matches.moderation.close_report(MOD.account, first, WHY, now=NOON)
    assert await report(matches, ANNA, about(BEN)) != first


@pytest.mark.long
async def test_reports_a_day_are_limited(matches: Matches) -> None:
    for _ in range(MAX_REPORTS):
        made = await report(matches, ANNA, about(BEN))
        await matches.moderation.close_report(MOD.account, made, WHY, now=NOON)
    with refused("too_many_reports"):
        await report(matches, ANNA, about(BEN))
    reader = Reader(frozenset({ANNA.account}))
    reports = matches.moderation.reports
    assert await reports.report(ANNA.account, reader, about(BEN), TEXT, now=later(days=1, seconds=1))


@pytest.mark.long
async def test_closed_reports_are_deleted_after_a_year(matches: Matches, database: Database) -> None:
    closed, opened = await report(matches, ANNA, about(BEN)), await report(matches, CLEO, about(BEN))
    await matches.moderation.close_report(MOD.account, closed, WHY, now=NOON)
    for days, left in ((365, [closed, opened]), (366, [opened])):
        await matches.people.personal_data.delete_old(now=later(days=days))
        async with database.read() as connection:
            assert sorted(await connection.scalars(select(REPORTS.c.id))) == sorted(left)


# Effects.


async def test_warning_is_shown_until_its_reader_confirms_it_and_sent_by_mail(
    matches: Matches, database: Database
) -> None:
    await matches.people.identities.add(BEN, MAIL, "ben@example.org", is_confirmed=True, now=NOON)
    moderation = matches.moderation
    await act(matches, Act.WARN, MOD, BEN)
    warning = await moderation.find_unread_warning(BEN.account)
    assert warning is not None
    assert warning.reason == WHY
    await moderation.confirm_warning(ANNA.account, warning.id, now=NOON)
    assert await moderation.find_unread_warning(BEN.account) == warning
    await moderation.confirm_warning(BEN.account, warning.id, now=later(hours=1))
    assert await moderation.find_unread_warning(BEN.account) is None
    async with database.read() as connection:
        letters = (
            await connection.execute(select(LETTERS.c.kind, LETTERS.c.address, LETTERS.c.details))
        ).all()
    assert [(kind, to, json.loads(text)) for kind, to, text in letters] == [
        ("warning", "ben@example.org", {"text": WHY})
    ]
    (logged,) = (await moderation.find_person(MOD.account, BEN.account)).acts
    assert (logged.act, logged.by_name, logged.reason, logged.seen_at) == (
        Act.WARN,
        "Mod",
        WHY,
        later(hours=1),
    )


@pytest.mark.long
async def test_excluded_person_starts_nothing_on_the_website(matches: Matches) -> None:
    opened, match = await challenge(matches, BEN, None), await play(matches, ANNA, BEN)
    waiting = await challenge(matches, ANNA, BEN)
    await act(matches, Act.EXCLUDE, MOD, BEN)
    with refused("challenge_withdrawn"):
        await matches.challenges.accept(opened, ANNA, now=NOON)  # type: ignore[arg-type]
    with refused("excluded_from_website") as caught:
        await matches.challenges.accept(waiting, BEN, now=NOON)  # type: ignore[arg-type]
    assert caught.value.values == {"reason": WHY}
    with refused("excluded_from_website"):
        await challenge(matches, BEN, ANNA, server="test:server")  # a public challenge of a Discord server
    with refused("opponent_excluded"):
        await challenge(matches, ANNA, BEN)
    view = await matches.view(match, now=NOON)
    assert view.to_move is not None
    await matches.play(match, view.to_move.person, [legal_move(view)], now=NOON)
    await act(matches, Act.READMIT, MOD, BEN)
    await challenge(matches, BEN, ANNA)


@pytest.mark.long
async def test_exclusion_from_the_website_leaves_people_of_discord_their_servers(matches: Matches) -> None:
    member = Person(f"{DISCORD}:100000000000000003", "Member")
    await challenge(matches, member, ANNA)
    await act(matches, Act.EXCLUDE, MOD, member)
    await challenge(matches, member, ANNA, server="test:server")
    with refused("excluded_from_website"):
        await challenge(matches, member, ANNA)


async def test_closed_account_starts_nothing_and_leaves_nobody_waiting(matches: Matches) -> None:
    secret = await matches.people.sessions.start(BEN, Grant(frozenset(), "new"), device="", now=NOON)
    opened, match = await challenge(matches, BEN, None), await play(matches, ANNA, BEN)
    is_new, token = await matches.moderation.close(MOD.account, BEN.account, WHY, now=NOON)
    assert (is_new, token) == (True, "new")
    assert await matches.people.sessions.find(secret, now=NOON) is None
    view = await matches.view(match, now=NOON)
    assert view.state is MatchState.OVER
    assert view.result is not None
    assert view.result.reason is EndReason.RESIGNED
    assert view.result.winner is not None
    assert view.result.winner.person.account == ANNA.account
    with refused("challenge_withdrawn"):
        await matches.challenges.accept(opened, ANNA, now=NOON)  # type: ignore[arg-type]
    for server in (WEBSITE, "test:server"):
        with refused("account_closed") as caught:
            await challenge(matches, BEN, ANNA, server=server)
        assert caught.value.values == {"reason": WHY}
        with refused("opponent_closed"):
            await challenge(matches, ANNA, BEN, server=server)
    with refused("account_closed"):
        await matches.people.sessions.start(BEN, None, device="", now=NOON)
    await act(matches, Act.REOPEN, MOD, BEN)
    await challenge(matches, BEN, ANNA)


async def test_nothing_begins_while_an_account_is_closed(matches: Matches, other_matches: Matches) -> None:
    made = [await challenge(matches, one, BEN) for one in (ANNA, CLEO, MOD)]
    await asyncio.gather(
        act(matches, Act.CLOSE, MOD, BEN),
        *(other_matches.challenges.accept(one, BEN, now=NOON) for one in made),  # type: ignore[arg-type]
        return_exceptions=True,
    )
    outlines = await matches.public_queries.list_outlines_of(BEN.account, tuple(MatchState))
    views = [await matches.view(one.id, now=NOON) for one in outlines]
    assert [view.state for view in views if view.state is not MatchState.OVER] == []
    assert await matches.challenges.list_for_person(BEN, WEBSITE, now=NOON) == ()


async def test_removed_name_is_neutral_and_can_be_chosen_anew(matches: Matches, database: Database) -> None:
    assert await act(matches, Act.REMOVE_NAME, MOD, BEN)
    async with database.read() as connection:
        row = (await connection.execute(select(PEOPLE).where(PEOPLE.c.account == BEN.account))).one()
    assert row.handle.startswith("player-")
    assert (row.name, row.folded_handle, row.handle_at) == (row.handle, fold_name(row.handle), None)
    # A name that was chosen meanwhile stays.
    assert not await act(matches, Act.REMOVE_NAME, SECOND_MOD, BEN)


async def test_removed_name_does_not_come_back(matches: Matches) -> None:
    choose = matches.people.handles.choose
    await act(matches, Act.REMOVE_NAME, MOD, BEN)
    for person in (BEN, ANNA):
        with refused("handle_taken"):
            await choose(person.account, "BEN", now=later(days=40))
    await choose(BEN.account, "Benjamin", now=later(days=40))
    await choose(BEN.account, "Benno", now=later(days=80))
    await choose(BEN.account, "Benjamin", now=later(days=120))  # given up by himself


async def test_log_is_in_the_data_of_both(matches: Matches) -> None:
    await act(matches, Act.EXCLUDE, MOD, BEN)
    counts = [(await matches.people.personal_data.summary(one.account)).counts for one in (BEN, MOD)]
    assert (counts[0]["moderation_of_you"], counts[1]["moderation_done"]) == (1, 1)


async def test_reports_are_counted_for_operators(matches: Matches) -> None:
    await report(matches, ANNA, about(BEN))
    assert (await matches.work.backlogs.measure("test", now=NOON)).reports_open == 1
