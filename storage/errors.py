"""What can go wrong with the database, in three errors that a person can read."""

from __future__ import annotations


class StorageError(Exception):
    """Any failure of the store."""


class StorageUnavailable(StorageError):  # noqa: N818 - a state of the database, and the name says it
    """The database could not be used: locked, full, read-only, broken or out of reach.

    Nothing of the transaction was applied. Only where `uncertain` is set, because the
    connection to a server broke while committing, is it unknown whether all of it was.
    """

    def __init__(self, message: str, *, uncertain: bool = False) -> None:
        super().__init__(message)
        self.uncertain = uncertain


class StorageTooNew(StorageError):  # noqa: N818 - a state of the database, and the name says it
    """The database was written by a newer version of the code; it is left untouched."""


class StorageUrlError(StorageError):
    """The database URL cannot be used."""
