"""How people play: the picks before a match, and turns by command, by form and by the move picker."""

from __future__ import annotations

import json
from contextlib import nullcontext
from typing import TYPE_CHECKING

from engine import GAMES
from engine.game import MoveChoice
from tests.soak.bot_runner import BotRunner
from tests.soak.metrics import MeasuredTurn, TurnCost, month_of
from tests.soak.population import latest_button
from tests.soak.website import play_in_browser

if TYPE_CHECKING:
    from random import Random

    from engine.game import Move, Position
    from matches import MatchView, Person
    from tests.discord_server import Member, Reply
    from tests.discord_server.rest import LoggedRequest
    from tests.soak.environment import SoakEnvironment


async def make_pick(env: SoakEnvironment, view: MatchView, person: Person) -> None:
    """Make the secret pick of `person` by the post that asks for it, if that is there yet."""
    who, channel = env.population.person(person.account), env.population.channel(view.channel)
    post = latest_button(channel, f"fists1:{view.id}")
    if post is None:
        return
    choice = await env.perform(who, "opens the picks", who.click(*post), view.id)
    if choice.failed or not choice.buttons:
        return
    button = env.rng.choice(choice.buttons)
    await env.perform(who, f"picks {button.label}", who.click(choice, button.custom_id or ""), view.id)
    env.metrics.counts["picks"] += 1


async def play_turn(env: SoakEnvironment, view: MatchView) -> None:
    """Play a turn in one of three ways, or in the browser if there is a website.

    Raises SimulationFailure if the turn was not accepted.
    """
    reply: Reply | None
    faults_before, drawn = env.fault_injector.fault_count, env.rng.random()
    ply, text = env.expected_turns.pop(view.id, (0, ""))
    if ply != view.ply or not text:
        text = random_turn(_require_position(view), env.rng)
    if drawn < 0.12:
        reply = await _play_by_form(env, view, text)
    elif drawn < 0.16:
        reply = await _play_by_picker(env, view)
    elif drawn < 0.26 and env.runner.has_website:
        reply = await play_in_browser(env, _mover(env, view), view, text)
    else:
        reply = await _play_by_command(env, view, text)
    after = await env.view(view.id)
    if after.ply == view.ply and faults_before == env.fault_injector.fault_count:
        answer = "nothing" if reply is None or reply.message is None else reply.text
        raise env.log.failure(f"{text} was not taken; the answer was {answer!r}\n{view.position}", view.id)
    if after.ply > view.ply:
        env.metrics.turns[month_of(env.now)] += 1


async def _play_by_command(env: SoakEnvironment, view: MatchView, text: str) -> Reply:
    who, channel = _mover(env, view), env.population.channel(view.channel)
    given = {"move": text, "match": str(view.id)}
    if env.runner.is_up:
        await env.runner.wait_until_idle()
    faults_before, meter, first_request = env.fault_injector.fault_count, env.meter, len(env.discord.requests)
    statements, steps, calls = meter.statements, meter.steps, meter.calls
    with meter.counting_calls() if isinstance(env.runner, BotRunner) else nullcontext():
        reply = await env.perform(who, f"/move {text}", who.command("move", given, channel=channel), view.id)
        if env.runner.is_up:
            await env.runner.wait_until_idle()  # the answer is recorded after it was sent
    if faults_before == env.fault_injector.fault_count and not env.runner.is_doubled:
        requests = env.discord.requests[first_request:]
        cost = TurnCost(
            requests=len(requests),
            kilobytes=sum(map(_request_size, requests)) / 1000,
            statements=meter.statements - statements,
            steps=meter.steps - steps,
            calls=meter.calls - calls,
        )
        env.metrics.measured_turns[month_of(env.now)].append(MeasuredTurn(_match_kind(view), cost))
    return reply


def _match_kind(view: MatchView) -> str:
    """Return the game with its numeric options, such as the size of the board."""
    numbers = (
        str(view.options[option.name])
        for option in GAMES[view.game].options
        if not option.is_random and isinstance(view.options.get(option.name), int)
    )
    return " ".join((view.game, *numbers))


def _request_size(request: LoggedRequest) -> int:
    """Return about how many bytes a request sent: its JSON and its files."""
    return len(json.dumps(request.body)) + sum(len(upload.data) for upload in request.uploads.values())


async def _play_by_form(env: SoakEnvironment, view: MatchView, text: str) -> Reply:
    who = _mover(env, view)
    post = latest_button(env.population.channel(view.channel), f"move1:{view.id}:{view.revision}")
    if post is None:
        return await _play_by_command(env, view, text)
    form = await env.perform(who, "presses Move", who.click(*post), view.id)
    if form.modal is None:
        return form
    field = form.modal.fields[0].custom_id
    return await env.perform(who, f"types {text}", who.submit(form, {field: text}), view.id)


async def _play_by_picker(env: SoakEnvironment, view: MatchView) -> Reply | None:
    """Answer the move picker's questions at random until the move can be confirmed."""
    who = _mover(env, view)
    post = latest_button(env.population.channel(view.channel), f"pick1:{view.id}:{view.revision}")
    if post is None:
        return await _play_by_command(env, view, random_turn(_require_position(view), env.rng))
    sheet = await env.perform(who, "presses Pick", who.click(*post), view.id)
    while not sheet.failed and sheet.message is not None:
        label = _next_component(sheet, env.rng)
        if label is None:
            break
        menu = next((one for one in sheet.selects if one.custom_id == label), None)
        if menu is not None:
            value = env.rng.choice(menu.options).value
            sheet = await env.perform(who, f"chooses {value}", who.select(sheet, label, [value]), view.id)
        else:
            sheet = await env.perform(who, f"presses {label}", who.click(sheet, label), view.id)
            if label.startswith("confirm1:"):
                break
    return sheet


def _next_component(sheet: Reply, rng: Random) -> str | None:
    """Return the custom id to use next: the confirmation as soon as there is one."""
    ids = [button.custom_id or "" for button in sheet.buttons if not button.disabled]
    for prefix in ("confirm1:", "answer1:"):
        fitting = [one for one in ids if one.startswith(prefix)]
        if fitting:
            return rng.choice(fitting)
    return next((one.custom_id for one in sheet.selects), None)


def _mover(env: SoakEnvironment, view: MatchView) -> Member:
    if view.to_move is None:
        raise env.log.failure("nobody is to move", view.id)
    return env.population.person(view.to_move.person.account)


def _require_position(view: MatchView) -> Position:
    if view.position is None:
        raise ValueError(f"match {view.id} has no board yet")
    return view.position


def random_turn(position: Position, rng: Random) -> str:
    """Return a random legal turn as text; a set-up run has several moves."""
    moves: list[str] = []
    for _ in range(position.moves_due):
        move = random_move(position, rng)
        moves.append(str(move))
        position = position.play(move)
    return " ".join(moves)


def random_move(position: Position, rng: Random) -> Move:
    """Return a random legal move, chosen answer by answer."""
    path: tuple[str, ...] = ()
    while isinstance(choice := position.next_choice(path), MoveChoice):
        path = (*path, _random_answer(choice, rng))
    return choice


def _random_answer(choice: MoveChoice, rng: Random) -> str:
    if not choice.multiple:
        return rng.choice(choice.options)
    selected = [option for option in choice.options if rng.random() < 0.8]
    return ",".join(selected) or "-"
