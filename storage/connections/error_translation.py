"""Translation of driver and SQLAlchemy errors into StorageUnavailable."""

from __future__ import annotations

from contextlib import contextmanager
from typing import TYPE_CHECKING

from sqlalchemy.exc import DataError, DBAPIError, IntegrityError, NotSupportedError, ProgrammingError
from sqlalchemy.exc import TimeoutError as PoolTimeoutError

from storage.errors import StorageUnavailable

if TYPE_CHECKING:
    from collections.abc import Iterator

_PROGRAMMING_ERRORS = (
    IntegrityError,
    ProgrammingError,
    DataError,
    NotSupportedError,
)


@contextmanager
def translate_errors() -> Iterator[None]:
    """Raise StorageUnavailable for errors of drivers, pools and sockets; let programming errors pass."""
    try:
        yield
    except _PROGRAMMING_ERRORS:
        raise
    except DBAPIError as error:
        raise StorageUnavailable(f"The database cannot be used: {error.orig}") from error
    except (PoolTimeoutError, OSError) as error:  # an OSError is also raised on timeouts
        raise StorageUnavailable(f"The database cannot be reached: {error}") from error


@contextmanager
def translate_commit_errors() -> Iterator[None]:
    """Raise StorageUnavailable; `uncertain` if the connection broke while committing, or was silent."""
    try:
        yield
    except DBAPIError as error:
        raise StorageUnavailable(
            f"The database did not commit: {error.orig}", uncertain=error.connection_invalidated
        ) from error
    except OSError as error:  # of a socket, or a timeout
        raise StorageUnavailable(f"The commit was not answered: {error!r}", uncertain=True) from error
