"""The form that saves an analysis board: as a new chapter of a study, or in the chapter that it is from.

The board is in the address, as in that of the analysis board, so that nothing is lost whatever is refused.
"""

from __future__ import annotations

from hashlib import sha256
from typing import TYPE_CHECKING
from urllib.parse import urlencode

from aiohttp import web

from matches import Refusal
from matches.studies.values import KEY_LENGTH, MAX_NAME_LENGTH, StudyKey
from web.accounts.signed_in import find_member
from web.addresses import MAX_RETURN_PATH, study_path
from web.analysis_board.board_link import play_board
from web.analysis_board.board_page import requested_board
from web.context import CONTEXT
from web.errors import format_error, status_code
from web.pages.pages import NO_STORE, SIGN_IN_URL
from web.play.move_form import parse_number
from web.server.forms import new_form_number, read_form, redirect
from web.studies.saving import SAVE_PATH, chapter_board, saved_chapter

if TYPE_CHECKING:
    from collections.abc import Mapping

    from matches import Session
    from web.analysis_board.board_link import AnalysisBoard

NEW = "new"  # the value of the form for a study that is to be made


async def save_form(request: web.Request) -> web.Response:
    """Show the form; somebody who is not signed in is asked to sign in, and does not lose the board."""
    return await _respond(request, await _read_board(request), await find_member(request))


async def save(request: web.Request) -> web.Response:
    """Save the board and show the chapter; or the form again with the reason why not."""
    board, member, form = await _read_board(request), await find_member(request), await read_form(request)
    if member is None:
        return await _respond(request, board, None, form)
    try:
        if "comment" in form:  # it was being written when the changes were saved
            board = board.with_comment(form["comment"])
        key, number = await _save(request, board, member, form)
    except Refusal as error:
        return await _respond(request, board, member, form, error)
    view = urlencode(board.view_parameters())
    return redirect(f"{study_path(key, number)}{'?' if view else ''}{view}")


async def _read_board(request: web.Request) -> AnalysisBoard:
    """Return the board of the address with its moves played. Raises Refusal."""
    board = await requested_board(request, SAVE_PATH)
    played = await request.app[CONTEXT].run_in_thread(request, lambda: play_board(board))
    return played.board


async def _save(
    request: web.Request, board: AnalysisBoard, member: Session, form: Mapping[str, str]
) -> tuple[StudyKey, int]:
    """Save what the form says and return the study and the number of the chapter. Raises Refusal."""
    context, content = request.app[CONTEXT], chapter_board(board)
    studies, owner, now = context.matches.studies, member.account, context.now()
    board.require_room()  # played moves can be written longer than in the link
    if "replace" in form:
        saved = await saved_chapter(request, board)
        if saved is None:
            raise Refusal("chapter_unknown")
        key, number = saved.study.key, saved.chapter.number
        await studies.save_chapter(key, number, owner, parse_number(form["replace"]), content, now=now)
        return key, number
    chosen, new_study = form.get("study", NEW), None
    if chosen == NEW:
        # The number of the form, so that one that is sent twice makes one study.
        number_text = new_form_number(form.get("number", ""))
        chosen = sha256(f"study {owner} {number_text}".encode()).hexdigest()[:KEY_LENGTH]
        new_study = form.get("study_name", "")
    key = StudyKey(chosen[:KEY_LENGTH])
    number = await studies.add_chapter(
        key, owner, form.get("name", ""), content, new_study=new_study, now=now
    )
    return key, number


async def _respond(
    request: web.Request,
    board: AnalysisBoard,
    member: Session | None,
    typed: Mapping[str, str] | None = None,
    error: Refusal | None = None,
) -> web.Response:
    if member is None and SIGN_IN_URL not in request:
        raise web.HTTPNotFound  # nobody can sign in here
    context, typed = request.app[CONTEXT], typed or {}
    saved = await saved_chapter(request, board)
    own = () if member is None else await context.matches.studies.list_own(member.account)
    chosen = typed.get("study") or (saved.study.key if saved else own[0].key if own else NEW)
    game = context.texts(f"game.{board.start.game.name}.name")
    is_changed = error is not None and error.key == "chapter_changed"
    answer = context.pages.respond(
        request,
        "study_save.html",
        status=200 if error is None else status_code(error),
        notice="" if error is None else format_error(context.texts, error),
        back=board.url(),
        action=f"{SAVE_PATH}{board.url()}",
        is_member=member is not None,
        can_return=len(request.path_qs) <= MAX_RETURN_PATH,
        studies=[(one.key, one.name) for one in own],
        chosen=chosen,
        study_name=typed.get("study_name", ""),
        name=typed.get("name") or (context.texts("web.match", match=board.match) if board.match else game),
        saved=saved if is_changed else None,
        saved_path=study_path(saved.study.key, saved.chapter.number) if saved else "",
        limit=MAX_NAME_LENGTH,
        number=new_form_number(typed.get("number", "")),
    )
    answer.headers.update(NO_STORE)
    return answer
