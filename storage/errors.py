"""The errors of the database."""

from __future__ import annotations


class StorageError(Exception):
    """Any failure of the database."""


class StorageUnavailable(StorageError):  # noqa: N818 - a state of the database, and the name says it
    """The database cannot be used: locked, full, read-only, broken or unreachable.

    Nothing of the transaction was applied. Only if `uncertain` is set, because the connection broke during
    the commit, it is unknown whether all of it was applied.
    """

    def __init__(self, message: str, *, uncertain: bool = False) -> None:
        super().__init__(message)
        self.uncertain = uncertain


class RequestRepeated(StorageError):  # noqa: N818 - what happened, and the name says it
    """Another process has carried out the same request. Nothing was changed."""


class StorageTooNew(StorageError):  # noqa: N818 - a state of the database, and the name says it
    """The database was written by a newer version of the code. It was not changed."""


class StorageTooOld(StorageError):  # noqa: N818 - a state of the database, and the name says it
    """The database was written by an older version of the code and was to be opened without a migration."""


class StorageDamaged(StorageError):  # noqa: N818 - a state of the database, and the name says it
    """The database is missing, empty, damaged, or of another program. It was not changed."""


class StorageInUse(StorageError):  # noqa: N818 - a state of the database, and the name says it
    """Another process has the database open. It was not changed."""


class StorageNotEmpty(StorageError):  # noqa: N818 - a state of the database, and the name says it
    """There is a database already where one should be put. It was not changed."""


class StorageUrlError(StorageError):
    """The database URL is invalid."""
