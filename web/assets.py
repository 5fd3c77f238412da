"""Static files: style sheet, scripts, font and icon. Loaded and compressed once, cached by browsers forever.

The URLs contain one version, a hash of all contents, so scripts can import each other by relative
URLs, and every change leads to new URLs.
"""

from __future__ import annotations

import gzip
from dataclasses import dataclass
from hashlib import sha256
from pathlib import Path
from typing import TYPE_CHECKING

from aiohttp import web

if TYPE_CHECKING:
    from collections.abc import Mapping

STATIC_FOLDER = Path(__file__).parent / "static"
CONTENT_TYPES = {
    ".css": "text/css",
    ".js": "text/javascript",
    ".svg": "image/svg+xml",
    ".woff2": "font/woff2",
    ".txt": "text/plain",
}
COMPRESSIBLE = frozenset({".css", ".js", ".svg", ".txt"})
IMMUTABLE = "public, max-age=31536000, immutable"


@dataclass(frozen=True, slots=True)
class Asset:
    """One file; text formats have a gzip copy too."""

    body: bytes
    compressed: bytes | None
    content_type: str


class Assets:
    """The static files of a folder."""

    def __init__(self, folder: Path = STATIC_FOLDER) -> None:
        files = sorted(path for path in folder.iterdir() if path.suffix in CONTENT_TYPES)
        self._files: Mapping[str, Asset] = {path.name: _load(path) for path in files}
        digest = sha256(b"".join(asset.body for asset in self._files.values()))
        self.version = digest.hexdigest()[:12]

    def url(self, name: str) -> str:
        """Return the URL of a file. Raises KeyError if there is no such file."""
        if name not in self._files:
            raise KeyError(name)
        return f"/static/{self.version}/{name}"

    @property
    def script_urls(self) -> tuple[str, ...]:
        """The URLs of all scripts, for pages to preload."""
        return tuple(self.url(name) for name in self._files if name.endswith(".js"))

    async def handle(self, request: web.Request) -> web.Response:
        """Return a file; browsers do not cache it under the URL of another version."""
        asset = self._files.get(request.match_info["name"])
        if asset is None:
            raise web.HTTPNotFound
        is_compressed = asset.compressed is not None and "gzip" in request.headers.get("Accept-Encoding", "")
        headers = {
            "Cache-Control": IMMUTABLE if request.match_info["version"] == self.version else "no-cache",
            "Vary": "Accept-Encoding",
        }
        if is_compressed:
            headers["Content-Encoding"] = "gzip"
        charset = "utf-8" if asset.content_type.startswith("text/") else None
        body = asset.compressed if is_compressed else asset.body
        return web.Response(body=body, content_type=asset.content_type, charset=charset, headers=headers)


def _load(path: Path) -> Asset:
    body = path.read_bytes()
    compressed = gzip.compress(body, mtime=0) if path.suffix in COMPRESSIBLE else None
    return Asset(body, compressed, CONTENT_TYPES[path.suffix])
