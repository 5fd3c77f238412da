"""The tables of what people keep for themselves, each for their own eyes alone."""

from __future__ import annotations

from sqlalchemy import BigInteger, Column, ForeignKey, Index, Integer, Table, Text, UniqueConstraint

from storage.tables import METADATA

_ID = BigInteger().with_variant(Integer, "sqlite")

CONDITIONALS = Table(
    "conditionals",
    METADATA,
    Column("match", ForeignKey("matches.id"), primary_key=True),
    Column("person", ForeignKey("people.account"), primary_key=True),
    Column("ply", Integer, nullable=False),
    Column("position", Text, nullable=False),
    Column("tree", Text, nullable=False),
    Column("changed_at", BigInteger, nullable=False),
    Column("lost", Text),
    Column("due_at", BigInteger),
    Column("attempts", Integer, nullable=False, server_default="0"),
    sqlite_with_rowid=False,
)
Index(
    "ix_conditionals_due_at",
    CONDITIONALS.c.due_at,
    sqlite_where=CONDITIONALS.c.due_at.is_not(None),
    postgresql_where=CONDITIONALS.c.due_at.is_not(None),
)

SKETCHES = Table(
    "sketches",
    METADATA,
    Column("id", _ID, primary_key=True),
    Column("person", ForeignKey("people.account"), nullable=False),
    Column("digest", Text, nullable=False),
    Column("text", Text, nullable=False),
    Column("made_at", BigInteger, nullable=False),
    UniqueConstraint("person", "digest"),
)

NOTES = Table(
    "notes",
    METADATA,
    Column("match", ForeignKey("matches.id"), primary_key=True),
    Column("person", ForeignKey("people.account"), primary_key=True),
    Column("text", Text, nullable=False),
    Column("changed_at", BigInteger, nullable=False),
)
