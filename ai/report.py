"""The analysis of a game as plain text: a table of its turns, the turning points, the accuracy."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ai.game_analysis import find_accuracy, find_loss, find_turning_points
from engine.records.formatting import escape
from engine.turn_comparison import compare_turns

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

    from ai.game_analysis import AnalysedGame, Assessment
    from engine.game import Fact
    from engine.records import Record


def format_report(record: Record, game: AnalysedGame, assessments: Mapping[int, Assessment]) -> str:
    """Return the report on a game of which every position is assessed.

    Names are escaped as in the text of a record, so that a terminal shows them and obeys nothing in them.
    """
    names = [
        escape(name, closing='"') or side.capitalize()
        for name, side in zip(record.players, record.rules.sides, strict=True)
    ]
    return "\n".join(
        (
            *_table(game, assessments, names),
            "",
            *_turning_points(game, assessments, names),
            "",
            *_accuracy(game, assessments, names),
        )
    )


def _table(game: AnalysedGame, assessments: Mapping[int, Assessment], names: list[str]) -> Iterator[str]:
    moves = [" ".join(turn.moves) for turn in game.turns]
    name_width = max(map(len, ["Player", *names]))
    move_width = max(map(len, ["Turn", *moves]))
    yield f"   #  {'Player':{name_width}}  {'Turn':{move_width}}  {names[0]} wins  Loss"
    yield f"   0  {'':{name_width}}  {'':{move_width}}  {_percent(assessments[0]):>{len(names[0]) + 5}}"
    for number, (turn, text) in enumerate(zip(game.turns, moves, strict=True), 1):
        loss = round(100 * find_loss(game, assessments, number))
        yield (
            f"{number:4}  {names[turn.player]:{name_width}}  {text:{move_width}}  "
            f"{_percent(assessments[number]):>{len(names[0]) + 5}}  {loss or '':>4}"
        ).rstrip()


def _turning_points(
    game: AnalysedGame, assessments: Mapping[int, Assessment], names: list[str]
) -> Iterator[str]:
    points = find_turning_points(game, assessments)
    if not points:
        yield "No turn lost 10 points or more."
    for point in points:
        turn = game.turns[point.number - 1]
        rest = point.line[len(point.better) :]
        comparison = compare_turns(game.at(point.number - 1)[0], turn.moves, point.better)
        yield (
            f"Turn {point.number}: {names[turn.player]} played {' '.join(turn.moves)}, chances down "
            f"{round(100 * point.loss)} points{_facts(comparison.drawbacks)}. "
            f"Better: {' '.join(point.better)}{_facts(comparison.gains)}"
            + (f", then perhaps {' '.join(rest)}." if rest else ".")
        )


def _facts(facts: Sequence[Fact]) -> str:
    return f" ({'; '.join(map(str, facts))})" if facts else ""


def _accuracy(game: AnalysedGame, assessments: Mapping[int, Assessment], names: list[str]) -> Iterator[str]:
    for player, name in enumerate(names):
        accuracy = find_accuracy(game, assessments, player)
        if accuracy is not None:
            yield f"Accuracy of {name}: {round(accuracy)} %"


def _percent(assessment: Assessment) -> str:
    return f"{round(100 * assessment.chances)} %"
