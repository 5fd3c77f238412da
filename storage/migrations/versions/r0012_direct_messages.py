"""A match whose channel can no longer be used is played in direct messages.

Revision ID: 0012
"""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0012"
down_revision = "0011"


def upgrade() -> None:
    """Add since when a match has been played in direct messages; None: it is played in its channel."""
    op.add_column("matches", sa.Column("direct_since", sa.BigInteger))
