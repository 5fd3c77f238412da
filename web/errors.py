"""Refusals on pages: their texts and HTTP status codes."""

from __future__ import annotations

from http import HTTPStatus
from typing import TYPE_CHECKING

from i18n.refusals import format_refusal
from matches import MatchUnknown, NotInMatch

if TYPE_CHECKING:
    from i18n import Texts
    from matches import Refusal

# Of a seat that is not the visitor's: they may watch the match instead.
OTHERS_SEAT = frozenset({"seat_of_another", "not_signed_in_here", "no_personal_links"})

# The keys of refusals that are not a CONFLICT with what happened meanwhile.
KEYS_BY_STATUS = {
    HTTPStatus.BAD_REQUEST: {
        *("address_malformed", "code_wrong", "passkey_refused"),
        *("handle_length", "handle_signs", "handle_mixed"),
        *("analysis_position", "analysis_rules", "analysis_start", "analysis_too_long"),
        *("comment_length", "comments_unreadable", "chapter_name", "study_name"),
        *("import_empty", "import_line", "import_position", "import_too_long", "import_unknown"),
        *("record_too_large", "record_unreadable"),
        *("act_reason", "form_malformed", "number_unreadable", "report_length", "word_differs"),
        *("option_unknown", "option_value_unknown", "options_conflict"),
        *("replacement_link", "tournament_reason"),
    },
    HTTPStatus.FORBIDDEN: {
        *OTHERS_SEAT,
        *("guest_report", "not_organiser", "account_closed", "excluded_from_website"),
        *("other_site", "personal_link_invalid", "signed_out", NotInMatch.key),
    },
    HTTPStatus.NOT_FOUND: {
        "not_public",
        "not_moderator",
        "person_unknown",
        "puzzle_unknown",
        "report_unknown",
        "study_unknown",
        "chapter_unknown",
        "chapter_match_hidden",
        "tournament_unknown",
        MatchUnknown.key,
    },
    HTTPStatus.GONE: {"puzzle_withdrawn"},
    HTTPStatus.REQUEST_TIMEOUT: {"form_too_slow"},
    HTTPStatus.TOO_MANY_REQUESTS: {"too_many_guests"},
    HTTPStatus.SERVICE_UNAVAILABLE: {"no_computer"},
}
STATUS = {key: status for status, keys in KEYS_BY_STATUS.items() for key in keys}


def format_error(texts: Texts, error: Refusal) -> str:
    """Return the sentence that says why not, and what to do."""
    return format_refusal(texts, error, front_end="web")


def status_code(error: Refusal) -> int:
    """Return the HTTP status code of a refusal."""
    return STATUS.get(error.key, HTTPStatus.CONFLICT)
