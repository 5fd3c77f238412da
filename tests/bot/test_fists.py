"""Closed fists: picked in private, opened for all at once, and never seen before."""

from __future__ import annotations

import io
import logging
from typing import TYPE_CHECKING, Any

import pytest

from running import logs

if TYPE_CHECKING:
    from collections.abc import Iterator

    from tests.bot.stage import Stage
    from tests.discord_server import Member, Message, Reply

BUTTON = "Close your fists"
PICKS = {"LL": "both left", "RR": "both right", "LR": "one in each"}
MODES = {"LL": "Adjacent", "RR": "Facing", "LR": "Free"}


async def closed(stage: Stage, **options: Any) -> Message:
    """Let Alice, Black, and Bob begin a match by closed fists; give the post that asks them."""
    reply = await stage.bob.click(await stage.challenge(board="9", **options), "Accept")
    return await stage.board(after=reply)


async def pick(person: Member, post: Message, hands: str) -> Reply:
    """Pick with one of the three buttons, named by the hands."""
    choice = await person.click(post, BUTTON)
    label = next(button.label for button in choice.buttons if hands in (button.label or ""))
    return await person.click(choice, str(label))


async def test_both_people_are_called_to_pick(stage: Stage) -> None:
    post = await closed(stage)
    assert "Closed fists" in post.text
    assert stage.alice.pings[-1] is post
    assert stage.bob.pings[-1] is post
    assert [button.label for button in post.buttons] == [BUTTON]


async def test_picks_are_offered_in_private_as_fists_and_as_modes(stage: Stage) -> None:
    reply = await stage.alice.click(await closed(stage), BUTTON)
    assert reply.ephemeral
    labels = [str(button.label) for button in reply.buttons]
    assert len(labels) == 3
    for key, label in zip(PICKS, labels, strict=True):
        assert "🤛" in label
        assert label.count("●") == 2
        assert f"{PICKS[key]}: {MODES[key]}" in label


async def test_first_pick_is_confirmed_in_private_and_stands(stage: Stage) -> None:
    post = await closed(stage)
    reply = await pick(stage.alice, post, "both left")
    assert reply.updated
    assert reply.ephemeral
    assert "both left (Adjacent)" in reply.text
    assert not reply.buttons
    again = await stage.alice.click(post, BUTTON)
    assert "a pick stands" in again.text
    assert not again.buttons
    assert stage.latest is post


async def test_pick_from_an_old_private_message_stands_too(stage: Stage) -> None:
    post = await closed(stage)
    choice = (await stage.alice.click(post, BUTTON)).shown
    components = choice.components
    await stage.alice.click(choice, str(choice.buttons[0].label))
    choice.components = components
    assert "a pick stands" in (await stage.alice.click(choice, str(choice.buttons[1].label))).text


@pytest.mark.parametrize(
    ("hers", "his", "mode", "why"),
    [
        ("LL", "LL", "Adjacent", "Both picked the same"),
        ("RR", "RR", "Facing", "Both picked the same"),
        ("LR", "LR", "Free", "Both picked the same"),
        ("LL", "RR", "Free", "third way"),
        ("RR", "LR", "Adjacent", "third way"),
        ("LR", "LL", "Facing", "third way"),
    ],
)
async def test_one_post_opens_both(stage: Stage, hers: str, his: str, mode: str, why: str) -> None:
    post = await closed(stage)
    await pick(stage.alice, post, PICKS[hers])
    reply = await pick(stage.bob, post, PICKS[his])
    board = await stage.board(after=post)
    assert f"Alice: {drawn(hers)} {PICKS[hers]} ({MODES[hers]})" in board.text
    assert f"Bob: {drawn(his)} {PICKS[his]} ({MODES[his]})" in board.text
    assert f"**{mode}**" in board.text
    assert why in board.text
    assert board.attachments
    assert stage.alice.pings[-1] is board
    assert stage.bob.pings[-1] is post
    assert "Both open them now" in reply.text
    assert len(stage.channel.messages) == 3


def drawn(pick: str) -> str:
    return {"LL": "🤛●●·🤜", "RR": "🤛·●●🤜", "LR": "🤛●·●🤜"}[pick]


async def test_free_start_calls_black_to_place_one_stone(stage: Stage) -> None:
    post = await closed(stage)
    await pick(stage.alice, post, "one in each")
    await pick(stage.bob, post, "one in each")
    board = await stage.board(after=post)
    assert f"{stage.alice.mention}, you have **Black** and are to place one stone" in board.text


async def test_onlooker_cannot_pick(stage: Stage) -> None:
    post = await closed(stage)
    reply = await stage.guild.member("Eve").click(post, BUTTON)
    assert "You do not play in match 1" in reply.text
    assert reply.ephemeral


async def test_nothing_is_picked_once_the_fists_are_open(stage: Stage) -> None:
    post = await closed(stage)
    await pick(stage.alice, post, "both left")
    await pick(stage.bob, post, "both left")
    assert "the start is settled" in (await stage.bob.click(post, BUTTON)).text


async def test_nothing_is_played_before_the_fists_are_open(stage: Stage) -> None:
    await closed(stage)
    reply = await stage.move(stage.alice, "A1-B2", match="1")
    assert "both of you have to pick first" in reply.text
    assert reply.ephemeral


@pytest.fixture
def log() -> Iterator[io.StringIO]:
    """Everything that the bot logs at its most talkative."""
    stream, root = io.StringIO(), logging.getLogger()
    handlers, level = root.handlers[:], root.level
    logs.set_up("DEBUG", stream=stream)
    yield stream
    root.handlers[:] = handlers
    root.setLevel(level)


async def test_nobody_sees_a_pick_before_both_are_in(stage: Stage, log: io.StringIO) -> None:
    post = await closed(stage)
    before = len(stage.discord.requests)
    await pick(stage.alice, post, "both left")
    choice = await stage.bob.click(post, BUTTON)
    seen = [message.text for message in stage.bob.sees(stage.channel)]
    for command, options in (
        ("board", {"match": "1"}),
        ("games", {}),
        ("resign", {"match": "1"}),
        ("end", {}),
    ):
        seen.append((await stage.bob.command(command, options, channel=stage.channel)).text)
    onlooker = stage.guild.member("Eve")
    seen.append((await onlooker.command("board", {"match": "1"}, channel=stage.channel)).text)
    names = [
        choice.name
        for choice in await stage.bob.autocomplete(
            "move", {"move": "A", "match": ""}, focused="match", channel=stage.channel
        )
    ]
    told = "\n".join([*seen, *names])
    assert choice.text.count("both left") == 0
    assert "both left" not in told
    assert "Adjacent" not in told
    assert "LL" not in log.getvalue()
    assert "both left" not in log.getvalue()
    told_to_bob = [one for one in stage.discord.requests[before:] if "both left (Adjacent)" in str(one.body)]
    assert len(told_to_bob) == 1  # the answer to Alice herself
