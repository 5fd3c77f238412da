"""People of the website against people of Discord: in direct messages, and in a channel."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import pytest
from structlog.testing import capture_logs

from bot.ui import ids
from engine.game import Side
from matches import Audience, Person, Reader
from matches.platforms import WEBSITE
from tests.bot.environment import BotEnvironment, labels
from tests.refusals import refused

if TYPE_CHECKING:
    from collections.abc import Iterator

    from matches import Challenge, MatchView

WENDY = Person(f"web:{'a1' * 12}", "Wendy_*")
SITE: dict[str, Any] = {
    "server": WEBSITE,
    "channel": WEBSITE,
    "game": "morelli",
    "options": {"size": 9, "setup": "facing"},
    "colour": Side.BLACK,
}


@pytest.fixture(autouse=True)
def no_failures() -> Iterator[None]:
    """Fail a test in which something was logged as an error."""
    with capture_logs() as logs:
        yield
    assert [one for one in logs if one["log_level"] == "error" or "exc_info" in one] == []


async def settle(env: BotEnvironment) -> None:
    for _ in range(2):
        await env.wait_until_idle()
        await env.advance_time(seconds=11)


async def challenge_from_website(env: BotEnvironment, **changes: Any) -> Challenge:
    """Challenge Alice, who is in Discord, on the website."""
    to = Person(ids.stored_id(env.alice.id), env.alice.name)
    asked = {**SITE, "to": to, "note": "Well met, *Alice*!", "now": env.bot.now(), **changes}
    made = (await env.bot.matches.challenges.create(WENDY, **asked)).challenge
    await settle(env)
    return made


async def play_on_website(env: BotEnvironment, match: MatchView, text: str) -> None:
    current = await env.bot.matches.view(match.id, now=env.bot.now())
    await env.bot.matches.play(match.id, WENDY, [text], seen_revision=current.revision, now=env.bot.now())
    await settle(env)


async def start_in_channel(env: BotEnvironment, *, threads: bool = False) -> MatchView:
    """Have Wendy find a challenge of Alice in the lobby of the website, and accept it."""
    matches, server = env.bot.matches, ids.stored_id(env.guild.id)
    await matches.servers.change(
        server,
        Person(ids.stored_id(env.alice.id), "Alice"),
        audience=Audience.NAMES,
        threads=threads,
        now=env.bot.now(),
    )
    made = await env.make_challenge(opponent=None, board="9", start="facing")
    await settle(env)
    reader = Reader(frozenset({WENDY.account}))
    (listed,) = (await matches.public_queries.list_lobby(reader, now=env.bot.now())).challenges
    assert listed.challenge.by.name == "Alice"
    view = (await matches.challenges.accept(listed.challenge.id, WENDY, now=env.bot.now())).match
    await settle(env)
    assert "**Accepted** by Wendy\\_\\*." in made.text
    assert not made.buttons
    return view


@pytest.mark.long
async def test_challenge_by_account_is_played_in_direct_messages(env: BotEnvironment) -> None:
    made = await challenge_from_website(env)
    (asked,) = env.alice.dms
    assert "**Wendy\\_\\* challenges" in asked.text
    assert "Well met, \\*Alice\\*!" in asked.text
    await env.alice.click(asked, "Accept")
    await settle(env)
    started = (await env.bot.matches.challenges.find(made.id, now=env.bot.now())).match
    assert started is not None
    view = await env.bot.matches.view(started, now=env.bot.now())
    assert (view.channel, view.audience) == (WEBSITE, Audience.NAMES)
    await play_on_website(env, view, "C1-D2")
    board = env.alice.dms[-1]
    assert {"Move", "Pick"} <= set(labels(board))
    reply = await env.submit_move(env.alice, board, "A2-C4")
    assert "A2-C4" in reply.text
    for command in ("games", "board"):
        answer = await env.alice.command(command, {}, channel=board.channel)
        assert "Wendy" in answer.text, command
    await env.bot.matches.resign(view.id, WENDY, now=env.bot.now())
    await settle(env)
    assert "Wendy\\_\\* resigns" in env.alice.dms[-1].text
    assert env.channel.messages == []


@pytest.mark.long
@pytest.mark.parametrize("label", ["Decline", "Withdraw"])
async def test_buttons_of_a_challenge_from_the_website(env: BotEnvironment, label: str) -> None:
    made = await challenge_from_website(env)
    await env.alice.click(env.alice.dms[-1], label)
    found = await env.bot.matches.challenges.find(made.id, now=env.bot.now())
    assert found.state.value == ("declined" if label == "Decline" else "open")


@pytest.mark.long
async def test_withdrawn_on_the_website_is_told_in_discord(env: BotEnvironment) -> None:
    made = await challenge_from_website(env)
    await env.bot.matches.challenges.withdraw(made.id, WENDY, now=env.bot.now())
    await settle(env)
    assert "withdrew" in env.alice.dms[-1].text
    assert "Well met" not in env.alice.dms[-1].text


@pytest.mark.long
async def test_challenge_of_a_channel_is_accepted_on_the_website(env: BotEnvironment) -> None:
    view = await start_in_channel(env)
    board = env.latest_message
    assert "against Wendy\\_\\* (White)" in board.text
    assert "<@a1" not in board.text
    await env.submit_move(env.alice, board, "C1-D2")
    await settle(env)
    assert "Wendy\\_\\*" in env.latest_message.text
    await play_on_website(env, view, "A2-C4")
    assert "White A2-C4" in env.latest_message.text
    assert env.alice.pings[-1].id == env.latest_message.id
    assert env.alice.dms == []


@pytest.mark.long
async def test_match_begins_in_a_thread_where_the_server_wants_that(env: BotEnvironment) -> None:
    view = await start_in_channel(env, threads=True)
    (thread,) = env.channel.threads
    found = await env.bot.matches.view(view.id, now=env.bot.now())
    assert (found.channel, found.audience) == (ids.stored_id(thread.id), Audience.NAMES)
    board = thread.messages[-1]
    assert "against Wendy\\_\\* (White)" in board.text
    await env.submit_move(env.alice, board, "C1-D2")
    await settle(env)
    await play_on_website(env, view, "A2-C4")
    assert "White A2-C4" in thread.messages[-1].text


@pytest.mark.long
async def test_excluded_member_cannot_come_by_the_website(env: BotEnvironment) -> None:
    """An account of the website that was joined with that of an excluded member is that member."""
    matches, server = env.bot.matches, ids.stored_id(env.guild.id)
    alice, bob = (Person(ids.stored_id(one.id), one.name) for one in (env.alice, env.bob))
    await env.make_challenge(opponent=None)
    await challenge_from_website(env)
    await matches.people.blocks.exclude(server, bob, alice, now=env.bot.now())
    await matches.people.personal_data.join(WENDY.account, bob.account, now=env.bot.now())
    in_channel = (await matches.challenges.list_for_person(alice, server, now=env.bot.now()))[0]
    with refused("excluded"):
        await matches.challenges.accept(in_channel.id, bob, now=env.bot.now())
