"""The addresses of tournaments."""

from __future__ import annotations

from typing import TYPE_CHECKING
from urllib.parse import urlencode

from matches.tournaments.values import TournamentId
from web.addresses import TOURNAMENTS_PATH

if TYPE_CHECKING:
    from aiohttp import web

FORM_PATH = f"{TOURNAMENTS_PATH}/new"
TOURNAMENT_PATH = rf"{TOURNAMENTS_PATH}/{{tournament:[1-9]\d{{0,14}}}}"
REPLACEMENT_PATH = f"{TOURNAMENTS_PATH}/replace/"  # below it are links to those who are to replace somebody


def tournament_id(request: web.Request) -> TournamentId:
    """Return the tournament in the URL of a request."""
    return TournamentId(int(request.match_info["tournament"]))


def tournament_path(tournament: int, **query: int | str) -> str:
    """Return the path of a tournament's page, with those parameters that are not empty."""
    text = urlencode({name: value for name, value in query.items() if value})
    return f"{TOURNAMENTS_PATH}/{tournament}" + (f"?{text}" if text else "")
