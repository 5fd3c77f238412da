"""Clocks of matches, the pulse of the service, and vacations.

Revision ID: 0005
"""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0005"
down_revision = "0004"

_ID = sa.BigInteger().with_variant(sa.Integer, "sqlite")


def upgrade() -> None:
    """Add two columns that are empty where no clock runs, and two tables."""
    op.add_column("matches", sa.Column("clock", sa.Text))
    op.add_column("matches", sa.Column("deadline", sa.BigInteger))
    running = sa.text("deadline IS NOT NULL")
    op.create_index(
        "ix_matches_deadline", "matches", ["deadline"], sqlite_where=running, postgresql_where=running
    )
    op.create_table(
        "service",
        sa.Column("id", sa.Integer, autoincrement=False),
        sa.Column("beat_at", sa.BigInteger, nullable=False),
        sa.Column("lost", sa.BigInteger, nullable=False, server_default="0"),
        sa.PrimaryKeyConstraint("id", name="pk_service"),
        sa.CheckConstraint("id = 1", name=op.f("ck_service_one_row")),
    )
    op.create_table(
        "vacations",
        sa.Column("id", _ID),
        sa.Column("person", sa.Text, nullable=False),
        sa.Column("began_at", sa.BigInteger, nullable=False),
        sa.Column("ends_at", sa.BigInteger, nullable=False),
        sa.Column("ended_at", sa.BigInteger),
        sa.PrimaryKeyConstraint("id", name="pk_vacations"),
        sa.ForeignKeyConstraint(["person"], ["people.account"], name="fk_vacations_person"),
    )
    under_way = sa.text("ended_at IS NULL")
    op.create_index("ix_vacations_person", "vacations", ["person", "began_at"])
    op.create_index(
        "ix_vacations_under_way",
        "vacations",
        ["person"],
        unique=True,
        sqlite_where=under_way,
        postgresql_where=under_way,
    )
