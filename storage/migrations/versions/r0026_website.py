"""People who came by the website: names, sign-in by mail, notices, open challenges that stand, moderation.

Revision ID: 0026
"""

from __future__ import annotations

from typing import Any

import sqlalchemy as sa
from alembic import op

revision = "0026"
down_revision = "0025"

TEXT, TIME, COUNT = sa.Text(), sa.BigInteger(), sa.Integer()
ID = sa.BigInteger().with_variant(sa.Integer(), "sqlite")
NEW_COLUMNS = {
    "people": (
        ("handle", TEXT),
        ("folded_handle", TEXT),
        ("handle_at", TIME),
        ("closed_at", TIME),
        ("notices", TEXT),
        ("calendar_key", TEXT),
    ),
    "identities": (("stopped_at", TIME),),
    "challenges": (("note", TEXT), ("within", COUNT), ("games", COUNT), ("standing", TIME)),
}
# Of each column the name, the type and, if there is one, the default; without it the column must not be null.
NEW_TABLES: dict[str, tuple[tuple[Any, ...], ...]] = {
    "old_handles": (("folded", TEXT), ("account", TEXT), ("changed_at", TIME)),
    "mail_codes": (
        ("id", TEXT),
        ("address", TEXT),
        ("account", TEXT, None),
        ("made_at", TIME),
        ("expires_at", TIME),
        ("tries", COUNT, 0),
        ("used_at", TIME, None),
    ),
    "letters": (
        ("id", ID),
        ("kind", TEXT),
        ("address", TEXT),
        ("account", TEXT, None),
        ("details", TEXT),
        ("made_at", TIME),
        ("expires_at", TIME),
        ("due_at", TIME),
        ("attempts", COUNT, 0),
        ("sent_at", TIME, None),
    ),
    "passkeys": (
        ("id", TEXT),
        ("account", TEXT),
        ("public_key", TEXT),
        ("uses", TIME),
        ("device", TEXT),
        ("made_at", TIME),
        ("used_at", TIME, None),
    ),
    "push_subscriptions": (
        ("id", ID),
        ("account", TEXT),
        ("session", TEXT),
        ("endpoint", TEXT),
        ("keys", TEXT),
        ("device", TEXT),
        ("made_at", TIME),
        ("used_at", TIME, None),
    ),
    "installation_keys": (("name", TEXT), ("value", TEXT), ("made_at", TIME)),
    "reports": (
        ("id", ID),
        ("by", TEXT),
        ("about", TEXT),
        ("challenge", TIME, None),
        ("match", TIME, None),
        ("text", TEXT),
        ("note", TEXT, None),
        ("made_at", TIME),
        ("closed_at", TIME, None),
    ),
    "moderation_log": (
        ("id", ID),
        ("by", TEXT),
        ("about", TEXT),
        ("action", TEXT),
        ("reason", TEXT),
        ("report", TIME, None),
        ("made_at", TIME),
        ("seen_at", TIME, None),
    ),
}
PERSONS = {"account", "by", "about"}
UNIQUE = {"push_subscriptions": ("endpoint",)}
INDEXES = (
    ("old_handles", "account"),
    ("mail_codes", "address", "made_at"),
    ("mail_codes", "expires_at"),
    ("letters", "address", "kind", "made_at"),
    ("letters", "made_at"),
    ("passkeys", "account"),
    ("push_subscriptions", "account"),
    ("push_subscriptions", "session"),
    ("reports", "about", "id"),
    ("reports", "by", "made_at"),
    ("moderation_log", "about", "id"),
)
PARTIAL_INDEXES = (
    ("ix_people_folded_handle", "people", ["folded_handle"], "folded_handle IS NOT NULL", True),
    ("ix_people_calendar_key", "people", ["calendar_key"], "calendar_key IS NOT NULL", True),
    ("ix_people_guests", "people", ["met_at"], "is_guest IS {true}", False),
    ("ix_challenges_standing", "challenges", ["standing"], "standing IS NOT NULL", False),
    (
        "ix_challenges_lobby",
        "challenges",
        ["state", "id"],
        "\"to\" IS NULL AND NOT by_link AND audience IN ('names', 'aliases')",
        False,
    ),
    ("ix_mail_codes_account", "mail_codes", ["account"], "account IS NOT NULL", False),
    ("ix_outbox_private", "outbox", ["to", "match"], 'sent_at IS NULL AND "to" IS NOT NULL', False),
    ("ix_letters_due", "letters", ["due_at"], "sent_at IS NULL", False),
    ("ix_letters_account", "letters", ["account"], "account IS NOT NULL", False),
    ("ix_reports_open", "reports", ["id"], "closed_at IS NULL", False),
)


def upgrade() -> None:
    """Add the columns, which are empty for everybody known so far, the tables and the indexes."""
    for table, columns in NEW_COLUMNS.items():
        for name, kind in columns:
            op.add_column(table, sa.Column(name, kind, nullable=True))
    for table, name in (("people", "is_guest"), ("challenges", "by_link")):
        op.add_column(table, sa.Column(name, sa.Boolean(), nullable=False, server_default=sa.false()))
    op.add_column("identities", sa.Column("bounces", sa.Integer(), nullable=False, server_default="0"))
    for new_table, columns in NEW_TABLES.items():
        _create_table(new_table, columns)
    for table, *indexed in INDEXES:
        op.create_index(f"ix_{table}_{indexed[0]}", table, indexed)
    is_sqlite = op.get_bind().dialect.name == "sqlite"
    for name, table, keys, condition, unique in PARTIAL_INDEXES:
        where = sa.text(condition.format(true="1" if is_sqlite else "true"))
        op.create_index(name, table, keys, unique=unique, sqlite_where=where, postgresql_where=where)


def _create_table(table: str, specifications: tuple[tuple[Any, ...], ...]) -> None:
    """Create a table with its keys: the first column is the primary one."""
    columns = [
        sa.Column(
            name,
            kind,
            nullable=default == [None],
            server_default=None if default in ([], [None]) else str(default[0]),
        )
        for name, kind, *default in specifications
    ]
    names = [name for name, *_ in specifications]
    op.create_table(
        table,
        *columns,
        sa.PrimaryKeyConstraint(names[0], name=f"pk_{table}"),
        *(
            sa.ForeignKeyConstraint([name], ["people.account"], name=f"fk_{table}_{name}")
            for name in names
            if name in PERSONS
        ),
        *(sa.UniqueConstraint(name, name=f"uq_{table}_{name}") for name in UNIQUE.get(table, ())),
    )
