"""The simultaneous choice: picked in private, revealed together, and never visible before."""

from __future__ import annotations

import io
import logging
from typing import TYPE_CHECKING, Any

import pytest

from runtime import logs

if TYPE_CHECKING:
    from collections.abc import Iterator

    from tests.bot.environment import BotEnvironment
    from tests.discord_server import Member, Message, Reply

PICK_BUTTON = "Close your fists"
PICKS = {"LL": "both left", "RR": "both right", "LR": "one in each"}
MODES = {"LL": "Adjacent", "RR": "Facing", "LR": "Free"}


async def start_match_with_choice(env: BotEnvironment, **options: Any) -> Message:
    """Start a match of Alice, Black, and Bob with the simultaneous choice; return its post."""
    reply = await env.bob.click(await env.make_challenge(board="9", **options), "Accept")
    return await env.wait_for_board(after=reply)


async def pick(person: Member, post: Message, hands: str) -> Reply:
    """Pick with one of the three buttons, identified by part of its label."""
    choice = await person.click(post, PICK_BUTTON)
    label = next(button.label for button in choice.buttons if hands in (button.label or ""))
    return await person.click(choice, str(label))


async def test_pictures_show_the_starts_in_the_order_of_the_picks(env: BotEnvironment) -> None:
    reply = await env.alice.click(await start_match_with_choice(env), PICK_BUTTON)
    alts = [file.description or "" for file in reply.attachments]
    assert [alt.partition(":")[0] for alt in alts] == list(MODES.values())
    assert all("\n9 " in alt for alt in alts)  # the 9 x 9 board of this match
    picked = await env.alice.click(reply, str(reply.buttons[0].label))
    assert "Your pick" in picked.text


async def test_choice_post_pings_both_players(env: BotEnvironment) -> None:
    post = await start_match_with_choice(env)
    assert "Closed fists" in post.text
    assert env.alice.pings[-1] is post
    assert env.bob.pings[-1] is post
    assert [button.label for button in post.buttons] == [PICK_BUTTON, "Rules", "Learn"]


async def test_picks_are_offered_in_private_with_their_start(env: BotEnvironment) -> None:
    reply = await env.alice.click(await start_match_with_choice(env), PICK_BUTTON)
    assert reply.ephemeral
    labels = [str(button.label) for button in reply.buttons]
    assert len(labels) == 3
    for key, label in zip(PICKS, labels, strict=True):
        assert "🤛" in label
        assert label.count("●") == 2
        assert f"{PICKS[key]}: {MODES[key]}" in label


async def test_first_pick_is_confirmed_in_private_and_final(env: BotEnvironment) -> None:
    post = await start_match_with_choice(env)
    reply = await pick(env.alice, post, "both left")
    assert reply.updated
    assert reply.ephemeral
    assert "both left (Adjacent)" in reply.text
    assert not reply.buttons
    again = await env.alice.click(post, PICK_BUTTON)
    assert "You cannot change it" in again.text
    assert not again.buttons
    assert env.latest_message is post


async def test_pick_from_an_older_private_message_is_final(env: BotEnvironment) -> None:
    post = await start_match_with_choice(env)
    choice = (await env.alice.click(post, PICK_BUTTON)).shown
    components = choice.components
    await env.alice.click(choice, str(choice.buttons[0].label))
    choice.components = components
    assert "You cannot change it" in (await env.alice.click(choice, str(choice.buttons[1].label))).text


