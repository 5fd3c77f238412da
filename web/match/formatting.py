"""Matches as text for pages. The texts are not escaped; the templates do that."""

from __future__ import annotations

from typing import TYPE_CHECKING

from engine.game import EventKind
from i18n import formatting as game_formatting
from i18n import match_texts
from i18n.names import name_of, with_own_name
from i18n.writing import isolate
from matches import MatchState, is_computer
from matches.values import tell_apart

if TYPE_CHECKING:
    from collections.abc import Sequence
    from datetime import timedelta

    from engine.game import Event, Side
    from i18n import Texts
    from matches import MatchView
    from matches.records.values import ReplayTurn

HOURS_OF_DAY = 24


def match_title(texts: Texts, view: MatchView) -> str:
    """Return the names of both players as a title."""
    first, second = tell_apart(*(with_own_name(texts, seat.person) for seat in view.seats))
    return texts("web.versus", first=first, second=second)


def format_events(texts: Texts, turn: ReplayTurn) -> str:
    """Return what a turn did, without the side; empty for the initial position."""
    if turn.side is None:
        return ""
    return game_formatting.format_events(texts, turn.position.vocabulary, turn.side, turn.events)


def format_turn(texts: Texts, turn: ReplayTurn) -> str:
    """Return a turn as one sentence."""
    if turn.side is None:
        return texts("web.turn.start")
    return describe_turn(texts, turn.position.vocabulary, turn.side, turn.events)


def describe_turn(texts: Texts, vocabulary: str, mover: Side, events: Sequence[Event]) -> str:
    """Return what a turn of `mover` does, as a sentence with a verb: ``White moves G11-J8, captures J7``."""
    if not events or events[0].kind is not EventKind.MOVE:
        return game_formatting.format_turn(texts, vocabulary, mover, events)
    return texts(
        "web.turn.moves",
        side=game_formatting.format_side(texts, mover),
        events=game_formatting.format_events(texts, vocabulary, mover, events),
    )


def format_status(texts: Texts, view: MatchView) -> str:
    """Return whose turn or pick is awaited, or how the match ended."""
    if view.state is MatchState.CHOOSING:
        return match_texts.format_choosing(texts, view.waits_for)
    seat = view.to_move
    if seat is None:
        return match_texts.format_result(texts, view)
    side = game_formatting.format_side(texts, seat.side)
    # The computer's name, with its level, is beside the board.
    is_unnamed = is_computer(seat.person.account)
    name = side if is_unnamed else player_name(texts, isolate(name_of(texts, seat.person)), side)
    if view.unfinished_moves:
        return texts("web.standing.placing", name=name, done=len(view.unfinished_moves), count=view.moves_due)
    return match_texts.add_turns_to_draw(texts, texts("web.standing.to_move", name=name), view.position)


def player_name(texts: Texts, player: str, side: str) -> str:
    """Return name and side of a player; in local games an unnamed player is just called by the side."""
    return side if player == side else texts("web.player", name=player, side=side)


def format_remaining(texts: Texts, remaining: timedelta) -> str:
    """Return a remaining time as a clock shows it: days and hours, or hours, minutes and seconds."""
    seconds = max(0, int(remaining.total_seconds()))
    hours, minutes = seconds // 3600, seconds // 60 % 60
    if hours >= HOURS_OF_DAY:
        return texts("web.clock.days", days=hours // HOURS_OF_DAY, hours=hours % HOURS_OF_DAY)
    return f"{hours}:{minutes:02}:{seconds % 60:02}"


def choice_texts(texts: Texts, game: str) -> dict[str, str]:
    """Return what the pages say about the simultaneous choice of a game."""
    return {
        "picture": texts.for_game(game, "choice.hidden"),
        "hidden": texts.for_game(game, "web.choice.hidden"),
        "ask": texts.for_game(game, "web.choice.ask"),
        "button": texts.for_game(game, "choice.button"),
    }
