"""The tables of the service's pulse and of vacations.

As in :mod:`storage.tables`. The service has one row: when its heart beat last, and how much time is `lost` to
its outages in all. A vacation ends at `ends_at` unless it is ended before; `ended_at` tells when it was.
"""

from __future__ import annotations

from sqlalchemy import BigInteger, CheckConstraint, Column, ForeignKey, Index, Integer, Table

from storage.tables import METADATA

SERVICE = Table(
    "service",
    METADATA,
    Column("id", Integer, primary_key=True, autoincrement=False),
    Column("beat_at", BigInteger, nullable=False),
    Column("lost", BigInteger, nullable=False, server_default="0"),
    CheckConstraint("id = 1", name="one_row"),
)

VACATIONS = Table(
    "vacations",
    METADATA,
    Column("id", BigInteger().with_variant(Integer, "sqlite"), primary_key=True),
    Column("person", ForeignKey("people.account"), nullable=False),
    Column("began_at", BigInteger, nullable=False),
    Column("ends_at", BigInteger, nullable=False),
    Column("ended_at", BigInteger),
)
Index("ix_vacations_person", VACATIONS.c.person, VACATIONS.c.began_at)
Index(
    "ix_vacations_under_way",
    VACATIONS.c.person,
    unique=True,
    sqlite_where=VACATIONS.c.ended_at.is_(None),
    postgresql_where=VACATIONS.c.ended_at.is_(None),
)
