"""Erasures that wait for the end of a person's matches, and servers that removed the bot.

Revision ID: 0019
"""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0019"
down_revision = "0018"


def upgrade() -> None:
    """Add the table and the column; both are empty at first."""
    op.create_table(
        "erasures",
        sa.Column("account", sa.Text(), nullable=False),
        sa.Column("asked_at", sa.BigInteger(), nullable=False),
        sa.PrimaryKeyConstraint("account", name="pk_erasures"),
        sa.ForeignKeyConstraint(["account"], ["people.account"], name="fk_erasures_account"),
    )
    op.add_column("servers", sa.Column("left_at", sa.BigInteger(), nullable=True))
