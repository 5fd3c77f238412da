"""Settings of servers, threads of matches, who is kept out or blocked, and corrected results.

Revision ID: 0007
"""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0007"
down_revision = "0006"

_ID = sa.BigInteger().with_variant(sa.Integer, "sqlite")


def upgrade() -> None:
    """Add six tables."""
    op.create_table(
        "server_settings",
        sa.Column("server", sa.Text, nullable=False),
        sa.Column("text", sa.Text, nullable=False),
        sa.Column("by", sa.Text, nullable=False),
        sa.Column("changed_at", sa.BigInteger, nullable=False),
        sa.PrimaryKeyConstraint("server", name="pk_server_settings"),
        *_keys("server_settings", server="servers.server", by="people.account"),
    )
    _blocks()
    _corrections()
    _threads()


def _blocks() -> None:
    op.create_table(
        "bars",
        sa.Column("server", sa.Text, nullable=False),
        sa.Column("person", sa.Text, nullable=False),
        sa.Column("by", sa.Text, nullable=False),
        sa.Column("made_at", sa.BigInteger, nullable=False),
        sa.PrimaryKeyConstraint("server", "person", name="pk_bars"),
        *_keys("bars", server="servers.server", person="people.account", by="people.account"),
        sqlite_with_rowid=False,
    )
    op.create_table(
        "blocks",
        sa.Column("person", sa.Text, nullable=False),
        sa.Column("blocked", sa.Text, nullable=False),
        sa.Column("made_at", sa.BigInteger, nullable=False),
        sa.PrimaryKeyConstraint("person", "blocked", name="pk_blocks"),
        *_keys("blocks", person="people.account", blocked="people.account"),
        sqlite_with_rowid=False,
    )


def _corrections() -> None:
    op.create_table(
        "corrections",
        sa.Column("id", _ID),
        sa.Column("match", _ID, nullable=False),
        sa.Column("by", sa.Text, nullable=False),
        sa.Column("text", sa.Text, nullable=False),
        sa.Column("old_outcome", sa.Text),
        sa.Column("old_reason", sa.Text, nullable=False),
        sa.Column("outcome", sa.Text),
        sa.Column("reason", sa.Text, nullable=False),
        sa.Column("made_at", sa.BigInteger, nullable=False),
        sa.PrimaryKeyConstraint("id", name="pk_corrections"),
        *_keys("corrections", match="matches.id", by="people.account"),
    )
    op.create_index("ix_corrections_match", "corrections", ["match", "id"])


def _threads() -> None:
    op.create_table(
        "threads",
        sa.Column("place", sa.Text, nullable=False),
        sa.Column("server", sa.Text, nullable=False),
        sa.Column("parent", sa.Text, nullable=False),
        sa.Column("opened_at", sa.BigInteger, nullable=False),
        sa.Column("archived_at", sa.BigInteger),
        sa.PrimaryKeyConstraint("place", name="pk_threads"),
        *_keys("threads", server="servers.server"),
    )
    still = sa.text("archived_at IS NULL")
    op.create_index("ix_threads_open", "threads", ["place"], sqlite_where=still, postgresql_where=still)
    op.create_table(
        "tidied",
        sa.Column("match", _ID, nullable=False),
        sa.Column("announcement", sa.BigInteger, nullable=False),
        sa.PrimaryKeyConstraint("match", name="pk_tidied"),
        *_keys("tidied", match="matches.id"),
    )


def _keys(table: str, **columns: str) -> list[sa.ForeignKeyConstraint]:
    return [
        sa.ForeignKeyConstraint([column], [target], name=f"fk_{table}_{column}")
        for column, target in columns.items()
    ]
