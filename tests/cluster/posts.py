"""A record of all posts of the bot as they were when they appeared, even if they are edited later."""

from __future__ import annotations

from collections import defaultdict
from typing import TYPE_CHECKING

from matches import AnnouncementKind as Kind
from tests.discord_server import components
from tests.discord_server.gateway import guild_of
from tests.discord_server.messages import MessageFlag

if TYPE_CHECKING:
    from collections.abc import Iterator

    from sqlalchemy import RowMapping

    from tests.discord_server.errors import Json
    from tests.discord_server.world import World

EDITING_KINDS = {
    Kind.DECLINED,
    Kind.WITHDRAWN,
    Kind.EXPIRED,
}  # edit the challenge's post; post only to call somebody


class PostRecorder:
    """A wrapper of the gateway that records where posts with each marker appeared, as channel/message.

    `last_server` is where the last interaction was sent, None for direct messages.
    """

    def __init__(self, world: World) -> None:
        if world.gateway is None:
            raise ValueError("there is no gateway")
        self._gateway = world.gateway
        self._bot = str(world.bot.id)
        self.post_count = 0
        self.last_server: int | None = None
        self.posts_by_marker: dict[str, list[str]] = defaultdict(list)
        world.gateway = self

    @property
    def is_reachable(self) -> bool:
        return self._gateway.is_reachable

    def dispatch(self, event: str, data: Json, intent: int = 0) -> None:
        if event == "INTERACTION_CREATE":
            self.last_server = guild_of(event, data)
        mine = event == "MESSAGE_CREATE" and data["author"]["id"] == self._bot
        if mine and not data["flags"] & MessageFlag.EPHEMERAL:
            self.post_count += 1
            for marker in markers_of(data):
                self.posts_by_marker[marker].append(f"{data['channel_id']}/{data['id']}")
        self._gateway.dispatch(event, data, intent)


def markers_of(post: Json) -> list[str]:
    """Return the markers that identify the announcement of a post.

    A reminder to pick has the button for picking too; its own marker takes precedence.
    """
    found = list(_all_markers(post))
    own = [marker for marker in found if marker.startswith("announcement")]
    return own or found


def expected_marker(row: RowMapping) -> str:
    """Return the marker that only the post of this row of the outbox carries.

    SQLite gives the number of a deleted row again if it was the last one, so the match belongs to it.
    """
    if row["challenge"] is not None and row["kind"] not in EDITING_KINDS:
        return f"challenge {row['challenge']}"
    if row["kind"] == Kind.CHOOSING and row["to"] is None:
        return f"fists {row['match']}"
    about = "" if row["match"] is None else f" of match {row['match']}"
    return f"announcement {row['id']}{about}"


def _all_markers(post: Json) -> Iterator[str]:
    for _, part in components.walk(post["components"]):
        name, _, rest = str(part.get("custom_id", "")).partition(":")
        if name == "accept1":
            yield f"challenge {rest}"
        elif name == "fists1":
            yield f"fists {rest}"
        elif name in {"closed1", "digest1"}:
            yield f"announcement {rest}"
        elif name == "view1" and not rest.endswith(":0"):
            match, _, announcement = rest.split(":")
            yield f"announcement {announcement} of match {match}"
