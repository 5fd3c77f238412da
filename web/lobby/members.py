"""Who may challenge and accept: somebody who is signed in and no guest. Others sign in, and come back."""

from __future__ import annotations

from typing import TYPE_CHECKING

from aiohttp import web

from matches import Person
from web.accounts.signed_in import find_session
from web.addresses import sign_in_url
from web.pages.pages import SIGN_IN_URL
from web.server.forms import redirect

if TYPE_CHECKING:
    from matches import Session


async def find_member(request: web.Request) -> Session | None:
    """Return the session of a request, None for a guest or somebody who is not signed in."""
    session = await find_session(request)
    return None if session is None or session.is_guest else session


def person_of(session: Session) -> Person:
    """Return the person of a session."""
    return Person(session.account, session.name)


def lead_to_sign_in(request: web.Request, path: str) -> web.Response:
    """Redirect to signing in, which leads back to `path`. Raises HTTPNotFound where nobody can sign in."""
    if SIGN_IN_URL not in request:
        raise web.HTTPNotFound
    return redirect(sign_in_url(path))
