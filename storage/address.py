"""Database URLs: which are understood, and how they are completed."""

from __future__ import annotations

from sqlalchemy.engine import URL, make_url
from sqlalchemy.exc import ArgumentError

from storage.errors import StorageAddressError

BUSY_SECONDS = 1.8  # Discord gives up after 3 s; waiting for another process must end before that
LONGEST_BUSY_SECONDS = 60

_DRIVERS = {
    "sqlite": "sqlite+aiosqlite",
    "postgresql": "postgresql+asyncpg",
    "postgres": "postgresql+asyncpg",
}


def read_address(text: str) -> URL:
    """Read ``sqlite:///FILE`` or ``postgresql://USER@HOST/DATABASE``; the driver may be named too.

    ``sqlite:///FILE?timeout=SECONDS`` says how long to wait for another process that writes.
    Raises StorageAddressError with a sentence that does not repeat the URL, which may hold a password.
    """
    try:
        url = make_url(text)
    except ArgumentError:
        raise StorageAddressError("The database URL cannot be read as a URL.") from None
    kind = url.drivername.partition("+")[0]
    if kind not in _DRIVERS or url.drivername not in (kind, _DRIVERS[kind]):
        raise StorageAddressError(f"The database URL must begin with sqlite: or postgresql:, not {kind}:.")
    if kind == "sqlite" and url.database in (None, "", ":memory:"):
        raise StorageAddressError("The database URL must name a file: matches are to last.")
    return url.set(drivername=_DRIVERS[kind])


def busy_seconds(url: URL) -> float:
    """Give how long an SQLite database at `url` may keep us waiting. Raises StorageAddressError."""
    if set(url.query) - {"timeout"}:
        raise StorageAddressError("The only option of a URL that begins with sqlite: is timeout.")
    try:
        seconds = float(str(url.query.get("timeout", BUSY_SECONDS)))
    except ValueError:
        seconds = -1.0
    if not 0 <= seconds <= LONGEST_BUSY_SECONDS:
        raise StorageAddressError(f"The timeout is a number of seconds from 0 to {LONGEST_BUSY_SECONDS}.")
    return seconds
