"""When mails to an address came back, so that only those of the last days count.

Revision ID: 0029
"""

import sqlalchemy as sa
from alembic import op

revision = "0029"
down_revision = "0028"


def upgrade() -> None:
    """Add the column, empty."""
    op.add_column("identities", sa.Column("bounce_times", sa.Text()))
