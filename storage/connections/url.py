"""Parsing of database URLs."""

from __future__ import annotations

from sqlalchemy.engine import URL, make_url
from sqlalchemy.exc import ArgumentError

from storage.errors import StorageUrlError

DEFAULT_WRITE_TIMEOUT = 2.0  # seconds; the bot answers within 2.5 s, since Discord waits 3 s for an answer
MAX_WRITE_TIMEOUT = 60

_DRIVERS = {
    "sqlite": "sqlite+aiosqlite",
    "postgresql": "postgresql+asyncpg",
    "postgres": "postgresql+asyncpg",
}


def parse_url(text: str) -> URL:
    """Parse ``sqlite:///FILE`` or ``postgresql://USER@HOST/DATABASE``; a driver may be named too.

    ``sqlite:///FILE?timeout=SECONDS`` sets how long to wait for others that write. Raises StorageUrlError
    with a sentence that does not repeat the URL, since it may contain a password.
    """
    try:
        url = make_url(text)
    except ArgumentError:
        raise StorageUrlError("The database URL cannot be read as a URL.") from None
    backend = url.drivername.partition("+")[0]
    if backend not in _DRIVERS or url.drivername not in (backend, _DRIVERS[backend]):
        raise StorageUrlError(f"The database URL must begin with sqlite: or postgresql:, not {backend}:.")
    if backend == "sqlite" and url.database in (None, "", ":memory:"):
        raise StorageUrlError("The database URL must name a file: matches are to last.")
    return url.set(drivername=_DRIVERS[backend])


def parse_write_timeout(url: URL) -> float:
    """Return how many seconds a writer waits for the other writers of an SQLite database.

    0 for other databases, which queue writers themselves. Raises StorageUrlError.
    """
    if url.get_backend_name() != "sqlite":
        return 0.0
    if set(url.query) - {"timeout"}:
        raise StorageUrlError("The only option of a URL that begins with sqlite: is timeout.")
    try:
        seconds = float(str(url.query.get("timeout", DEFAULT_WRITE_TIMEOUT)))
    except ValueError:
        seconds = -1.0
    if not 0 <= seconds <= MAX_WRITE_TIMEOUT:
        raise StorageUrlError(f"The timeout is a number of seconds from 0 to {MAX_WRITE_TIMEOUT}.")
    return seconds
