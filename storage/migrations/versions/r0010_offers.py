"""Offers of every kind as rows of their own, moves taken back, and rematches.

Revision ID: 0010
"""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

import sqlalchemy as sa
from alembic import op

if TYPE_CHECKING:
    from collections.abc import Iterable

revision = "0010"
down_revision = "0009"

_ID = sa.BigInteger().with_variant(sa.Integer, "sqlite")
_ANSWERS = {"refused": "declined", "agreed": "accepted"}


def upgrade() -> None:
    """Make the tables, and rows for the offers that were made already."""
    _offers()
    _takebacks()
    rematch = sa.text("rematch_of IS NOT NULL")
    op.add_column("challenges", sa.Column("rematch_of", sa.BigInteger))
    op.create_index(
        "ix_challenges_rematch_of",
        "challenges",
        ["rematch_of"],
        sqlite_where=rematch,
        postgresql_where=rematch,
    )
    op.add_column("matches", sa.Column("standing", sa.BigInteger))
    for table in ("matches", "outbox"):
        op.add_column(table, sa.Column("takebacks", sa.Integer, nullable=False, server_default="0"))
    _carry_over(op.get_bind())
    with op.batch_alter_table("matches") as matches:
        matches.drop_column("offer")
        matches.drop_column("offer_declined")


def _offers() -> None:
    op.create_table(
        "offers",
        sa.Column("id", _ID),
        sa.Column("match", _ID, nullable=False),
        sa.Column("kind", sa.Text, nullable=False),
        sa.Column("by", sa.Text, nullable=False),
        sa.Column("ply", sa.Integer, nullable=False),
        sa.Column("takebacks", sa.Integer, nullable=False),
        sa.Column("made_at", sa.BigInteger, nullable=False),
        sa.Column("answer", sa.Text),
        sa.Column("answered_at", sa.BigInteger),
        sa.PrimaryKeyConstraint("id", name="pk_offers"),
        sa.ForeignKeyConstraint(["match"], ["matches.id"], name="fk_offers_match"),
        sa.ForeignKeyConstraint(["by"], ["people.account"], name="fk_offers_by"),
    )
    op.create_index("ix_offers_match", "offers", ["match", "ply"])


def _takebacks() -> None:
    op.create_table(
        "takebacks",
        sa.Column("match", _ID),
        sa.Column("number", sa.Integer, autoincrement=False),
        sa.Column("ply", sa.Integer, nullable=False),
        sa.Column("by", sa.Text, nullable=False),
        sa.Column("made_at", sa.BigInteger, nullable=False),
        sa.PrimaryKeyConstraint("match", "number", name="pk_takebacks"),
        sa.ForeignKeyConstraint(["match"], ["matches.id"], name="fk_takebacks_match"),
        sa.ForeignKeyConstraint(["by"], ["people.account"], name="fk_takebacks_by"),
        sqlite_with_rowid=False,
    )
    op.create_table(
        "taken_moves",
        sa.Column("match", _ID),
        sa.Column("takeback", sa.Integer, autoincrement=False),
        sa.Column("ply", sa.Integer, autoincrement=False),
        sa.Column("turn", sa.Integer, nullable=False),
        sa.Column("side", sa.Text, nullable=False),
        sa.Column("person", sa.Text, nullable=False),
        sa.Column("text", sa.Text, nullable=False),
        sa.Column("position", sa.Text, nullable=False),
        sa.Column("played_at", sa.BigInteger, nullable=False),
        sa.PrimaryKeyConstraint("match", "takeback", "ply", name="pk_taken_moves"),
        sa.ForeignKeyConstraint(["match"], ["matches.id"], name="fk_taken_moves_match"),
        sa.ForeignKeyConstraint(["person"], ["people.account"], name="fk_taken_moves_person"),
        sqlite_with_rowid=False,
    )


def _carry_over(connection: sa.Connection) -> None:
    """Write a row for each offer that was announced, and its number beside what tells of it."""
    outbox = sa.table("outbox", *map(sa.column, ("id", "kind", "match", "ply", "by", "made_at", "details")))
    told = sa.select(outbox).where(outbox.c.kind.in_(["offered", *_ANSWERS])).order_by(outbox.c.id)
    for match, number in _rows(connection, connection.execute(told).mappings().all()):
        where = "id = :match AND offer IS NOT NULL AND NOT offer_declined"
        stands = f"UPDATE matches SET standing = :number WHERE {where}"  # noqa: S608 - two fixed parts
        connection.execute(sa.text(stands), {"number": number, "match": match})


def _rows(connection: sa.Connection, told: Iterable[Any]) -> Iterable[tuple[int, int]]:
    """Write the rows; give each match with the number of its last offer."""
    last: dict[int, int] = {}
    for one in told:
        match, kind = one["match"], one["kind"]
        if kind == "offered":
            last[match] = _insert(connection, one)
        elif match in last:
            answer = "UPDATE offers SET answer = :answer, answered_at = :at WHERE id = :id"
            values = {"answer": _ANSWERS[kind], "at": one["made_at"], "id": last[match]}
            connection.execute(sa.text(answer), values)
        if match in last:
            details = json.dumps({"offer": last[match], "what": "end"})
            values = {"details": details, "id": one["id"]}
            connection.execute(sa.text("UPDATE outbox SET details = :details WHERE id = :id"), values)
    return last.items()


def _insert(connection: sa.Connection, offered: Any) -> int:
    columns = ("match", "kind", "by", "ply", "takebacks", "made_at")
    offers = sa.table("offers", sa.column("id"), *map(sa.column, columns))
    values = {
        "kind": "end",
        "takebacks": 0,
        **{name: offered[name] for name in ("match", "by", "ply", "made_at")},
    }
    made = sa.insert(offers).values(**values).returning(offers.c.id)
    number: int = connection.execute(made).scalar_one()
    return number
