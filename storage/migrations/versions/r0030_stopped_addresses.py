"""Mail addresses of nobody that want no invitations.

Revision ID: 0030
"""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0030"
down_revision = "0029"


def upgrade() -> None:
    """Make the table."""
    op.create_table(
        "stopped_addresses",
        sa.Column("digest", sa.Text(), nullable=False),
        sa.Column("stopped_at", sa.BigInteger(), nullable=False),
        sa.PrimaryKeyConstraint("digest", name="pk_stopped_addresses"),
    )
