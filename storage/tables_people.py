"""The tables of people's own settings and of the matches that they follow.

As in :mod:`storage.tables`. The `text` of preferences holds JSON. Of a match that somebody follows `ply` says
how far they have been told, `due_at` when they are told next, where that is not at once.
"""

from __future__ import annotations

from sqlalchemy import BigInteger, Column, ForeignKey, Index, Integer, Table, Text

from storage.tables import METADATA

PREFERENCES = Table(
    "preferences",
    METADATA,
    Column("account", ForeignKey("people.account"), primary_key=True),
    Column("text", Text, nullable=False),
    Column("changed_at", BigInteger, nullable=False),
)

FOLLOWS = Table(
    "follows",
    METADATA,
    Column("match", ForeignKey("matches.id"), primary_key=True),
    Column("person", ForeignKey("people.account"), primary_key=True),
    Column("interest", Text, nullable=False),
    Column("ply", Integer, nullable=False),
    Column("due_at", BigInteger),
    Column("made_at", BigInteger, nullable=False),
    sqlite_with_rowid=False,
)
Index("ix_follows_person", FOLLOWS.c.person)
Index(
    "ix_follows_due_at",
    FOLLOWS.c.due_at,
    sqlite_where=FOLLOWS.c.due_at.is_not(None),
    postgresql_where=FOLLOWS.c.due_at.is_not(None),
)
