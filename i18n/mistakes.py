"""The turning points of a player as tasks, in sentences."""

from __future__ import annotations

from typing import TYPE_CHECKING

from i18n.facts import format_facts
from matches.game_analysis.mistakes import TurnVerdict

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from i18n import Texts
    from matches.game_analysis.mistakes import Mistake, TriedTurn


def format_count(texts: Texts, mistake: Mistake, name: str) -> str:
    """Return which of the mistakes of a player it is; without a `name`, of the reader."""
    key = "mistakes.count" if name else "mistakes.own_count"
    return texts(key, number=mistake.index + 1, count=mistake.count, name=name)


def format_task(texts: Texts, mistake: Mistake, name: str) -> str:
    """Return what was played, what it lost, and what to do; without a `name`, to the player."""
    return texts(
        "mistakes.played" if name else "mistakes.own_played",
        turn=mistake.turn,
        name=name,
        moves=format_moves(mistake.played),
        points=mistake.points,
    )


def format_verdict(texts: Texts, mistake: Mistake, tried: TriedTurn) -> str:
    """Return what a turn that was tried is worth, why, and for a good one what may come after it."""
    moves, better = format_moves(tried.moves), mistake.point.better
    match tried.verdict:
        case TurnVerdict.GOOD:
            said = texts("mistakes.good", moves=moves)
        case TurnVerdict.PLAYED:
            said = texts("mistakes.own_turn", moves=moves, points=tried.points)
        case TurnVerdict.LOSES:
            said = texts("mistakes.loses", moves=moves, points=tried.points)
        case TurnVerdict.OTHER:
            said = texts("mistakes.other", moves=moves)
    sentences = [said, _format_facts(texts, mistake, tried)]
    if tried.verdict is TurnVerdict.GOOD and tried.moves == better:
        sentences.append(_format_continuation(texts, mistake))
    elif tried.verdict is TurnVerdict.GOOD:
        sentences.append(texts("mistakes.as_good", better=format_moves(better)))
    return _join(texts, sentences)


def format_answer(texts: Texts, mistake: Mistake, better: TriedTurn) -> str:
    """Return the turn that the analysis prefers, judged as `better`, why, and what may come after it."""
    said = texts("mistakes.answer", moves=format_moves(better.moves))
    facts = _format_facts(texts, mistake, better)
    return _join(texts, (said, facts, _format_continuation(texts, mistake)))


def format_moves(moves: Sequence[str]) -> str:
    """Return the moves of a turn, or of several."""
    return " ".join(moves)


def _format_facts(texts: Texts, mistake: Mistake, tried: TriedTurn) -> str:
    return format_facts(texts, mistake.position.vocabulary, tried.facts)


def _format_continuation(texts: Texts, mistake: Mistake) -> str:
    """Return what may come after the better turn; empty if that is not known."""
    line = format_moves(mistake.point.continuation)
    return texts("game_analysis.continuation", line=line) if line else ""


def _join(texts: Texts, sentences: Iterable[str]) -> str:
    return texts.join([one for one in sentences if one], "list.space")
