"""Leaderboards read one index alone, whatever the planner knows of the table.

Revision ID: 0011
"""

from __future__ import annotations

from alembic import op

revision = "0011"
down_revision = "0010"


def upgrade() -> None:
    """Replace the index of rating steps by server with one that also holds the score."""
    op.drop_index("ix_rating_steps_server", "rating_steps")
    op.create_index("ix_rating_steps_leaders", "rating_steps", ["server", "game", "person", "score"])
