"""The time control of servers that never set one: no clock, as it was when they began to play.

Revision ID: 0015
"""

from __future__ import annotations

from alembic import op

revision = "0015"
down_revision = "0014"


def upgrade() -> None:
    """Store the earlier defaults of every known server; new servers have the default of the code."""
    with op.batch_alter_table("server_settings") as table:
        table.alter_column("by", nullable=True)
    op.execute(
        """
        INSERT INTO server_settings (server, text, "by", changed_at)
        SELECT server, '{"threads": false, "game": null, "pace": "none"}', NULL, met_at
        FROM servers
        WHERE NOT EXISTS (SELECT 1 FROM server_settings WHERE server_settings.server = servers.server)
        """
    )
