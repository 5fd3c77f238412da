"""The latest post of a packed match, whose announcements are deleted.

Revision ID: 0023
"""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0023"
down_revision = "0022"


def upgrade() -> None:
    """Add the column, which is empty until a match is packed."""
    op.add_column("matches", sa.Column("post", sa.Text))
