"""The pages of moderators: open reports, and what is to be decided about one person.

For everybody else they do not exist.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any
from urllib.parse import quote

import structlog
from aiohttp import web

from i18n.writing import Moment
from matches import Refusal
from matches.moderation.values import Act
from matches.values import MAX_REASON_LENGTH
from web.accounts.signed_in import find_session, revoke
from web.context import CONTEXT
from web.errors import format_error, status_code
from web.pages.pages import NO_STORE
from web.play.move_form import parse_number
from web.server.forms import read_form, redirect

if TYPE_CHECKING:
    from collections.abc import Mapping

    from matches.moderation.values import ModeratedPerson, Report
    from web.context import WebContext

log = structlog.stdlib.get_logger(__name__)

MODERATION_PATH = "/moderation"
REPORT_PAGE = 20  # reports
MAX_WHO = 200  # characters
UNCHANGED = "unchanged"


def moderation_path(account: str) -> str:
    """Return the path of the page about a person."""
    return f"{MODERATION_PATH}/{quote(account, safe=':@')}"


async def report_list(request: web.Request) -> web.Response:
    """Show open reports, the newest first; with ``who`` go to the page about a person."""
    context, moderator = request.app[CONTEXT], await _require_moderator(request)
    if who := request.query.get("who", "").strip()[:MAX_WHO]:
        return redirect(moderation_path(who))
    before = parse_number(request.query.get("before"))
    found = await context.matches.moderation.list_open(
        moderator, before=before if before > 0 else None, limit=REPORT_PAGE + 1
    )
    shown = found[:REPORT_PAGE]
    return _respond(
        request,
        "moderation.html",
        reports=[_report_item(one) for one in shown],
        older=f"{MODERATION_PATH}?before={shown[-1].id}" if len(found) > REPORT_PAGE else "",
        is_first=before <= 0,
    )


async def person_page(request: web.Request) -> web.Response:
    """Show what is known about a person to moderators, with the forms to decide."""
    moderator = await _require_moderator(request)
    done = request.query.get("done", "")
    texts = request.app[CONTEXT].texts
    notice = texts(f"moderation.done.{done}") if done in set(Act) else ""
    return await _respond_person(
        request, moderator, texts("moderation.unchanged") if done == UNCHANGED else notice
    )


async def decide(request: web.Request) -> web.Response:
    """Do what a form says about a person, and show the person's page again."""
    context, moderator = request.app[CONTEXT], await _require_moderator(request)
    form, about = await read_form(request), request.match_info["who"]
    try:
        act = Act(form.get("act", ""))
    except ValueError as error:
        raise Refusal("form_malformed") from error
    try:
        is_done = await _carry_out(context, moderator, about, act, form)
    except Refusal as error:
        if error.key not in {"act_reason", "moderates_moderator"}:
            raise
        return await _respond_person(request, moderator, error=error, reason=form.get("reason", ""))
    if is_done:
        log.info("moderation.done", act=act.value)
    return redirect(f"{moderation_path(about)}?done={act.value if is_done else UNCHANGED}")


async def _carry_out(context: WebContext, by: str, about: str, act: Act, form: Mapping[str, str]) -> bool:
    """Carry out an act; return whether it changed anything."""
    moderation, reason, now = context.matches.moderation, form.get("reason", ""), context.now()
    if act is Act.CLOSE:
        is_done, token = await moderation.close(by, about, reason, now=now)
        await revoke(context, token)
        return is_done
    if act is Act.CLOSE_REPORT:
        return await moderation.close_report(by, parse_number(form.get("report")), reason, now=now)
    if act is Act.REMOVE_NAME:
        return await moderation.remove_name(by, about, reason, seen=form.get("seen", ""), now=now)
    simple = {
        Act.WARN: moderation.warn,
        Act.EXCLUDE: moderation.exclude,
        Act.READMIT: moderation.readmit,
        Act.REOPEN: moderation.reopen,
    }
    if act not in simple:  # what is done on the page of a study
        raise Refusal("form_malformed")
    return await simple[act](by, about, reason, now=now)


async def _require_moderator(request: web.Request) -> str:
    """Return the account of a moderator; for anybody else there is no such page."""
    session = await find_session(request)
    if session is None or not await request.app[CONTEXT].matches.moderation.is_moderator(session.account):
        raise web.HTTPNotFound
    return session.account


async def _respond_person(
    request: web.Request,
    moderator: str,
    notice: str = "",
    *,
    error: Refusal | None = None,
    reason: str = "",
) -> web.Response:
    context = request.app[CONTEXT]
    person = await context.matches.moderation.find_person(moderator, request.match_info["who"][:MAX_WHO])
    return _respond(
        request,
        "moderated_person.html",
        status=200 if error is None else status_code(error),
        path=moderation_path(person.account),
        player=person,
        met=Moment(person.met_at),
        closed=None if person.closed_at is None else Moment(person.closed_at),
        reports=[_report_item(one) for one in person.reports],
        acts=[
            {
                "act": one.act.value,
                "by": one.by_name,
                "reason": one.reason,
                "made": Moment(one.made_at),
                "seen": None if one.seen_at is None else Moment(one.seen_at),
                "study": one.study,
                "study_name": one.study_name,
            }
            for one in person.acts
        ],
        offered=[one.value for one in _list_offered(person)],
        notice=notice,
        error="" if error is None else format_error(context.texts, error),
        reason=reason,
        limit=MAX_REASON_LENGTH,
    )


def _list_offered(person: ModeratedPerson) -> tuple[Act, ...]:
    """Return what can be decided about a person now."""
    return (
        Act.WARN,
        Act.READMIT if person.is_excluded else Act.EXCLUDE,
        *((Act.REMOVE_NAME,) if person.handle or person.alias else ()),
        Act.CLOSE if person.closed_at is None else Act.REOPEN,
    )


def _report_item(report: Report) -> dict[str, Any]:
    return {
        "report": report,
        "made": Moment(report.made_at),
        "person": moderation_path(report.about),
    }


def _respond(request: web.Request, template: str, **values: Any) -> web.Response:
    answer = request.app[CONTEXT].pages.respond(request, template, **values)
    answer.headers.update(NO_STORE)
    return answer
