"""Requests that were carried out, so that one that reaches two processes is carried out once.

Revision ID: 0013
"""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0013"
down_revision = "0012"


def upgrade() -> None:
    """Give announcements the request that made them, and other changes a table."""
    op.create_table(
        "requests",
        sa.Column("id", sa.BigInteger, autoincrement=False),
        sa.Column("made_at", sa.BigInteger, nullable=False),
        sa.PrimaryKeyConstraint("id", name="pk_requests"),
    )
    op.create_index("ix_requests_made_at", "requests", ["made_at"])
    op.add_column("outbox", sa.Column("request", sa.BigInteger))
    made = sa.text("request IS NOT NULL")
    op.create_index(
        "ix_outbox_request", "outbox", ["request"], unique=True, sqlite_where=made, postgresql_where=made
    )
