"""Database URLs: which are understood, and how they are completed."""

from __future__ import annotations

from sqlalchemy.engine import URL, make_url
from sqlalchemy.exc import ArgumentError

from storage.errors import StorageAddressError

_DRIVERS = {
    "sqlite": "sqlite+aiosqlite",
    "postgresql": "postgresql+asyncpg",
    "postgres": "postgresql+asyncpg",
}


def read_address(text: str) -> URL:
    """Read ``sqlite:///FILE`` or ``postgresql://USER@HOST/DATABASE``; the driver may be named too.

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
