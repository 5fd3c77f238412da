"""The list of one's own studies, and the page of one study with its chapters."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from i18n.writing import Moment, MomentStyle
from matches.moderation.values import Act
from matches.studies.values import MAX_NAME_LENGTH, StudyAudience, StudyKey
from matches.values import MAX_REASON_LENGTH
from web.accounts.signed_in import find_member, find_session, lead_to_sign_in
from web.addresses import STUDIES_PATH, profile_path, report_url, study_path
from web.analysis_board.board_link import analysis_path
from web.context import CONTEXT
from web.errors import format_error, status_code
from web.pages.pages import IS_MODERATOR, NO_STORE

if TYPE_CHECKING:
    from aiohttp import web

    from matches import Refusal
    from matches.studies.values import Study, StudyOutline


async def list_own(request: web.Request) -> web.Response:
    """Show one's own studies; somebody who is not signed in signs in first."""
    context, member = request.app[CONTEXT], await find_member(request)
    if member is None:
        return lead_to_sign_in(request, STUDIES_PATH)
    own = await context.matches.studies.list_own(member.account)
    answer = context.pages.respond(
        request,
        "studies.html",
        studies=list_items(own),
        boards=[(context.texts(f"game.{name}.name"), analysis_path(name)) for name in context.games],
    )
    answer.headers.update(NO_STORE)
    return answer


def list_items(studies: tuple[StudyOutline, ...]) -> list[dict[str, Any]]:
    """Return the template context of a list of studies."""
    return [
        {
            "name": one.name,
            "path": study_path(one.key),
            "chapters": one.chapters,
            "audience": "hidden" if one.hidden_at else one.audience.value,
            "changed": Moment(one.changed_at, MomentStyle.DATE),
        }
        for one in studies
    ]


async def study_page(request: web.Request) -> web.Response:
    """Show a study: to its owner with the forms to change it."""
    return await respond(request)


async def load_study(request: web.Request) -> Study:
    """Return the study of an address as the sender sees it. Raises `study_unknown`."""
    key, reader, is_moderator = await find_study(request)
    return await request.app[CONTEXT].matches.studies.load(key, reader, is_moderator=is_moderator)


async def find_study(request: web.Request) -> tuple[StudyKey, str | None, bool]:
    """Return the key of the study of an address, the account that reads it, and whether it moderates."""
    member, key = await find_member(request), StudyKey(request.match_info["study"])
    return key, None if member is None else member.account, await _is_moderator(request)


async def respond(request: web.Request, error: Refusal | None = None) -> web.Response:
    """Return the page of a study, with the reason why something was not done."""
    context, study = request.app[CONTEXT], await load_study(request)
    outline, owner, moderation = study.outline, study.owner, context.matches.moderation
    path, reason = study_path(study.key), ""
    if outline.hidden_at:
        reason = await moderation.find_reason(owner.account, Act.HIDE_STUDY, outline.hidden_at)
    answer = context.pages.respond(
        request,
        "study.html",
        status=200 if error is None else status_code(error),
        notice="" if error is None else format_error(context.texts, error),
        name=outline.name,
        path=path,
        owner_handle=await _owner_handle(request, study),
        changed=Moment(outline.changed_at, MomentStyle.DATE),
        audience=outline.audience.value,
        audiences=[one.value for one in StudyAudience],
        chapters=[
            (one.number, one.name, context.texts(f"game.{one.game}.name"), study_path(study.key, one.number))
            for one in study.chapters
        ],
        is_own=study.is_own,
        is_hidden=outline.hidden_at is not None,
        reason=reason,
        moderates=not study.is_own and await _is_moderator(request),
        report_url="" if study.is_own else report_url(study=study.key),
        share_url=f"{context.base}{path}" if study.is_shared else "",
        limit=MAX_NAME_LENGTH,
        reason_limit=MAX_REASON_LENGTH,
        profile_path=profile_path,
    )
    answer.headers.update(NO_STORE)
    return answer


async def _owner_handle(request: web.Request, study: Study) -> str:
    """Return the owner's name on the website if the reader may know it: nobody is found behind an alias."""
    if study.is_own or study.has_alias:
        return ""
    member = await find_member(request)
    reader = None if member is None else member.account
    profiles = request.app[CONTEXT].matches.people.profiles
    return (await profiles.find_handles([study.owner], reader)).get(study.owner.account, "")


async def _is_moderator(request: web.Request) -> bool:
    if IS_MODERATOR in request:  # read for the header of the page
        return request[IS_MODERATOR]
    session = await find_session(request)
    moderation = request.app[CONTEXT].matches.moderation
    return session is not None and await moderation.is_moderator(session.account)
