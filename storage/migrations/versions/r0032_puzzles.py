"""Puzzles, what one can choose from, attempts, ratings, reports, daily puzzles, and which files were read.

Revision ID: 0032
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import sqlalchemy as sa
from alembic import op

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from sqlalchemy.types import TypeEngine

revision = "0032"
down_revision = "0031"

TEXT, LARGE, NUMBER, FLAG = sa.Text(), sa.BigInteger(), sa.Integer(), sa.Boolean()
ID = sa.BigInteger().with_variant(sa.Integer(), "sqlite")
PERSON, MATCH, PUZZLE = ("people", "account"), ("matches", "id"), ("puzzles", "key")
RATING = (("rating", LARGE, False), ("deviation", LARGE, False), ("volatility", LARGE, False))

# Of each column the name, the type, and whether it may be null, or its default.
PUZZLES = (
    ("key", TEXT, False),
    ("game", TEXT, False),
    ("text", TEXT, False),
    ("match", ID, True),
    ("is_shipped", FLAG, sa.false()),
    *RATING,
    ("solved", NUMBER, "0"),
    ("failed", NUMBER, "0"),
    ("made_at", LARGE, False),
    ("withdrawn", TEXT, True),
    ("withdrawn_at", LARGE, True),
)
CHOICES = (("game", TEXT, False), ("theme", TEXT, False), ("rating", NUMBER, False), ("puzzle", TEXT, False))
ATTEMPTS = (
    ("person", TEXT, False),
    ("puzzle", TEXT, False),
    ("is_solved", FLAG, False),
    ("rating_before", NUMBER, False),
    ("rating_after", NUMBER, False),
    ("made_at", LARGE, False),
)
RATINGS = (
    ("person", TEXT, False),
    ("game", TEXT, False),
    *RATING,
    ("solved", NUMBER, False),
    ("failed", NUMBER, False),
    ("rated_at", LARGE, False),
)
REPORTS = (
    ("puzzle", TEXT, False),
    ("person", TEXT, False),
    ("turns", TEXT, False),
    ("made_at", LARGE, False),
)
DAILY = (("day", TEXT, False), ("puzzle", TEXT, False))
SETS = (("game", TEXT, False), ("digest", TEXT, False), ("read_at", LARGE, False))


def upgrade() -> None:
    """Create the tables and their indexes."""
    _create("puzzles", PUZZLES, ("key",), {"match": MATCH}, with_rowid=True)
    _create("puzzle_choices", CHOICES, ("game", "theme", "rating", "puzzle"), {"puzzle": PUZZLE})
    references = {"person": PERSON, "puzzle": PUZZLE}
    _create("puzzle_attempts", ATTEMPTS, ("person", "puzzle"), references)
    _create("puzzle_ratings", RATINGS, ("person", "game"), {"person": PERSON})
    _create("puzzle_reports", REPORTS, ("puzzle", "person"), references)
    _create("daily_puzzles", DAILY, ("day",), {"puzzle": PUZZLE}, with_rowid=True)
    _create("puzzle_sets", SETS, ("game",), {}, with_rowid=True)
    op.create_index("ix_puzzles_game", "puzzles", ["game", "is_shipped"])
    where = sa.text("match IS NOT NULL")
    op.create_index("ix_puzzles_match", "puzzles", ["match"], sqlite_where=where, postgresql_where=where)
    op.create_index("ix_puzzle_choices_puzzle", "puzzle_choices", ["puzzle"])
    op.create_index("ix_puzzle_attempts_person", "puzzle_attempts", ["person", "made_at"])
    op.create_index("ix_puzzle_reports_person", "puzzle_reports", ["person", "made_at"])
    op.create_index("ix_daily_puzzles_puzzle", "daily_puzzles", ["puzzle"])


def _create(
    table: str,
    columns: Sequence[tuple[str, TypeEngine[Any], Any]],
    key: Sequence[str],
    references: Mapping[str, tuple[str, str]],
    *,
    with_rowid: bool = False,
) -> None:
    op.create_table(
        table,
        *(_column(*column) for column in columns),
        sa.PrimaryKeyConstraint(*key, name=f"pk_{table}"),
        *(
            sa.ForeignKeyConstraint([name], [".".join(target)], name=f"fk_{table}_{name}")
            for name, target in references.items()
        ),
        sqlite_with_rowid=with_rowid,
    )


def _column(name: str, kind: TypeEngine[Any], rest: Any) -> sa.Column[Any]:
    if isinstance(rest, bool):
        return sa.Column(name, kind, nullable=rest)
    return sa.Column(name, kind, nullable=False, server_default=rest)
