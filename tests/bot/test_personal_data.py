"""``/mydata`` and ``/privacy``: what is kept, a copy of it, its deletion, and what others see afterwards."""

from __future__ import annotations

import io
import json
import logging
from typing import TYPE_CHECKING
from zipfile import ZipFile

import pytest
import structlog
from sqlalchemy import func, select, update

from bot.ui import ids
from matches import DELETED_NAME, Grant, Person
from runtime import logs
from storage.tables import PEOPLE, SERVER_SETTINGS, SERVERS, WEB_GRANTS, WEB_SESSIONS

if TYPE_CHECKING:
    from collections.abc import Iterator

    from sqlalchemy import Table

    from tests.bot.environment import BotEnvironment
    from tests.discord_server import Member, Reply

NOTE = "hold the corner"
MENU, MODAL_FIELD = "Delete my data and ...", "Type DELETE to confirm:"


@pytest.fixture
def log_lines() -> Iterator[io.StringIO]:
    """Log as the bot does at the level DEBUG, and return what is written."""
    loggers = [logging.getLogger(name) for name in ("", "discord", "aiosqlite")]
    handlers, levels = loggers[0].handlers[:], [one.level for one in loggers]
    stream = io.StringIO()
    logs.configure("DEBUG", stream=stream)
    yield stream
    loggers[0].handlers[:] = handlers
    for logger, level in zip(loggers, levels, strict=True):
        logger.setLevel(level)
    structlog.reset_defaults()


async def export(person: Member, shown: Reply) -> Reply:
    """Click Export, and wait for the answer."""
    return await (await person.click(shown, "Export")).wait_until_complete()


async def save_note(env: BotEnvironment) -> None:
    """Save a note as Alice."""
    form = await env.alice.command("note", channel=env.channel)
    await env.alice.submit(form, {"Only you see it. Empty it to delete it.": NOTE})


async def erase(person: Member, shown: Reply, choice: str) -> Reply:
    """Delete the person's data, from the answer to /mydata on."""
    explained = await person.click(shown, "Delete")
    form = await person.select(explained, MENU, [choice])
    assert form.modal is not None
    (field,) = form.modal.fields
    refused = await person.submit(form, {field.label: "yes"})
    assert "Nothing was deleted" in refused.text
    return await person.submit(await person.select(explained, MENU, [choice]), {field.label: "delete"})


@pytest.mark.long
async def test_person_exports_and_deletes_their_data(env: BotEnvironment, log_lines: io.StringIO) -> None:
    assert "Nothing." in (await env.alice.command("mydata", channel=env.alice.dm)).text
    board = await env.start_match()
    await env.alice.submit(
        await env.alice.command("note", channel=env.channel),
        {"Only you see it. Empty it to delete it.": NOTE},
    )
    shown = await env.alice.command("mydata", channel=env.channel)
    assert shown.ephemeral
    for line in ("Alice", "- 1 match, with its moves", "  - one of them in progress", "- 1 private note"):
        assert line in shown.text
    exported = await export(env.alice, shown)
    assert exported.ephemeral
    assert "by direct message" in exported.text
    (file,) = env.alice.dms[-1].attachments
    with ZipFile(io.BytesIO(file.data)) as archive:
        assert sorted(archive.namelist()) == ["README.txt", "data.json", "matches/match-1.txt"]
        data = json.loads(archive.read("data.json"))
    assert data["notes"][0]["text"] == NOTE
    env.alice.close_dms()
    attached = await export(env.alice, await env.alice.command("mydata", channel=env.alice.dm))
    assert "do not accept direct messages" in attached.text
    assert [one.filename for one in attached.attachments] == [file.filename]

    # First the match is to be played to its end; then that is cancelled, and it is resigned.
    done = await erase(env.alice, shown, "play my matches to their end")
    assert "The rest goes when your match in progress has ended" in done.text
    waiting = await env.alice.command("mydata", channel=env.channel)
    assert "You asked me to delete your data" in waiting.text
    assert "private note" not in waiting.text
    assert "I keep the rest" in (await env.alice.click(waiting, "Keep the rest")).text
    await env.alice.submit(
        await env.alice.command("note", channel=env.channel),
        {"Only you see it. Empty it to delete it.": NOTE},
    )
    await env.make_challenge()
    await env.bob.command("challenge", {"opponent": env.alice}, channel=env.channel)
    shown = await env.alice.command("mydata", channel=env.channel)
    done = await erase(env.alice, shown, "resign my matches in progress")
    assert "Your data are deleted" in done.text
    assert "One match was resigned" in done.text
    await env.advance_time(seconds=70)
    await env.wait_until_idle()

    resigned = next(one for one in env.channel.messages if "resigns" in one.text)
    assert DELETED_NAME in resigned.text
    for text in (
        resigned.text,
        (await env.bob.click(board, "My view")).text,
        (await env.bob.command("board", {"match": "1"}, channel=env.channel)).text,
        (await env.bob.command("profile", channel=env.channel)).text,
        (await env.bob.command("leaderboard", channel=env.channel)).text,
    ):
        assert "Alice" not in text
        assert str(env.alice.id) not in text
    assert "Nothing." in (await env.alice.command("mydata", channel=env.channel)).text
    refused = await env.bob.click(resigned, "Rematch")
    assert "Your opponent's data were deleted" in refused.text
    for trace in ("Alice", str(env.alice.id), NOTE):
        assert trace not in log_lines.getvalue()


