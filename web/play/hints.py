"""Hints: a good turn, for which the visitor's own browser searches with the kernel of the computer opponent.

The server sends kernel, weights and position, and shows the turn that comes back if it is legal. So a hint
costs it nothing, and counts nowhere. There are none in rated matches, none between people who play in
Discord, and none for spectators.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from ai.kernel import MODULE
from ai.levels import Level
from ai.weights import Weights
from matches import WEB, MatchState, platform_of

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

    from web.context import WebContext
    from web.play.move_form import MoveForm
    from web.play.seat_sessions import PlayerSession

HINT_LEVEL = Level.EXPERT


def load_weights(games: Iterable[str]) -> dict[str, Weights]:
    """Return the weights of those games that the kernel plays; none without a kernel."""
    found = dict[str, Weights]()
    for game in games if MODULE.exists() else ():
        try:
            found[game] = Weights.load(game)
        except FileNotFoundError:
            continue
    return found


def kernel_files(weights: Mapping[str, Weights]) -> dict[str, bytes]:
    """Return what a browser needs for hints, by file name."""
    if not weights:
        return {}
    return {"kernel.wasm": MODULE.read_bytes()} | {
        f"{game}.weights": numbers.pack() for game, numbers in weights.items()
    }


def hint_simulations(weights: Mapping[str, Weights]) -> dict[str, int]:
    """Return the length of the search for a hint, by game."""
    return {game: numbers.levels[HINT_LEVEL].simulations for game, numbers in weights.items()}


def can_hint(context: WebContext, session: PlayerSession) -> bool:
    """Return whether there are hints in a match: an unrated one of this website, or against the computer."""
    view = session.view
    is_own = platform_of(view.server) == WEB or session.computer is not None
    is_running = view.state is MatchState.PLAYING
    return is_own and is_running and not view.terms.rated and view.game in context.hint_simulations


def hint_context(context: WebContext, session: PlayerSession, form: MoveForm | None) -> dict[str, Any]:
    """Return the template context of the button: what to search, or None without a button."""
    if form is None or form.is_complete or not can_hint(context, session):
        return {"hint_search": None}
    game = form.position.game
    return {
        "hint_search": {
            "game": game.name,
            "position": str(form.position),
            "rules": game.rules_version,
            "simulations": context.hint_simulations[game.name],
        }
    }
