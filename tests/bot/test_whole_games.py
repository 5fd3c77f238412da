"""Whole games from challenge to result, by commands and clicks."""

from __future__ import annotations

import random
from typing import TYPE_CHECKING

import pytest

from i18n.formatting import format_option_name
from matches import MatchId, MatchView, Result
from tests.games import GAMES, TEXTS

if TYPE_CHECKING:
    from engine.game import Game, Position
    from tests.bot.environment import BotEnvironment
    from tests.discord_server import Message, Reply


async def match_state(env: BotEnvironment) -> MatchView:
    """Return the view of match 1."""
    return await env.bot.matches.view(MatchId(1), now=env.bot.now())


async def play_random_moves(env: BotEnvironment, board: Message | Reply, seed: int) -> Message:
    """Play random legal moves, by command or by modal, until the game ends; return the last post."""
    chance = random.Random(seed)
    people = {f"discord:{person.id}": person for person in (env.alice, env.bob)}
    while (seat := (view := await match_state(env)).to_move) is not None and view.position is not None:
        who, texts = people[seat.person.account], random_turn(view.position, chance)
        if chance.random() < 0.5:
            board = await env.move(who, texts)
        else:
            board = await env.submit_move(who, board, texts)
        assert not board.ephemeral, board.text
    return env.latest_message


def random_turn(position: Position, chance: random.Random) -> str:
    """Return a whole turn of random moves, a set-up series in one."""
    texts: list[str] = []
    for _ in range(position.moves_due):
        move = chance.choice(position.legal_moves())
        texts.append(str(move))
        position = position.play(move)
    return " ".join(texts)


def shortest_options(game: Game) -> dict[str, str]:
    """Return the smallest value of each number and the first value of a simultaneous choice's option."""
    numbers = {
        option.name: min(value for value in option.choices or (option.minimum,) if isinstance(value, int))
        for option in game.options
        if not option.is_random and isinstance(option.default, int)
    }
    choice = game.simultaneous_choice
    chosen = {} if choice is None else {choice.option: game.resolve_picks(choice.picks[0], choice.picks[0])}
    return {format_option_name(TEXTS, name): str(value) for name, value in (numbers | chosen).items()}


def headline(result: Result) -> str:
    """Return the sentence that states the result."""
    if result.winner is None:
        return "It is a draw."
    return f"{result.winner.side.capitalize()} ({result.winner.person.name}) wins."


@pytest.mark.parametrize(
    ("options", "seed"),
    [
        *(
            pytest.param(
                {"game": name, "colour": game.sides[0].value, **shortest_options(game)},
                seed,
                marks=pytest.mark.long,
            )
            for seed, (name, game) in enumerate(GAMES.items(), start=1)
        ),
        pytest.param({"game": "morelli", "board": "9", "start": "free"}, 2, marks=pytest.mark.long),
        pytest.param(
            {"game": "morelli", "board": "9", "edition": "2015", "start": "random"}, 3, marks=pytest.mark.long
        ),
        pytest.param(
            {"game": "morelli", "board": "9", "edition": "mindsports", "start": "pairs"},
            4,
            marks=pytest.mark.long,
        ),
        pytest.param({"game": "morphos", "board": "5", "mutators": "bcd"}, 6),
    ],
    ids=lambda value: "-".join(value.values()) if isinstance(value, dict) else "",
)
async def test_game_ends_with_its_result(env: BotEnvironment, options: dict[str, str], seed: int) -> None:
    settings = {"board": None, "start": None, **options}
    last = await play_random_moves(env, await env.start_match(**settings), seed)
    view = await match_state(env)
    assert view.result is not None
    assert f"**{headline(view.result)}" in last.text
    assert "thank you for the game" in last.text
    assert [button.label for button in last.buttons] == ["Rematch", "My view", "Replay", "Analyse"]
    assert last.attachments
    mover = view.last_turn[-1].person.name
    assert (env.alice if mover == "Bob" else env.bob).pings[-1] is last
    over = await env.move(env.alice, "A1-B2", match="1")
    assert "(#1) is over" in over.text
    assert (await env.bot.matches.audit(MatchId(1))).difference is None
    posts = [message for message in env.channel.messages if "after move" in message.text]
    assert len(posts) == len({message.text.splitlines()[-1] for message in posts})
