"""Which failures mean that the database cannot be used, told in one error."""

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
)  # ours, not the database's


@contextmanager
def translate_errors() -> Iterator[None]:
    """Turn what drivers, pools and sockets raise into StorageUnavailable; let mistakes of code through."""
    try:
        yield
    except _PROGRAMMING_ERRORS:
        raise
    except DBAPIError as error:
        raise StorageUnavailable(f"The database cannot be used: {error.orig}") from error
    except (PoolTimeoutError, OSError) as error:  # an OSError also where a server takes too long
        raise StorageUnavailable(f"The database cannot be reached: {error}") from error


@contextmanager
def translate_commit_errors() -> Iterator[None]:
    """Tell apart a commit that failed from one whose answer was lost with the connection."""
    try:
        yield
    except DBAPIError as error:
        raise StorageUnavailable(
            f"The database did not commit: {error.orig}", uncertain=error.connection_invalidated
        ) from error
