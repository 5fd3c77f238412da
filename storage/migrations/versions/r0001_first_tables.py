"""People, servers, challenges, picks, matches, moves and what is to be announced.

Revision ID: 0001
"""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0001"
down_revision = None

_ID = sa.BigInteger().with_variant(sa.Integer, "sqlite")


def upgrade() -> None:
    """Make all tables."""
    _people()
    _challenges()
    _matches()
    _log()
    _outbox()


def _people() -> None:
    op.create_table(
        "people",
        sa.Column("account", sa.Text),
        sa.Column("name", sa.Text, nullable=False),
        sa.Column("met_at", sa.BigInteger, nullable=False),
        sa.PrimaryKeyConstraint("account", name="pk_people"),
    )
    op.create_table(
        "servers",
        sa.Column("server", sa.Text),
        sa.Column("met_at", sa.BigInteger, nullable=False),
        sa.PrimaryKeyConstraint("server", name="pk_servers"),
    )


def _challenges() -> None:
    op.create_table(
        "challenges",
        sa.Column("id", _ID),
        sa.Column("by", sa.Text, nullable=False),
        sa.Column("to", sa.Text),
        sa.Column("server", sa.Text, nullable=False),
        sa.Column("place", sa.Text, nullable=False),
        sa.Column("game", sa.Text, nullable=False),
        sa.Column("options", sa.Text, nullable=False),
        sa.Column("colour", sa.Text),
        sa.Column("state", sa.Text, nullable=False),
        sa.Column("taken_by", sa.Text),
        sa.Column("made_at", sa.BigInteger, nullable=False),
        sa.Column("lapses_at", sa.BigInteger, nullable=False),
        sa.Column("closed_at", sa.BigInteger),
        sa.PrimaryKeyConstraint("id", name="pk_challenges"),
        sa.ForeignKeyConstraint(["server"], ["servers.server"], name="fk_challenges_server"),
        *_people_keys("challenges", "by", "to", "taken_by"),
    )
    op.create_index("ix_challenges_by", "challenges", ["by", "state"])
    op.create_index("ix_challenges_to", "challenges", ["to", "state"])
    op.create_index("ix_challenges_state", "challenges", ["state", "lapses_at"])


def _matches() -> None:
    op.create_table(
        "matches",
        sa.Column("id", _ID),
        sa.Column("challenge", _ID),
        sa.Column("server", sa.Text, nullable=False),
        sa.Column("place", sa.Text, nullable=False),
        sa.Column("game", sa.Text, nullable=False),
        sa.Column("rules_version", sa.Integer, nullable=False),
        sa.Column("options", sa.Text, nullable=False),
        sa.Column("state", sa.Text, nullable=False),
        sa.Column("first", sa.Text, nullable=False),
        sa.Column("second", sa.Text, nullable=False),
        sa.Column("ply", sa.Integer, nullable=False, server_default="0"),
        sa.Column("turn", sa.Integer, nullable=False, server_default="1"),
        sa.Column("turn_ply", sa.Integer, nullable=False, server_default="0"),
        sa.Column("position", sa.Text),
        sa.Column("mover", sa.Text),
        sa.Column("offer", sa.Text),
        sa.Column("offer_declined", sa.Boolean, nullable=False, server_default=sa.false()),
        sa.Column("outcome", sa.Text),
        sa.Column("reason", sa.Text),
        sa.Column("made_at", sa.BigInteger, nullable=False),
        sa.Column("changed_at", sa.BigInteger, nullable=False),
        sa.PrimaryKeyConstraint("id", name="pk_matches"),
        sa.ForeignKeyConstraint(["challenge"], ["challenges.id"], name="fk_matches_challenge"),
        sa.ForeignKeyConstraint(["server"], ["servers.server"], name="fk_matches_server"),
        sa.UniqueConstraint("challenge", name="uq_matches_challenge"),
        *_people_keys("matches", "first", "second", "mover", "offer"),
        sa.CheckConstraint("first <> second", name=op.f("ck_matches_two_people")),
        sa.CheckConstraint("turn_ply <= ply", name=op.f("ck_matches_turn_began")),
    )
    op.create_index("ix_matches_first", "matches", ["first", "state"])
    op.create_index("ix_matches_second", "matches", ["second", "state"])


def _log() -> None:
    op.create_table(
        "picks",
        sa.Column("match", _ID),
        sa.Column("person", sa.Text),
        sa.Column("pick", sa.Text, nullable=False),
        sa.Column("picked_at", sa.BigInteger, nullable=False),
        sa.PrimaryKeyConstraint("match", "person", name="pk_picks"),
        sa.ForeignKeyConstraint(["match"], ["matches.id"], name="fk_picks_match"),
        *_people_keys("picks", "person"),
        sqlite_with_rowid=False,
    )
    op.create_table(
        "moves",
        sa.Column("match", _ID),
        sa.Column("ply", sa.Integer, autoincrement=False),
        sa.Column("turn", sa.Integer, nullable=False),
        sa.Column("side", sa.Text, nullable=False),
        sa.Column("person", sa.Text, nullable=False),
        sa.Column("text", sa.Text, nullable=False),
        sa.Column("position", sa.Text, nullable=False),
        sa.Column("played_at", sa.BigInteger, nullable=False),
        sa.PrimaryKeyConstraint("match", "ply", name="pk_moves"),
        sa.ForeignKeyConstraint(["match"], ["matches.id"], name="fk_moves_match"),
        *_people_keys("moves", "person"),
        sqlite_with_rowid=False,
    )


def _outbox() -> None:
    op.create_table(
        "outbox",
        sa.Column("id", _ID),
        sa.Column("kind", sa.Text, nullable=False),
        sa.Column("challenge", _ID),
        sa.Column("match", _ID),
        sa.Column("ply", sa.Integer, nullable=False),
        sa.Column("first_ply", sa.Integer),
        sa.Column("by", sa.Text, nullable=False),
        sa.Column("whom", sa.Text, nullable=False),
        sa.Column("server", sa.Text, nullable=False),
        sa.Column("place", sa.Text, nullable=False),
        sa.Column("made_at", sa.BigInteger, nullable=False),
        sa.Column("due_at", sa.BigInteger, nullable=False),
        sa.Column("attempts", sa.Integer, nullable=False, server_default="0"),
        sa.Column("sent_at", sa.BigInteger),
        sa.Column("post", sa.Text),
        sa.PrimaryKeyConstraint("id", name="pk_outbox"),
        sa.ForeignKeyConstraint(["challenge"], ["challenges.id"], name="fk_outbox_challenge"),
        sa.ForeignKeyConstraint(["match"], ["matches.id"], name="fk_outbox_match"),
        *_people_keys("outbox", "by"),
        sa.CheckConstraint("(challenge IS NULL) <> (match IS NULL)", name=op.f("ck_outbox_one_subject")),
    )
    unsent, challenged = sa.text("sent_at IS NULL"), sa.text("challenge IS NOT NULL")
    op.create_index("ix_outbox_due", "outbox", ["due_at"], sqlite_where=unsent, postgresql_where=unsent)
    op.create_index("ix_outbox_match", "outbox", ["match", "id"])
    op.create_index(
        "ix_outbox_challenge",
        "outbox",
        ["challenge", "id"],
        sqlite_where=challenged,
        postgresql_where=challenged,
    )


def _people_keys(table: str, *columns: str) -> list[sa.ForeignKeyConstraint]:
    return [
        sa.ForeignKeyConstraint([column], ["people.account"], name=f"fk_{table}_{column}")
        for column in columns
    ]
