"""Where servers want the daily puzzle, and who has tried it there.

Revision ID: 0035
"""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0035"
down_revision = "0034"

TEXT = sa.Text()


def upgrade() -> None:
    """Create the tables and their indexes."""
    op.create_table(
        "daily_puzzle_places",
        sa.Column("server", TEXT, nullable=False),
        sa.Column("place", TEXT, nullable=False),
        sa.Column("minute", sa.Integer(), nullable=False),
        sa.Column("zone", TEXT, nullable=False),
        sa.Column("next_at", sa.BigInteger(), nullable=False),
        sa.Column("claimed_until", sa.BigInteger()),
        sa.Column("posting", TEXT),
        sa.Column("day", TEXT),
        sa.Column("puzzle", TEXT),
        sa.Column("post", TEXT),
        sa.PrimaryKeyConstraint("server", name="pk_daily_puzzle_places"),
        sa.ForeignKeyConstraint(["server"], ["servers.server"], name="fk_daily_puzzle_places_server"),
        sa.ForeignKeyConstraint(["puzzle"], ["puzzles.key"], name="fk_daily_puzzle_places_puzzle"),
    )
    op.create_table(
        "daily_puzzle_tries",
        sa.Column("server", TEXT, nullable=False),
        sa.Column("day", TEXT, nullable=False),
        sa.Column("person", TEXT, nullable=False),
        sa.Column("name", TEXT, nullable=False),
        sa.PrimaryKeyConstraint("server", "day", "person", name="pk_daily_puzzle_tries"),
        sa.ForeignKeyConstraint(
            ["server"], ["daily_puzzle_places.server"], name="fk_daily_puzzle_tries_server"
        ),
        sa.ForeignKeyConstraint(["person"], ["people.account"], name="fk_daily_puzzle_tries_person"),
        sqlite_with_rowid=False,
    )
    op.create_index("ix_daily_puzzle_places_next_at", "daily_puzzle_places", ["next_at"])
    op.create_index("ix_daily_puzzle_tries_person", "daily_puzzle_tries", ["person"])
