"""What people do in private: settle turns beforehand, think on boards, keep notes."""

from __future__ import annotations

from typing import TYPE_CHECKING

from matches import Person
from tests.soak.lots import some_move

if TYPE_CHECKING:
    from engine.game import Position
    from matches import MatchView
    from tests.discord_server import Reply
    from tests.soak.stage import Stage


async def settle(stage: Stage, view: MatchView) -> None:
    """Whoever waits settles an answer to a turn of the other, who may well make that very turn next."""
    line = None if view.position is None else _line(stage, view.position)
    waits = next((seat for seat in view.seats if seat != view.to_move), None)
    if line is None or waits is None or not stage.knows("conditional"):
        return
    who, channel = stage.cast.person(waits.person.account), stage.cast.place(view.place)
    sheet = await stage.do(
        who, "/conditional", who.command("conditional", {"match": str(view.id)}, channel=channel), view.id
    )
    for label in ("Add a line", "Type"):
        if label in _labels(sheet):
            sheet = await stage.do(who, f"presses {label}", who.click(sheet, label), view.id)
    if sheet.modal is None:
        return
    field = sheet.modal.fields[0].custom_id
    sheet = await stage.do(
        who, f"types {' '.join(line)}", who.submit(sheet, {field: " ".join(line)}), view.id
    )
    if "Keep this line" in _labels(sheet):
        await stage.do(who, "keeps the line", who.click(sheet, "Keep this line"), view.id)
        stage.figures.deeds["conditional moves"] += 1
        stage.expected[view.id] = (view.ply, line[0])


async def note(stage: Stage, view: MatchView) -> None:
    """Read one's note, which must be what one wrote, and write another."""
    if view.position is None:
        return
    who = stage.cast.person(stage.chance.choice(view.seats).person.account)
    channel, key = stage.cast.place(view.place), (view.id, who.id)
    given = {"match": str(view.id)}
    form = await stage.do(who, "/note", who.command("note", given, channel=channel), view.id)
    if form.modal is None:
        return
    field, known = form.modal.fields[0], stage.notes.get(key, "")
    if (field.value or "") != known:
        raise stage.story.fail(f"{who.name} wrote {known!r} and reads {field.value!r}", view.id)
    text = f"{view.ply}: think of {stage.chance.randrange(1000)}"
    struck = stage.weather.struck
    await stage.do(who, "writes a note", who.submit(form, {field.custom_id: text}), view.id)
    if struck != stage.weather.struck or not stage.house.is_up:  # whether it is kept is not known
        text = await stage.eye.notes.of(view.id, Person(f"discord:{who.id}", who.name))
    stage.notes[key] = text
    stage.figures.deeds["notes"] += 1


async def think(stage: Stage, view: MatchView) -> None:
    """Try some moves on a board of one's own."""
    if view.position is None:
        return
    who, channel = (
        stage.cast.person(stage.chance.choice(view.seats).person.account),
        stage.cast.place(view.place),
    )
    given = {"match": str(view.id)}
    sheet = await stage.do(who, "/whatif", who.command("whatif", given, channel=channel), view.id)
    for _ in range(stage.chance.randint(1, 4)):
        if sheet.failed or sheet.message is None:
            return
        tries = [
            one.custom_id
            for one in sheet.buttons
            if one.custom_id and one.custom_id.startswith("try1:") and not one.disabled
        ]
        menus = [one for one in sheet.selects if (one.custom_id or "").startswith("trying1:")]
        if menus and (not tries or stage.chance.random() < 0.7):
            menu = menus[0]
            value = stage.chance.choice(menu.options).value
            sheet = await stage.do(who, f"tries {value}", who.select(sheet, menu.custom_id, [value]), view.id)
        elif tries:
            label = stage.chance.choice(tries)
            sheet = await stage.do(who, f"presses {label}", who.click(sheet, label), view.id)
    stage.figures.deeds["boards to think on"] += 1


def _line(stage: Stage, position: Position) -> list[str] | None:
    """Give a turn of the other and an answer to it, where each is one move."""
    line: list[str] = []
    for _ in range(2):
        if position.due != 1 or position.to_move is None:
            return None
        move = some_move(position, stage.chance)
        line.append(str(move))
        before, position = position.to_move, position.play(move)
        if position.to_move is before:
            return None
    return line


def _labels(sheet: Reply) -> set[str | None]:
    if sheet.failed or sheet.message is None:
        return set()
    return {button.label for button in sheet.buttons if not button.disabled}
