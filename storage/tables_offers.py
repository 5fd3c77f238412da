"""The tables of offers and of moves taken back; see :mod:`storage.offers` and :mod:`storage.takebacks`."""

from __future__ import annotations

from sqlalchemy import BigInteger, Column, ForeignKey, Index, Integer, Table, Text

from storage.tables import METADATA

_ID = BigInteger().with_variant(Integer, "sqlite")  # as in :mod:`storage.tables`

OFFERS = Table(
    "offers",
    METADATA,
    Column("id", _ID, primary_key=True),
    Column("match", ForeignKey("matches.id"), nullable=False),
    Column("kind", Text, nullable=False),
    Column("by", ForeignKey("people.account"), nullable=False),
    Column("ply", Integer, nullable=False),
    Column("takebacks", Integer, nullable=False),
    Column("made_at", BigInteger, nullable=False),
    Column("answer", Text),
    Column("answered_at", BigInteger),
)
Index("ix_offers_match", OFFERS.c.match, OFFERS.c.ply)

TAKEBACKS = Table(
    "takebacks",
    METADATA,
    Column("match", ForeignKey("matches.id"), primary_key=True),
    Column("number", Integer, primary_key=True, autoincrement=False),
    Column("ply", Integer, nullable=False),
    Column("by", ForeignKey("people.account"), nullable=False),
    Column("made_at", BigInteger, nullable=False),
    sqlite_with_rowid=False,
)

TAKEN_MOVES = Table(
    "taken_moves",
    METADATA,
    Column("match", ForeignKey("matches.id"), primary_key=True),
    Column("takeback", Integer, primary_key=True, autoincrement=False),
    Column("ply", Integer, primary_key=True, autoincrement=False),
    Column("turn", Integer, nullable=False),
    Column("side", Text, nullable=False),
    Column("person", ForeignKey("people.account"), nullable=False),
    Column("text", Text, nullable=False),
    Column("position", Text, nullable=False),
    Column("played_at", BigInteger, nullable=False),
    sqlite_with_rowid=False,
)
