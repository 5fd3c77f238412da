"""URL patterns, paths and the names of seats that several modules of the website share."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING
from urllib.parse import quote, urlencode

from matches import MatchId

if TYPE_CHECKING:
    from aiohttp import web

MATCH_ID_PATTERN = r"{match:[1-9]\d{0,14}}"
BOTH_SEATS = "both"
SEAT_NAMES = ("1", "2", BOTH_SEATS)  # names of seats in URLs
SEAT_PATH = f"/m/{MATCH_ID_PATTERN}/seat/{{seat:{'|'.join(SEAT_NAMES)}}}"
LINK_PATH = "/sit/"  # below it are links to seats, which contain a token
ACCOUNT_PATH, SIGN_OUT_PATH = "/account", "/account/sign-out"
NOTICES_PATH = f"{ACCOUNT_PATH}/notices"
SIGN_IN_PATH = "/signin"
CALLBACK_PATH = f"{SIGN_IN_PATH}/callback"
TOURNAMENTS_PATH = "/tournaments"  # below it is the page of each tournament
STUDIES_PATH, STUDY_PATH = "/studies", "/study"  # the list of one's own, and what the page of each is below
EXPLORER_PATH = "/explorer"  # below it is the explorer of each game
PUZZLES_PATH = "/puzzles"  # below it is the page of each puzzle
LOBBY_PATH, CHALLENGE_PATH = "/lobby", r"/c/{challenge:[1-9]\d{0,14}}"
MAIL_CONFIRM_PATH = "/mail/confirm/"  # below it are links that confirm what a mail asks for
MAIL_STOP_PATH = "/mail/stop/"  # below it are links that stop mails, which contain a token
PUZZLE_STOP_PATH = f"{MAIL_STOP_PATH}puzzles/"
INVITATION_STOP_PATH = f"{MAIL_STOP_PATH}invitations/"
UNWATCH_PATH = f"{MAIL_STOP_PATH}watching/"
CHALLENGE_FORM_PATH, REPORT_PATH = "/challenge", "/report"
PROFILE_PATH = "/@{name:[^/]{1,200}}"  # longer names with signs of several bytes are nobody's
CALENDAR_PATH, CALENDAR_FORM_PATH = "/calendar/", f"{ACCOUNT_PATH}/calendar"
DISCORD_PATH, MAIL_PATH = f"{SIGN_IN_PATH}/discord", f"{SIGN_IN_PATH}/mail"  # the ways to sign in
CODE_PATH, NAME_PATH = f"{SIGN_IN_PATH}/code", f"{SIGN_IN_PATH}/name"  # the steps after a mail
CODE_LINK_PATH = f"{SIGN_IN_PATH}/link/"  # below it are links in mails, which answer instead of a code
PASSKEY_PATH, PASSKEYS_PATH = f"{SIGN_IN_PATH}/passkey", f"{ACCOUNT_PATH}/passkeys"
JOIN_PATH = f"{ACCOUNT_PATH}/join"
IMPORT_PATH = "/import"  # of a record, onto an analysis board
MAX_RETURN_PATH = 1000  # characters
# A path of this website with its query. Browsers read // and /\ as the beginning of another host.
RETURN_PATH = re.compile(r"/(?![/\\])[!-\[\]-~]*", re.ASCII)
SEAT_COOKIE = "sits"  # holds the seat name of this browser, to link back to it; gives no access


def match_id(request: web.Request) -> MatchId:
    """Return the match in the URL of a request."""
    return MatchId(int(request.match_info["match"]))


def match_path(match: MatchId) -> str:
    """Return the path of a match's public page."""
    return f"/m/{match}"


def study_path(key: str, chapter: int = 0) -> str:
    """Return the path of the page of a study or, with its number, of a chapter."""
    return f"{STUDY_PATH}/{key}/{chapter}" if chapter else f"{STUDY_PATH}/{key}"


def explorer_path(game: str) -> str:
    """Return the path of the opening explorer of a game."""
    return f"{EXPLORER_PATH}/{game}"


def challenge_path(challenge: int, key: str = "") -> str:
    """Return the path of a challenge's page; with its key that of the link."""
    return f"/c/{challenge}/{key}" if key else f"/c/{challenge}"


def profile_path(name: str) -> str:
    """Return the path of the page of a player with this name."""
    return f"/@{quote(name, safe='')}"


def report_url(**subject: str | int) -> str:
    """Return the path of the form to report a player.

    `subject` is ``about=@NAME``, ``match=ID``, ``study=KEY`` or ``challenge=ID``, for one by link with its
    ``key``.
    """
    return f"{REPORT_PATH}?{urlencode({name: value for name, value in subject.items() if value})}"


def return_path(text: str) -> str:
    """Return the path to which a sign-in leads back: the text if it is one of this website, else ``/``."""
    is_path = len(text) <= MAX_RETURN_PATH and RETURN_PATH.fullmatch(text) is not None
    return text if is_path and not text.startswith((LINK_PATH, SIGN_IN_PATH)) else "/"


def sign_in_url(path: str) -> str:
    """Return the path of the page that begins a sign-in and leads back to `path`."""
    return f"{SIGN_IN_PATH}?{urlencode({'next': return_path(path)})}"


def code_link_path(token: str) -> str:
    """Return the path of the link in a mail; the token is that of :mod:`matches.people.mail_codes`."""
    return f"{CODE_LINK_PATH}{token}"


def seat_path(match: MatchId, seat: str) -> str:
    """Return the path of a seat's page."""
    return f"/m/{match}/seat/{seat}"
