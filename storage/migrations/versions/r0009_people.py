"""People's own settings, matches that they follow, reminders, and announcements to one person.

Revision ID: 0009
"""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0009"
down_revision = "0008"

_ID = sa.BigInteger().with_variant(sa.Integer, "sqlite")
_SUBJECT = '(challenge IS NULL) <> (match IS NULL) OR (challenge IS NULL AND "to" IS NOT NULL)'


def upgrade() -> None:
    """Add two tables and five columns; of what is there nobody is reminded before the next turn."""
    op.create_table(
        "preferences",
        sa.Column("account", sa.Text, nullable=False),
        sa.Column("text", sa.Text, nullable=False),
        sa.Column("changed_at", sa.BigInteger, nullable=False),
        sa.PrimaryKeyConstraint("account", name="pk_preferences"),
        sa.ForeignKeyConstraint(["account"], ["people.account"], name="fk_preferences_account"),
    )
    op.create_table(
        "follows",
        sa.Column("match", _ID, nullable=False),
        sa.Column("person", sa.Text, nullable=False),
        sa.Column("interest", sa.Text, nullable=False),
        sa.Column("ply", sa.Integer, nullable=False),
        sa.Column("due_at", sa.BigInteger),
        sa.Column("made_at", sa.BigInteger, nullable=False),
        sa.PrimaryKeyConstraint("match", "person", name="pk_follows"),
        sa.ForeignKeyConstraint(["match"], ["matches.id"], name="fk_follows_match"),
        sa.ForeignKeyConstraint(["person"], ["people.account"], name="fk_follows_person"),
        sqlite_with_rowid=False,
    )
    op.create_index("ix_follows_person", "follows", ["person"])
    _partial_index("ix_follows_due_at", "follows", "due_at")
    op.add_column("matches", sa.Column("remind_at", sa.BigInteger))
    op.add_column("matches", sa.Column("reminded_at", sa.BigInteger))
    op.add_column("matches", sa.Column("waits_since", sa.BigInteger))
    op.add_column("matches", sa.Column("followed", sa.Boolean, nullable=False, server_default=sa.false()))
    _partial_index("ix_matches_remind_at", "matches", "remind_at")
    _address_announcements()


def _partial_index(name: str, table: str, column: str) -> None:
    where = sa.text(f"{column} IS NOT NULL")
    op.create_index(name, table, [column], sqlite_where=where, postgresql_where=where)


def _address_announcements() -> None:
    """Let an announcement be for one person, and then be about no match."""
    with op.batch_alter_table("outbox") as outbox:
        outbox.add_column(sa.Column("to", sa.Text))
        outbox.create_foreign_key("fk_outbox_to", "people", ["to"], ["account"])
        outbox.drop_constraint(op.f("ck_outbox_one_subject"), type_="check")
        outbox.create_check_constraint(op.f("ck_outbox_one_subject"), _SUBJECT)
