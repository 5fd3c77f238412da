"""Tournaments, their entrants, stages, games and log; announcements about a tournament.

Revision ID: 0031
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import sqlalchemy as sa
from alembic import op

if TYPE_CHECKING:
    from collections.abc import Sequence

    from sqlalchemy.types import TypeEngine

revision = "0031"
down_revision = "0030"

TEXT, TIME, NUMBER, FLAG = sa.Text(), sa.BigInteger(), sa.Integer(), sa.Boolean()
ID = sa.BigInteger().with_variant(sa.Integer(), "sqlite")
SUBJECT = (
    "(challenge IS NULL) <> (match IS NULL)"
    ' OR (challenge IS NULL AND ("to" IS NOT NULL OR tournament IS NOT NULL))'
)
PERSON, SERVER, MATCH = ("people", "account"), ("servers", "server"), ("matches", "id")
TOURNAMENT, ENTRANT = ("tournaments", "id"), ("tournament_entrants", "id")

# Of each column the name, the type, and whether it may be null, or its default.
TOURNAMENTS = (
    ("id", ID, False),
    ("by", TEXT, False),
    ("server", TEXT, False),
    ("place", TEXT, False),
    ("name", TEXT, False),
    ("kind", TEXT, False),
    ("state", TEXT, False),
    ("settings", TEXT, False),
    ("made_at", TIME, False),
    ("starts_at", TIME, False),
    ("ended_at", TIME, True),
    ("rounds", NUMBER, True),
    ("draw", TIME, True),
    ("work_at", TIME, True),
)
ENTRANTS = (
    ("id", ID, False),
    ("tournament", ID, False),
    ("account", TEXT, False),
    ("joined_at", TIME, False),
    ("from_stage", NUMBER, "1"),
    ("seed", NUMBER, True),
    ("rating", NUMBER, True),
    ("rank", NUMBER, True),
    ("absences", NUMBER, "0"),
    ("idle_since", TIME, True),
    ("is_registered", FLAG, sa.true()),
    ("was_warned", FLAG, sa.false()),
    ("withdrawn", TEXT, True),
    ("withdrawn_in", NUMBER, True),
    ("withdrawn_at", TIME, True),
)
STAGES = (
    ("tournament", ID, False),
    ("number", NUMBER, False),
    ("state", TEXT, False),
    ("starts_at", TIME, False),
    ("ends_at", TIME, False),
    ("ended_at", TIME, True),
    ("groups", TEXT, False),
    ("rules", TEXT, False),
)
GAMES = (
    ("id", ID, False),
    ("tournament", ID, False),
    ("stage", NUMBER, False),
    ("division", NUMBER, False),
    ("round", NUMBER, False),
    ("number", NUMBER, False),
    ("setup", NUMBER, False),
    ("first", ID, False),
    ("second", ID, True),
    ("state", TEXT, False),
    ("first_points", NUMBER, True),
    ("second_points", NUMBER, True),
    ("decision", TEXT, True),
    ("match", ID, True),
    ("opened_at", TIME, True),
    ("ended_at", TIME, True),
    ("ends_at", TIME, True),
    ("answer_by", TIME, True),
    ("first_moved_at", TIME, True),
    ("second_moved_at", TIME, True),
    ("warnings", NUMBER, "0"),
    ("news_at", TIME, True),
    ("assess_at", TIME, True),
    ("chances", NUMBER, True),
)
LOG = (
    ("id", ID, False),
    ("tournament", ID, False),
    ("made_at", TIME, False),
    ("act", TEXT, False),
    ("by", TEXT, True),
    ("about", TEXT, True),
    ("reason", TEXT, False),
    ("details", TEXT, True),
)
WINS = (
    ("tournament", ID, False),
    ("stage", NUMBER, False),
    ("entrant", ID, False),
    ("won_at", TIME, False),
)


def upgrade() -> None:
    """Create the tables; let an announcement be about a tournament."""
    _create("tournaments", TOURNAMENTS, {"by": PERSON, "server": SERVER})
    _create("tournament_entrants", ENTRANTS, {"tournament": TOURNAMENT, "account": PERSON})
    _create("tournament_stages", STAGES, {"tournament": TOURNAMENT}, key=("tournament", "number"))
    references = {"tournament": TOURNAMENT, "first": ENTRANT, "second": ENTRANT, "match": MATCH}
    unique = sa.UniqueConstraint("match", name="uq_tournament_games_match")
    _create("tournament_games", GAMES, references, unique)
    _create("tournament_log", LOG, {"tournament": TOURNAMENT, "by": PERSON, "about": PERSON})
    references = {"tournament": TOURNAMENT, "entrant": ENTRANT}
    _create("tournament_wins", WINS, references, key=("tournament", "stage", "entrant"))
    _create_indexes()
    with op.batch_alter_table("outbox", reflect_kwargs={"resolve_fks": False}) as outbox:
        outbox.add_column(sa.Column("tournament", ID))
        outbox.create_foreign_key("fk_outbox_tournament", "tournaments", ["tournament"], ["id"])
        outbox.drop_constraint(op.f("ck_outbox_one_subject"), type_="check")
        outbox.create_check_constraint(op.f("ck_outbox_one_subject"), SUBJECT)
    _create_partial_index("ix_outbox_tournament", "outbox", ["tournament"], "tournament IS NOT NULL")


def _create(
    table: str,
    columns: Sequence[tuple[str, TypeEngine[Any], Any]],
    references: dict[str, tuple[str, str]],
    *constraints: sa.UniqueConstraint,
    key: Sequence[str] = ("id",),
) -> None:
    op.create_table(
        table,
        *(_column(*column) for column in columns),
        sa.PrimaryKeyConstraint(*key, name=f"pk_{table}"),
        *(
            sa.ForeignKeyConstraint([name], [".".join(target)], name=f"fk_{table}_{name}")
            for name, target in references.items()
        ),
        *constraints,
        sqlite_with_rowid=key == ("id",),
    )


def _column(name: str, kind: TypeEngine[Any], rest: Any) -> sa.Column[Any]:
    if isinstance(rest, bool):
        return sa.Column(name, kind, nullable=rest)
    return sa.Column(name, kind, nullable=False, server_default=rest)


def _create_indexes() -> None:
    _create_partial_index("ix_tournaments_work_at", "tournaments", ["work_at"], "work_at IS NOT NULL")
    op.create_index("ix_tournaments_state", "tournaments", ["state", "id"])
    op.create_index("ix_tournaments_by", "tournaments", ["by", "state"])
    op.create_index("ix_tournament_entrants_tournament", "tournament_entrants", ["tournament"])
    plays = ("ix_tournament_entrants_account", "tournament_entrants", ["account", "tournament"])
    _create_partial_index(*plays, "withdrawn IS NULL", unique=True)
    op.create_index("ix_tournament_entrants_person", "tournament_entrants", ["account"])
    op.create_index("ix_tournament_games_tournament", "tournament_games", ["tournament", "stage"])
    for name in ("news_at", "assess_at"):
        _create_partial_index(
            f"ix_tournament_games_{name}", "tournament_games", [name], f"{name} IS NOT NULL"
        )
    for name in ("first", "second"):
        op.create_index(f"ix_tournament_games_{name}", "tournament_games", [name])
    op.create_index("ix_tournament_log_tournament", "tournament_log", ["tournament", "id"])
    op.create_index("ix_tournament_wins_entrant", "tournament_wins", ["entrant"])


def _create_partial_index(
    name: str, table: str, columns: Sequence[str], condition: str, *, unique: bool = False
) -> None:
    where = sa.text(condition)
    op.create_index(name, table, list(columns), unique=unique, sqlite_where=where, postgresql_where=where)
