"""Static files: style sheet, scripts, font, icons, and what hints need.

They are loaded and compressed once, and cached by browsers forever.

The URLs, except that of the service worker, contain one version, a hash of all contents, so scripts can
import each other by relative URLs, and every change leads to new URLs.
"""

from __future__ import annotations

import gzip
import re
from dataclasses import dataclass
from functools import cache
from hashlib import sha256
from pathlib import Path
from types import MappingProxyType
from typing import TYPE_CHECKING

from aiohttp import web

if TYPE_CHECKING:
    from collections.abc import Mapping

STATIC_PATH = "/static/"
STATIC_FOLDER = Path(__file__).parent.parent / "static"
CONTENT_TYPES = {
    ".css": "text/css",
    ".js": "text/javascript",
    ".svg": "image/svg+xml",
    ".png": "image/png",
    ".woff2": "font/woff2",
    ".txt": "text/plain",
    ".wasm": "application/wasm",
    ".weights": "application/octet-stream",
}
COMPRESSIBLE = frozenset({".css", ".js", ".svg", ".txt", ".wasm", ".weights"})
SCRIPT_IMPORT = re.compile(r'from "\./([^"]+)"')
EMPTY: Mapping[str, bytes] = MappingProxyType({})
IMMUTABLE = "public, max-age=31536000, immutable"


@dataclass(frozen=True, slots=True)
class Asset:
    """One file; text formats have a gzip copy too."""

    body: bytes
    compressed: bytes | None
    content_type: str


class Assets:
    """The static files of a folder, and the contents of `more` files by name."""

    def __init__(self, folder: Path = STATIC_FOLDER, more: Mapping[str, bytes] = EMPTY) -> None:
        files = sorted(path for path in folder.iterdir() if path.suffix in CONTENT_TYPES)
        contents = {**{path.name: path.read_bytes() for path in files}, **more}
        self._files: Mapping[str, Asset] = {name: _make_asset(name, body) for name, body in contents.items()}
        digest = sha256(b"".join(asset.body for asset in self._files.values()))
        self.version = digest.hexdigest()[:12]
        self._urls = {name: f"{STATIC_PATH}{self.version}/{name}" for name in self._files}
        scripts = [name for name in self._files if name.endswith(".js")]
        self._script_urls = {name: tuple(map(self.url, self._imported_by(name))) for name in scripts}

    def url(self, name: str) -> str:
        """Return the URL of a file. Raises KeyError if there is no such file."""
        return self._urls[name]

    def script_urls(self, name: str) -> tuple[str, ...]:
        """Return the URLs of a script and of all scripts that it imports, for a page to preload."""
        return self._script_urls[name]

    def _imported_by(self, name: str) -> list[str]:
        """Return a script and all that it imports, in order."""
        found = [name]
        for script in found:
            imported = SCRIPT_IMPORT.findall(self._files[script].body.decode())
            found += [one for one in dict.fromkeys(imported) if one not in found]
        return sorted(found)

    async def handle(self, request: web.Request) -> web.Response:
        """Return a file; browsers do not cache it under the URL of another version."""
        answer = self._respond(request, request.match_info["name"])
        is_current = request.match_info["version"] == self.version
        answer.headers["Cache-Control"] = IMMUTABLE if is_current else "no-cache"
        return answer

    async def handle_service_worker(self, request: web.Request) -> web.Response:
        """Return the service worker from the top of the website, which is its scope.

        Its URL has no version, so that browsers replace an older one.
        """
        answer = self._respond(request, "service-worker.js")
        answer.headers["Cache-Control"] = "no-cache"
        return answer

    def _respond(self, request: web.Request, name: str) -> web.Response:
        """Return a file, without saying how long browsers may keep it. Raises HTTPNotFound."""
        asset = self._files.get(name)
        if asset is None:
            raise web.HTTPNotFound
        is_compressed = asset.compressed is not None and "gzip" in request.headers.get("Accept-Encoding", "")
        headers = {"Vary": "Accept-Encoding"}
        if is_compressed:
            headers["Content-Encoding"] = "gzip"
        charset = "utf-8" if asset.content_type.startswith("text/") else None
        body = asset.compressed if is_compressed else asset.body
        return web.Response(body=body, content_type=asset.content_type, charset=charset, headers=headers)


@cache
def _make_asset(name: str, body: bytes) -> Asset:
    suffix = Path(name).suffix
    compressed = gzip.compress(body, mtime=0) if suffix in COMPRESSIBLE else None
    return Asset(body, compressed, CONTENT_TYPES[suffix])
