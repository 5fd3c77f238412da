"""Imported records, challenges and matches that begin from one, and lists of all matches of a place.

Revision ID: 0002
"""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0002"
down_revision = "0001"

_ID = sa.BigInteger().with_variant(sa.Integer, "sqlite")


def upgrade() -> None:
    """Add a table, two columns that are empty for what is there already, and two indexes."""
    op.create_table(
        "records",
        sa.Column("id", _ID),
        sa.Column("by", sa.Text, nullable=False),
        sa.Column("server", sa.Text, nullable=False),
        sa.Column("digest", sa.Text, nullable=False),
        sa.Column("text", sa.Text, nullable=False),
        sa.Column("game", sa.Text, nullable=False),
        sa.Column("rules_version", sa.Integer, nullable=False),
        sa.Column("options", sa.Text, nullable=False),
        sa.Column("position", sa.Text, nullable=False),
        sa.Column("made_at", sa.BigInteger, nullable=False),
        sa.PrimaryKeyConstraint("id", name="pk_records"),
        sa.ForeignKeyConstraint(["by"], ["people.account"], name="fk_records_by"),
        sa.ForeignKeyConstraint(["server"], ["servers.server"], name="fk_records_server"),
        sa.UniqueConstraint("server", "digest", name="uq_records_server_digest"),
    )
    op.create_index("ix_records_by", "records", ["by", "made_at"])
    with op.batch_alter_table("challenges") as challenges:
        challenges.add_column(sa.Column("record", _ID))
        challenges.create_foreign_key("fk_challenges_record", "records", ["record"], ["id"])
    op.add_column("matches", sa.Column("base", sa.Text))
    op.create_index("ix_matches_server", "matches", ["server", "id"])
    op.create_index("ix_matches_place", "matches", ["place", "id"])
