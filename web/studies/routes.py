"""Every address of studies, and the function that answers it."""

from __future__ import annotations

from aiohttp import web

from web.addresses import MATCH_ID_PATTERN, STUDIES_PATH, STUDY_PATH
from web.studies import acts, chapter_page, records, save_page, study_page
from web.studies.saving import SAVE_PATH

KEY_PATH = f"{STUDY_PATH}/{{study:[0-9a-f]{{16}}}}"
CHAPTER_PATH = rf"{KEY_PATH}/{{chapter:[1-9]\d{{0,8}}}}"


def list_routes(game: str, state: str) -> list[web.RouteDef]:
    """Return the routes of all pages, forms and files; the patterns are those of the analysis board."""
    of_match = f"/m/{MATCH_ID_PATTERN}/analysis"
    boards = (f"/analysis/{game}/{state}", of_match, f"{of_match}/{state}")
    return [
        web.get(STUDIES_PATH, study_page.list_own),
        *(web.get(f"{SAVE_PATH}{board}", save_page.save_form) for board in boards),
        *(web.post(f"{SAVE_PATH}{board}", save_page.save) for board in boards),
        web.get(KEY_PATH, study_page.study_page),
        web.post(KEY_PATH, acts.change),
        web.post(f"{KEY_PATH}/delete", acts.delete),
        web.post(f"{KEY_PATH}/moderation", acts.moderate),
        web.get(f"{KEY_PATH}/records.zip", records.study_records),
        web.get(CHAPTER_PATH, chapter_page.chapter_page),
        web.get(f"{CHAPTER_PATH}/record.txt", records.chapter_record),
        web.post(CHAPTER_PATH, acts.change_chapter),
    ]
