"""How people play: their picks, their turns, and what else they do when it is their turn."""

from __future__ import annotations

import time
from typing import TYPE_CHECKING

from tests.soak.cast import latest
from tests.soak.figures import Timed, month_of, pace
from tests.soak.lots import some_turn

if TYPE_CHECKING:
    from random import Random

    from engine.game import Position
    from matches import MatchView, Person
    from tests.discord_server import Member, Reply
    from tests.soak.stage import Stage


async def pick(stage: Stage, view: MatchView, person: Person) -> None:
    """Close the fists of `person` by the post that asks for them, if that is there yet."""
    who, channel = stage.cast.person(person.account), stage.cast.place(view.place)
    post = latest(channel, f"fists1:{view.id}")
    if post is None:
        return
    choice = await stage.do(who, "closes fists", who.click(*post), view.id)
    if choice.failed or not choice.buttons:
        return
    button = stage.chance.choice(choice.buttons)
    await stage.do(who, f"picks {button.label}", who.click(choice, button.custom_id or ""), view.id)
    stage.figures.deeds["picks"] += 1


async def turn(stage: Stage, view: MatchView) -> None:
    """Play a turn in one of the ways there are; hold the bot to having taken it."""
    reply: Reply | None
    struck, drawn = stage.weather.struck, stage.chance.random()
    ply, text = stage.expected.pop(view.id, (0, ""))
    if ply != view.ply or not text:
        text = some_turn(_board(view), stage.chance)
    if drawn < 0.12:
        reply = await _by_form(stage, view, text)
    elif drawn < 0.16:
        reply = await _by_picking(stage, view)
    else:
        reply = await _by_command(stage, view, text)
    after = await stage.view(view.id)
    if after.ply == view.ply and struck == stage.weather.struck and stage.house.is_up:
        told = "nothing" if reply is None or reply.message is None else reply.text
        raise stage.story.fail(f"{text} was not taken; the answer was {told!r}\n{view.position}", view.id)
    if after.ply > view.ply:
        stage.figures.turns[month_of(stage.now)] += 1


async def _by_command(stage: Stage, view: MatchView, text: str) -> Reply:
    who, channel = _mover(stage, view), stage.cast.place(view.place)
    given = {"move": text, "match": str(view.id)}
    usual, struck, before = pace(), stage.weather.struck, len(stage.discord.requests)
    wall, processor = time.perf_counter(), time.process_time()
    reply = await stage.do(who, f"/move {text}", who.command("move", given, channel=channel), view.id)
    if struck == stage.weather.struck and stage.house.is_up:
        timed = Timed(
            kind=f"{view.game} {view.options.get('size', view.options.get('men'))}",
            seconds=time.perf_counter() - wall,
            processor=time.process_time() - processor,
            pace=usual,
            requests=len(stage.discord.requests) - before,
        )
        stage.figures.timed[month_of(stage.now)].append(timed)
    return reply


async def _by_form(stage: Stage, view: MatchView, text: str) -> Reply:
    who = _mover(stage, view)
    post = latest(stage.cast.place(view.place), f"move1:{view.id}:{view.stamp}")
    if post is None:
        return await _by_command(stage, view, text)
    form = await stage.do(who, "presses Move", who.click(*post), view.id)
    if form.modal is None:
        return form
    field = form.modal.fields[0].custom_id
    return await stage.do(who, f"types {text}", who.submit(form, {field: text}), view.id)


async def _by_picking(stage: Stage, view: MatchView) -> Reply | None:
    """Answer the dialogue's questions by lot until it can be confirmed."""
    who = _mover(stage, view)
    post = latest(stage.cast.place(view.place), f"pick1:{view.id}:{view.stamp}")
    if post is None:
        return await _by_command(stage, view, some_turn(_board(view), stage.chance))
    sheet = await stage.do(who, "presses Pick", who.click(*post), view.id)
    while not sheet.failed and sheet.message is not None:
        label = _next(sheet, stage.chance)
        if label is None:
            break
        menu = next((one for one in sheet.selects if one.custom_id == label), None)
        if menu is not None:
            value = stage.chance.choice(menu.options).value
            sheet = await stage.do(who, f"chooses {value}", who.select(sheet, label, [value]), view.id)
        else:
            sheet = await stage.do(who, f"presses {label}", who.click(sheet, label), view.id)
            if label.startswith("confirm1:"):
                break
    return sheet


def _next(sheet: Reply, chance: Random) -> str | None:
    """Give what to press or choose from next: to confirm where that is possible."""
    ids = [button.custom_id or "" for button in sheet.buttons if not button.disabled]
    for wanted in ("confirm1:", "answer1:"):
        fitting = [one for one in ids if one.startswith(wanted)]
        if fitting:
            return chance.choice(fitting)
    return next((one.custom_id for one in sheet.selects), None)


def _mover(stage: Stage, view: MatchView) -> Member:
    if view.to_move is None:
        raise stage.story.fail("nobody is to move", view.id)
    return stage.cast.person(view.to_move.person.account)


def _board(view: MatchView) -> Position:
    if view.position is None:
        raise ValueError(f"match {view.id} has no board yet")
    return view.position
