"""What people do in private: settle turns beforehand."""

from __future__ import annotations

from typing import TYPE_CHECKING

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
