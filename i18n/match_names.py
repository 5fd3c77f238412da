"""The name of a match, for every text that speaks of one."""

from __future__ import annotations

from typing import TYPE_CHECKING

from i18n.names import with_own_name
from matches.values import tell_apart

if TYPE_CHECKING:
    from i18n import Texts
    from matches.match_view import MatchSummary, MatchView
    from matches.records.values import Replay


def format_match_name(texts: Texts, match: MatchView | MatchSummary, reader: str = "") -> str:
    """Return the name of a match with its number: ``Morelli vs Bob (#7)`` if `reader` is a player's account.

    For anyone else it names both players.
    """
    game, people = texts(f"game.{match.game}.name"), [seat.person for seat in match.seats]
    opponents = [person for person in people if person.account != reader]
    if len(opponents) == 1:
        return texts("match_name.own", game=game, opponent=opponents[0], match=match.id)
    first, second = tell_apart(*(with_own_name(texts, person) for person in people[:2]))
    return texts("match_name.public", game=game, first=first, second=second, match=match.id)


def format_short_match_name(texts: Texts, match: MatchView | MatchSummary) -> str:
    """Return ``Morelli #7``, for texts that name both players besides."""
    return format_game_and_number(texts, match.game, match.id)


def format_replay_name(texts: Texts, replay: Replay) -> str:
    """Return ``Morelli #7`` for a replayed match, ``Morelli, record 3`` for an imported record."""
    if replay.match is not None:
        return format_game_and_number(texts, replay.game, replay.match)
    return texts("match_name.record", game=texts(f"game.{replay.game}.name"), record=replay.record)


def format_game_and_number(texts: Texts, game: str, number: int) -> str:
    """Return ``Morelli #7``, given the game and the number of a match."""
    return texts("match_name.short", game=texts(f"game.{game}.name"), match=number)
