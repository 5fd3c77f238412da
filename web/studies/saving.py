"""What an analysis board shows about studies: the chapter that it is from, and the way to save it."""

from __future__ import annotations

import re
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any

from matches import MatchId, Refusal
from matches.studies.values import ChapterBoard, StudyKey
from web.accounts.signed_in import find_member
from web.addresses import STUDY_PATH, study_path
from web.context import CONTEXT

if TYPE_CHECKING:
    from aiohttp import web

    from matches.studies.values import Chapter, Study
    from web.analysis_board.board_link import AnalysisBoard
    from web.context import WebContext

SAVE_PATH = f"{STUDY_PATH}/save"  # below it are the links of boards
CHAPTER_ID = re.compile(r"([0-9a-f]{16})\.([1-9]\d{0,8})\.([1-9]\d{0,8})", re.ASCII)


@dataclass(frozen=True, slots=True)
class SavedChapter:
    """The chapter of the visitor's own study that a board is from; `revision` is that of the board's link."""

    study: Study
    chapter: Chapter
    revision: int


def chapter_id(study: StudyKey, chapter: Chapter) -> str:
    """Return what the link of a board names a chapter by, with the revision that the board is made from."""
    return f"{study}.{chapter.number}.{chapter.revision}"


async def saved_chapter(request: web.Request, board: AnalysisBoard) -> SavedChapter | None:
    """Return the chapter that the link of a board names; None if it is not the visitor's, or is gone."""
    found = CHAPTER_ID.fullmatch(board.chapter)
    if found is None:
        return None
    member, studies = await find_member(request), request.app[CONTEXT].matches.studies
    if member is None:
        return None
    try:
        study, chapter = await studies.load_chapter(StudyKey(found[1]), int(found[2]), member.account)
    except Refusal:
        return None
    return SavedChapter(study, chapter, int(found[3])) if study.is_own else None


def chapter_board(board: AnalysisBoard) -> ChapterBoard:
    """Return what a chapter holds of a board whose moves have been played."""
    match = None if board.game is None else MatchId(board.match)
    return ChapterBoard(board.start.game.name, replace(board, chapter="").state_text(), match)


def study_context(context: WebContext, board: AnalysisBoard, saved: SavedChapter | None) -> dict[str, Any]:
    """Return the template context of a board."""
    chapter = None
    if saved is not None:
        chapter = {
            "name": saved.chapter.name,
            "study": saved.study.outline.name,
            "path": study_path(saved.study.key, saved.chapter.number),
            "revision": saved.revision,
            "is_saved": saved.chapter.board == chapter_board(board),
        }
    return {
        "chapter": chapter,
        "save_url": f"{SAVE_PATH}{board.url()}" if context.can_sign_in else "",
    }
