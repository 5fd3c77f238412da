"""Hints: a good turn, for which the visitor's own browser searches with the kernel of the computer opponent.

The server sends kernel, weights and position, and shows the turn that comes back if it is legal. So a hint
costs it nothing, and counts nowhere. There are none in rated matches, none between people who play in
Discord, and none for spectators.
"""

from __future__ import annotations

from contextlib import suppress
from dataclasses import dataclass
from functools import cache
from types import MappingProxyType
from typing import TYPE_CHECKING, Any

from ai.kernel import MODULE
from ai.levels import PROOF_POSITIONS, Level
from ai.weights import Weights
from matches import WEB, MatchState, platform_of

if TYPE_CHECKING:
    from collections.abc import Mapping

    from web.context import WebContext
    from web.play.move_form import MoveForm
    from web.play.seat_sessions import PlayerSession

HINT_LEVEL = Level.EXPERT


@dataclass(frozen=True, slots=True)
class HintFiles:
    """What a browser needs for hints, by file name, and the length of the search for one, by game."""

    contents: Mapping[str, bytes]
    simulations: Mapping[str, int]


@cache
def load_hint_files(games: tuple[str, ...]) -> HintFiles:
    """Return the files for those games that the kernel plays; none without a kernel."""
    weights = dict[str, Weights]()
    for game in games if MODULE.exists() else ():
        with suppress(FileNotFoundError):
            weights[game] = Weights.load_without_network(game)
    contents = {f"{game}.weights": numbers.pack() for game, numbers in weights.items()}
    if weights:
        contents["kernel.wasm"] = MODULE.read_bytes()
    return HintFiles(
        MappingProxyType(contents),
        MappingProxyType({game: one.levels[HINT_LEVEL].simulations for game, one in weights.items()}),
    )


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
            "proof": PROOF_POSITIONS,
        }
    }
