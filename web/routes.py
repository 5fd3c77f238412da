"""Every address of the website, and the function that answers it."""

from __future__ import annotations

from typing import TYPE_CHECKING

from aiohttp import web

from web.accounts import account, my_data, my_games, sign_in
from web.addresses import (
    ACCOUNT_PATH,
    CALLBACK_PATH,
    CHALLENGE_FORM_PATH,
    CHALLENGE_PATH,
    LINK_PATH,
    LOBBY_PATH,
    MATCH_ID_PATTERN,
    SEAT_PATH,
    SIGN_IN_PATH,
    SIGN_OUT_PATH,
)
from web.analysis_board import board_page
from web.lobby import challenge_form, challenge_page, lobby_page
from web.match import downloads, embed, game_analysis, news, watch
from web.moderation import header, moderation_pages, report_pages
from web.pages import documents, example_games, front_page, learn, manifest, preferences, rules_pages
from web.play import (
    actions,
    conditional_moves,
    local_games,
    new_game_form,
    notes,
    rematches,
    seat_links,
    seat_page,
    seat_sessions,
)
from web.server.assets import STATIC_PATH

if TYPE_CHECKING:
    from web.server.assets import Assets

GAME = "{game:[a-z0-9]{1,40}}"
BOOK, PAGE = "{book:[a-z0-9.]{1,40}}", "{page:[a-z0-9-]{1,40}}"
BOARD_STATE = "{state:.+}"
MATCH_PATH = f"/m/{MATCH_ID_PATTERN}"
CONDITIONAL_PATH = f"{SEAT_PATH}/conditional"


