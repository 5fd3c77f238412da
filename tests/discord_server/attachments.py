"""Attachments of messages, and their CDN URLs."""

from __future__ import annotations

import mimetypes
import struct
from dataclasses import dataclass
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from tests.discord_server.errors import Json

_PNG = b"\x89PNG\r\n\x1a\n"
_GIF = (b"GIF87a", b"GIF89a")


@dataclass(frozen=True, slots=True)
class Upload:
    """A file of a multipart request that does not belong to a message yet."""

    filename: str
    data: bytes


@dataclass(eq=False, slots=True)
class Attachment:
    """A file of a message: `data` is its content, `description` its alt text."""

    id: int
    channel_id: int
    filename: str
    data: bytes
    description: str | None = None
    ephemeral: bool = False

    @property
    def size(self) -> int:
        return len(self.data)

    @property
    def content_type(self) -> str | None:
        return mimetypes.guess_type(self.filename)[0]

    @property
    def _path(self) -> str:
        folder = "ephemeral-attachments" if self.ephemeral else "attachments"
        return f"{folder}/{self.channel_id}/{self.id}/{self.filename}"

    @property
    def url(self) -> str:
        return f"https://cdn.discordapp.com/{self._path}"

    @property
    def proxy_url(self) -> str:
        return f"https://media.discordapp.net/{self._path}"

    def media(self) -> Json:
        """Return the keys that attachments, embed images and media items share."""
        found: Json = {"url": self.url, "proxy_url": self.proxy_url}
        if self.content_type:
            found["content_type"] = self.content_type
        if size := image_size(self.data):
            found["width"], found["height"] = size
        return found

    def json(self) -> Json:
        found = {"id": str(self.id), "filename": self.filename, "size": self.size, **self.media()}
        if self.description is not None:
            found["description"] = self.description
        if self.ephemeral:
            found["ephemeral"] = True
        return found


def image_size(data: bytes) -> tuple[int, int] | None:
    """Return the width and height in pixels of a PNG or GIF; None for anything else."""
    if data.startswith(_PNG) and len(data) >= 24:
        width, height = struct.unpack(">II", data[16:24])
        return int(width), int(height)
    if data.startswith(_GIF) and len(data) >= 10:
        width, height = struct.unpack("<HH", data[6:10])
        return int(width), int(height)
    return None