@pytest.mark.parametrize(
    ("hers", "his", "mode", "why"),
    [
        ("LL", "LL", "Adjacent", "Both picked the same"),
        ("RR", "RR", "Facing", "Both picked the same"),
        ("LR", "LR", "Free", "Both picked the same"),
        ("LL", "RR", "Free", "third one"),
        ("RR", "LR", "Adjacent", "third one"),
        ("LR", "LL", "Facing", "third one"),
    ],
)
async def test_one_post_reveals_both_picks(
    env: BotEnvironment, hers: str, his: str, mode: str, why: str
) -> None:
    post = await start_match_with_choice(env)
    await pick(env.alice, post, PICKS[hers])
    reply = await pick(env.bob, post, PICKS[his])
    board = await env.wait_for_board(after=post)
    assert f"Alice: {drawn(hers)} {PICKS[hers]} ({MODES[hers]})" in board.text
    assert f"Bob: {drawn(his)} {PICKS[his]} ({MODES[his]})" in board.text
    assert f"**{mode}**" in board.text
    assert why in board.text
    assert board.attachments
    assert env.alice.pings[-1] is board
    assert env.bob.pings[-1] is post
    assert "so the match begins" in reply.text
    assert len(env.channel.messages) == 3


def drawn(pick: str) -> str:
    """Return the drawing of a pick."""
    return {"LL": "🤛●●·🤜", "RR": "🤛·●●🤜", "LR": "🤛●·●🤜"}[pick]


async def test_free_start_asks_black_to_place_one_stone(env: BotEnvironment) -> None:
    post = await start_match_with_choice(env)
    await pick(env.alice, post, "one in each")
    await pick(env.bob, post, "one in each")
    board = await env.wait_for_board(after=post)
    assert f"{env.alice.mention}, it is your turn: place one stone. You play **Black**" in board.text


@pytest.mark.long
async def test_onlooker_cannot_pick(env: BotEnvironment) -> None:
    post = await start_match_with_choice(env)
    reply = await env.guild.member("Eve").click(post, PICK_BUTTON)
    assert "You are not playing in Morelli #1" in reply.text
    assert reply.ephemeral


async def test_pick_after_the_reveal_is_refused(env: BotEnvironment) -> None:
    post = await start_match_with_choice(env)
    await pick(env.alice, post, "both left")
    await pick(env.bob, post, "both left")
    assert "is already decided" in (await env.bob.click(post, PICK_BUTTON)).text


async def test_move_before_the_reveal_is_refused(env: BotEnvironment) -> None:
    await start_match_with_choice(env)
    reply = await env.move(env.alice, "A1-B2", match="1")
    assert "Both of you have to pick a start first" in reply.text
    assert reply.ephemeral


@pytest.fixture
def log_stream() -> Iterator[io.StringIO]:
    """Capture the log at the lowest level."""
    stream, root = io.StringIO(), logging.getLogger()
    handlers, level = root.handlers[:], root.level
    logs.configure("DEBUG", stream=stream)
    yield stream
    root.handlers[:] = handlers
    root.setLevel(level)


@pytest.mark.long
async def test_nobody_sees_a_pick_before_both_have_picked(
    env: BotEnvironment, log_stream: io.StringIO
) -> None:
    post = await start_match_with_choice(env)
    asked = (await env.bob.click(post, PICK_BUTTON)).text
    before = len(env.discord.requests)
    await pick(env.alice, post, "both left")
    choice = await env.bob.click(post, PICK_BUTTON)
    seen = [one.text for one in env.bob.visible_messages(env.channel) if one.text != asked]
    for command, options in (
        ("board", {"match": "1"}),
        ("games", {}),
        ("resign", {"match": "1"}),
        ("end", {}),
    ):
        seen.append((await env.bob.command(command, options, channel=env.channel)).text)
    onlooker = env.guild.member("Eve")
    seen.append((await onlooker.command("board", {"match": "1"}, channel=env.channel)).text)
    names = [
        choice.name
        for choice in await env.bob.autocomplete(
            "move", {"move": "A", "match": ""}, focused="match", channel=env.channel
        )
    ]
    received = "\n".join([*seen, *names])
    assert choice.text == asked
    assert "both left" not in received
    assert "Adjacent" not in received
    assert "LL" not in log_stream.getvalue()
    assert "both left" not in log_stream.getvalue()
    mentions_of_pick = [
        one for one in env.discord.requests[before:] if "both left (Adjacent)" in str(one.body)
    ]
    assert len(mentions_of_pick) == 1  # the response to Alice
