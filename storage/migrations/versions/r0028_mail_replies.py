"""Mails that arrive: remembered for longer than other requests, answered once, or confirmed by a link.

Revision ID: 0028
"""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0028"
down_revision = "0027"

TEXT, TIME = sa.Text(), sa.BigInteger()
ID = sa.BigInteger().with_variant(sa.Integer(), "sqlite")
HOUR = 3_600_000  # milliseconds; so long were all requests remembered
# Of each column the name, the type and whether it may be null.
COLUMNS = (
    ("account", TEXT, False),
    ("address", TEXT, False),
    ("typed", TEXT, False),
    ("words", TEXT, False),
    ("match", TIME, True),
    ("revision", TIME, True),
    ("challenge", TIME, True),
    ("request", TIME, False),
    ("made_at", TIME, False),
    ("expires_at", TIME, False),
    ("confirmed_at", TIME, True),
    ("done_at", TIME, True),
)


def upgrade() -> None:
    """Say of each request until when it is kept; make a column and a table for answers and confirmations."""
    op.drop_index("ix_requests_made_at", "requests")
    op.execute("ALTER TABLE requests RENAME COLUMN made_at TO kept_until")
    op.execute(f"UPDATE requests SET kept_until = kept_until + {HOUR}")  # noqa: S608 - a number of ours
    op.create_index("ix_requests_kept_until", "requests", ["kept_until"])
    op.add_column("letters", sa.Column("request", TIME))
    _create_partial_index("ix_letters_request", "letters", "request", "request IS NOT NULL", unique=True)
    op.create_table(
        "mail_commands",
        sa.Column("id", ID, nullable=False),
        *(sa.Column(name, kind, nullable=nullable) for name, kind, nullable in COLUMNS),
        sa.PrimaryKeyConstraint("id", name="pk_mail_commands"),
        sa.ForeignKeyConstraint(["account"], ["people.account"], name="fk_mail_commands_account"),
    )
    op.create_index("ix_mail_commands_account", "mail_commands", ["account"])
    op.create_index("ix_mail_commands_made_at", "mail_commands", ["made_at"])
    waits = "confirmed_at IS NOT NULL AND done_at IS NULL"
    _create_partial_index("ix_mail_commands_confirmed", "mail_commands", "confirmed_at", waits)


def _create_partial_index(
    name: str, table: str, column: str, condition: str, *, unique: bool = False
) -> None:
    where = sa.text(condition)
    op.create_index(name, table, [column], unique=unique, sqlite_where=where, postgresql_where=where)
