"""Which puzzles somebody was sent by mail, so that none comes twice.

Revision ID: 0039
"""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0039"
down_revision = "0038"


def upgrade() -> None:
    """Add the column; what was sent before is not known."""
    op.add_column("puzzle_mails", sa.Column("mailed", sa.Text()))
