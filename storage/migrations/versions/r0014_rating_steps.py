"""Rating steps by person, the step from which a game has to be recomputed, and an index for lobbies.

Revision ID: 0014
"""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0014"
down_revision = "0013"

_TABLE = "rating_steps"
_COLUMNS = (
    "person",
    "game",
    "number",
    "match",
    "opponent",
    "score",
    "server",
    "made_at",
    "rating",
    "deviation",
    "volatility",
)
_KEY = _COLUMNS[:3]


def upgrade() -> None:
    """Change the order of the primary key, and add the column and the index."""
    op.create_index("ix_matches_server_state", "matches", ["server", "state"])
    op.add_column("rating_games", sa.Column("stale_from", sa.Integer))
    op.drop_index("ix_rating_steps_person", _TABLE)
    if op.get_bind().dialect.name == "sqlite":
        _rebuild()
    else:
        op.drop_constraint("pk_rating_steps", _TABLE)
        op.create_primary_key("pk_rating_steps", _TABLE, list(_KEY))
    op.create_index("ix_rating_steps_number", _TABLE, ["game", "number"])


def _rebuild() -> None:
    """Copy the table: SQLite cannot change a primary key."""
    indexes = {
        "ix_rating_steps_match": ["match"],
        "ix_rating_steps_leaders": ["server", "game", "person", "score"],
    }
    for index in indexes:
        op.drop_index(index, _TABLE)
    op.rename_table(_TABLE, "old_rating_steps")
    op.create_table(
        _TABLE,
        sa.Column("person", sa.Text),
        sa.Column("game", sa.Text),
        sa.Column("number", sa.Integer, autoincrement=False),
        sa.Column("match", sa.Integer, nullable=False),
        sa.Column("opponent", sa.Text, nullable=False),
        sa.Column("score", sa.Integer),
        sa.Column("server", sa.Text, nullable=False),
        *(sa.Column(name, sa.BigInteger, nullable=False) for name in _COLUMNS[7:]),
        sa.PrimaryKeyConstraint(*_KEY, name="pk_rating_steps"),
        sa.ForeignKeyConstraint(["match"], ["matches.id"], name="fk_rating_steps_match"),
        sa.ForeignKeyConstraint(["server"], ["servers.server"], name="fk_rating_steps_server"),
        sa.ForeignKeyConstraint(["person"], ["people.account"], name="fk_rating_steps_person"),
        sa.ForeignKeyConstraint(["opponent"], ["people.account"], name="fk_rating_steps_opponent"),
        sqlite_with_rowid=False,
    )
    columns = ", ".join(f'"{name}"' for name in _COLUMNS)
    op.execute(
        f"INSERT INTO {_TABLE} ({columns}) SELECT {columns} FROM old_{_TABLE} ORDER BY person, game, number"  # noqa: S608 - our own names
    )
    op.drop_table("old_rating_steps")
    for index, indexed in indexes.items():
        op.create_index(index, _TABLE, indexed)
