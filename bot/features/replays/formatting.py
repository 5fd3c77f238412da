"""The texts of a replay: the game, what a turn did, and the result."""

from __future__ import annotations

from typing import TYPE_CHECKING

from i18n import formatting, match_texts
from i18n.match_names import format_game_and_number
from i18n.quoting import quote

if TYPE_CHECKING:
    from collections.abc import Mapping

    from engine.game import Game
    from i18n import Texts
    from matches import Replay, ReplayTurn

MAX_COMMENT_LENGTH = 300
DATE_LENGTH = len("2026-05-01")


def format_title(texts: Texts, games: Mapping[str, Game], replay: Replay, turn: ReplayTurn) -> str:
    """Return the title of a game: players, game, options and, for a record, the date."""
    description = texts(
        "board.title" if replay.match is not None else "replay.record",
        match_name=format_game_and_number(texts, replay.game, replay.match or 0),
        number=replay.record,
        game=texts(f"game.{replay.game}.name"),
        **match_texts.seat_values(texts, turn.seats),
    )
    description = match_texts.format_match_title(texts, games[replay.game], replay.options, description)
    if replay.match is not None or not replay.began:
        return description
    return texts("replay.dated", title=description, date=replay.began[:DATE_LENGTH])


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
    return texts("replay.alt", turn=format_page(texts, replay, turn), diagram=diagram)


def format_animation_alt_text(texts: Texts, games: Mapping[str, Game], replay: Replay) -> str:
    """Describe an animation in plain text."""
    texts, last_turn = texts.plain, replay.turns[-1]
    return texts(
        "animation.alt",
        title=format_title(texts, games, replay, last_turn),
        count=replay.turn_count,
        status=format_status(texts, last_turn),
    )


def _format_turn_line(texts: Texts, replay: Replay, turn: ReplayTurn) -> str:
    if turn.side is None:
        key = "replay.start" if replay.turn_count else "replay.unplayed"
        return texts(key, count=replay.turn_count)
    turn_text = formatting.format_turn(texts, turn.position.vocabulary, turn.side, turn.events)
    return texts("replay.turn", number=turn.number, turns=replay.turn_count, turn=turn_text)
