"""Playing the computer in Discord: a whole game, and what surrounds it."""

from __future__ import annotations

import random
from typing import TYPE_CHECKING

import pytest

from ai.search import Opponent
from ai.worker import worker as worker_module
from ai.worker.worker import Worker
from engine import GAMES
from matches import LEVELS, MatchId, OfferKind, is_computer
from matches.computer import service
from tests.bot.environment import labels

if TYPE_CHECKING:
    from matches import MatchView
    from tests.bot.environment import BotEnvironment
    from tests.discord_server import Member, Reply

RAYUELA = "Rayuela (beginner)"


def make_worker(env: BotEnvironment) -> Worker:
    return Worker(env.bot.matches, GAMES, Opponent.start(), env.bot.now)


async def let_it_answer(env: BotEnvironment, worker: Worker) -> None:
    """Have the worker do everything that is due, and the bot post it."""
    while await worker.work_once():
        env.discord.advance(2)
        await worker.finish()
    await env.bot.outbox.send_due()
    await env.wait_until_idle()


async def play_computer(env: BotEnvironment, **options: str) -> Reply:
    return await env.alice.command(
        "challenge",
        {"level": "beginner", "game": "Morabaraba", "colour": "red", **options},
        channel=env.channel,
    )


async def only_match(env: BotEnvironment) -> MatchView:
    (line,) = await env.bot.matches.views.list_recent(f"discord:{env.guild.id}")
    return await env.bot.matches.view(MatchId(line.id), now=env.bot.now())


@pytest.mark.long
async def test_whole_game_with_takeback_and_rematch(env: BotEnvironment) -> None:
    worker, chance = make_worker(env), random.Random(5)
    board = await play_computer(env)
    assert RAYUELA in board.text
    assert f"{RAYUELA} is thinking." in board.text
    await let_it_answer(env, worker)
    answer = env.latest_message
    assert f"{env.alice.mention}, it is your turn" in answer.content
    assert answer in env.alice.pings
    view = await only_match(env)
    assert view.position is not None
    await env.move(env.alice, str(chance.choice(view.position.legal_moves())))
    assert not any(button.label == "Pick" for button in env.latest_message.buttons)
    undone = await env.alice.command("takeback", channel=env.channel)
    assert "Alice takes back a turn." in undone.text
    assert f"{env.alice.mention}, it is your turn" in undone.text
    while (view := await only_match(env)).result is None:
        assert view.position is not None
        mover = view.to_move
        assert mover is not None
        if is_computer(mover.person.account):
            await let_it_answer(env, worker)
        else:
            reply = await env.move(env.alice, str(chance.choice(view.position.legal_moves())))
            assert not reply.ephemeral, reply.text
    await let_it_answer(env, worker)
    assert "thank you for the game" in env.latest_message.content
    turns = [one for one in env.channel.messages if "after move" in one.content]
    assert len({one.content.rpartition("after move ")[2] for one in turns}) >= view.ply
    rematch = await env.alice.click(env.latest_message, "Rematch")
    assert f"Alice (White) against {RAYUELA} (Red)" in rematch.text


async def test_newcomer_alone_finds_the_computer(env: BotEnvironment, eve: Member) -> None:
    help_text = (await env.alice.command("help", channel=env.channel)).text
    lobby_text = (await env.alice.command("lobby", channel=env.channel)).text
    assert "play the computer at once" in help_text
    assert "you play the computer at once" in lobby_text
    levels = await env.alice.autocomplete("challenge", {"level": ""}, focused="level", channel=env.channel)
    assert [one.value for one in levels] == list(LEVELS)
    by_user = await env.alice.command(
        "challenge", {"opponent": env.guild.bot_member, "game": "Morabaraba"}, channel=env.channel
    )
    assert "Rayuela (casual)" in by_user.text
    by_menu = await env.alice.use_menu("Challenge", env.guild.bot_member, channel=env.channel)
    assert "Rayuela (casual)" in by_menu.text
    for typed, level in (("club+", "club+"), ("club\uff0b", "club+"), ("cl", "club")):
        reply = await env.alice.command(
            "challenge", {"level": typed, "game": "Morabaraba"}, channel=env.channel
        )
        assert f"Rayuela ({level})" in reply.text
    refused = await env.alice.command(
        "challenge", {"opponent": env.bob, "level": "club"}, channel=env.channel
    )
    assert refused.ephemeral
    assert "Leave out the level" in refused.text
    panel = await eve.command("settings", channel=env.channel)
    panel = await eve.click(panel, "Rate matches against the computer")
    assert "Matches against the computer: **count for the ratings**" in panel.text


