"""The places where Discord's description (a preview) differs from Discord's actual behaviour."""

from __future__ import annotations

from types import MappingProxyType
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from collections.abc import Mapping

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

_ERROR = {
    "content": {
        "application/json": {
            "schema": {
                "type": "object",
                "required": ["error"],
                "properties": {"error": {"type": "string"}, "error_description": {"type": "string"}},
            }
        }
    }
}
_TEXT = {"type": "string", "minLength": 1}


def _form_operation(form: dict[str, Any], answer: dict[str, Any]) -> dict[str, Any]:
    content = {"application/x-www-form-urlencoded": {"schema": form}}
    responses = {"200": {"content": {"application/json": {"schema": answer}}}, "4XX": _ERROR}
    return {"post": {"requestBody": {"required": True, "content": content}, "responses": responses}}


# The description names these addresses only under `securitySchemes`. The fields are those of RFC 6749 (4.1.3,
# 5.1, 6), RFC 7636 (4.5) and RFC 7009 (2.1), and the form of the answer is that of Discord's documentation.
AMENDED_OPERATIONS: Mapping[str, Any] = MappingProxyType(
    {
        "/oauth2/token": _form_operation(
            {
                "oneOf": [
                    {
                        "type": "object",
                        "required": ["grant_type", "code", "redirect_uri", "code_verifier"],
                        "properties": {
                            "grant_type": {"const": "authorization_code"},
                            "client_id": {"type": "string", "pattern": "^[0-9]+$"},
                            "code": _TEXT,
                            "redirect_uri": {"type": "string", "format": "uri"},
                            "code_verifier": {"type": "string", "pattern": "^[A-Za-z0-9._~-]{43,128}$"},
                        },
                        "additionalProperties": False,
                    },
                    {
                        "type": "object",
                        "required": ["grant_type", "refresh_token"],
                        "properties": {"grant_type": {"const": "refresh_token"}, "refresh_token": _TEXT},
                        "additionalProperties": False,
                    },
                ]
            },
            {
                "type": "object",
                "required": ["access_token", "token_type", "expires_in", "refresh_token", "scope"],
                "properties": {
                    "access_token": _TEXT,
                    "token_type": {"const": "Bearer"},
                    "expires_in": {"type": "integer", "minimum": 1},
                    "refresh_token": _TEXT,
                    "scope": _TEXT,
                },
                "additionalProperties": False,
            },
        ),
        "/oauth2/token/revoke": _form_operation(
            {
                "type": "object",
                "required": ["token"],
                "properties": {
                    "token": _TEXT,
                    "token_type_hint": {"enum": ["access_token", "refresh_token"]},
                },
                "additionalProperties": False,
            },
            {"type": "object"},
        ),
    }
)
"""Operations that the description does not list."""
