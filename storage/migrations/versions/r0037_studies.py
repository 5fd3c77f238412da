"""Studies of games and their chapters; reports about one.

Revision ID: 0037
"""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0037"
down_revision = "0036"

TEXT, TIME, NUMBER = sa.Text(), sa.BigInteger(), sa.Integer()


def upgrade() -> None:
    """Create the tables and their indexes."""
    op.create_table(
        "studies",
        sa.Column("key", TEXT, nullable=False),
        sa.Column("owner", TEXT, nullable=False),
        sa.Column("name", TEXT, nullable=False),
        sa.Column("audience", TEXT, nullable=False),
        sa.Column("numbered", NUMBER, nullable=False),
        sa.Column("changed_at", TIME, nullable=False),
        sa.Column("hidden_at", TIME),
        sa.PrimaryKeyConstraint("key", name="pk_studies"),
        sa.ForeignKeyConstraint(["owner"], ["people.account"], name="fk_studies_owner"),
    )
    op.create_table(
        "chapters",
        sa.Column("study", TEXT, nullable=False),
        sa.Column("number", NUMBER, nullable=False),
        sa.Column("owner", TEXT, nullable=False),
        sa.Column("place", NUMBER, nullable=False),
        sa.Column("name", TEXT, nullable=False),
        sa.Column("game", TEXT, nullable=False),
        sa.Column("match", TIME),
        sa.Column("state", TEXT, nullable=False),
        sa.Column("revision", NUMBER, nullable=False),
        sa.Column("changed_at", TIME, nullable=False),
        sa.PrimaryKeyConstraint("study", "number", name="pk_chapters"),
        sa.ForeignKeyConstraint(["study"], ["studies.key"], name="fk_chapters_study"),
        sa.ForeignKeyConstraint(["owner"], ["people.account"], name="fk_chapters_owner"),
    )
    op.create_index("ix_studies_owner", "studies", ["owner", "changed_at"])
    op.create_index("ix_chapters_owner", "chapters", ["owner"])
    op.add_column("reports", sa.Column("study", TEXT))
