"""How people play: the picks before a match, and turns by command, form, move picker and in the browser."""

from __future__ import annotations

from typing import TYPE_CHECKING

import aiohttp

from engine.game import MoveChoice
from tests.soak.population import latest_button
from tests.web.environment import OWN_SITE

if TYPE_CHECKING:
    from random import Random

    from engine.game import Move, Position
    from matches import MatchView, Person
    from tests.discord_server import Member, Reply
    from tests.soak.environment import SoakEnvironment


TURNS_BY_REQUESTS = "turns by requests: "


async def make_pick(env: SoakEnvironment, view: MatchView, person: Person) -> None:
    """Make the secret pick of `person` by the post that asks for it, if that is there yet."""
    who = env.population.person(person.account)
    post = latest_button(env.population.channel(view.channel), f"fists1:{view.id}")
    if post is None:
        return
    choice = await env.click(who, post, view.id)
    if choice.failed or not choice.buttons:
        return
    await env.click(who, (choice, env.rng.choice(choice.buttons).custom_id or ""), view.id)
    env.count("picks")


async def play_turn(env: SoakEnvironment, view: MatchView) -> None:
    """Play a turn in one of three ways, or in the browser if there is a website.

    Raises SimulationFailure if the turn was not accepted.
    """
    if view.to_move is None or view.position is None:
        raise env.log.failure("nobody is to move", view.id)
    who, faults_before = env.population.person(view.to_move.person.account), env.fault_injector.fault_count
    drawn = env.rng.random()
    ply, text = env.expected_turns.pop(view.id, (0, ""))
    if ply != view.ply or not text:
        text = " ".join(random_turn(view.position, env.rng))
    if drawn < 0.12:
        reply = await _play_by_form(env, view, who, text)
    elif drawn < 0.16:
        reply = await _play_by_picker(env, view, who, text)
    elif drawn < 0.26 and env.cluster.has_website:
        reply = await _play_in_browser(env, view, who, text)
    else:
        reply = await _play_by_command(env, view, who, text)
    after = await env.view(view.id)
    if after.ply == view.ply and faults_before == env.fault_injector.fault_count:
        answer = "nothing" if reply.message is None else reply.text
        raise env.log.failure(f"{text} was not taken; the answer was {answer!r}\n{view.position}", view.id)
    if after.ply > view.ply:
        env.count("turns")


async def _play_by_command(env: SoakEnvironment, view: MatchView, who: Member, text: str) -> Reply:
    """Play by `/move`, and count the requests that it takes unless it meets a fault."""
    await env.cluster.ask("idle")
    faults_before, first_request = env.fault_injector.fault_count, len(env.discord.requests)
    reply = await env.command(who, "move", view, move=text)
    await env.cluster.ask("idle")  # the answer is recorded after it was sent
    if faults_before == env.fault_injector.fault_count and not env.cluster.is_doubled:
        env.count(f"{TURNS_BY_REQUESTS}{len(env.discord.requests) - first_request}")
    return reply


async def _play_by_form(env: SoakEnvironment, view: MatchView, who: Member, text: str) -> Reply:
    post = latest_button(env.population.channel(view.channel), f"move1:{view.id}:{view.revision}")
    if post is None:
        return await _play_by_command(env, view, who, text)
    form = await env.click(who, post, view.id)
    if form.modal is None:
        return form
    field = form.modal.fields[0].custom_id
    return await env.perform(who, f"types {text}", who.submit(form, {field: text}), view.id)


async def _play_by_picker(env: SoakEnvironment, view: MatchView, who: Member, text: str) -> Reply:
    """Answer the move picker's questions at random until the move can be confirmed."""
    post = latest_button(env.population.channel(view.channel), f"pick1:{view.id}:{view.revision}")
    if post is None:
        return await _play_by_command(env, view, who, text)
    sheet = await env.click(who, post, view.id)
    while not sheet.failed and sheet.message is not None and (label := _next_component(sheet, env.rng)):
        menu = next((one for one in sheet.selects if one.custom_id == label), None)
        if menu is not None:
            value = env.rng.choice(menu.options).value
            sheet = await env.perform(who, f"chooses {value}", who.select(sheet, label, [value]), view.id)
        else:
            sheet = await env.click(who, (sheet, label), view.id)
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


async def _play_in_browser(env: SoakEnvironment, view: MatchView, who: Member, text: str) -> Reply:
    """Ask for the link to one's seat and submit the form there; return the answer to the command.

    Raises SimulationFailure if the website does not open or refuses the turn.
    """
    reply = await env.command(who, "website", view)
    link = next((one.url for one in reply.buttons if one.url), None) if reply.message else None
    if link is None:
        return reply
    env.log.record(env.now, f"{who.name} plays {text} in the browser", view.id)
    async with aiohttp.ClientSession(cookie_jar=aiohttp.CookieJar(unsafe=True)) as browser:
        async with browser.get(link) as page:
            seat, is_open = page.url, page.ok
        form = {"board": str(view.revision), "text": text}
        async with browser.post(f"{seat}/play", data=form, headers=OWN_SITE) as page:
            if not (is_open and page.ok):
                raise env.log.failure(f"the website answered {page.status}: {await page.text()}", view.id)
    env.count("turns in the browser")
    return reply


def random_turn(position: Position, rng: Random) -> list[str]:
    """Return the moves of a random legal turn; a set-up run has several."""
    moves: list[str] = []
    for _ in range(position.moves_due):
        move = random_move(position, rng)
        moves.append(str(move))
        position = position.play(move)
    return moves


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
