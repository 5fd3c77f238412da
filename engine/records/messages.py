"""The error messages for records."""

from __future__ import annotations

from engine.messages import MessageTemplate


class RecordMessage(MessageTemplate):
    """One sentence for each reason; fields in braces are filled in by :meth:`to_text`."""

    TOO_LARGE = "A record is at most {most} bytes long; this one has {found}."
    TOO_LONG = "A record has at most {most} turns."
    TOO_MANY_HEADERS = "A record has at most {most} headers."
    NOT_UTF8 = "A record is encoded as UTF-8; the byte here does not fit."
    CONTROL_CHARACTER = "A control character stands here; write it as \\u{found}."

    HEADER_FORM = 'A header is one line like [Name "value"].'
    TURN_FORM = "A turn like 1. C3, a comment in braces or the result stands here, not {found}."
    OPEN_COMMENT = "This comment has no closing brace."
    BAD_ESCAPE = 'After \\ stands one of " }} \\ n t or u and four hexadecimal digits, not {found}.'
    SURROGATE = "{found} is half of a surrogate pair and no character."
    WRONG_NUMBER = "Turn {wanted} is due here, not {found}."
    NO_MOVE = "Turn {number} has no move."
    RESULT_MISSING = "The record breaks off: it ends with its result, or with * while the match goes on."
    TEXT_AFTER_RESULT = "The record is complete before {found}."

    HEADER_MISSING = "The header {name} is missing."
    HEADER_TWICE = "A header stands twice: {found}."
    BAD_NAME = (
        "A header's name is a capital followed by letters and digits, and none of the format's own: {found}."
    )
    NO_GAME = "There is no game {found}; there are {names}."
    BAD_RULES_VERSION = "The version of the rules is a whole number, not {found}."
    BAD_OPTION = "Options are separated by spaces and read key=value; {found} does not."
    OPTION_TWICE = "The option {found} is set twice."
    MISSING_RANDOM_OPTION = "The option {name} was drawn by chance and must be given."
    BAD_DATE = "A date reads 2026-11-20, or 2026-11-20T19:30:00Z with the time; {found} does not."
    BAD_REASON = "The reason is one word in small letters, not {found}."
    BAD_RESULT = "The result is {choices} or *, not {found}."
    BAD_MOVE = "A move is written without spaces, brackets, braces and quotes: {found}."

    RESULT_MISMATCH = "The record ends with {found}, but its header says {result}."
    WRONG_RESULT = "The moves lead to the result {outcome}, not {found}."
    WRONG_REASON = "The moves lead to the result, so its reason is played, not {found}."
    NOT_PLAYED_OUT = "The moves do not end the game, so a reason other than played is needed for its result."
    REASON_WITHOUT_RESULT = "A match that goes on has no reason for its result."
    DRAW_BY_RESIGNATION = "Whoever resigns loses, so the result cannot be a draw."
    NO_AGREEMENT = "This game knows no end by agreement."
    WRONG_AGREED_RESULT = "Where the players agree to end here, the result is {outcome}, not {found}."
