"""Stored names that mean what they say: tables, columns, states, kinds and terms.

Revision ID: 0024
"""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0024"
down_revision = "0023"

TABLES = {
    "locks": "seat_keys",
    "sketches": "analysis_lines",
    "bars": "exclusions",
    "logs": "packed_logs",
    "tidied": "cleaned_posts",
    "conditionals": "conditional_moves",
    "analyses": "game_analyses",
}
COLUMNS = {
    ("challenges", "lapses_at"): "expires_at",
    ("challenges", "taken_by"): "accepted_by",
    ("matches", "standing"): "pending_offer",
    ("matches", "foreseen"): "has_conditional_moves",
    ("outbox", "whom"): "recipients",
}
VALUES = (
    ("challenges", "state", "lapsed", "expired"),
    ("matches", "state", "fists", "choosing"),
    ("outbox", "kind", "lapsed", "expired"),
    ("outbox", "kind", "fists", "choosing"),
    ("outbox", "kind", "refused", "offer_declined"),
    ("outbox", "kind", "pause_refused", "pause_declined"),
)
# Every key of terms, in one statement for each table: almost every row has them.
JSON_KEYS = (("challenges", "terms"), ("matches", "terms"), ("server_settings", "text"))
# How names that belong to a table are listed, and how one of them is renamed.
POSTGRESQL_NAMES = (
    (
        "SELECT conname FROM pg_constraint WHERE conrelid = to_regclass(:new)",
        "ALTER TABLE {table} RENAME CONSTRAINT {name}",
    ),
    (
        "SELECT relname FROM pg_class, pg_index WHERE indexrelid = oid AND indrelid = to_regclass(:new)",
        "ALTER INDEX {name} RENAME",
    ),
    (
        "SELECT sequencename FROM pg_sequences WHERE schemaname = current_schema()",
        "ALTER SEQUENCE {name} RENAME",
    ),
)


def upgrade() -> None:
    """Rename tables with their constraints and indexes, then columns, and replace stored values."""
    connection = op.get_bind()
    rename = _rename_on_sqlite if connection.dialect.name == "sqlite" else _rename_on_postgresql
    for old, new in TABLES.items():
        rename(connection, old, new)
    for (table, old), new in COLUMNS.items():
        op.execute(f'ALTER TABLE {table} RENAME COLUMN "{old}" TO "{new}"')
    for table, column, old, new in VALUES:
        op.execute(f"UPDATE {table} SET {column} = '{new}' WHERE {column} = '{old}'")  # noqa: S608
    for table, column in JSON_KEYS:
        # As `json.dumps` writes keys. No value can contain them: quotes in texts are escaped.
        op.execute(
            f"""UPDATE {table} SET {column} = replace(replace({column}, '"pace"\\:', '"time_control"\\:'),"""  # noqa: S608
            f""" '"flag"\\:', '"timeout_rule"\\:') WHERE {column} LIKE '%"pace"\\:%'"""
        )


def _rename_on_sqlite(connection: sa.Connection, old: str, new: str) -> None:
    """Copy a table into one with the new name: SQLite cannot rename constraints and indexes."""
    definitions = connection.execute(
        sa.text("SELECT type, sql FROM sqlite_schema WHERE tbl_name = :old AND sql IS NOT NULL"), {"old": old}
    ).all()
    renamed: dict[str, list[str]] = {"table": [], "index": []}
    for kind, sql in definitions:
        renamed[kind].append(_with_new_name(sql, old, new))
    for sql in renamed["table"]:
        connection.exec_driver_sql(sql)
    connection.exec_driver_sql(f"INSERT INTO {new} SELECT * FROM {old}")  # noqa: S608
    connection.exec_driver_sql(f"DROP TABLE {old}")
    for sql in renamed["index"]:
        connection.exec_driver_sql(sql)


def _with_new_name(sql: str, old: str, new: str) -> str:
    """Return the definition of a table or an index with the new name, also in the names of constraints."""
    for prefix in ("pk", "fk", "uq", "ck", "ix"):
        sql = sql.replace(f"{prefix}_{old}", f"{prefix}_{new}")
    return sql.replace(f"TABLE {old}", f"TABLE {new}").replace(f"ON {old} ", f"ON {new} ")


def _rename_on_postgresql(connection: sa.Connection, old: str, new: str) -> None:
    """Rename a table, then its constraints, the other indexes, and the sequence of its ids."""
    op.rename_table(old, new)
    for listing, renaming in POSTGRESQL_NAMES:
        for name in connection.execute(sa.text(listing), {"new": new}).scalars():
            if name == f"{old}_id_seq" or name[3:].startswith(f"{old}_") or name[3:] == old:
                new_name = name.replace(old, new, 1)
                connection.exec_driver_sql(f"{renaming.format(table=new, name=name)} TO {new_name}")
