"""Ratings, and the steps by which they came about.

Revision ID: 0006
"""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0006"
down_revision = "0005"

_NUMBERS = ("rating", "deviation", "volatility")


def upgrade() -> None:
    """Make the tables; matches that are over already were not rated."""
    op.create_table(
        "rating_games",
        sa.Column("game", sa.Text),
        sa.Column("last", sa.Integer, nullable=False),
        sa.PrimaryKeyConstraint("game", name="pk_rating_games"),
        sqlite_with_rowid=False,
    )
    _ratings()
    _steps()


def _ratings() -> None:
    op.create_table(
        "ratings",
        sa.Column("person", sa.Text),
        sa.Column("game", sa.Text),
        *(sa.Column(name, sa.BigInteger, nullable=False) for name in _NUMBERS),
        sa.Column("rated_at", sa.BigInteger, nullable=False),
        sa.Column("played", sa.Integer, nullable=False),
        sa.Column("settled_until", sa.BigInteger, nullable=False),
        sa.PrimaryKeyConstraint("person", "game", name="pk_ratings"),
        sa.ForeignKeyConstraint(["person"], ["people.account"], name="fk_ratings_person"),
        sqlite_with_rowid=False,
    )
    op.create_index("ix_ratings_game", "ratings", ["game", "rating"])


def _steps() -> None:
    op.create_table(
        "rating_steps",
        sa.Column("game", sa.Text),
        sa.Column("number", sa.Integer, autoincrement=False),
        sa.Column("person", sa.Text),
        sa.Column("match", sa.BigInteger().with_variant(sa.Integer, "sqlite"), nullable=False),
        sa.Column("opponent", sa.Text, nullable=False),
        sa.Column("score", sa.Integer),
        sa.Column("server", sa.Text, nullable=False),
        sa.Column("made_at", sa.BigInteger, nullable=False),
        *(sa.Column(name, sa.BigInteger, nullable=False) for name in _NUMBERS),
        sa.PrimaryKeyConstraint("game", "number", "person", name="pk_rating_steps"),
        sa.ForeignKeyConstraint(["match"], ["matches.id"], name="fk_rating_steps_match"),
        sa.ForeignKeyConstraint(["server"], ["servers.server"], name="fk_rating_steps_server"),
        sa.ForeignKeyConstraint(["person"], ["people.account"], name="fk_rating_steps_person"),
        sa.ForeignKeyConstraint(["opponent"], ["people.account"], name="fk_rating_steps_opponent"),
        sqlite_with_rowid=False,
    )
    op.create_index("ix_rating_steps_match", "rating_steps", ["match"])
    op.create_index("ix_rating_steps_person", "rating_steps", ["person", "game", "number"])
    op.create_index("ix_rating_steps_server", "rating_steps", ["server", "game", "person"])
