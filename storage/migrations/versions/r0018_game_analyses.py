"""Analyses of finished matches and imported records by the computer.

Revision ID: 0018
"""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0018"
down_revision = "0017"

_ID = sa.BigInteger().with_variant(sa.Integer, "sqlite")


def upgrade() -> None:
    """Make the table."""
    op.create_table(
        "analyses",
        sa.Column("id", _ID),
        sa.Column("match", _ID),
        sa.Column("record", _ID),
        sa.Column("by", sa.Text),
        sa.Column("made_at", sa.BigInteger, nullable=False),
        sa.Column("work_at", sa.BigInteger),
        sa.Column("simulations", sa.Integer, nullable=False, server_default="0"),
        sa.Column("text", sa.Text),
        sa.PrimaryKeyConstraint("id", name="pk_analyses"),
        sa.ForeignKeyConstraint(["match"], ["matches.id"], name="fk_analyses_match"),
        sa.ForeignKeyConstraint(["record"], ["records.id"], name="fk_analyses_record"),
        sa.ForeignKeyConstraint(["by"], ["people.account"], name="fk_analyses_by"),
        sa.UniqueConstraint("match", name="uq_analyses_match"),
        sa.UniqueConstraint("record", name="uq_analyses_record"),
        sa.CheckConstraint("(match IS NULL) <> (record IS NULL)", name="one_game"),
    )
    op.create_index("ix_analyses_by", "analyses", ["by", "made_at"])
    waiting = sa.text("work_at IS NOT NULL")
    op.create_index(
        "ix_analyses_work_at", "analyses", ["work_at"], sqlite_where=waiting, postgresql_where=waiting
    )
