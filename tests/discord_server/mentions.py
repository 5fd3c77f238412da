"""Which users and roles a message pings: the mentions in its text, limited by its allowed mentions."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from collections.abc import Sequence

    from tests.discord_server.errors import Json

_USER = re.compile(r"<@!?(\d+)>")
_ROLE = re.compile(r"<@&(\d+)>")
_EVERYONE = re.compile(r"@(everyone|here)\b")
_CODE = re.compile(r"```.*?```|`[^`\n]+`", re.DOTALL)


@dataclass(frozen=True, slots=True)
class Mentions:
    """The users and roles that a text mentions, and those of them that may be pinged."""

    users: tuple[int, ...]
    allowed_users: frozenset[int]
    roles: tuple[int, ...]
    everyone: bool
    replied_user: bool


def find_mentions(texts: Sequence[str], allowed: Json | None) -> Mentions:
    """Find the mentions in displayed texts; code spans and embeds (not passed here) mention nobody.

    `allowed` is the request's `allowed_mentions`; None allows everything.
    """
    text = _CODE.sub("", "\n".join(texts))
    users = tuple(dict.fromkeys(int(found) for found in _USER.findall(text)))
    roles = tuple(dict.fromkeys(int(found) for found in _ROLE.findall(text)))
    everyone = bool(_EVERYONE.search(text))
    if allowed is None:
        return Mentions(users, frozenset(users), roles, everyone, replied_user=True)
    parse = allowed.get("parse") or ()
    return Mentions(
        users,
        frozenset(users) if "users" in parse else frozenset(users) & _ids(allowed.get("users")),
        roles if "roles" in parse else tuple(role for role in roles if role in _ids(allowed.get("roles"))),
        everyone and "everyone" in parse,
        replied_user=bool(allowed.get("replied_user")),
    )


def _ids(values: Sequence[Any] | None) -> frozenset[int]:
    return frozenset(int(value) for value in values or ())
