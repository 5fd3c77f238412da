"""The texts of an analysis: whose curve it is, the accuracy, the turning points."""

from __future__ import annotations

from typing import TYPE_CHECKING

from bot.ui.markdown import MAX_TEXT_LENGTH, hide
from i18n.facts import format_facts
from i18n.match_texts import format_player
from i18n.writing import Percent
from matches import AnalysisStatus, TurnComparison, find_task_turns

if TYPE_CHECKING:
    from collections.abc import Mapping

    from i18n import Texts
    from matches import GameAnalysis, Replay, TurningPoint


MAX_FURTHER = 60  # numbers of turns, for the limit of a message
NO_REASONS = TurnComparison()


def format_analysis(
    texts: Texts,
    title: str,
    replay: Replay,
    analysis: GameAnalysis,
    reasons: Mapping[int, TurnComparison],
    reader: int | None = None,
) -> str:
    """Return the text of the message; `reasons` are those of :func:`matches.find_reasons`.

    `reader` is which player reads it, None for anybody else: what was better at the turning points that are
    tasks of theirs, or may become some, is hidden until they click it. Where the text would be too long for a
    message, the reasons are left out.
    """
    tasks = frozenset[int]() if reader is None else find_task_turns(replay, analysis, reader)
    text = _format_analysis(texts, title, replay, analysis, reasons, tasks)
    if len(text) <= MAX_TEXT_LENGTH:
        return text
    return _format_analysis(texts, title, replay, analysis, {}, tasks)


def _format_analysis(
    texts: Texts,
    title: str,
    replay: Replay,
    analysis: GameAnalysis,
    reasons: Mapping[int, TurnComparison],
    tasks: frozenset[int],
) -> str:
    lines = [title]
    if analysis.has_result:
        lines += [
            texts("game_analysis.curve", name=_name(texts, replay, 0)),
            _format_accuracy(texts, replay, analysis),
            *_format_turning_points(texts, replay, analysis, reasons, tasks),
        ]
    lines.append(_format_state(texts, replay, analysis))
    return texts.join([line for line in lines if line], "list.lines")


def format_alt_text(texts: Texts, replay: Replay, analysis: GameAnalysis) -> str:
    """Describe the chart in plain text."""
    texts, chances = texts.plain, analysis.chances
    steps = sorted({0, *(len(chances) * part // 4 for part in (1, 2, 3)), len(chances) - 1})
    points = [texts("game_analysis.alt_point", turn=turn, percent=Percent(chances[turn])) for turn in steps]
    return texts("game_analysis.alt", name=_name(texts, replay, 0), points=texts.join(points, "list.comma"))


def _format_accuracy(texts: Texts, replay: Replay, analysis: GameAnalysis) -> str:
    players = [
        texts(
            "game_analysis.player_accuracy",
            name=_name(texts, replay, player),
            percent=Percent(accuracy / 100),
        )
        for player, accuracy in enumerate(analysis.accuracy)
        if accuracy is not None
    ]
    return texts("game_analysis.accuracy", players=texts.join(players, "list.comma")) if players else ""


def _format_turning_points(
    texts: Texts,
    replay: Replay,
    analysis: GameAnalysis,
    reasons: Mapping[int, TurnComparison],
    tasks: frozenset[int],
) -> list[str]:
    if not analysis.turning_points:
        return [texts("game_analysis.no_turning_point")]
    lines = [
        texts("game_analysis.turning_points"),
        *(
            _format_turning_point(
                texts,
                replay,
                point,
                reasons.get(point.number, NO_REASONS),
                is_task=point.number in tasks,
            )
            for point in analysis.main_turning_points
        ),
    ]
    further = [str(point.number) for point in analysis.further_turning_points]
    if further:
        turns = texts.join(further[:MAX_FURTHER], "list.comma")
        if len(further) > MAX_FURTHER:
            turns = texts("game_analysis.first_of_more", turns=turns)
        lines.append(texts("game_analysis.further_turning_points", count=len(further), turns=turns))
    return lines


def _format_turning_point(
    texts: Texts, replay: Replay, point: TurningPoint, reasons: TurnComparison, *, is_task: bool
) -> str:
    turn = replay.turn_at(point.number)
    vocabulary = turn.position.vocabulary
    played = texts(
        "game_analysis.turning_point",
        number=point.number,
        name=format_player(texts, replay.seat_of(turn)),
        played=" ".join(turn.move_texts),
        points=round(100 * point.loss),
    )
    line = " ".join(point.continuation)
    sentences = (
        texts("game_analysis.better", better=" ".join(point.better)),
        format_facts(texts, vocabulary, reasons.gains),
        texts("game_analysis.continuation", line=line) if line else "",
    )
    better = texts.join(filter(None, sentences), "list.space")
    drawbacks = format_facts(texts, vocabulary, reasons.drawbacks)
    return texts.join(filter(None, (played, drawbacks, hide(better) if is_task else better)), "list.space")


def _format_state(texts: Texts, replay: Replay, analysis: GameAnalysis) -> str:
    if analysis.status is AnalysisStatus.WAITING:
        return texts("game_analysis.waiting", done=len(analysis.chances), count=replay.turn_count + 1)
    return texts(f"game_analysis.{analysis.status}")


def _name(texts: Texts, replay: Replay, player: int) -> str:
    """Return the name of a player: 0 or 1, in the order of the seats of the first board."""
    return format_player(texts, replay.turns[0].seats[player])
