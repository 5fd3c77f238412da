"""The indexes of the tables after the newest migration: ``METADATA`` with them.

Only migrations and tests need them. Their conditions load SQLAlchemy's part for PostgreSQL, 2 MiB, which a
process on SQLite does without.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from sqlalchemy import Index, text

from storage.tables import (
    CHALLENGES,
    CHAPTERS,
    CONDITIONAL_MOVES,
    CORRECTIONS,
    DAILY_PUZZLE_PLACES,
    DAILY_PUZZLE_TRIES,
    DAILY_PUZZLES,
    FOLLOWS,
    GAME_ANALYSES,
    IDENTITIES,
    IS_MISCOUNTED,
    IS_UNCOUNTED,
    IS_UNPACKED,
    LETTERS,
    MAIL_CODES,
    MAIL_COMMANDS,
    MATCHES,
    METADATA,
    MODERATION_LOG,
    OFFERS,
    OLD_HANDLES,
    OPEN_CHANNELS,
    OUTBOX,
    PASSKEYS,
    PEOPLE,
    PUSH_SUBSCRIPTIONS,
    PUZZLE_ATTEMPTS,
    PUZZLE_CHOICES,
    PUZZLE_MAILS,
    PUZZLE_REPORTS,
    PUZZLES,
    RATING_STEPS,
    RATINGS,
    RECORDS,
    REPORTS,
    REQUESTS,
    SERVERS,
    STUDIES,
    THREADS,
    TOURNAMENT_ENTRANTS,
    TOURNAMENT_GAMES,
    TOURNAMENT_LOG,
    TOURNAMENT_WINS,
    TOURNAMENTS,
    VACATIONS,
    WEB_SESSIONS,
)

if TYPE_CHECKING:
    from sqlalchemy import ColumnElement, TextClause

__all__ = ["METADATA"]


def _partial_index(
    name: str, *columns: ColumnElement[Any], where: ColumnElement[bool] | TextClause, unique: bool = False
) -> None:
    """Make an index of the rows for which a condition holds."""
    Index(name, *columns, unique=unique, sqlite_where=where, postgresql_where=where)


_partial_index(
    "ix_people_folded_handle",
    PEOPLE.c.folded_handle,
    unique=True,
    where=PEOPLE.c.folded_handle.is_not(None),
)
_partial_index(
    "ix_people_calendar_key", PEOPLE.c.calendar_key, unique=True, where=PEOPLE.c.calendar_key.is_not(None)
)
_partial_index("ix_people_guests", PEOPLE.c.met_at, where=PEOPLE.c.is_guest.is_(True))
_partial_index("ix_servers_number", SERVERS.c.number, where=SERVERS.c.number.is_(None))
Index("ix_studies_owner", STUDIES.c.owner, STUDIES.c.changed_at)
Index("ix_chapters_owner", CHAPTERS.c.owner)
Index("ix_identities_account", IDENTITIES.c.account)
Index("ix_old_handles_account", OLD_HANDLES.c.account)
Index("ix_records_by", RECORDS.c.by, RECORDS.c.made_at)
Index("ix_challenges_by", CHALLENGES.c.by, CHALLENGES.c.state)
Index("ix_challenges_to", CHALLENGES.c.to, CHALLENGES.c.state)
Index("ix_challenges_state", CHALLENGES.c.state, CHALLENGES.c.expires_at)
_partial_index(
    "ix_challenges_rematch_of", CHALLENGES.c.rematch_of, where=CHALLENGES.c.rematch_of.is_not(None)
)
_partial_index("ix_challenges_standing", CHALLENGES.c.standing, where=CHALLENGES.c.standing.is_not(None))
_partial_index(
    "ix_challenges_lobby",
    CHALLENGES.c.state,
    CHALLENGES.c.id,
    where=text("\"to\" IS NULL AND NOT by_link AND audience IN ('names', 'aliases')"),
)
Index("ix_matches_first", MATCHES.c.first, MATCHES.c.state)
Index("ix_matches_second", MATCHES.c.second, MATCHES.c.state)
Index("ix_matches_server", MATCHES.c.server, MATCHES.c.id)
Index("ix_matches_server_state", MATCHES.c.server, MATCHES.c.state)
Index("ix_matches_place", MATCHES.c.place, MATCHES.c.id)
Index("ix_matches_state", MATCHES.c.state, MATCHES.c.changed_at)
Index("ix_matches_audience", MATCHES.c.server, MATCHES.c.audience, MATCHES.c.state, MATCHES.c.changed_at)
_partial_index(
    "ix_matches_public", MATCHES.c.state, MATCHES.c.changed_at, where=text("audience IN ('names', 'aliases')")
)
_partial_index(
    "ix_matches_ends_at", MATCHES.c.deadline + MATCHES.c.lost, where=MATCHES.c.deadline.is_not(None)
)
_partial_index("ix_matches_remind_at", MATCHES.c.remind_at, where=MATCHES.c.remind_at.is_not(None))
_partial_index("ix_matches_think_at", MATCHES.c.think_at, where=MATCHES.c.think_at.is_not(None))
_partial_index(
    "ix_matches_unpacked",
    MATCHES.c.state,  # else SQLite prefers the index of all matches by state
    MATCHES.c.changed_at,
    where=IS_UNPACKED,
)
_partial_index("ix_matches_uncounted", MATCHES.c.state, MATCHES.c.id, where=IS_UNCOUNTED)
_partial_index("ix_matches_miscounted", MATCHES.c.explored, MATCHES.c.id, where=IS_MISCOUNTED)
_partial_index(
    "ix_outbox_private",
    OUTBOX.c.to,
    OUTBOX.c.match,
    where=OUTBOX.c.sent_at.is_(None) & OUTBOX.c.to.is_not(None),
)
_partial_index("ix_outbox_due", OUTBOX.c.platform, OUTBOX.c.due_at, where=OUTBOX.c.sent_at.is_(None))
Index("ix_outbox_match", OUTBOX.c.match, OUTBOX.c.id)
_partial_index("ix_outbox_request", OUTBOX.c.request, unique=True, where=OUTBOX.c.request.is_not(None))
_partial_index("ix_outbox_challenge", OUTBOX.c.challenge, OUTBOX.c.id, where=OUTBOX.c.challenge.is_not(None))
Index("ix_requests_kept_until", REQUESTS.c.kept_until)
Index("ix_vacations_person", VACATIONS.c.person, VACATIONS.c.began_at)
_partial_index(
    "ix_vacations_under_way", VACATIONS.c.person, unique=True, where=VACATIONS.c.ended_at.is_(None)
)
Index("ix_offers_match", OFFERS.c.match, OFFERS.c.ply)
Index("ix_follows_person", FOLLOWS.c.person)
_partial_index("ix_follows_due_at", FOLLOWS.c.due_at, where=FOLLOWS.c.due_at.is_not(None))
_partial_index(
    "ix_conditional_moves_due_at", CONDITIONAL_MOVES.c.due_at, where=CONDITIONAL_MOVES.c.due_at.is_not(None)
)
Index("ix_ratings_game", RATINGS.c.game, RATINGS.c.rating)
Index("ix_rating_steps_match", RATING_STEPS.c.match)
Index("ix_rating_steps_number", RATING_STEPS.c.game, RATING_STEPS.c.number)
# Covers all that a leaderboard asks of a step: without statistics SQLite prefers the primary key to an index
# that does not, and then reads every step of the game once per person.
Index(
    "ix_rating_steps_leaders",
    RATING_STEPS.c.server,
    RATING_STEPS.c.game,
    RATING_STEPS.c.person,
    RATING_STEPS.c.score,
)
Index("ix_corrections_match", CORRECTIONS.c.match, CORRECTIONS.c.id)
_partial_index("ix_threads_open", THREADS.c.place, where=THREADS.c.archived_at.is_(None))
Index("ix_open_channels_server", OPEN_CHANNELS.c.server)
Index("ix_web_sessions_account", WEB_SESSIONS.c.account, WEB_SESSIONS.c.used_at)
Index("ix_web_sessions_expires_at", WEB_SESSIONS.c.expires_at)
Index("ix_mail_codes_address", MAIL_CODES.c.address, MAIL_CODES.c.made_at)
Index("ix_mail_codes_expires_at", MAIL_CODES.c.expires_at)
_partial_index("ix_mail_codes_account", MAIL_CODES.c.account, where=MAIL_CODES.c.account.is_not(None))
_partial_index("ix_letters_due", LETTERS.c.due_at, where=LETTERS.c.sent_at.is_(None))
Index("ix_letters_address", LETTERS.c.address, LETTERS.c.kind, LETTERS.c.made_at)
Index("ix_letters_made_at", LETTERS.c.made_at)
_partial_index("ix_letters_account", LETTERS.c.account, where=LETTERS.c.account.is_not(None))
_partial_index("ix_letters_request", LETTERS.c.request, unique=True, where=LETTERS.c.request.is_not(None))
Index("ix_mail_commands_account", MAIL_COMMANDS.c.account)
Index("ix_mail_commands_made_at", MAIL_COMMANDS.c.made_at)
_partial_index(
    "ix_mail_commands_confirmed",
    MAIL_COMMANDS.c.confirmed_at,
    where=MAIL_COMMANDS.c.confirmed_at.is_not(None) & MAIL_COMMANDS.c.done_at.is_(None),
)
Index("ix_passkeys_account", PASSKEYS.c.account)
Index("ix_push_subscriptions_account", PUSH_SUBSCRIPTIONS.c.account)
Index("ix_push_subscriptions_session", PUSH_SUBSCRIPTIONS.c.session)
Index("ix_reports_about", REPORTS.c.about, REPORTS.c.id)
Index("ix_reports_by", REPORTS.c.by, REPORTS.c.made_at)
_partial_index("ix_reports_open", REPORTS.c.id, where=REPORTS.c.closed_at.is_(None))
Index("ix_moderation_log_about", MODERATION_LOG.c.about, MODERATION_LOG.c.id)
Index("ix_game_analyses_by", GAME_ANALYSES.c.by, GAME_ANALYSES.c.made_at)
_partial_index(
    "ix_game_analyses_work_at", GAME_ANALYSES.c.work_at, where=GAME_ANALYSES.c.work_at.is_not(None)
)
_partial_index("ix_tournaments_work_at", TOURNAMENTS.c.work_at, where=TOURNAMENTS.c.work_at.is_not(None))
Index("ix_tournaments_state", TOURNAMENTS.c.state, TOURNAMENTS.c.id)
Index("ix_tournaments_by", TOURNAMENTS.c.by, TOURNAMENTS.c.state)
Index("ix_tournament_entrants_tournament", TOURNAMENT_ENTRANTS.c.tournament)
_partial_index(
    "ix_tournament_entrants_account",
    TOURNAMENT_ENTRANTS.c.account,
    TOURNAMENT_ENTRANTS.c.tournament,
    where=TOURNAMENT_ENTRANTS.c.withdrawn.is_(None),
    unique=True,
)
Index("ix_tournament_entrants_person", TOURNAMENT_ENTRANTS.c.account)
Index("ix_tournament_games_tournament", TOURNAMENT_GAMES.c.tournament, TOURNAMENT_GAMES.c.stage)
_partial_index(
    "ix_tournament_games_news_at", TOURNAMENT_GAMES.c.news_at, where=TOURNAMENT_GAMES.c.news_at.is_not(None)
)
_partial_index(
    "ix_tournament_games_assess_at",
    TOURNAMENT_GAMES.c.assess_at,
    where=TOURNAMENT_GAMES.c.assess_at.is_not(None),
)
Index("ix_tournament_games_first", TOURNAMENT_GAMES.c.first)
Index("ix_tournament_games_second", TOURNAMENT_GAMES.c.second)
Index("ix_tournament_log_tournament", TOURNAMENT_LOG.c.tournament, TOURNAMENT_LOG.c.id)
Index("ix_tournament_wins_entrant", TOURNAMENT_WINS.c.entrant)
_partial_index("ix_outbox_tournament", OUTBOX.c.tournament, where=OUTBOX.c.tournament.is_not(None))
Index("ix_puzzles_game", PUZZLES.c.game, PUZZLES.c.is_shipped)
_partial_index("ix_puzzles_match", PUZZLES.c.match, where=PUZZLES.c.match.is_not(None))
Index("ix_puzzle_choices_puzzle", PUZZLE_CHOICES.c.puzzle)
Index("ix_puzzle_attempts_person", PUZZLE_ATTEMPTS.c.person, PUZZLE_ATTEMPTS.c.made_at)
Index("ix_puzzle_reports_person", PUZZLE_REPORTS.c.person, PUZZLE_REPORTS.c.made_at)
_partial_index(
    "ix_puzzle_reports_work_at", PUZZLE_REPORTS.c.work_at, where=PUZZLE_REPORTS.c.work_at.is_not(None)
)
_partial_index("ix_puzzle_mails_next_at", PUZZLE_MAILS.c.next_at, where=PUZZLE_MAILS.c.next_at.is_not(None))
Index("ix_daily_puzzles_puzzle", DAILY_PUZZLES.c.puzzle)
Index("ix_daily_puzzle_places_next_at", DAILY_PUZZLE_PLACES.c.next_at)
Index("ix_daily_puzzle_tries_person", DAILY_PUZZLE_TRIES.c.person)
