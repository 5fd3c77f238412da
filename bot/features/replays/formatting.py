"""The texts of a replay: the game, what a turn did, and the result."""

from __future__ import annotations

from typing import TYPE_CHECKING

from i18n import formatting, match_texts
from i18n.match_names import format_replay_name
from i18n.quoting import quote

if TYPE_CHECKING:
    from collections.abc import Mapping

    from engine.game import Game
    from i18n import Texts
    from matches import Replay, ReplayTurn

MAX_COMMENT_LENGTH = 300


def format_page(texts: Texts, replay: Replay, turn: ReplayTurn) -> str:
    """Describe the turn of a page and its comment; on the last page also the status."""
    lines = [_format_turn_line(texts, replay, turn)]
    if turn.comment:
        lines.append(texts("replay.comment", comment=quote(turn.comment, MAX_COMMENT_LENGTH)))
    if turn.number == replay.turn_count:
        lines.append(format_status(texts, turn))
    return texts.join([line for line in lines if line], "list.lines")


def format_status(texts: Texts, turn: ReplayTurn) -> str:
    """Return the result, or the side to move; empty if neither is known."""
    if turn.result is not None and turn.result.outcome is None:
        return texts("replay.void", reason=turn.result.reason)
    return match_texts.format_state(texts, turn)


def format_alt_text(texts: Texts, replay: Replay, turn: ReplayTurn, diagram: str) -> str:
    """Describe the picture and the text of a page in plain text."""
    texts = texts.plain
    name, status = format_replay_name(texts, replay), format_page(texts, replay, turn)
    return match_texts.format_alt_text(texts, name, status, diagram)


def format_animation_alt_text(texts: Texts, games: Mapping[str, Game], replay: Replay) -> str:
    """Describe an animation in plain text."""
    texts, last_turn = texts.plain, replay.turns[-1]
    return texts(
        "animation.alt",
        title=match_texts.format_replay_title(texts, replay, last_turn, games[replay.game]),
        count=replay.turn_count,
        status=format_status(texts, last_turn),
    )


def _format_turn_line(texts: Texts, replay: Replay, turn: ReplayTurn) -> str:
    if turn.side is None:
        key = "replay.start" if replay.turn_count else "replay.unplayed"
        return texts(key, count=replay.turn_count)
    turn_text = formatting.format_turn(texts, turn.position.vocabulary, turn.side, turn.events)
    return texts("replay.turn", number=turn.number, turns=replay.turn_count, turn=turn_text)
