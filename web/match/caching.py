"""How long browsers may keep a board: for good only if the address says which line of play it belongs to.

After a takeback the same turn number means another board. So an address that names the number of takebacks,
and a past turn or a ply, shows the same board for ever; any other address is checked again each time.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from aiohttp import web

    from web.match.cache import CachedMatch
    from web.pages.view_options import ViewOptions

KEEP_SECONDS = 7 * 24 * 3600  # a later version of the program may draw the same board better


def cache_headers(
    request: web.Request, cached: CachedMatch, view_options: ViewOptions, turn: int, *, can_keep: bool = True
) -> dict[str, str]:
    """Return the caching headers of what shows the board after a turn.

    Without `can_keep` browsers check it again each time.
    """
    look = f"{view_options.side}-{view_options.theme}-{cached.language}"
    tag = f"{cached.view.id}-{turn}-{cached.version}-{look}"
    is_fixed = can_keep and _names_board(request, cached, turn)
    return {
        "ETag": f'"{tag}"',
        "Cache-Control": f"max-age={KEEP_SECONDS}, immutable" if is_fixed else "no-cache",
        "Vary": "Accept-Encoding, Cookie",
    }


def has_current_copy(request: web.Request, headers: dict[str, str]) -> bool:
    """Return whether the browser has what these headers describe, so that 304 is enough."""
    return any(tag.value == headers["ETag"].strip('"') for tag in request.if_none_match or ())


def _names_board(request: web.Request, cached: CachedMatch, turn: int) -> bool:
    """Return whether the address names this board and can never mean another.

    The picture of the latest turn changes when the match ends, so a turn must be a past one, and a ply that
    of a match under way: only lists of those name it.
    """
    query, view = request.query, cached.view
    if query.get("takebacks") != str(view.takebacks):
        return False
    if "turn" in query:
        return query["turn"] == str(turn) and turn < cached.last_turn
    return query.get("ply") == str(view.ply) and view.result is None
