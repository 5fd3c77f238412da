"""The opening explorer: what it has counted of a match, its moves and starts.

Old matches are counted by a sweep, so no match is touched here.

Revision ID: 0033
"""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0033"
down_revision = "0032"

PUBLIC = "audience IN ('names', 'aliases')"
UNCOUNTED = f"state = 'over' AND {PUBLIC} AND explored IS NULL"
MISCOUNTED = "explored IS NOT NULL AND ((audience NOT IN ('names', 'aliases')) OR explored >= 1000)"


def upgrade() -> None:
    """Add the column, its indexes and the tables."""
    op.add_column("matches", sa.Column("explored", sa.Integer))
    for name, column, condition in (
        ("uncounted", "state", UNCOUNTED),
        ("miscounted", "explored", MISCOUNTED),
    ):
        where = sa.text(condition)
        columns = [column, "id"]
        op.create_index(f"ix_matches_{name}", "matches", columns, sqlite_where=where, postgresql_where=where)
    op.create_table(
        "explorer_moves",
        sa.Column("position", sa.BigInteger, nullable=False),
        sa.Column("move", sa.Text, nullable=False),
        sa.Column("players", sa.Integer, nullable=False),
        *(sa.Column(name, sa.Integer, nullable=False) for name in ("won_by_first", "drawn", "won_by_second")),
        sa.Column("latest", sa.BigInteger),
        sa.Column("previous", sa.BigInteger),
        sa.PrimaryKeyConstraint("position", "move", "players", name="pk_explorer_moves"),
        sqlite_with_rowid=False,
    )
    op.create_table(
        "explorer_starts",
        sa.Column("game", sa.Text, nullable=False),
        sa.Column("options", sa.Text, nullable=False),
        sa.Column("games", sa.Integer, nullable=False),
        sa.PrimaryKeyConstraint("game", "options", name="pk_explorer_starts"),
        sqlite_with_rowid=False,
    )
