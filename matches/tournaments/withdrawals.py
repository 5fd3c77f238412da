"""What happens to the games of an entrant who withdraws, is excluded or is withdrawn after lost clocks."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from matches.tournaments.results import LOSS, WIN, Decision, EntrantId, GameState, games_of

if TYPE_CHECKING:
    from collections.abc import Iterable

    from matches.tournaments.results import TournamentGame


def withdraw(
    entrant: EntrantId, games: Iterable[TournamentGame], *, may_annul: bool
) -> tuple[TournamentGame, ...]:
    """Return the games that change, as they are afterwards: the remaining ones are lost by default.

    With `may_annul`, as in round robins, all games of the entrant are annulled if fewer than half of them
    are over: otherwise the table would depend on who happened to have played already. `games` are those of
    the present stage. Doing it again changes nothing.
    """
    own = games_of(entrant, games)
    over = sum(game.state is GameState.OVER for game in own)
    if may_annul and 2 * over < len(own):
        return tuple(_annul(game) for game in own)
    return tuple(_lose(entrant, game) for game in own if game.state is not GameState.OVER)


def _annul(game: TournamentGame) -> TournamentGame:
    return replace(game, state=GameState.ANNULLED, points=None, decision=None)


def _lose(entrant: EntrantId, game: TournamentGame) -> TournamentGame:
    points = (LOSS, WIN) if entrant == game.first else (WIN, LOSS)
    return replace(game, state=GameState.OVER, points=points, decision=Decision.BY_DEFAULT)
