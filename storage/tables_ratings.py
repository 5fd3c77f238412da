"""The tables of ratings; see :mod:`storage.ratings` for what they mean."""

from __future__ import annotations

from sqlalchemy import BigInteger, Column, ForeignKey, Index, Integer, Table, Text

from storage.tables import METADATA

RATING_GAMES = Table(
    "rating_games",
    METADATA,
    Column("game", Text, primary_key=True),
    Column("last", Integer, nullable=False),
    sqlite_with_rowid=False,
)

RATINGS = Table(
    "ratings",
    METADATA,
    Column("person", ForeignKey("people.account"), primary_key=True),
    Column("game", Text, primary_key=True),
    Column("rating", BigInteger, nullable=False),
    Column("deviation", BigInteger, nullable=False),
    Column("volatility", BigInteger, nullable=False),
    Column("rated_at", BigInteger, nullable=False),
    Column("played", Integer, nullable=False),
    Column("settled_until", BigInteger, nullable=False),
    sqlite_with_rowid=False,
)
Index("ix_ratings_game", RATINGS.c.game, RATINGS.c.rating)

RATING_STEPS = Table(
    "rating_steps",
    METADATA,
    Column("game", Text, primary_key=True),
    Column("number", Integer, primary_key=True, autoincrement=False),
    Column("person", ForeignKey("people.account"), primary_key=True),
    Column("match", ForeignKey("matches.id"), nullable=False),
    Column("opponent", ForeignKey("people.account"), nullable=False),
    Column("score", Integer),
    Column("server", ForeignKey("servers.server"), nullable=False),
    Column("made_at", BigInteger, nullable=False),
    Column("rating", BigInteger, nullable=False),
    Column("deviation", BigInteger, nullable=False),
    Column("volatility", BigInteger, nullable=False),
    sqlite_with_rowid=False,
)
Index("ix_rating_steps_match", RATING_STEPS.c.match)
Index("ix_rating_steps_person", RATING_STEPS.c.person, RATING_STEPS.c.game, RATING_STEPS.c.number)
Index("ix_rating_steps_server", RATING_STEPS.c.server, RATING_STEPS.c.game, RATING_STEPS.c.person)
