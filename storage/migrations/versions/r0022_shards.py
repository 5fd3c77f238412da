"""Heartbeats by shard, the time given back to each match, and leases.

Revision ID: 0022
"""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0022"
down_revision = "0021"


def upgrade() -> None:
    """Replace the one heartbeat by that of one shard; its downtime was given back to every match."""
    op.create_table(
        "heartbeats",
        sa.Column("count", sa.Integer, autoincrement=False, nullable=False),
        sa.Column("shard", sa.Integer, autoincrement=False, nullable=False),
        sa.Column("beat_at", sa.BigInteger, nullable=False),
        sa.PrimaryKeyConstraint("count", "shard", name="pk_heartbeats"),
    )
    op.create_table(
        "leases",
        sa.Column("name", sa.Text, nullable=False),
        sa.Column("owner", sa.Text, nullable=False),
        sa.Column("ends_at", sa.BigInteger, nullable=False),
        sa.Column("done", sa.Text),
        sa.PrimaryKeyConstraint("name", name="pk_leases"),
    )
    op.add_column("servers", sa.Column("number", sa.BigInteger))
    unknown = sa.text("number IS NULL")
    op.create_index(
        "ix_servers_number", "servers", ["number"], sqlite_where=unknown, postgresql_where=unknown
    )
    op.add_column("matches", sa.Column("lost", sa.BigInteger, nullable=False, server_default="0"))
    op.execute(
        "UPDATE matches SET lost = (SELECT lost FROM service)"
        " WHERE clock IS NOT NULL AND EXISTS (SELECT 1 FROM service WHERE lost <> 0)"
    )
    op.drop_index("ix_matches_deadline", "matches")
    running = sa.text("deadline IS NOT NULL")
    op.create_index(
        "ix_matches_ends_at",
        "matches",
        [sa.text("(deadline + lost)")],
        sqlite_where=running,
        postgresql_where=running,
    )
    op.execute("INSERT INTO heartbeats (count, shard, beat_at) SELECT 1, 0, beat_at FROM service")
    op.drop_table("service")