@pytest.mark.parametrize("clock", [{}, {"time_control": "3d"}])
async def test_computer_is_given_no_time_and_is_never_late(
    env: BotEnvironment, clock: dict[str, str]
) -> None:
    await play_computer(env, **clock)
    sentence = f"{RAYUELA} is the computer, which never runs out of time."
    for command, arguments in (("give-time", {"time": "1d"}), ("claim", {})):
        reply = await env.alice.command(command, arguments, channel=env.channel)
        assert (reply.text, reply.ephemeral) == (sentence, True)


@pytest.mark.long
async def test_late_player_is_told_to_move_before_a_pause(env: BotEnvironment) -> None:
    await play_computer(env, time_control="3d", colour="white")
    await env.advance_time(days=3, minutes=1)
    reply = await env.alice.command("pause", channel=env.channel)
    assert f"{RAYUELA} does not claim the win. You can pause after your move." in reply.text


@pytest.mark.long
async def test_match_continues_in_a_thread_where_matches_have_threads(
    env: BotEnvironment, eve: Member, monkeypatch: pytest.MonkeyPatch
) -> None:
    worker = make_worker(env)
    panel = await eve.command("settings", channel=env.channel)
    await eve.select(panel, "Where matches are played", ["thread"])
    board = await play_computer(env)
    await env.wait_until_idle()
    (thread,) = env.channel.threads
    assert board.shown.thread is thread.state
    assert f"{RAYUELA} (White) against Alice (Red)" in board.text
    assert "challenge" not in board.text.lower()
    await let_it_answer(env, worker)
    assert f"{env.alice.mention}, it is your turn" in thread.messages[-1].content
    await env.alice.command("resign", channel=thread)
    monkeypatch.setattr(service, "MAX_ACTIVE", 1)
    refused = await play_computer(env)
    assert refused.ephemeral
    assert "challenge" not in (await env.alice.command("lobby", channel=env.channel)).text.lower()


async def test_match_stays_in_the_channel_where_discord_refuses_its_thread(
    env: BotEnvironment, eve: Member
) -> None:
    panel = await eve.command("settings", channel=env.channel)
    await eve.select(panel, "Where matches are played", ["thread"])
    env.discord.faults.refuse("POST", "**/threads", status=403, code=50013)
    await play_computer(env)
    await env.wait_until_idle()
    await let_it_answer(env, make_worker(env))
    assert env.channel.threads == []
    assert f"{env.alice.mention}, it is your turn" in env.latest_message.content


@pytest.mark.long
async def test_posts_never_speak_to_the_computer(env: BotEnvironment) -> None:
    worker = make_worker(env)
    await play_computer(env, time_control="1d per move")
    await let_it_answer(env, worker)
    for command in ("draw", "pause", "resume", "vacation"):
        reply = await env.alice.command(command, channel=env.channel)
        if command == "vacation":
            await env.alice.click(reply, "Begin vacation")
            await env.alice.click(await env.alice.command(command, channel=env.channel), "End vacation")
        await let_it_answer(env, worker)
    await env.advance_time(days=2)
    await env.wait_until_idle()
    assert f"{env.alice.mention}, {RAYUELA} does not claim the win" in env.latest_message.content
    assert [button.label for button in env.latest_message.buttons] == ["My view"]
    assert "and may still play" in (await env.alice.command("board", channel=env.channel)).text
    await env.alice.click(await env.alice.command("resign", channel=env.channel), "Resign")
    await env.wait_until_idle()
    await env.alice.click(env.latest_message, "Rematch")
    await env.alice.click(await env.alice.command("abort", channel=env.channel), "Abort")
    await env.wait_until_idle()
    assert "aborted" in env.latest_message.content
    assert not [one.content for one in env.channel.messages if f"{RAYUELA}, " in one.content]


