"""Databases and messages written by the code of commit 657df53, used with the present code.

`database_657df53.sql` and `database_657df53_postgresql.sql` hold the same matches; `components_657df53.json`
names them by their roles and lists every kind of button, select and modal in messages of that version: its
literal custom_id, who uses it, and what happened then (kind of response, rows changed in each table).
"""

from __future__ import annotations

import asyncio
import json
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest
from sqlalchemy import select
from structlog.testing import capture_logs

from matches import AnnouncementKind, ChallengeState, MatchId, MatchState
from matches.log_audit import audit_match, list_match_ids
from matches.ratings.service import Ratings
from storage.tables import CHALLENGES, MATCHES, OUTBOX
from tests.compatibility import environment as old_messages
from tests.databases import (
    BACKENDS,
    RECREATE_SCHEMA,
    execute_statements,
    migrate_database,
    open_database,
    replace_file,
)

if TYPE_CHECKING:
    from collections.abc import AsyncIterator

    from bot.client import Rayuela
    from matches import Database, MatchView
    from tests.compatibility.environment import Json, OldGuild
    from tests.discord_server import Message, Reply

HERE = Path(__file__).parent
DUMPS = {"sqlite": HERE / "database_657df53.sql", "postgresql": HERE / "database_657df53_postgresql.sql"}
RECORDED = json.loads((HERE / "components_657df53.json").read_text())
ROLES, COMPONENTS = RECORDED["roles"], RECORDED["components"]
MATCH_COUNT = 30
LEASE_SECONDS = 60.0  # seconds; each look of the outbox leases rows for up to so long
UNKNOWN = "error.unknown_component"


@dataclass(slots=True)
class OldEnvironment:
    """The bot over an old database, at the Discord of that time, with what people do in one line each."""

    place: OldGuild
    bot: Rayuela
    database: Database

    async def view(self, role: str) -> MatchView:
        """Return a match as its players together see it."""
        seats = (await self.bot.matches.view(MatchId(ROLES[role]), now=self.bot.now())).seats
        readers = tuple(seat.person.account for seat in seats)
        return await self.bot.matches.view(MatchId(ROLES[role]), readers=readers, now=self.bot.now())

    async def log(self, role: str) -> list[str]:
        history = await self.bot.matches.views.history(MatchId(ROLES[role]))
        return [move.text for move in history.moves]

    async def click(self, person: str, custom_id: str) -> Reply:
        entry = {
            "kind": "button",
            "custom_id": custom_id,
            "label": "Old",
            "private": False,
            "where": "channel",
        }
        return await self.use({**entry, "person": person})

    async def play(self, person: str, role: str, text: str) -> Reply:
        custom_id = f"moved1:{ROLES[role]}:{(await self.view(role)).revision}"
        entry = {"kind": "modal", "custom_id": custom_id, "fill_in": {"move": text}, "private": False}
        return await self.use({**entry, "person": person, "where": "channel"})

    async def use(self, entry: Json) -> Reply:
        reply = await old_messages.use(self.place, entry)
        await self.bot.in_flight.wait_until_idle()
        return reply

    async def run_outbox(self, times: int = 1) -> None:
        for _ in range(times):
            await self.bot.outbox.run_once()
            await self.bot.in_flight.wait_until_idle()
            self.place.discord.advance(LEASE_SECONDS)

    def private(self, person: str) -> list[Message]:
        """Return the direct messages to a person, not counting private answers."""
        return [one for one in self.place.people[person].dms if not one.ephemeral]

    async def is_clean(self) -> bool:
        """Tell whether every match, and all ratings, are what their logs say."""
        audits = [await audit_match(self.database, match) for match in await list_match_ids(self.database)]
        return not [one for one in audits if one.difference] and not await Ratings(self.database).audit()


