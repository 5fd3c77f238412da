"""Hints: a good turn, for which the visitor's own browser searches with the kernel of the computer opponent.

The server sends kernel, weights and position, and shows the turn that comes back if it is legal. So a hint
costs it nothing, and counts nowhere. There are none in rated matches, none between people who play in
Discord, and none for spectators.
"""

from __future__ import annotations

import json
from dataclasses import asdict
from typing import TYPE_CHECKING, Any

from ai.levels import PROOF_POSITIONS
from matches import WEB, MatchState, platform_of

if TYPE_CHECKING:
    from web.context import WebContext
    from web.play.move_form import MoveForm
    from web.play.seat_sessions import PlayerSession


def can_hint(context: WebContext, session: PlayerSession) -> bool:
    """Return whether there are hints in a match: an unrated one of this website, or against the computer."""
    view = session.view
    is_own = platform_of(view.server) == WEB or session.computer is not None
    is_running = view.state is MatchState.PLAYING
    return is_own and is_running and not view.terms.rated and view.game in context.hint_efforts


def hint_context(context: WebContext, session: PlayerSession, form: MoveForm | None) -> dict[str, Any]:
    """Return the template context of the button: the search (hint-worker.js), or None without a button."""
    if form is None or form.is_complete or not can_hint(context, session):
        return {"hint_search": None}
    game = form.position.game
    search = {
        "position": str(form.position),
        "rules": game.rules_version,
        "efforts": [asdict(each) for each in context.hint_efforts[game.name]],
        "proof": PROOF_POSITIONS,
    }
    return {"hint_search": json.dumps(search)}
