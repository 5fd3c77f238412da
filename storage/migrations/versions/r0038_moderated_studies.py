"""Which study moderators hid or showed again, and its name of then.

Revision ID: 0038
"""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0038"
down_revision = "0037"


def upgrade() -> None:
    """Add the columns; of what was done before they stay empty."""
    op.add_column("moderation_log", sa.Column("study", sa.Text()))
    op.add_column("moderation_log", sa.Column("study_name", sa.Text()))