@pytest.fixture(scope="module")
def upgraded_file(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Load the dump of SQLite once, and let the present code migrate it."""
    file = tmp_path_factory.mktemp("upgraded") / "old.db"
    old_messages.restore(DUMPS["sqlite"].read_text(), file)
    asyncio.run(migrate_database(f"sqlite:///{file}"))
    return file


@pytest.fixture(params=BACKENDS)
def address(request: pytest.FixtureRequest, upgraded_file: Path, tmp_path: Path) -> str:
    """Load the dump of each kind of database, and let the present code migrate it."""
    kind = request.param
    if kind == "sqlite":
        return f"sqlite:///{replace_file(upgraded_file, tmp_path / 'old.db')}"
    found = str(request.getfixturevalue("empty_postgres_url"))
    asyncio.run(execute_statements(found, "DROP SCHEMA public", RECREATE_SCHEMA[1], DUMPS[kind].read_text()))
    asyncio.run(migrate_database(found))
    return found


@pytest.fixture
async def env(address: str) -> AsyncIterator[OldEnvironment]:
    async with (
        old_messages.discord_place(RECORDED) as place,
        open_database(address) as database,
        old_messages.running_bot(place, database) as bot,
    ):
        yield OldEnvironment(place, bot, database)


# The database.


@pytest.mark.long
async def test_every_match_loads_replays_and_audits_clean(env: OldEnvironment) -> None:
    matches, now = env.bot.matches, env.bot.now()
    numbers = await list_match_ids(env.database)
    assert len(numbers) == MATCH_COUNT
    for number in numbers:
        view, history = await matches.view(number, now=now), await matches.views.history(number)
        assert len(history.moves) == view.ply
        if view.state is not MatchState.CHOOSING:
            assert await matches.export_record(number, now=now)
            assert (await matches.replay(number, now=now)).turns[-1].position is not None
    assert await env.is_clean()


@pytest.mark.long
async def test_both_databases_hold_every_state(env: OldEnvironment) -> None:
    roles = ("resigned", "drawn", "corrected", "voided", "aborted", "lost_on_time")
    results = [(await env.view(role)).result for role in roles]
    reasons = {result.reason for result in results if result is not None}
    assert len(reasons) >= 5, reasons
    assert (await env.view("fists")).state is MatchState.CHOOSING
    assert len((await env.view("fists")).picked_by) == 1
    assert (await env.view("taken_back")).revision > 1_000_000


@pytest.mark.long
async def test_stored_names_are_the_present_ones(env: OldEnvironment) -> None:
    async with env.database.read() as connection:
        kinds = set((await connection.execute(select(OUTBOX.c.kind).distinct())).scalars())
        states = set((await connection.execute(select(CHALLENGES.c.state).distinct())).scalars())
        terms = (await connection.execute(select(MATCHES.c.terms).distinct())).scalars().all()
    assert kinds <= set(AnnouncementKind)
    assert AnnouncementKind.CHOOSING in kinds
    assert states <= set(ChallengeState)
    assert all({"time_control", "timeout_rule"} <= json.loads(one).keys() for one in terms)
    assert len({json.loads(one)["time_control"] for one in terms}) > 3


# What was left in the middle.


@pytest.mark.long
@pytest.mark.parametrize("kind", ["end", "draw", "takeback"])
async def test_pending_offer_can_be_accepted(env: OldEnvironment, kind: str) -> None:
    role = f"offered_{kind}"
    offer = (await env.view(role)).pending_offer
    assert offer is not None
    await env.click("Bob", f"offer1:{offer.id}:accept")
    view = await env.view(role)
    assert view.pending_offer is None
    assert (view.ply == 0) if kind == "takeback" else (view.state is MatchState.OVER)
    assert await env.is_clean()


@pytest.mark.long
async def test_due_reminder_is_sent_once(env: OldEnvironment) -> None:
    await env.run_outbox(3)
    reminders = [
        one
        for one in env.private("Alice")
        if any(f"move1:{ROLES['main']}:" in (each.custom_id or "") for each in one.buttons)
    ]
    assert len(reminders) == 1


@pytest.mark.long
async def test_match_whose_time_is_over_is_decided(env: OldEnvironment) -> None:
    assert (await env.view("flag_due")).state is MatchState.PLAYING
    await env.run_outbox()
    assert (await env.view("flag_due")).state is MatchState.OVER
    assert await env.is_clean()


@pytest.mark.long
async def test_saved_conditional_move_comes_true(env: OldEnvironment) -> None:
    await env.play("Alice", "main", "F1-F4")
    assert (await env.log("main"))[-2:] == ["F1-F4", "I2-H2"]
    assert await env.is_clean()


@pytest.mark.long
async def test_half_finished_set_up_run_goes_on(env: OldEnvironment) -> None:
    before = await env.view("set_up_run")
    assert len(before.unfinished_moves) == 1
    reply = await env.play("Bob", "set_up_run", "A3")
    assert not reply.ephemeral
    after = await env.view("set_up_run")
    assert (await env.log("set_up_run")) == ["A1", "A2", "A3"]
    assert after.to_move is not None
    assert after.to_move.person.name == "Alice"


@pytest.mark.long
async def test_second_pick_opens_the_fists(env: OldEnvironment) -> None:
    await env.click("Bob", f"fist1:{ROLES['fists']}:LR")
    assert (await env.view("fists")).state is MatchState.PLAYING


@pytest.mark.long
async def test_stone_is_owed_after_the_flip(env: OldEnvironment) -> None:
    await env.play("Alice", "owing", ROLES["owing_flip"])
    view = await env.view("owing")
    assert view.position is not None
    assert str(view.position).endswith("owed")
    await env.play("Bob", "owing", str(view.position.legal_moves()[0]))
    assert (await env.view("owing")).ply == view.ply + 1
    assert await env.is_clean()


@pytest.mark.long
async def test_open_challenge_can_be_accepted(env: OldEnvironment) -> None:
    accepts = [one for one in COMPONENTS if one["class"] == "AcceptButton" and one["state"] == "open"]
    assert accepts
    for one in accepts:
        await env.use(one)
    assert len(await list_match_ids(env.database)) == MATCH_COUNT + len(accepts)
    assert await env.is_clean()


@pytest.mark.long
async def test_paused_match_goes_on_and_vacation_ends(env: OldEnvironment) -> None:
    await env.click("Alice", f"resume1:{ROLES['paused']}")
    await env.click("Carol", "back1")
    for role in ("paused", "vacation"):
        time = (await env.view(role)).time
        assert time is not None
        assert time.deadline is not None


@pytest.mark.long
async def test_unsent_posts_are_delivered_once(env: OldEnvironment) -> None:
    waiting = RECORDED["outbox"]
    await env.run_outbox(waiting["looks"])
    posts = len(env.place.discord.posts)
    assert posts == waiting["posts"]
    await env.run_outbox(3)
    assert len(env.place.discord.posts) == posts
    texts = [one.text for one in env.place.discord.posts]
    assert len(set(texts)) == len(texts)


# The messages.


def test_each_component_is_known_to_this_version() -> None:
    assert len({(one["class"], one["variant"]) for one in COMPONENTS}) == len(COMPONENTS)
    assert all(one["does"] for one in COMPONENTS)


@pytest.mark.long
@pytest.mark.parametrize("custom_id", ["keep1:{main}", "whatif1:{main}:1"])
async def test_buttons_of_still_earlier_versions_work(env: OldEnvironment, custom_id: str) -> None:
    reply = await env.click("Alice", custom_id.format(**ROLES))
    assert env.bot.texts(UNKNOWN) not in reply.text
    assert reply.message is not None


def ignore_claims(found: Json, expected: Json) -> None:
    """Leave out that older announcements, which became due meanwhile, were claimed for sending."""
    changes, old_changes = found.get("rows", {}).get("outbox"), expected.get("rows", {}).get("outbox")
    if changes and old_changes and changes[2] > old_changes[2]:
        changes[2] = old_changes[2]


@pytest.mark.long
async def test_every_recorded_component_does_what_it_did(tmp_path: Path) -> None:
    """All are used in one run of the bot, each on the database as it was left."""
    kept, live = tmp_path / "kept.db", tmp_path / "live.db"
    old_messages.restore(DUMPS["sqlite"].read_text(), kept)
    await migrate_database(f"sqlite:///{kept}")
    old_messages.copy_over(kept, live)
    wrong: dict[str, Any] = {}
    async with (
        old_messages.discord_place(RECORDED) as place,
        open_database(f"sqlite:///{live}") as database,
        old_messages.running_bot(place, database) as bot,
    ):
        env = OldEnvironment(place, bot, database)
        await bot.wait_until_ready()
        await bot.open_channels.record(*bot.guilds)  # before the first component, as in a bot that runs
        old_messages.copy_over(live, kept)
        before = old_messages.rows(kept)
        for entry in COMPONENTS:
            with capture_logs() as logs:
                reply = await env.use(entry)
            after = old_messages.rows(live)
            found = old_messages.outcome(reply, before, after)
            ignore_claims(found, entry["expect"])
            failures = [one for one in logs if one["log_level"] in ("error", "critical")]
            unknown = reply.message is not None and bot.texts(UNKNOWN) in reply.text
            if found != entry["expect"] or failures or unknown:
                wrong[f"{entry['class']} {entry['custom_id']}"] = [found, entry["expect"], failures, unknown]
            if before != after:
                old_messages.copy_over(kept, live)
    assert not wrong, json.dumps(wrong, indent=1, default=str)
