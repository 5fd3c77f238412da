"""Who may see matches on the website, and under which names.

Revision ID: 0020
"""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0020"
down_revision = "0019"


def upgrade() -> None:
    """Add the columns and the table.

    Whether everybody could see the channel of an earlier match is not known yet: until the bot connects,
    only its players see it. Matches of the website itself stay public.
    """
    op.create_table(
        "open_channels",
        sa.Column("channel", sa.Text(), nullable=False),
        sa.Column("server", sa.Text(), nullable=False),
        sa.PrimaryKeyConstraint("channel", name="pk_open_channels"),
    )
    op.create_index("ix_open_channels_server", "open_channels", ["server"])
    op.add_column("people", sa.Column("alias", sa.Text(), nullable=True))
    for table in ("challenges", "matches"):
        op.add_column(table, sa.Column("audience", sa.Text(), nullable=False, server_default="players"))
        op.execute(
            f"UPDATE {table} SET audience = CASE WHEN server = 'web:table' THEN 'names' ELSE 'unknown' END"  # noqa: S608
        )
    op.create_index("ix_matches_audience", "matches", ["server", "audience", "state", "changed_at"])
    public = sa.text("audience IN ('names', 'aliases')")
    op.create_index(
        "ix_matches_public", "matches", ["state", "changed_at"], sqlite_where=public, postgresql_where=public
    )
