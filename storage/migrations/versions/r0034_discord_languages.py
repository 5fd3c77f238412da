"""The language of each person's Discord, as it was when they last used the bot.

Revision ID: 0034
"""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0034"
down_revision = "0033"


def upgrade() -> None:
    """Add the column; nobody's language is known yet."""
    op.add_column("people", sa.Column("locale", sa.Text()))