def list_routes(assets: Assets) -> list[web.RouteDef]:
    """Return the routes of all pages, forms, pictures, downloads, streams and static files."""
    return [
        web.get("/", front_page.index),
        web.get("/matches", front_page.match_list),
        web.get("/challenges", lobby_page.old_address),
        web.get(LOBBY_PATH, lobby_page.lobby_page),
        web.get(CHALLENGE_FORM_PATH, challenge_form.challenge_form),
        web.post(CHALLENGE_FORM_PATH, challenge_form.create_challenge),
        web.get(CHALLENGE_PATH, challenge_page.challenge_page),
        web.get(f"{CHALLENGE_PATH}/state", challenge_page.challenge_state),
        web.post(f"{CHALLENGE_PATH}/accept", challenge_page.accept),
        web.post(f"{CHALLENGE_PATH}/decline", challenge_page.decline),
        web.post(f"{CHALLENGE_PATH}/withdraw", challenge_page.withdraw),
        web.get(f"{CHALLENGE_PATH}/{{key:[A-Za-z0-9_-]{{22}}}}", challenge_page.challenge_page),
        web.get(rf"/examples/{GAME}/{{number:\d{{1,3}}}}.svg", example_games.example_svg),
        web.get(MATCH_PATH, watch.match_page),
        web.get(f"{MATCH_PATH}/events", watch.events, allow_head=False),
        web.get(f"{MATCH_PATH}/board.png", downloads.board_png),
        web.get(f"{MATCH_PATH}/board.svg", downloads.board_svg),
        web.get(f"{MATCH_PATH}/game.gif", downloads.game_gif),
        web.get(f"{MATCH_PATH}/record.txt", downloads.record_text),
        web.get(f"{MATCH_PATH}/analysis", board_page.analyse_match),
        web.get(f"{MATCH_PATH}/computer-analysis", game_analysis.analysis_section),
        web.post(f"{MATCH_PATH}/computer-analysis", game_analysis.request_as_visitor),
        web.get(f"{MATCH_PATH}/links", seat_links.links_page),
        web.get(f"/embed/{MATCH_ID_PATTERN}", embed.embedded_match),
        web.get("/oembed", embed.oembed),
        web.get("/news", news.news),
        web.get(f"{LINK_PATH}{{token}}", seat_sessions.open_link),
        web.get(SEAT_PATH, seat_page.seat_page),
        web.post(f"{SEAT_PATH}/play", actions.make_handler(actions.play)),
        web.post(f"{SEAT_PATH}/pick", actions.make_handler(actions.pick)),
        web.post(f"{SEAT_PATH}/resign", actions.make_handler(actions.resign)),
        web.post(f"{SEAT_PATH}/abort", actions.make_handler(actions.abort)),
        web.post(f"{SEAT_PATH}/offer", actions.make_handler(actions.offer)),
        web.post(f"{SEAT_PATH}/answer", actions.make_handler(actions.answer)),
        web.post(f"{SEAT_PATH}/lock", actions.rotate_key),
        web.post(f"{SEAT_PATH}/note", notes.save_note),
        web.post(f"{SEAT_PATH}/rematch", rematches.start_rematch),
        web.get(f"{SEAT_PATH}/analysis", board_page.own_analysis_page),
        web.get(f"{SEAT_PATH}/analysis/{BOARD_STATE}", board_page.own_analysis_page),
        web.post(f"{SEAT_PATH}/computer-analysis", game_analysis.request_as_player),
        web.get(CONDITIONAL_PATH, conditional_moves.conditional_page),
        web.post(f"{CONDITIONAL_PATH}/add", conditional_moves.make_handler(conditional_moves.add_typed)),
        web.post(f"{CONDITIONAL_PATH}/save", conditional_moves.make_handler(conditional_moves.save_analysed)),
        web.post(f"{CONDITIONAL_PATH}/remove", conditional_moves.make_handler(conditional_moves.remove)),
        web.post(f"{CONDITIONAL_PATH}/clear", conditional_moves.make_handler(conditional_moves.clear)),
        web.get(f"/analysis/{GAME}", board_page.analysis_page),
        web.get(f"/analysis/{GAME}/board.png", board_page.board_png),
        web.get(f"/analysis/{GAME}/{BOARD_STATE}", board_page.analysis_page),
        web.get("/new", new_game_form.new_game_form),
        web.post("/new", local_games.start_game),
        web.get("/my-games", my_games.my_games),
        web.get(SIGN_IN_PATH, sign_in.begin_sign_in),
        web.get(CALLBACK_PATH, sign_in.finish_sign_in),
        web.get(ACCOUNT_PATH, account.account_page),
        web.post(SIGN_OUT_PATH, account.sign_out),
        web.post(f"{ACCOUNT_PATH}/name", account.set_name),
        web.get(my_data.DATA_PATH, my_data.data_page),
        web.post(f"{my_data.DATA_PATH}/export", my_data.export_data),
        web.post(f"{my_data.DATA_PATH}/keep", my_data.keep_data),
        web.get(f"{my_data.DATA_PATH}/delete", my_data.deletion_page),
        web.post(f"{my_data.DATA_PATH}/delete", my_data.delete_data),
        web.get(my_data.DELETED_PATH, my_data.deleted_page),
        web.get(report_pages.REPORT_PATH, report_pages.report_form),
        web.post(report_pages.REPORT_PATH, report_pages.send_report),
        web.get(report_pages.SENT_PATH, report_pages.sent_page),
        web.get(moderation_pages.MODERATION_PATH, moderation_pages.report_list),
        web.get(f"{moderation_pages.MODERATION_PATH}/{{who:.+}}", moderation_pages.person_page),
        web.post(f"{moderation_pages.MODERATION_PATH}/{{who:.+}}", moderation_pages.decide),
        web.post(header.CONFIRM_PATH, header.confirm_warning),
        web.get("/rules", rules_pages.rules_list),
        web.get(f"/rules/{BOOK}", rules_pages.rule_book),
        web.get(f"/rules/{BOOK}/{PAGE}/board.svg", rules_pages.example_svg),
        web.get("/learn", learn.lesson_list),
        web.get(f"/learn/{GAME}", learn.lesson_page),
        web.get(rf"/learn/{GAME}/{{number:[1-9]\d?}}", learn.task_page),
        web.get(documents.PRIVACY_PATH, documents.privacy_policy),
        web.get(documents.TERMS_PATH, documents.terms),
        web.post("/colours", preferences.choose_colours),
        web.post("/preferences", preferences.save_preferences),
        web.get("/manifest.webmanifest", manifest.manifest),
        web.get(f"{STATIC_PATH}{{version}}/{{name}}", assets.handle),
        web.get("/service-worker.js", assets.handle_service_worker),
    ]
