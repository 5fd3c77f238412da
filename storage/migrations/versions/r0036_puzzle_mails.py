"""One puzzle a day by mail; reports of second solutions that a search checks; who set a daily puzzle.

Revision ID: 0036
"""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0036"
down_revision = "0035"

TEXT = sa.Text()


def upgrade() -> None:
    """Create the table and add the columns. Reports of puzzles that are not withdrawn are checked."""
    op.create_table(
        "puzzle_mails",
        sa.Column("person", TEXT, nullable=False),
        sa.Column("minute", sa.Integer(), nullable=False),
        sa.Column("next_at", sa.BigInteger()),
        sa.Column("day", TEXT),
        sa.Column("unanswered", sa.Integer(), nullable=False, server_default="0"),
        sa.Column("asked_on", TEXT),
        sa.Column("asked", sa.Integer(), nullable=False, server_default="0"),
        sa.PrimaryKeyConstraint("person", name="pk_puzzle_mails"),
        sa.ForeignKeyConstraint(["person"], ["people.account"], name="fk_puzzle_mails_person"),
        sqlite_with_rowid=False,
    )
    _create_partial_index("ix_puzzle_mails_next_at", "puzzle_mails", "next_at")
    op.add_column("mail_commands", sa.Column("puzzle", TEXT))
    op.add_column("puzzle_reports", sa.Column("work_at", sa.BigInteger()))
    _create_partial_index("ix_puzzle_reports_work_at", "puzzle_reports", "work_at")
    op.execute(
        "UPDATE puzzle_reports SET work_at = made_at"
        " WHERE puzzle IN (SELECT key FROM puzzles WHERE withdrawn IS NULL)"
    )
    with op.batch_alter_table("daily_puzzle_places", reflect_kwargs={"resolve_fks": False}) as places:
        places.add_column(sa.Column("by", TEXT))
        places.add_column(sa.Column("failures", sa.Integer(), nullable=False, server_default="0"))
        places.create_foreign_key("fk_daily_puzzle_places_by", "people", ["by"], ["account"])


def _create_partial_index(name: str, table: str, column: str) -> None:
    """Create an index of the rows in which a column has a value."""
    where = sa.text(f"{column} IS NOT NULL")
    op.create_index(name, table, [column], sqlite_where=where, postgresql_where=where)
