"""The sections of an export: which rows of which table, and what their columns are called there."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Section:
    """The rows of `table` in which one of the columns `owners` is the person, as a list of JSON objects.

    `fields` are pairs of the name in the export and the column. A column that ends in ``_at`` is a time, one
    in ACCOUNT_COLUMNS a person, one in JSON_COLUMNS is JSON in its row.
    """

    key: str
    table: str
    owners: tuple[str, ...]
    fields: tuple[tuple[str, str], ...]


def _section(key: str, table: str, owners: str, fields: str) -> Section:
    """Return a section; each field is a column, or ``name=column``."""
    pairs = (field.partition("=") for field in fields.split())
    named = tuple((name, column or name) for name, _, column in pairs)
    return Section(key, table, tuple(owners.split()), named)


SECTIONS = (
    _section(
        "person",
        "people",
        "account",
        "account name public_name=alias website_name=handle named_at=handle_at first_seen_at=met_at"
        " closed_at notices discord_language=locale",
    ),
    _section("former_names", "old_handles", "account", "name=folded changed_at"),
    _section(
        "addresses",
        "identities",
        "account",
        "platform address added_at=made_at confirmed_at bounces stopped_at",
    ),
    _section("codes", "mail_codes", "account", "address asked_at=made_at expires_at tries used_at"),
    _section("mails", "letters", "account", "kind address made_at sent_at"),
    _section(
        "mail_commands",
        "mail_commands",
        "account",
        "address typed match challenge puzzle made_at expires_at confirmed_at done_at",
    ),
    _section("passkeys", "passkeys", "account", "device made_at used_at"),
    _section("push", "push_subscriptions", "account", "endpoint device made_at used_at"),
    _section("reports", "reports", "by", "id by challenge match study text made_at closed_at"),
    _section("reports_about_you", "reports", "about", "id made_at closed_at"),
    _section(
        "moderation_of_you", "moderation_log", "about", "action reason made_at seen_at study study_name"
    ),
    _section("moderation_done", "moderation_log", "by", "about action reason made_at"),
    _section("preferences", "preferences", "account", "settings=text changed_at"),
    _section("notes", "notes", "person", "match text changed_at"),
    _section("analysis_lines", "analysis_lines", "person", "text saved_at=made_at"),
    _section("conditional_moves", "conditional_moves", "person", "match ply position tree lost changed_at"),
    _section("watched_matches", "follows", "person", "match how=interest since_at=made_at"),
    _section("blocked_players", "blocks", "person", "player=blocked since_at=made_at"),
    _section("exclusions", "exclusions", "person", "server since_at=made_at"),
    _section("vacations", "vacations", "person", "began_at latest_end_at=ends_at ended_at"),
    _section("imported_records", "records", "by", "id server game text imported_at=made_at"),
    _section(
        "challenges",
        "challenges",
        "by to accepted_by",
        "id by to accepted_by server channel=place game options terms side=colour state made_at"
        " expires_at closed_at rematch_of note",
    ),
    _section(
        "matches",
        "matches",
        "first second",
        "id server channel=place game rules_version options terms state first second outcome reason"
        " began_at=made_at changed_at",
    ),
    _section("picks", "picks", "person", "match pick picked_at"),
    _section("moves", "moves", "person", "match ply move=text played_at"),
    _section("undone_moves", "taken_moves", "person", "match takeback ply move=text played_at"),
    _section("takebacks", "takebacks", "by", "match number ply made_at"),
    _section("offers", "offers", "by", "match kind ply made_at answer answered_at"),
    _section("ratings", "ratings", "person", "game rating deviation volatility matches=played rated_at"),
    _section(
        "rating_steps",
        "rating_steps",
        "person",
        "game number match opponent score server made_at rating deviation volatility",
    ),
    _section("revoked_links", "seat_keys", "person", "match times=number"),
    _section("announcements", "outbox", "by to", "kind challenge match by to made_at sent_at post"),
    _section("settings_changed", "server_settings", "by", "server changed_at"),
    _section("exclusions_made", "exclusions", "by", "server since_at=made_at"),
    _section("corrections_made", "corrections", "by", "match reason=text outcome made_at"),
    _section("tournaments", "tournament_entrants", "account", "tournament joined_at rating withdrawn"),
    _section("organised", "tournaments", "by", "id name kind state made_at ended_at"),
    _section("tournament_log", "tournament_log", "by about", "tournament act by about reason made_at"),
    _section("puzzles", "puzzle_attempts", "person", "puzzle is_solved rating_before rating_after made_at"),
    _section(
        "puzzle_ratings",
        "puzzle_ratings",
        "person",
        "game rating deviation volatility solved failed rated_at",
    ),
    _section("puzzle_reports", "puzzle_reports", "person", "puzzle turns made_at"),
    _section(
        "puzzle_mails",
        "puzzle_mails",
        "person",
        "minute next_at last_day=day unanswered asked_on asked mailed",
    ),
    _section("daily_puzzles_set", "daily_puzzle_places", "by", "server place time_zone=zone minute"),
    _section("daily_puzzles", "daily_puzzle_tries", "person", "server day name"),
    _section("studies", "studies", "owner", "id=key name audience changed_at hidden_at"),
    _section("chapters", "chapters", "owner", "study number name game match board=state changed_at"),
    _section("requested_analyses", "game_analyses", "by", "match record requested_at=made_at"),
    _section("sign_ins", "web_sessions", "account", "device signed_in_at=made_at used_at expires_at"),
    _section("discord_servers", "web_grants", "account", "servers read_at"),
    _section("erasure", "erasures", "account", "asked_at"),
)

ACCOUNT_COLUMNS = frozenset({"by", "to", "accepted_by", "first", "second", "opponent", "blocked", "about"})
JSON_COLUMNS = frozenset(
    {
        *("preferences.text", "conditional_moves.tree", "people.notices"),
        "web_grants.servers",
        *("challenges.options", "challenges.terms", "matches.options", "matches.terms"),
    }
)
