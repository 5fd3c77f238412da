"""URL patterns and the names of seats that several modules of the website share."""

from __future__ import annotations

from typing import TYPE_CHECKING

from matches import MatchId

if TYPE_CHECKING:
    from aiohttp import web

MATCH_ID_PATTERN = r"{match:[1-9]\d{0,14}}"
BOTH_SEATS = "both"
SEAT_NAMES = ("1", "2", BOTH_SEATS)  # names of seats in URLs
SEAT_PATH = f"/m/{MATCH_ID_PATTERN}/seat/{{seat:{'|'.join(SEAT_NAMES)}}}"
SEAT_COOKIE = "sits"  # holds the seat name of this browser, to link back to it; gives no access


def match_id(request: web.Request) -> MatchId:
    """Return the match in the URL of a request."""
    return MatchId(int(request.match_info["match"]))


def match_path(match: MatchId) -> str:
    """Return the path of a match's public page."""
    return f"/m/{match}"


def seat_path(match: MatchId, seat: str) -> str:
    """Return the path of a seat's page."""
    return f"/m/{match}/seat/{seat}"
