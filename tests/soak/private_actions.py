"""What people do in private: conditional moves, notes, analysis."""

from __future__ import annotations

from typing import TYPE_CHECKING

from matches import Person
from tests.soak.playing import random_move

if TYPE_CHECKING:
    from engine.game import Position
    from matches import MatchView
    from tests.discord_server import Reply
    from tests.soak.environment import SoakEnvironment


async def add_conditional_move(env: SoakEnvironment, view: MatchView) -> None:
    """Save a conditional move as the player who waits; the opponent will usually play that turn."""
    line = None if view.position is None else _random_line(env, view.position)
    waiting = next((seat for seat in view.seats if seat != view.to_move), None)
    if line is None or waiting is None or not env.has_command("conditional"):
        return
    who, channel = env.population.person(waiting.person.account), env.population.channel(view.channel)
    sheet = await env.perform(
        who, "/conditional", who.command("conditional", {"match": str(view.id)}, channel=channel), view.id
    )
    for label in ("Add a line", "Type"):
        if label in _labels(sheet):
            sheet = await env.perform(who, f"presses {label}", who.click(sheet, label), view.id)
    if sheet.modal is None:
        return
    field = sheet.modal.fields[0].custom_id
    sheet = await env.perform(
        who, f"types {' '.join(line)}", who.submit(sheet, {field: " ".join(line)}), view.id
    )
    if "Save this line" in _labels(sheet):
        await env.perform(who, "keeps the line", who.click(sheet, "Save this line"), view.id)
        env.metrics.counts["conditional moves"] += 1
        env.expected_turns[view.id] = (view.ply, line[0])


async def check_note(env: SoakEnvironment, view: MatchView) -> None:
    """Check that a note is what its author wrote, and write another. Raises SimulationFailure if not."""
    if view.position is None:
        return
    who = env.population.person(env.rng.choice(view.seats).person.account)
    channel, key = env.population.channel(view.channel), (view.id, who.id)
    given = {"match": str(view.id)}
    form = await env.perform(who, "/note", who.command("note", given, channel=channel), view.id)
    if form.modal is None:
        return
    field, known = form.modal.fields[0], env.notes.get(key, "")
    if (field.value or "") != known:
        raise env.log.failure(f"{who.name} wrote {known!r} and reads {field.value!r}", view.id)
    text = f"{view.ply}: think of {env.rng.randrange(1000)}"
    faults_before = env.fault_injector.fault_count
    await env.perform(who, "writes a note", who.submit(form, {field.custom_id: text}), view.id)
    if faults_before != env.fault_injector.fault_count:  # the bot may or may not have saved it
        text = await env.matches.people.notes.get(view.id, Person(f"discord:{who.id}", who.name))
    env.notes[key] = text
    env.metrics.counts["notes"] += 1


async def analyse(env: SoakEnvironment, view: MatchView) -> None:
    """Try some moves in an analysis."""
    if view.position is None:
        return
    who, channel = (
        env.population.person(env.rng.choice(view.seats).person.account),
        env.population.channel(view.channel),
    )
    given = {"match": str(view.id)}
    sheet = await env.perform(who, "/whatif", who.command("whatif", given, channel=channel), view.id)
    for _ in range(env.rng.randint(1, 4)):
        if sheet.failed or sheet.message is None:
            return
        tries = [
            one.custom_id
            for one in sheet.buttons
            if one.custom_id and one.custom_id.startswith("try1:") and not one.disabled
        ]
        menus = [one for one in sheet.selects if (one.custom_id or "").startswith("trying1:")]
        if menus and (not tries or env.rng.random() < 0.7):
            menu = menus[0]
            value = env.rng.choice(menu.options).value
            sheet = await env.perform(
                who, f"tries {value}", who.select(sheet, menu.custom_id, [value]), view.id
            )
        elif tries:
            label = env.rng.choice(tries)
            sheet = await env.perform(who, f"presses {label}", who.click(sheet, label), view.id)
    env.metrics.counts["analyses"] += 1


def _random_line(env: SoakEnvironment, position: Position) -> list[str] | None:
    """Return a turn and an answer to it, or None where either takes more than one move."""
    line: list[str] = []
    for _ in range(2):
        if position.moves_due != 1 or position.to_move is None:
            return None
        move = random_move(position, env.rng)
        line.append(str(move))
        before, position = position.to_move, position.play(move)
        if position.to_move is before:
            return None
    return line


def _labels(sheet: Reply) -> set[str | None]:
    if sheet.failed or sheet.message is None:
        return set()
    return {button.label for button in sheet.buttons if not button.disabled}
