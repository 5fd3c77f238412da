"""The page of a chapter: its board, to step through. A move or a comment leads to an analysis board.

For the owner that board can be saved in the chapter again; for anybody else it is a copy.
"""

from __future__ import annotations

from typing import TYPE_CHECKING
from urllib.parse import parse_qsl

from aiohttp import web

from matches import MatchState, Refusal
from web.addresses import report_url, study_path
from web.analysis_board.board_link import parse_board, parse_match_board
from web.analysis_board.board_page import StoredBoard, render_stored
from web.context import CONTEXT
from web.match.access import load_match
from web.pages.view_options import ViewOptions
from web.studies.saving import SavedChapter, chapter_id
from web.studies.study_page import find_study, respond

if TYPE_CHECKING:
    from matches.studies.values import Chapter
    from web.analysis_board.board_link import AnalysisBoard


async def chapter_page(request: web.Request) -> web.Response:
    """Show a chapter of a study."""
    context, (key, reader, is_moderator) = request.app[CONTEXT], await find_study(request)
    try:
        study, chapter = await context.matches.studies.load_chapter(
            key, int(request.match_info["chapter"]), reader, is_moderator=is_moderator
        )
    except Refusal as error:
        if error.key != "chapter_unknown":
            raise
        return await respond(request, error)  # with links to the other chapters
    game = context.games.get(chapter.board.game)
    if game is None:
        raise web.HTTPNotFound
    own_id = chapter_id(study.key, chapter) if study.is_own else ""
    board = await read_board(request, chapter, own_id)
    path = study_path(study.key, chapter.number)
    numbers = [one.number for one in study.chapters]
    place = numbers.index(chapter.number)
    neighbours = {"previous": numbers[place - 1 : place], "next": numbers[place + 1 : place + 2]}
    stored = StoredBoard(
        path,
        "study_chapter.html",
        SavedChapter(study, chapter, chapter.revision) if study.is_own else None,
        study.is_shared,
        {
            "study_name": study.outline.name,
            "study_path": study_path(study.key),
            "chapter_name": chapter.name,
            "chapter_number": place + 1,
            "chapters": len(numbers),
            "near": [(name, study_path(study.key, one[0])) for name, one in neighbours.items() if one],
            "is_own": study.is_own,
            "record_path": f"{path}/record.txt",
            "report_url": "" if study.is_own else report_url(study=study.key),
        },
    )
    return await render_stored(request, board, ViewOptions.from_request(context.texts, request, game), stored)


async def read_board(request: web.Request, chapter: Chapter, own_id: str = "") -> AnalysisBoard:
    """Return the board of a chapter with what the address has in view. Raises Refusal.

    The game of a match is shown to whoever may see the match. `own_id` names the chapter of the owner.
    """
    stored = chapter.board
    pairs = parse_qsl(stored.state, keep_blank_values=True)
    lines = [value for name, value in pairs if name == "line"]
    values = {**dict(pairs), **{name: request.query[name] for name in ("in", "at") if name in request.query}}
    if own_id:
        values["chapter"] = own_id
    if stored.match is None:
        return parse_board(request.app[CONTEXT].games[stored.game], values, lines)
    try:
        cached = await load_match(request, stored.match)
    except Refusal as error:
        raise Refusal("chapter_match_hidden") from error
    if cached.view.state is not MatchState.OVER:
        raise Refusal("chapter_match_hidden")
    return parse_match_board(cached, values, lines)
