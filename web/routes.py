"""Every address of the website, and the function that answers it."""

from __future__ import annotations

from typing import TYPE_CHECKING

from aiohttp import web

from web.accounts import (
    account,
    joining,
    mail_sign_in,
    mail_stop,
    my_data,
    my_games,
    notices,
    push,
    sign_in,
)
from web.addresses import (
    ACCOUNT_PATH,
    CALENDAR_FORM_PATH,
    CALENDAR_PATH,
    CALLBACK_PATH,
    CODE_LINK_PATH,
    CODE_PATH,
    DISCORD_PATH,
    JOIN_PATH,
    LINK_PATH,
    MAIL_PATH,
    MATCH_ID_PATTERN,
    NAME_PATH,
    NOTICES_PATH,
    PROFILE_PATH,
    SEAT_PATH,
    SIGN_IN_PATH,
    SIGN_OUT_PATH,
)
from web.analysis_board import board_page
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
from web.players import calendar, feed, profile
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
        web.get("/challenges", front_page.challenge_list),
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
        web.post(f"{SEAT_PATH}/seen", seat_page.seen),
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
        web.get(SIGN_IN_PATH, sign_in.sign_in_page),
        web.get(DISCORD_PATH, sign_in.begin_sign_in),
        web.post(MAIL_PATH, mail_sign_in.ask_to_sign_in),
        web.get(CODE_PATH, mail_sign_in.code_page),
        web.post(CODE_PATH, mail_sign_in.answer_code),
        web.post(f"{CODE_PATH}/again", mail_sign_in.ask_again),
        web.post(f"{CODE_PATH}/continue", mail_sign_in.continue_confirmed),
        web.get(f"{CODE_LINK_PATH}{{token:[0-9a-f]{{32}}}}", mail_sign_in.link_page),
        web.post(f"{CODE_LINK_PATH}{{token:[0-9a-f]{{32}}}}", mail_sign_in.answer_link),
        web.get(NAME_PATH, mail_sign_in.name_page),
        web.post(NAME_PATH, mail_sign_in.choose_name),
        web.get(CALLBACK_PATH, sign_in.finish_sign_in),
        web.get(ACCOUNT_PATH, account.account_page),
        web.post(SIGN_OUT_PATH, account.sign_out),
        web.post(f"{ACCOUNT_PATH}/name", account.set_name),
        web.get(push.PUSH_PATH, push.public_key),
        web.post(push.PUSH_PATH, push.add_browser),
        web.post(f"{push.PUSH_PATH}/remove", push.remove_browser),
        web.get(NOTICES_PATH, notices.notices_page),
        web.post(NOTICES_PATH, notices.save_ways),
        web.post(f"{NOTICES_PATH}/times", notices.save_times),
        web.post(f"{NOTICES_PATH}/mail", notices.start_mail_again),
        web.post(f"{ACCOUNT_PATH}/handle", account.choose_handle),
        web.post(f"{ACCOUNT_PATH}/mail", account.add_address),
        web.post(f"{ACCOUNT_PATH}/mail/remove", account.remove_address),
        web.post(f"{ACCOUNT_PATH}/discord", sign_in.add_discord),
        web.get(JOIN_PATH, joining.join_page),
        web.post(JOIN_PATH, joining.join_accounts),
        web.get(my_data.DATA_PATH, my_data.data_page),
        web.post(f"{my_data.DATA_PATH}/export", my_data.export_data),
        web.post(f"{my_data.DATA_PATH}/keep", my_data.keep_data),
        web.get(f"{my_data.DATA_PATH}/delete", my_data.deletion_page),
        web.post(f"{my_data.DATA_PATH}/delete", my_data.delete_data),
        web.get(my_data.DELETED_PATH, my_data.deleted_page),
        web.get(mail_stop.PATH, mail_stop.stop_page),
        web.post(mail_stop.PATH, mail_stop.stop_mails),
        web.get(PROFILE_PATH, profile.profile_page),
        web.post(f"{PROFILE_PATH}/block", profile.block),
        web.get(f"{PROFILE_PATH}/rating/{GAME}.png", profile.rating_chart),
        web.get(f"{PROFILE_PATH}/feed.atom", feed.player_feed),
        web.post(f"{ACCOUNT_PATH}/profile", profile.set_audience),
        web.get("/feed.atom", feed.public_feed),
        web.get(r"/feed/{server:(?:web|[0-9]{15,20})}.atom", feed.server_feed),
        web.get(f"{CALENDAR_PATH}{{key:[A-Za-z0-9_-]{{20,64}}}}.ics", calendar.calendar_file),
        web.post(CALENDAR_FORM_PATH, calendar.change_calendar),
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
