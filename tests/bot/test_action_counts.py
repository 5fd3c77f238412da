"""How many actions a player needs from a challenge to the first board, and for a turn with Pick."""

from __future__ import annotations

import random
from typing import TYPE_CHECKING

import pytest

from matches import MatchId
from tests.games import GAMES

if TYPE_CHECKING:
    from engine.game import Game
    from tests.bot.environment import BotEnvironment
    from tests.discord_server import Member, Message, Reply

TURNS = 3
MAX_ACTIONS = 5
MAX_AVERAGE = 4.7  # Pick, what to move, where to, Confirm, and sometimes one question more


async def start_by_clicks(env: BotEnvironment, game: Game) -> tuple[Message, int]:
    """Challenge with the default options and accept; return the first board and the number of actions."""
    challenge = await env.alice.command(
        "challenge", {"opponent": env.bob, "game": game.name}, channel=env.channel
    )
    post = await env.wait_for_board(after=await env.bob.click(challenge, "Accept"))
    if game.simultaneous_choice is None:
        return post, 2
    for person in (env.alice, env.bob):
        choice = await person.click(post, str(post.buttons[0].label))
        await person.click(choice, str(choice.buttons[0].label))
    board = await env.channel.wait_for(lambda one: "Pick" in {button.label for button in one.buttons})
    return board, 6


async def pick_turn(person: Member, board: Message, chance: random.Random) -> tuple[Reply, int]:
    """Pick random answers until a turn is confirmed; return the last response and the number of actions."""
    dialog, actions = await person.click(board, "Pick"), 1
    while True:
        actions += 1
        names = [str(button.label) for button in dialog.buttons]
        confirm = next((name for name in names if name.lower().endswith("confirm")), None)
        if confirm is not None:
            return await person.click(dialog, confirm), actions
        answers = [name for name in names if name not in {"Back", "Flip board"}]
        if dialog.selects and (not answers or chance.random() < 0.7):
            menu = chance.choice(dialog.selects)
            value = chance.choice(menu.options).value
            dialog = await person.select(dialog, str(menu.custom_id), [value])
        else:
            dialog = await person.click(dialog, chance.choice(answers))


@pytest.mark.long
@pytest.mark.parametrize("game", GAMES.values(), ids=lambda game: game.name)
async def test_turns_with_pick_take_few_actions(env: BotEnvironment, game: Game) -> None:
    board, actions = await start_by_clicks(env, game)
    assert actions <= 6  # of both players together
    people = {f"discord:{person.id}": person for person in (env.alice, env.bob)}
    counts, chance = [], random.Random(1)
    for _ in range(TURNS):
        seat = (await env.bot.matches.view(MatchId(1), now=env.bot.now())).to_move
        if seat is None:
            break
        reply, actions = await pick_turn(people[seat.person.account], board, chance)
        counts.append(actions)
        board = reply.shown
    assert max(counts) <= MAX_ACTIONS
    assert sum(counts) / len(counts) <= MAX_AVERAGE


async def test_rules_and_the_first_lesson_are_one_click_from_a_challenge(env: BotEnvironment) -> None:
    challenge = await env.make_challenge()
    rules = await env.bob.click(challenge, "Rules")
    assert (rules.ephemeral, rules.text.startswith("## In short")) == (True, True)
    lesson = await env.bob.click(challenge, "Learn")
    assert lesson.ephemeral
    assert lesson.selects
    assert lesson.attachments
