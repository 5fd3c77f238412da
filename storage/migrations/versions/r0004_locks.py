"""Locks of seats: keys handed out for a seat fit no more once its lock is changed. Matches listed by state.

Revision ID: 0004
"""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0004"
down_revision = "0003"


def upgrade() -> None:
    """Add a table, where a seat without a row has the lock that it began with, and an index."""
    op.create_table(
        "locks",
        sa.Column("match", sa.BigInteger().with_variant(sa.Integer, "sqlite"), nullable=False),
        sa.Column("person", sa.Text, nullable=False),
        sa.Column("number", sa.Integer, nullable=False),
        sa.PrimaryKeyConstraint("match", "person", name="pk_locks"),
        sa.ForeignKeyConstraint(["match"], ["matches.id"], name="fk_locks_match"),
        sa.ForeignKeyConstraint(["person"], ["people.account"], name="fk_locks_person"),
        sqlite_with_rowid=False,
    )
    op.create_index("ix_matches_state", "matches", ["state", "changed_at"])