@pytest.mark.long
@pytest.mark.parametrize("accept", [False, True])
async def test_offer_of_the_computer_is_answered_as_that_of_a_person(
    env: BotEnvironment, monkeypatch: pytest.MonkeyPatch, *, accept: bool
) -> None:
    monkeypatch.setattr(worker_module, "choose_offer", lambda *_arguments: OfferKind.DRAW)
    await play_computer(env)
    await let_it_answer(env, make_worker(env))
    await env.bot.outbox.send_due()
    await env.wait_until_idle()
    turn, offer = env.channel.messages[-2:]
    assert f"{env.alice.mention}, it is your turn" in turn.content
    assert offer.content == (
        "The same board has occurred at least three times.\n"
        f"{RAYUELA} offers a **draw** in Morabaraba #1.\n{env.alice.mention}, do you accept?"
    )
    assert offer in env.alice.pings
    assert labels(offer) == ["Accept the draw", "Decline the draw", "My view"]
    assert not await env.bot.matches.computer.is_thinking()
    answer = await env.alice.click(offer, "Accept the draw" if accept else "Decline the draw")
    view = await only_match(env)
    assert (view.pending_offer, view.result is not None) == (None, accept)
    assert env.alice.mention not in answer.text
    expected = "It is a draw." if accept else "Alice declines the draw. Morabaraba #1 continues."
    assert expected in answer.text


@pytest.mark.long
async def test_challenger_calls_the_computer_and_offers_a_draw(env: BotEnvironment) -> None:
    worker = make_worker(env)
    challenge = await env.alice.command(
        "challenge", {"game": "Morabaraba", "colour": "white"}, channel=env.channel
    )
    refused = await env.bob.click(challenge, "Play the computer")
    assert "Only Alice can let the computer accept" in refused.text
    question = await env.alice.click(challenge, "Play the computer")
    begun = await env.alice.select(question, "Choose a level", ["beginner"])
    assert (begun.ephemeral, "Morabaraba vs" in begun.text) == (True, True)
    await env.wait_until_idle()
    assert challenge.text.splitlines() == [
        f"**Alice plays {RAYUELA}** at **Morabaraba**.",
        "12 men each",
    ]
    assert f"{env.alice.mention}, it is your turn" in env.latest_message.content
    offer = await env.alice.command("draw", channel=env.channel)
    assert "do you accept" not in offer.text
    assert [button.label for button in offer.shown.buttons] == ["Withdraw", "My view"]
    await let_it_answer(env, worker)
    assert "declines the draw" in env.latest_message.content
    await env.start_match(game="Morabaraba", colour="white", board=None, start=None)
    lines = (await env.alice.command("turns", channel=env.channel)).text.splitlines()
    assert ["Bob" in line for line in lines[1:]] == [True, False]


@pytest.mark.parametrize(
    ("options", "expected"),
    [
        ({"level": "beginner"}, {"edition": "nestor", "size": 9, "setup": "facing"}),
        ({"level": "Beginner", "board": "11"}, {"size": 11, "setup": "facing"}),
        ({"level": "beginner", "edition": "2015"}, {"edition": "2015"}),
        ({"level": "casual"}, {"size": 13}),
    ],
)
async def test_match_against_the_lowest_level_suits_a_first_game(
    env: BotEnvironment, options: dict[str, str], expected: dict[str, object]
) -> None:
    await env.alice.command("challenge", {"game": "morelli", **options}, channel=env.channel)
    view = await env.bot.matches.view(MatchId(1), now=env.bot.now())
    assert view.options.items() >= expected.items()
