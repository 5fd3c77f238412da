"""Cookies of the website that only the server reads."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from datetime import timedelta

    from aiohttp import web

    from web.context import WebContext


def cookie_name(context: WebContext, name: str, prefix: str = "__Secure-") -> str:
    """Return the full name of a cookie; browsers take one with this prefix from HTTPS alone."""
    return f"{prefix}{name}" if context.is_secure else name


def set_private_cookie(
    context: WebContext, answer: web.StreamResponse, name: str, value: str, path: str, lifetime: timedelta
) -> None:
    """Set a cookie that scripts cannot read, and that is not sent with forms of other sites."""
    answer.set_cookie(
        name,
        value,
        max_age=int(lifetime.total_seconds()),
        path=path,
        httponly=True,
        secure=context.is_secure,
        samesite="Lax",
    )


def delete_private_cookie(context: WebContext, answer: web.Response, name: str, path: str) -> None:
    """Delete a cookie that :func:`set_private_cookie` has set."""
    answer.del_cookie(name, path=path, secure=context.is_secure, httponly=True)
