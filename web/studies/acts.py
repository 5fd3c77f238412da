"""What the owner of a study does with it besides saving boards, and what moderators do."""

from __future__ import annotations

from typing import TYPE_CHECKING

import structlog

from matches import Refusal
from matches.studies.values import StudyAudience, StudyKey
from web.accounts.signed_in import require_member
from web.addresses import STUDIES_PATH, study_path
from web.context import CONTEXT
from web.server.forms import read_form, redirect
from web.studies.study_page import load_study, respond

if TYPE_CHECKING:
    from aiohttp import web

    from matches import Session

log = structlog.stdlib.get_logger(__name__)

STEPS = {"up": -1, "down": 1}


async def change(request: web.Request) -> web.Response:
    """Rename a study and say who sees it."""
    member, key, form = await _read(request)
    try:
        audience = StudyAudience(form.get("audience", ""))
    except ValueError as error:
        raise Refusal("form_malformed") from error
    context = request.app[CONTEXT]
    try:
        await context.matches.studies.change(
            key, member.account, form.get("name", ""), audience, now=context.now()
        )
    except Refusal as error:
        return await respond(request, error)
    return redirect(study_path(key))


async def delete(request: web.Request) -> web.Response:
    """Delete a study."""
    member, key, _ = await _read(request)
    await request.app[CONTEXT].matches.studies.delete(key, member.account)
    return redirect(STUDIES_PATH)


async def change_chapter(request: web.Request) -> web.Response:
    """Rename, move or delete a chapter."""
    member, key, form = await _read(request)
    context, number, owner = request.app[CONTEXT], int(request.match_info["chapter"]), member.account
    studies, now = context.matches.studies, context.now()
    act = form.get("act")
    try:
        if act == "rename":
            await studies.rename_chapter(key, number, owner, form.get("name", ""), now=now)
        elif act in STEPS:
            await studies.move_chapter(key, number, owner, STEPS[act], now=now)
        elif act == "delete":
            await studies.delete_chapter(key, number, owner, now=now)
    except Refusal as error:
        if error.key == "study_unknown":
            raise
        return await respond(request, error)
    return redirect(study_path(key))


async def moderate(request: web.Request) -> web.Response:
    """Hide a study from others, or show it again, for a moderator."""
    member, _, form = await _read(request)
    study, context = await load_study(request), request.app[CONTEXT]
    is_hidden = "hide" in form
    try:
        is_done = await context.matches.moderation.set_study_hidden(
            member.account,
            study.owner.account,
            form.get("reason", ""),
            study=study.key,
            is_hidden=is_hidden,
            now=context.now(),
        )
    except Refusal as error:
        return await respond(request, error)
    if is_done:
        log.info("moderation.study", is_hidden=is_hidden)
    return redirect(study_path(study.key))


async def _read(request: web.Request) -> tuple[Session, StudyKey, dict[str, str]]:
    """Return who has sent a form about which study, and its fields. Raises `signed_out`."""
    member = await require_member(request)
    return member, StudyKey(request.match_info["study"]), await read_form(request)
