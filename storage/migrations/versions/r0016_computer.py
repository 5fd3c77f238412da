"""From when on a worker may take what the computer owes in a match.

Revision ID: 0016
"""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0016"
down_revision = "0015"


def upgrade() -> None:
    """Add the column and its index; no earlier match has the computer as a player."""
    owed = sa.text("think_at IS NOT NULL")
    op.add_column("matches", sa.Column("think_at", sa.BigInteger))
    op.create_index("ix_matches_think_at", "matches", ["think_at"], sqlite_where=owed, postgresql_where=owed)
