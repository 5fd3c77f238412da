"""Every address of tournaments, and the function that answers it."""

from __future__ import annotations

from aiohttp import web

from web.addresses import TOURNAMENTS_PATH
from web.tournaments import acts, form_page, listing, page, replacing
from web.tournaments.paths import FORM_PATH, REPLACEMENT_PATH, TOURNAMENT_PATH


def list_routes() -> list[web.RouteDef]:
    """Return the routes of all pages and forms of tournaments."""
    return [
        web.get(TOURNAMENTS_PATH, listing.tournament_list),
        web.get(FORM_PATH, form_page.new_form),
        web.post(FORM_PATH, form_page.create),
        web.get(f"{REPLACEMENT_PATH}{{token:.{{1,4000}}}}", replacing.replacement_page),
        web.post(f"{REPLACEMENT_PATH}{{token:.{{1,4000}}}}", replacing.replace),
        web.get(TOURNAMENT_PATH, page.tournament_page),
        web.get(f"{TOURNAMENT_PATH}/change", form_page.change_form),
        web.post(f"{TOURNAMENT_PATH}/change", form_page.change),
        web.post(f"{TOURNAMENT_PATH}/join", acts.join),
        web.post(f"{TOURNAMENT_PATH}/leave", acts.leave),
        web.post(f"{TOURNAMENT_PATH}/register", acts.register),
        web.post(f"{TOURNAMENT_PATH}/challenge", acts.challenge),
        web.post(f"{TOURNAMENT_PATH}/answer", acts.answer),
        web.post(f"{TOURNAMENT_PATH}/exclude", acts.exclude),
        web.post(f"{TOURNAMENT_PATH}/correct", acts.correct),
        web.post(f"{TOURNAMENT_PATH}/end", acts.end_early),
        web.post(f"{TOURNAMENT_PATH}/replace", replacing.offer_place),
    ]
