"""The places where Discord's description (a preview) differs from Discord's actual behaviour."""

from __future__ import annotations

from types import MappingProxyType

_INTEGER_OR_TEXT = {"type": ["string", "integer"], "pattern": "^(0|[1-9][0-9]*)$"}

AMENDED_REQUESTS = MappingProxyType(
    {
        # discord.py sends snowflakes in attachments, references and allowed mentions as JSON numbers;
        # Discord accepts both.
        "SnowflakeType": _INTEGER_OR_TEXT,
    }
)
"""Schemas of the description that are replaced where requests are checked."""

AMENDED_RESPONSES = MappingProxyType(
    {
        # Errors inside a form error have codes that are words (BASE_TYPE_MAX_LENGTH), as Discord's
        # reference and every client's error messages show; in the description they have the numeric schema.
        "InnerErrors": {
            "type": "object",
            "required": ["_errors"],
            "additionalProperties": False,
            "properties": {
                "_errors": {
                    "type": "array",
                    "items": {
                        "type": "object",
                        "required": ["code", "message"],
                        "properties": {"code": {"type": "string"}, "message": {"type": "string"}},
                    },
                }
            },
        },
    }
)
"""Schemas of the description that are replaced where answers are checked."""

UNDESCRIBED_QUERY = frozenset[str]()
"""Query parameters that discord.py sends and Discord takes, which the description does not list."""
