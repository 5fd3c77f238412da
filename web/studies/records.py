"""Chapters of a study as records: the main line with its comments, and the other lines as comments.

Whoever may see the page of a chapter gets its record.
"""

from __future__ import annotations

import io
import re
import zipfile
from typing import TYPE_CHECKING

from aiohttp import web

from matches import Refusal
from matches.records.from_board import format_commented, record_from_moves
from web.analysis_board.board_link import play_board
from web.analysis_board.written_lines import write_comments
from web.context import CONTEXT
from web.match.access import load_match
from web.pages.pages import NO_STORE
from web.studies.chapter_page import read_board
from web.studies.study_page import find_study

if TYPE_CHECKING:
    from collections.abc import Callable

    from matches.studies.values import Chapter, Study

HEADERS = {**NO_STORE, "X-Robots-Tag": "noindex"}  # as the pages of studies
MAX_FILE_NAME = 40  # characters of a chapter's name in the name of its file


async def chapter_record(request: web.Request) -> web.Response:
    """Return the record of a chapter."""
    key, reader, is_moderator = await find_study(request)
    number = int(request.match_info["chapter"])
    studies = request.app[CONTEXT].matches.studies
    study, chapter = await studies.load_chapter(key, number, reader, is_moderator=is_moderator)
    write = await _prepare(request, study, chapter)
    text = await request.app[CONTEXT].run_in_thread(request, write)
    answer = web.Response(text=text, content_type="text/plain")
    answer.headers["Content-Disposition"] = f'inline; filename="{key}-{number}.txt"'
    answer.headers.update(HEADERS)
    answer.enable_compression()
    return answer


async def study_records(request: web.Request) -> web.Response:
    """Return the records of all chapters that the sender may see, as a ZIP file, in their order."""
    context, (key, reader, is_moderator) = request.app[CONTEXT], await find_study(request)
    studies = context.matches.studies
    study = await studies.load(key, reader, is_moderator=is_moderator)
    records: list[tuple[str, Callable[[], str]]] = []
    async with context.long_work.turn(context.client_address(request), request):
        for place, outline in enumerate(study.chapters, 1):
            try:
                _, chapter = await studies.load_chapter(
                    key, outline.number, reader, is_moderator=is_moderator
                )
                write = await _prepare(request, study, chapter)
            except Refusal:  # it was deleted, or its match is not shown to everybody
                continue
            records.append((_file_name(place, outline.name), write))
        body = await context.long_work.in_thread(lambda: _pack(records))
    disposition = {"Content-Disposition": f'attachment; filename="study-{key}.zip"'}
    return web.Response(body=body, content_type="application/zip", headers={**disposition, **HEADERS})


async def _prepare(request: web.Request, study: Study, chapter: Chapter) -> Callable[[], str]:
    """Return what writes the record of a chapter, which takes long. Raises Refusal."""
    context = request.app[CONTEXT]
    if chapter.board.game not in context.games:
        raise Refusal("chapter_unknown")
    board = await read_board(request, chapter)
    headers = (("Study", study.outline.name), ("Chapter", chapter.name))
    of_match = None
    if chapter.board.match is not None:
        names = (await load_match(request, chapter.board.match)).names
        of_match = await context.matches.load_record(chapter.board.match, names=names)

    def write() -> str:
        played = play_board(board)
        record = of_match
        if record is None:
            line = played.lines[0]
            outcome = (line[-1].position if line else board.start).outcome
            record = record_from_moves(board.start, played.board.moves, outcome)
        return format_commented(record, write_comments(played.board, len(record.entries)), headers)

    return write


def _file_name(place: int, name: str) -> str:
    """Return the name of a chapter's file: its place, and of its name what every system allows."""
    words = " ".join(re.sub(r"[^\w-]+", " ", name).split())[:MAX_FILE_NAME].strip()
    return f"{place:02}{' ' if words else ''}{words}.txt"


def _pack(records: list[tuple[str, Callable[[], str]]]) -> bytes:
    packed = io.BytesIO()
    with zipfile.ZipFile(packed, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, write in records:
            archive.writestr(name, write())
    return packed.getvalue()
