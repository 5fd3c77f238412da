"""Packed logs of finished matches, and the list of the matches whose logs are not packed yet.

Nothing is packed here: that is done in batches while the program runs.

Revision ID: 0021
"""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0021"
down_revision = "0020"

_ID = sa.BigInteger().with_variant(sa.Integer, "sqlite")


def upgrade() -> None:
    """Add the table, which is empty at first, the column, and the index of finished matches without it."""
    op.create_table(
        "logs",
        sa.Column("match", _ID, nullable=False),
        sa.Column("text", sa.Text(), nullable=False),
        sa.PrimaryKeyConstraint("match", name="pk_logs"),
        sa.ForeignKeyConstraint(["match"], ["matches.id"], name="fk_logs_match"),
    )
    op.add_column("matches", sa.Column("packed", sa.Boolean(), nullable=False, server_default=sa.false()))
    op.create_index(
        "ix_matches_unpacked",
        "matches",
        ["state", "changed_at"],
        sqlite_where=sa.text("state = 'over' AND packed IS 0"),
        postgresql_where=sa.text("state = 'over' AND packed IS false"),
    )
