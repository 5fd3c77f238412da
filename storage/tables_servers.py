"""The tables of servers and their order: settings, threads, who is kept out, and corrected results.

As in :mod:`storage.tables`. The `text` of settings holds JSON, that of a correction says why it was made.
A thread is open while `archived_at` is empty. The posts of a match's announcements are tidy up to and with
that of the `announcement` that is noted.
"""

from __future__ import annotations

from sqlalchemy import BigInteger, Column, ForeignKey, Index, Integer, Table, Text

from storage.tables import METADATA

_ID = BigInteger().with_variant(Integer, "sqlite")

SERVER_SETTINGS = Table(
    "server_settings",
    METADATA,
    Column("server", ForeignKey("servers.server"), primary_key=True),
    Column("text", Text, nullable=False),
    Column("by", ForeignKey("people.account"), nullable=False),
    Column("changed_at", BigInteger, nullable=False),
)

BARS = Table(
    "bars",
    METADATA,
    Column("server", ForeignKey("servers.server"), primary_key=True),
    Column("person", ForeignKey("people.account"), primary_key=True),
    Column("by", ForeignKey("people.account"), nullable=False),
    Column("made_at", BigInteger, nullable=False),
    sqlite_with_rowid=False,
)

BLOCKS = Table(
    "blocks",
    METADATA,
    Column("person", ForeignKey("people.account"), primary_key=True),
    Column("blocked", ForeignKey("people.account"), primary_key=True),
    Column("made_at", BigInteger, nullable=False),
    sqlite_with_rowid=False,
)

CORRECTIONS = Table(
    "corrections",
    METADATA,
    Column("id", _ID, primary_key=True),
    Column("match", ForeignKey("matches.id"), nullable=False),
    Column("by", ForeignKey("people.account"), nullable=False),
    Column("text", Text, nullable=False),
    Column("old_outcome", Text),
    Column("old_reason", Text, nullable=False),
    Column("outcome", Text),
    Column("reason", Text, nullable=False),
    Column("made_at", BigInteger, nullable=False),
)
Index("ix_corrections_match", CORRECTIONS.c.match, CORRECTIONS.c.id)

THREADS = Table(
    "threads",
    METADATA,
    Column("place", Text, primary_key=True),
    Column("server", ForeignKey("servers.server"), nullable=False),
    Column("parent", Text, nullable=False),
    Column("opened_at", BigInteger, nullable=False),
    Column("archived_at", BigInteger),
)
Index(
    "ix_threads_open",
    THREADS.c.place,
    sqlite_where=THREADS.c.archived_at.is_(None),
    postgresql_where=THREADS.c.archived_at.is_(None),
)

TIDIED = Table(
    "tidied",
    METADATA,
    Column("match", ForeignKey("matches.id"), primary_key=True),
    Column("announcement", BigInteger, nullable=False),
)
