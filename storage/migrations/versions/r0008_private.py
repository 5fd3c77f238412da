"""What people keep for themselves: turns settled beforehand, long lines of analyses, and notes.

Revision ID: 0008
"""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0008"
down_revision = "0007"

_ID = sa.BigInteger().with_variant(sa.Integer, "sqlite")
_DUE = sa.text("due_at IS NOT NULL")


def upgrade() -> None:
    """Add three tables, and a column by which a match says whether anything is settled beforehand in it."""
    op.create_table(
        "conditionals",
        sa.Column("match", _ID, nullable=False),
        sa.Column("person", sa.Text, nullable=False),
        sa.Column("ply", sa.Integer, nullable=False),
        sa.Column("position", sa.Text, nullable=False),
        sa.Column("tree", sa.Text, nullable=False),
        sa.Column("changed_at", sa.BigInteger, nullable=False),
        sa.Column("lost", sa.Text),
        sa.Column("due_at", sa.BigInteger),
        sa.Column("attempts", sa.Integer, nullable=False, server_default="0"),
        *_of_match_and_person("conditionals"),
        sqlite_with_rowid=False,
    )
    op.create_index(
        "ix_conditionals_due_at", "conditionals", ["due_at"], sqlite_where=_DUE, postgresql_where=_DUE
    )
    op.create_table(
        "sketches",
        sa.Column("id", _ID),
        sa.Column("person", sa.Text, nullable=False),
        sa.Column("digest", sa.Text, nullable=False),
        sa.Column("text", sa.Text, nullable=False),
        sa.Column("made_at", sa.BigInteger, nullable=False),
        sa.PrimaryKeyConstraint("id", name="pk_sketches"),
        sa.ForeignKeyConstraint(["person"], ["people.account"], name="fk_sketches_person"),
        sa.UniqueConstraint("person", "digest", name="uq_sketches_person_digest"),
    )
    op.create_table(
        "notes",
        sa.Column("match", _ID, nullable=False),
        sa.Column("person", sa.Text, nullable=False),
        sa.Column("text", sa.Text, nullable=False),
        sa.Column("changed_at", sa.BigInteger, nullable=False),
        *_of_match_and_person("notes"),
    )
    op.add_column("matches", sa.Column("foreseen", sa.Boolean, nullable=False, server_default=sa.false()))


def _of_match_and_person(table: str) -> tuple[sa.schema.SchemaItem, ...]:
    return (
        sa.PrimaryKeyConstraint("match", "person", name=f"pk_{table}"),
        sa.ForeignKeyConstraint(["match"], ["matches.id"], name=f"fk_{table}_match"),
        sa.ForeignKeyConstraint(["person"], ["people.account"], name=f"fk_{table}_person"),
    )
