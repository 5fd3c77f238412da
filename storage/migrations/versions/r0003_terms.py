"""What was agreed on beside the game, and what an announcement tells beside the board.

Revision ID: 0003
"""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0003"
down_revision = "0002"


def upgrade() -> None:
    """Add columns; what is there already was agreed on silently."""
    for table in ("challenges", "matches"):
        op.add_column(table, sa.Column("terms", sa.Text, nullable=False, server_default="{}"))
    op.add_column("outbox", sa.Column("details", sa.Text))
