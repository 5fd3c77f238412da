"""Sessions of people who signed in on the website, and what Discord granted them to read.

Revision ID: 0017
"""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0017"
down_revision = "0016"


def upgrade() -> None:
    """Create both tables."""
    op.create_table(
        "web_sessions",
        sa.Column("id", sa.Text, nullable=False),
        sa.Column("account", sa.Text, nullable=False),
        sa.Column("device", sa.Text, nullable=False),
        sa.Column("made_at", sa.BigInteger, nullable=False),
        sa.Column("used_at", sa.BigInteger, nullable=False),
        sa.Column("expires_at", sa.BigInteger, nullable=False),
        sa.PrimaryKeyConstraint("id", name="pk_web_sessions"),
        sa.ForeignKeyConstraint(["account"], ["people.account"], name="fk_web_sessions_account"),
    )
    op.create_index("ix_web_sessions_account", "web_sessions", ["account", "used_at"])
    op.create_index("ix_web_sessions_expires_at", "web_sessions", ["expires_at"])
    op.create_table(
        "web_grants",
        sa.Column("account", sa.Text, nullable=False),
        sa.Column("token", sa.Text, nullable=False),
        sa.Column("servers", sa.Text, nullable=False),
        sa.Column("read_at", sa.BigInteger, nullable=False),
        sa.Column("next_read_at", sa.BigInteger, nullable=False),
        sa.PrimaryKeyConstraint("account", name="pk_web_grants"),
        sa.ForeignKeyConstraint(["account"], ["people.account"], name="fk_web_grants_account"),
    )
