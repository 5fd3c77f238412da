"""Every address of puzzles, and the function that answers it."""

from __future__ import annotations

from aiohttp import web

from web.addresses import PUZZLES_PATH
from web.puzzles import acts, mail, page

PUZZLE_PATH = f"{PUZZLES_PATH}/{{key:[0-9a-f]{{16}}}}"


def list_routes() -> list[web.RouteDef]:
    """Return the routes of all pages, forms and pictures of puzzles."""
    return [
        web.get(PUZZLES_PATH, page.next_puzzle),
        web.get(PUZZLE_PATH, page.puzzle_page),
        web.get(f"{PUZZLE_PATH}/board.png", page.board_png),
        web.post(f"{PUZZLE_PATH}/turn", page.play_turn),
        web.post(f"{PUZZLE_PATH}/hint", acts.show_hint),
        web.post(f"{PUZZLE_PATH}/solution", acts.show_solution),
        web.post(f"{PUZZLE_PATH}/report", acts.report),
        web.post(f"{PUZZLE_PATH}/remove", acts.remove),
        web.post(mail.SETTING_PATH, mail.save_setting),
        web.get(mail.STOP, mail.stop_page),
        web.post(mail.STOP, mail.stop),
    ]
