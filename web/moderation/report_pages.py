"""The form with which a player reports another one."""

from __future__ import annotations

from typing import TYPE_CHECKING

import structlog

from i18n.writing import isolate
from matches import MatchId, Refusal
from matches.moderation.rights import HANDLE_MARK
from matches.moderation.values import MAX_REPORT_LENGTH, MIN_REPORT_LENGTH, ReportSubject
from matches.studies.values import KEY_LENGTH
from web.accounts.signed_in import find_session, require_session
from web.addresses import REPORT_PATH, match_path, sign_in_url, study_path
from web.context import CONTEXT
from web.errors import format_error, status_code
from web.match.access import find_reader, require_visible
from web.pages.pages import NO_STORE
from web.play.move_form import parse_number
from web.server.forms import read_form, redirect

if TYPE_CHECKING:
    from collections.abc import Mapping

    from aiohttp import web

log = structlog.stdlib.get_logger(__name__)

SENT_PATH = f"{REPORT_PATH}/sent"
MAX_HANDLE = 60  # characters
HIDDEN_FIELDS = ("about", "challenge", "key", "match", "study")  # what a report is about
# Refusals after which the form is shown again, with what was typed.
CORRECTABLE = frozenset({"report_length", "too_many_reports", "reported_before"})


async def report_form(request: web.Request) -> web.Response:
    """Show the form; somebody who is not signed in signs in first."""
    if await find_session(request) is None:
        if not request.app[CONTEXT].can_sign_in:
            raise Refusal("signed_out")
        return redirect(sign_in_url(request.path_qs))
    return await _respond(request, request.query)


async def send_report(request: web.Request) -> web.Response:
    """Send a report to the moderators."""
    context, session, form = request.app[CONTEXT], await require_session(request), await read_form(request)
    try:
        report = await context.matches.moderation.reports.report(
            session.account,
            await find_reader(request),
            await _read_subject(request, form),
            form.get("text", ""),
            now=context.now(),
        )
    except Refusal as error:
        if error.key not in CORRECTABLE:
            raise
        return await _respond(request, form, error)
    log.info("report.sent", report=report)
    return redirect(SENT_PATH)


async def sent_page(request: web.Request) -> web.Response:
    """Thank for a report."""
    return request.app[CONTEXT].pages.respond(request, "report_sent.html")


async def _respond(
    request: web.Request, fields: Mapping[str, str], error: Refusal | None = None
) -> web.Response:
    context, session = request.app[CONTEXT], await require_session(request)
    subject = await _read_subject(request, fields)
    players = await context.matches.moderation.reports.list_reportable(
        session.account, await find_reader(request), subject
    )
    back = "/" if subject.match is None else match_path(subject.match)
    back = study_path(subject.study) if subject.study else back
    answer = context.pages.respond(
        request,
        "report.html",
        status=200 if error is None else status_code(error),
        notice="" if error is None else format_error(context.texts, error),
        players=[(one.number, isolate(one.name)) for one in players],
        chosen=subject.player,
        note=players[0].note or "",
        is_study=bool(subject.study),
        hidden=[(name, fields[name]) for name in HIDDEN_FIELDS if fields.get(name)],
        text=fields.get("text", "") if error is not None else "",
        least=MIN_REPORT_LENGTH,
        limit=MAX_REPORT_LENGTH,
        back=back,
    )
    answer.headers.update(NO_STORE)
    return answer


async def _read_subject(request: web.Request, fields: Mapping[str, str]) -> ReportSubject:
    """Return what the fields name. A match that the sender may not see is refused like an unknown one."""
    numbers = {
        name: parse_number(fields[name]) for name in ("challenge", "match", "player") if fields.get(name)
    }
    if min(numbers.values(), default=0) < 0:
        raise Refusal("report_unknown")
    match = MatchId(numbers["match"]) if "match" in numbers else None
    if match is not None:
        await require_visible(request, match)
    challenge, signer = numbers.get("challenge"), request.app[CONTEXT].token_signer
    return ReportSubject(
        handle=fields.get("about", "").removeprefix(HANDLE_MARK)[:MAX_HANDLE],
        challenge=challenge,
        has_link=challenge is not None and signer.has_challenge_key(challenge, fields.get("key", "")),
        match=match,
        player=numbers.get("player", 0),
        study=fields.get("study", "")[:KEY_LENGTH],
    )
