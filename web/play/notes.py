"""A player's private note on a match, which the seat page shows to its author alone.

Saving an empty one deletes it. Players who share a screen have none.
"""

from __future__ import annotations

from typing import TYPE_CHECKING
from urllib.parse import urlencode

from aiohttp import web

from matches import NoteTooLong
from matches.people.notes import MAX_NOTE_LENGTH
from web.context import CONTEXT
from web.errors import format_error
from web.play.actions import kept_answers
from web.play.seat_page import render_seat_page
from web.play.seat_sessions import require_player
from web.server.forms import read_form, redirect

if TYPE_CHECKING:
    from collections.abc import Mapping

    from web.play.seat_sessions import PlayerSession


async def save_note(request: web.Request) -> web.Response:
    """Save the note and redirect to the seat page; with ``part=note`` return only the form."""
    context, session = request.app[CONTEXT], await require_player(request)
    if session.has_both_seats:
        raise web.HTTPNotFound
    form = await read_form(request)
    # Browsers send a line break as two characters, and count it as one.
    text = "" if "delete" in form else form.get("note", "").replace("\r\n", "\n")
    kept = kept_answers(form, session.view)
    try:
        saved = await context.matches.people.notes.save(
            session.view.id, session.person, text, now=context.now()
        )
    except NoteTooLong as error:
        notice = format_error(context.texts, error)
        if request.query.get("part") == "note":
            return _render_form(request, session, text, kept, notice)
        return await render_seat_page(request, session, answers=kept, notice=notice)
    if request.query.get("part") == "note":
        key = "web.note.saved" if saved else "web.note.deleted"
        return _render_form(request, session, saved, kept, context.texts(key))
    query = urlencode({name: request.query[name] for name in ("side",) if name in request.query} | kept)
    location = f"{session.path}?{query}#note" if query else f"{session.path}#note"
    return redirect(location)


def _render_form(
    request: web.Request, session: PlayerSession, text: str, kept: Mapping[str, str], state: str
) -> web.Response:
    answer = request.app[CONTEXT].pages.respond(
        request,
        "note.html",
        note=text,
        note_limit=MAX_NOTE_LENGTH,
        note_state=state,
        path=session.path,
        action_query="",
        form_query=kept,
    )
    answer.headers["Cache-Control"] = "no-store"
    return answer
