"""What is kept about a signed-in person or a guest: shown, exported, and deleted after two confirmations."""

from __future__ import annotations

from typing import TYPE_CHECKING

from aiohttp import web

from matches import ErasureChoice, Refusal
from web.accounts.signed_in import delete_session_cookie, end_sessions, find_session, require_session
from web.addresses import ACCOUNT_PATH, sign_in_url
from web.context import CONTEXT
from web.pages.pages import NO_STORE
from web.server.forms import read_form, redirect

if TYPE_CHECKING:
    from typing import Any

    from matches import DataSummary

DATA_PATH = f"{ACCOUNT_PATH}/data"
DELETED_PATH = f"{DATA_PATH}/deleted"
EXPORT_FILE = "rayuela-my-data.zip"
MAX_EXPORT_BYTES = 50_000_000


async def data_page(request: web.Request) -> web.Response:
    """Show what is kept; somebody who is not signed in signs in first."""
    return await _respond_summary(request, "my_data.html")


async def deletion_page(request: web.Request) -> web.Response:
    """Explain what a deletion does, with the form that confirms it."""
    return await _respond_summary(
        request, "delete_data.html", deleted_name=request.app[CONTEXT].texts("name.deleted")
    )


async def export_data(request: web.Request) -> web.Response:
    """Return a ZIP file with everything that is kept."""
    context, session = request.app[CONTEXT], await require_session(request)
    async with context.long_work.turn(context.client_address(request), request):
        export = await context.matches.people.personal_data.export(
            session.account, now=context.now(), max_bytes=MAX_EXPORT_BYTES
        )
    disposition = {"Content-Disposition": f'attachment; filename="{EXPORT_FILE}"'}
    return web.Response(body=export.data, content_type="application/zip", headers={**disposition, **NO_STORE})


async def allow_puzzles(request: web.Request) -> web.Response:
    """Let puzzles be made from the person's matches, or not any more; then those that there are go."""
    context, session = request.app[CONTEXT], await require_session(request)
    is_allowed = (await read_form(request)).get("allow") == "1"
    await context.matches.people.preferences.change(session.person, puzzles=is_allowed, now=context.now())
    return redirect(f"{DATA_PATH}#puzzles")


async def keep_data(request: web.Request) -> web.Response:
    """Cancel a deletion that waits for the end of matches."""
    context, session = request.app[CONTEXT], await require_session(request)
    await context.matches.people.personal_data.cancel_erasure(session.account)
    return redirect(DATA_PATH)


async def delete_data(request: web.Request) -> web.Response:
    """Delete the person's data if the word was typed. Their sessions end; Discord's token is given back."""
    context, session = request.app[CONTEXT], await require_session(request)
    form, word = await read_form(request), context.texts("mydata.confirm.word")
    if form.get("word", "").strip().casefold() != word.casefold():
        raise Refusal("word_differs", word=word)
    try:
        choice = ErasureChoice(form.get("choice", ""))
    except ValueError as error:
        raise Refusal("form_malformed") from error
    if session.is_guest:
        choice = ErasureChoice.RESIGN  # nobody could play on without a session
    await end_sessions(context, session.account)
    await context.matches.people.personal_data.erase(session.account, choice, now=context.now())
    answer = redirect(DELETED_PATH)
    delete_session_cookie(context, answer)
    return answer


async def deleted_page(request: web.Request) -> web.Response:
    """Say that the data are deleted."""
    return request.app[CONTEXT].pages.respond(
        request, "data_deleted.html", deleted_name=request.app[CONTEXT].texts("name.deleted")
    )


async def _respond_summary(request: web.Request, template: str, **values: Any) -> web.Response:
    context = request.app[CONTEXT]
    session = await find_session(request)
    if session is None:
        if not context.can_sign_in:
            raise web.HTTPNotFound
        return redirect(sign_in_url(request.path))
    values["found_puzzles"] = await context.matches.puzzles.count_own(session.account)
    values["allows_puzzles"] = (await context.matches.people.preferences.get(session.account)).puzzles
    summary: DataSummary = await context.matches.people.personal_data.summary(session.account)
    answer = context.pages.respond(request, template, summary=summary, **values)
    answer.headers.update(NO_STORE)
    return answer