@pytest.mark.long
async def test_deletion_is_finished_when_the_last_match_ends(env: BotEnvironment) -> None:
    await env.start_match()
    shown = await env.alice.command("mydata", channel=env.channel)
    await erase(env.alice, shown, "play my matches to their end")
    await env.bob.click(await env.bob.command("resign", channel=env.channel), "Resign")
    await env.advance_time(minutes=6)
    async with env.database.read() as connection:
        names = (await connection.execute(select(PEOPLE.c.name))).scalars().all()
    assert sorted(names) == ["Bob", DELETED_NAME]


async def test_privacy_policy_is_sent_as_a_file(env: BotEnvironment) -> None:
    reply = await env.alice.command("privacy", channel=env.alice.dm)
    assert reply.ephemeral
    assert "/mydata" in reply.text
    assert reply.attachments[0].data.startswith(b"# Privacy")


@pytest.mark.long
async def test_data_of_a_server_without_the_bot_are_deleted(env: BotEnvironment) -> None:
    await env.start_match()
    await env.bot.wait_until_ready()
    left, here = "discord:4711", ids.stored_id(env.guild.id)
    async with env.database.transaction() as connection:
        await connection.execute(SERVERS.insert().values(server=left, met_at=0))
        await connection.execute(SERVER_SETTINGS.insert().values(server=left, text="{}", changed_at=0))
        await connection.execute(update(SERVERS).where(SERVERS.c.server == here).values(left_at=0))
    await env.advance_time(days=1)
    async with env.database.read() as connection:
        left_at = dict(
            list(map(tuple, await connection.execute(select(SERVERS.c.server, SERVERS.c.left_at))))
        )
        assert left_at[left] is not None
        assert left_at[here] is None
    await env.advance_time(days=29)
    assert await settings_of(env) == [here, left]
    await env.advance_time(days=2)
    assert await settings_of(env) == [here]


@pytest.mark.long
async def test_expired_sessions_are_deleted_where_no_website_runs(env: BotEnvironment) -> None:
    await env.start_match()
    await env.bot.wait_until_ready()
    alice = Person(ids.stored_id(env.alice.id), "Alice")
    await env.bot.matches.people.sessions.start(
        alice, Grant(frozenset(), "token"), device="", now=env.bot.now()
    )
    await env.advance_time(days=30)
    assert await count_rows(env, WEB_SESSIONS) == 1
    await env.advance_time(days=2)
    assert (await count_rows(env, WEB_SESSIONS), await count_rows(env, WEB_GRANTS)) == (0, 0)


async def count_rows(env: BotEnvironment, table: Table) -> int:
    async with env.database.read() as connection:
        count: int = (await connection.execute(select(func.count()).select_from(table))).scalar_one()
        return count


async def settings_of(env: BotEnvironment) -> list[str]:
    """Return the servers that have settings."""
    async with env.database.read() as connection:
        return sorted((await connection.execute(select(SERVER_SETTINGS.c.server))).scalars())


@pytest.mark.long
async def test_form_speaks_of_matches_only_if_there_are_some(env: BotEnvironment) -> None:
    await env.start_match()
    forms = []
    for person in (env.alice, env.guild.member("Eve")):
        await person.command("block", {"person": env.guild.member("Dora")}, channel=env.channel)
        summary = await person.command("mydata", {}, channel=env.channel)
        explained = await person.click(summary, "Delete")
        forms.append(await person.select(explained, MENU, ["resign"]))
    with_matches, without = [form.modal.fields[0].label for form in forms if form.modal]
    assert "resigns all your matches" in with_matches
    assert "match" not in without
