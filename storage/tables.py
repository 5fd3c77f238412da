"""The tables after the newest migration; all values are texts and whole numbers.

Their indexes are in `storage/indexes.py`.

Times are milliseconds since 1970-01-01 UTC. Accounts, servers, channels (`place`) and posts are opaque texts.
`options`, `terms`, `recipients` and `details` hold JSON. Which values a state or a kind may have
is defined in `matches`.

Of a match, `base` is the initial position if the options do not determine it, `turn_ply` the ply of the last
complete turn, `takebacks` the number of takebacks, `followed` whether anyone follows it, `think_at` from when
on a worker may take what the computer owes, None if it owes nothing. `lost` is the time that was given back
after outages, in milliseconds: deadlines are in wall time minus it. `packed` says that it is over and nothing
is left to pack: its log is one row of "packed_logs", with no row in "moves". Its announcements are deleted
then, and `post` is the latest post that shows its board; its challenge is deleted too, unless it was to a
rematch, from a record, or with a simultaneous choice. `explored` is what the opening explorer has counted of
it (`matches/explorer/values.py`), NULL if it has not looked at it.

Of matches and challenges, `audience` says who may see them on the website (`matches/audience.py`). A
person's `alias` is the name for public pages: empty for none, NULL for the own name. The `handle` is the
unique name that a person has chosen on the website, `folded_handle` what is compared of it; `is_guest` marks
somebody who has only played the computer there, `closed_at` when moderators closed the account. `notices` is
the person's choice of how to be told, NULL for the default; `calendar_key` the secret in the address of their
calendar.

Of a challenge, `within` is the largest difference of ratings, in points, and `note` a text for the addressee.
One `by_link` is shown to nobody who does not know its link. One with `games` stands: it stays open while
fewer than so many of its games are being played; `standing` is the challenge that another one came from.

Of what moderators do, `seen_at` says when the person concerned confirmed a warning.

Of an identity, `bounces` is a score of mails that came back, `bounce_times` is when, as JSON, and
`stopped_at` says since when none are sent there.

Of records and analysis lines, `digest` is a fingerprint of `text`; the `position` of a record is its last.
"seat_keys" holds the generations of seat keys, "cleaned_posts" for each match the announcement up to which
outdated posts were edited. A server's `left_at` is when it was
first seen to be without the bot, NULL while the bot is there; its `number` says to which shard it belongs
(`storage/match/clocks.py`). `storage/people/personal_data.py` lists the columns that hold something about a
person.

Of a session on the website, `id` is the SHA-256 hash of the secret in its cookie, and `device` a few words
about the browser. "web_grants" holds for each account with a session the token with which its list of servers
is read again, and that list as JSON.
"""

from __future__ import annotations

from sqlalchemy import (
    BigInteger,
    Boolean,
    CheckConstraint,
    Column,
    ForeignKey,
    Integer,
    MetaData,
    Table,
    Text,
    UniqueConstraint,
    and_,
    false,
    literal_column,
    or_,
    true,
)

METADATA = MetaData(
    naming_convention={
        "ix": "ix_%(table_name)s_%(column_0_N_name)s",
        "ck": "ck_%(table_name)s_%(constraint_name)s",
        "fk": "fk_%(table_name)s_%(column_0_N_name)s",
        "pk": "pk_%(table_name)s",
        "uq": "uq_%(table_name)s_%(column_0_N_name)s",
    }
)

# SQLite generates ids only for a column whose type is spelled INTEGER; it has 64 bits there.
_ID = BigInteger().with_variant(Integer, "sqlite")

PEOPLE = Table(
    "people",
    METADATA,
    Column("account", Text, primary_key=True),
    Column("name", Text, nullable=False),
    Column("alias", Text),
    Column("met_at", BigInteger, nullable=False),
    Column("handle", Text),
    Column("folded_handle", Text),
    Column("handle_at", BigInteger),
    Column("is_guest", Boolean, nullable=False, server_default=false()),
    Column("closed_at", BigInteger),
    Column("notices", Text),
    Column("calendar_key", Text),
    Column("locale", Text),
)

# How a person can be reached or signs in, besides at the address that the account is itself.
IDENTITIES = Table(
    "identities",
    METADATA,
    Column("platform", Text, primary_key=True),
    Column("address", Text, primary_key=True),
    Column("account", ForeignKey("people.account"), nullable=False),
    Column("made_at", BigInteger, nullable=False),
    Column("confirmed_at", BigInteger),
    Column("bounces", Integer, nullable=False, server_default="0"),
    Column("bounce_times", Text),
    Column("stopped_at", BigInteger),
)

# Names that somebody had before the present one: nobody else can have them.
OLD_HANDLES = Table(
    "old_handles",
    METADATA,
    Column("folded", Text, primary_key=True),
    Column("account", ForeignKey("people.account"), nullable=False),
    Column("changed_at", BigInteger, nullable=False),
)

SERVERS = Table(
    "servers",
    METADATA,
    Column("server", Text, primary_key=True),
    Column("met_at", BigInteger, nullable=False),
    Column("left_at", BigInteger),
    Column("number", BigInteger),
)

# Persons whose data are erased when their matches in progress have ended.
ERASURES = Table(
    "erasures",
    METADATA,
    Column("account", ForeignKey("people.account"), primary_key=True),
    Column("asked_at", BigInteger, nullable=False),
)

RECORDS = Table(
    "records",
    METADATA,
    Column("id", _ID, primary_key=True),
    Column("by", ForeignKey("people.account"), nullable=False),
    Column("server", ForeignKey("servers.server"), nullable=False),
    Column("digest", Text, nullable=False),
    Column("text", Text, nullable=False),
    Column("game", Text, nullable=False),
    Column("rules_version", Integer, nullable=False),
    Column("options", Text, nullable=False),
    Column("position", Text, nullable=False),
    Column("made_at", BigInteger, nullable=False),
    UniqueConstraint("server", "digest"),
)

CHALLENGES = Table(
    "challenges",
    METADATA,
    Column("id", _ID, primary_key=True),
    Column("by", ForeignKey("people.account"), nullable=False),
    Column("to", ForeignKey("people.account")),
    Column("server", ForeignKey("servers.server"), nullable=False),
    Column("place", Text, nullable=False),
    Column("game", Text, nullable=False),
    Column("options", Text, nullable=False),
    Column("colour", Text),
    Column("state", Text, nullable=False),
    Column("accepted_by", ForeignKey("people.account")),
    Column("made_at", BigInteger, nullable=False),
    Column("expires_at", BigInteger, nullable=False),
    Column("closed_at", BigInteger),
    Column("record", ForeignKey("records.id")),
    Column("rematch_of", BigInteger),
    Column("terms", Text, nullable=False, server_default="{}"),
    Column("audience", Text, nullable=False, server_default="players"),
    Column("note", Text),
    Column("within", Integer),
    Column("by_link", Boolean, nullable=False, server_default=false()),
    Column("games", Integer),
    Column("standing", BigInteger),
)

MATCHES = Table(
    "matches",
    METADATA,
    Column("id", _ID, primary_key=True),
    Column("challenge", ForeignKey("challenges.id"), unique=True),
    Column("server", ForeignKey("servers.server"), nullable=False),
    Column("place", Text, nullable=False),
    Column("game", Text, nullable=False),
    Column("rules_version", Integer, nullable=False),
    Column("options", Text, nullable=False),
    Column("state", Text, nullable=False),
    Column("first", ForeignKey("people.account"), nullable=False),
    Column("second", ForeignKey("people.account"), nullable=False),
    Column("ply", Integer, nullable=False, server_default="0"),
    Column("turn", Integer, nullable=False, server_default="1"),
    Column("turn_ply", Integer, nullable=False, server_default="0"),
    Column("position", Text),
    Column("mover", ForeignKey("people.account")),
    Column("pending_offer", BigInteger),
    Column("takebacks", Integer, nullable=False, server_default="0"),
    Column("outcome", Text),
    Column("reason", Text),
    Column("made_at", BigInteger, nullable=False),
    Column("changed_at", BigInteger, nullable=False),
    Column("base", Text),
    Column("terms", Text, nullable=False, server_default="{}"),
    Column("clock", Text),
    Column("deadline", BigInteger),
    Column("lost", BigInteger, nullable=False, server_default="0"),
    Column("has_conditional_moves", Boolean, nullable=False, server_default=false()),
    Column("remind_at", BigInteger),
    Column("reminded_at", BigInteger),
    Column("waits_since", BigInteger),
    Column("followed", Boolean, nullable=False, server_default=false()),
    Column("direct_since", BigInteger),
    Column("think_at", BigInteger),
    Column("packed", Boolean, nullable=False, server_default=false()),
    Column("audience", Text, nullable=False, server_default="players"),
    Column("post", Text),
    Column("explored", Integer),
    CheckConstraint("first <> second", name="two_people"),
    CheckConstraint("turn_ply <= ply", name="turn_began"),
)


# The condition of the finished matches that are still to be packed, as their index has it: no parameters.
IS_UNPACKED = and_(MATCHES.c.state == literal_column("'over'"), MATCHES.c.packed.is_(False))

_IS_PUBLIC = MATCHES.c.audience.in_([literal_column("'names'"), literal_column("'aliases'")])
STALE = 1000  # is added to `explored` when the result of a counted match has changed

# The conditions of what the opening explorer has to count, and of what it must not count as it does.
IS_UNCOUNTED = and_(MATCHES.c.state == literal_column("'over'"), _IS_PUBLIC, MATCHES.c.explored.is_(None))
IS_MISCOUNTED = and_(
    MATCHES.c.explored.is_not(None), or_(~_IS_PUBLIC, MATCHES.c.explored >= literal_column(str(STALE)))
)

PICKS = Table(
    "picks",
    METADATA,
    Column("match", ForeignKey("matches.id"), primary_key=True),
    Column("person", ForeignKey("people.account"), primary_key=True),
    Column("pick", Text, nullable=False),
    Column("picked_at", BigInteger, nullable=False),
    sqlite_with_rowid=False,
)

MOVES = Table(
    "moves",
    METADATA,
    Column("match", ForeignKey("matches.id"), primary_key=True),
    Column("ply", Integer, primary_key=True, autoincrement=False),
    Column("turn", Integer, nullable=False),
    Column("side", Text, nullable=False),
    Column("person", ForeignKey("people.account"), nullable=False),
    Column("text", Text, nullable=False),
    Column("position", Text, nullable=False),
    Column("played_at", BigInteger, nullable=False),
    sqlite_with_rowid=False,
)

PACKED_LOGS = Table(
    "packed_logs",
    METADATA,
    Column("match", ForeignKey("matches.id"), primary_key=True),
    Column("text", Text, nullable=False),
)

SEAT_KEYS = Table(
    "seat_keys",
    METADATA,
    Column("match", ForeignKey("matches.id"), primary_key=True),
    Column("person", ForeignKey("people.account"), primary_key=True),
    Column("number", Integer, nullable=False),
    sqlite_with_rowid=False,
)

OUTBOX = Table(
    "outbox",
    METADATA,
    Column("id", _ID, primary_key=True),
    Column("kind", Text, nullable=False),
    Column("challenge", ForeignKey("challenges.id")),
    Column("match", ForeignKey("matches.id")),
    Column("ply", Integer, nullable=False),
    Column("takebacks", Integer, nullable=False, server_default="0"),
    Column("first_ply", Integer),
    Column("by", ForeignKey("people.account"), nullable=False),
    Column("recipients", Text, nullable=False),
    Column("server", Text, nullable=False),
    Column("place", Text, nullable=False),
    Column("made_at", BigInteger, nullable=False),
    Column("due_at", BigInteger, nullable=False),
    Column("attempts", Integer, nullable=False, server_default="0"),
    Column("sent_at", BigInteger),
    Column("post", Text),
    Column("details", Text),
    Column("to", ForeignKey("people.account")),
    Column("request", BigInteger),
    Column("platform", Text, nullable=False, server_default=""),
    Column("tournament", ForeignKey("tournaments.id")),
    CheckConstraint(
        "(challenge IS NULL) <> (match IS NULL)"
        ' OR (challenge IS NULL AND ("to" IS NOT NULL OR tournament IS NOT NULL))',
        name="one_subject",
    ),
)

REQUESTS = Table(
    "requests",
    METADATA,
    Column("id", BigInteger, primary_key=True, autoincrement=False),
    Column("kept_until", BigInteger, nullable=False),
)


HEARTBEATS = Table(
    "heartbeats",
    METADATA,
    Column("count", Integer, primary_key=True, autoincrement=False),
    Column("shard", Integer, primary_key=True, autoincrement=False),
    Column("beat_at", BigInteger, nullable=False),
)

LEASES = Table(
    "leases",
    METADATA,
    Column("name", Text, primary_key=True),
    Column("owner", Text, nullable=False),
    Column("ends_at", BigInteger, nullable=False),
    Column("done", Text),
)

VACATIONS = Table(
    "vacations",
    METADATA,
    Column("id", _ID, primary_key=True),
    Column("person", ForeignKey("people.account"), nullable=False),
    Column("began_at", BigInteger, nullable=False),
    Column("ends_at", BigInteger, nullable=False),
    Column("ended_at", BigInteger),
)


OFFERS = Table(
    "offers",
    METADATA,
    Column("id", _ID, primary_key=True),
    Column("match", ForeignKey("matches.id"), nullable=False),
    Column("kind", Text, nullable=False),
    Column("by", ForeignKey("people.account"), nullable=False),
    Column("ply", Integer, nullable=False),
    Column("takebacks", Integer, nullable=False),
    Column("made_at", BigInteger, nullable=False),
    Column("answer", Text),
    Column("answered_at", BigInteger),
)

TAKEBACKS = Table(
    "takebacks",
    METADATA,
    Column("match", ForeignKey("matches.id"), primary_key=True),
    Column("number", Integer, primary_key=True, autoincrement=False),
    Column("ply", Integer, nullable=False),
    Column("by", ForeignKey("people.account"), nullable=False),
    Column("made_at", BigInteger, nullable=False),
    sqlite_with_rowid=False,
)

TAKEN_MOVES = Table(
    "taken_moves",
    METADATA,
    Column("match", ForeignKey("matches.id"), primary_key=True),
    Column("takeback", Integer, primary_key=True, autoincrement=False),
    Column("ply", Integer, primary_key=True, autoincrement=False),
    Column("turn", Integer, nullable=False),
    Column("side", Text, nullable=False),
    Column("person", ForeignKey("people.account"), nullable=False),
    Column("text", Text, nullable=False),
    Column("position", Text, nullable=False),
    Column("played_at", BigInteger, nullable=False),
    sqlite_with_rowid=False,
)


PREFERENCES = Table(
    "preferences",
    METADATA,
    Column("account", ForeignKey("people.account"), primary_key=True),
    Column("text", Text, nullable=False),
    Column("changed_at", BigInteger, nullable=False),
)

FOLLOWS = Table(
    "follows",
    METADATA,
    Column("match", ForeignKey("matches.id"), primary_key=True),
    Column("person", ForeignKey("people.account"), primary_key=True),
    Column("interest", Text, nullable=False),
    Column("ply", Integer, nullable=False),
    Column("due_at", BigInteger),
    Column("made_at", BigInteger, nullable=False),
    sqlite_with_rowid=False,
)


CONDITIONAL_MOVES = Table(
    "conditional_moves",
    METADATA,
    Column("match", ForeignKey("matches.id"), primary_key=True),
    Column("person", ForeignKey("people.account"), primary_key=True),
    Column("ply", Integer, nullable=False),
    Column("position", Text, nullable=False),
    Column("tree", Text, nullable=False),
    Column("changed_at", BigInteger, nullable=False),
    Column("lost", Text),
    Column("due_at", BigInteger),
    Column("attempts", Integer, nullable=False, server_default="0"),
    sqlite_with_rowid=False,
)

ANALYSIS_LINES = Table(
    "analysis_lines",
    METADATA,
    Column("id", _ID, primary_key=True),
    Column("person", ForeignKey("people.account"), nullable=False),
    Column("digest", Text, nullable=False),
    Column("text", Text, nullable=False),
    Column("made_at", BigInteger, nullable=False),
    UniqueConstraint("person", "digest"),
)

NOTES = Table(
    "notes",
    METADATA,
    Column("match", ForeignKey("matches.id"), primary_key=True),
    Column("person", ForeignKey("people.account"), primary_key=True),
    Column("text", Text, nullable=False),
    Column("changed_at", BigInteger, nullable=False),
)


RATING_GAMES = Table(
    "rating_games",
    METADATA,
    Column("game", Text, primary_key=True),
    Column("last", Integer, nullable=False),
    Column("stale_from", Integer),
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

# The primary key begins with the person, whose steps are read most: whatever SQLite knows of a table, its
# planner prefers the primary key to an index that lacks columns.
RATING_STEPS = Table(
    "rating_steps",
    METADATA,
    Column("person", ForeignKey("people.account"), primary_key=True),
    Column("game", Text, primary_key=True),
    Column("number", Integer, primary_key=True, autoincrement=False),
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


SERVER_SETTINGS = Table(
    "server_settings",
    METADATA,
    Column("server", ForeignKey("servers.server"), primary_key=True),
    Column("text", Text, nullable=False),
    Column("by", ForeignKey("people.account")),  # NULL: stored by a migration
    Column("changed_at", BigInteger, nullable=False),
)

EXCLUSIONS = Table(
    "exclusions",
    METADATA,
    Column("server", ForeignKey("servers.server"), primary_key=True),
    Column("person", ForeignKey("people.account"), primary_key=True),
    Column("by", ForeignKey("people.account"), nullable=False),
    Column("made_at", BigInteger, nullable=False),
    sqlite_with_rowid=False,
)

BLOCKS = Table(
    "blocks",
    METADATA,
    Column("person", ForeignKey("people.account"), primary_key=True),
    Column("blocked", ForeignKey("people.account"), primary_key=True),
    Column("made_at", BigInteger, nullable=False),
    sqlite_with_rowid=False,
)

CORRECTIONS = Table(
    "corrections",
    METADATA,
    Column("id", _ID, primary_key=True),
    Column("match", ForeignKey("matches.id"), nullable=False),
    Column("by", ForeignKey("people.account"), nullable=False),
    Column("text", Text, nullable=False),
    Column("old_outcome", Text),
    Column("old_reason", Text, nullable=False),
    Column("outcome", Text),
    Column("reason", Text, nullable=False),
    Column("made_at", BigInteger, nullable=False),
)

THREADS = Table(
    "threads",
    METADATA,
    Column("place", Text, primary_key=True),
    Column("server", ForeignKey("servers.server"), nullable=False),
    Column("parent", Text, nullable=False),
    Column("opened_at", BigInteger, nullable=False),
    Column("archived_at", BigInteger),
)

OPEN_CHANNELS = Table(
    "open_channels",
    METADATA,
    Column("channel", Text, primary_key=True),
    Column("server", Text, nullable=False),
)

CLEANED_POSTS = Table(
    "cleaned_posts",
    METADATA,
    Column("match", ForeignKey("matches.id"), primary_key=True),
    Column("announcement", BigInteger, nullable=False),
)

WEB_SESSIONS = Table(
    "web_sessions",
    METADATA,
    Column("id", Text, primary_key=True),
    Column("account", ForeignKey("people.account"), nullable=False),
    Column("device", Text, nullable=False),
    Column("made_at", BigInteger, nullable=False),
    Column("used_at", BigInteger, nullable=False),
    Column("expires_at", BigInteger, nullable=False),
)

# A question to whoever reads the mail of an address: `id` is the hash of a secret that the browser keeps.
MAIL_CODES = Table(
    "mail_codes",
    METADATA,
    Column("id", Text, primary_key=True),
    Column("address", Text, nullable=False),
    Column("account", ForeignKey("people.account")),
    Column("made_at", BigInteger, nullable=False),
    Column("expires_at", BigInteger, nullable=False),
    Column("tries", Integer, nullable=False, server_default="0"),
    Column("used_at", BigInteger),
)

# Mails that are about no match: to an address, of nobody or of `account`. One that answers a mail has its
# `request`, so that the mail is answered once.
LETTERS = Table(
    "letters",
    METADATA,
    Column("id", _ID, primary_key=True),
    Column("kind", Text, nullable=False),
    Column("address", Text, nullable=False),
    Column("account", ForeignKey("people.account")),
    Column("details", Text, nullable=False),
    Column("made_at", BigInteger, nullable=False),
    Column("expires_at", BigInteger, nullable=False),
    Column("due_at", BigInteger, nullable=False),
    Column("attempts", Integer, nullable=False, server_default="0"),
    Column("sent_at", BigInteger),
    Column("request", BigInteger),
)

# What mails ask for that nothing proves to be from `address` of `account`: `typed` is the line that was
# understood, `words` the same as JSON. It waits for a click on a link in a mail to that address.
MAIL_COMMANDS = Table(
    "mail_commands",
    METADATA,
    Column("id", _ID, primary_key=True),
    Column("account", ForeignKey("people.account"), nullable=False),
    Column("address", Text, nullable=False),
    Column("typed", Text, nullable=False),
    Column("words", Text, nullable=False),
    Column("match", BigInteger),
    Column("revision", BigInteger),
    Column("challenge", BigInteger),
    Column("request", BigInteger, nullable=False),
    Column("made_at", BigInteger, nullable=False),
    Column("expires_at", BigInteger, nullable=False),
    Column("confirmed_at", BigInteger),
    Column("done_at", BigInteger),
    Column("puzzle", Text),  # see `matches.puzzles.values.PuzzleStep`
)

INVITED_ADDRESSES = Table(
    "invited_addresses",
    METADATA,
    Column("digest", Text, primary_key=True),
    Column("invited_at", BigInteger, nullable=False),
    Column("refused_at", BigInteger),
)

PASSKEYS = Table(
    "passkeys",
    METADATA,
    Column("id", Text, primary_key=True),
    Column("account", ForeignKey("people.account"), nullable=False),
    Column("public_key", Text, nullable=False),
    Column("uses", BigInteger, nullable=False),
    Column("device", Text, nullable=False),
    Column("made_at", BigInteger, nullable=False),
    Column("used_at", BigInteger),
)

PUSH_SUBSCRIPTIONS = Table(
    "push_subscriptions",
    METADATA,
    Column("id", _ID, primary_key=True),
    Column("account", ForeignKey("people.account"), nullable=False),
    Column("session", Text, nullable=False),
    Column("endpoint", Text, nullable=False, unique=True),
    Column("keys", Text, nullable=False),
    Column("device", Text, nullable=False),
    Column("made_at", BigInteger, nullable=False),
    Column("used_at", BigInteger),
)

# What every process of an installation shares and nobody else may know, such as the key that signs pushes.
INSTALLATION_KEYS = Table(
    "installation_keys",
    METADATA,
    Column("name", Text, primary_key=True),
    Column("value", Text, nullable=False),
    Column("made_at", BigInteger, nullable=False),
)

REPORTS = Table(
    "reports",
    METADATA,
    Column("id", _ID, primary_key=True),
    Column("by", ForeignKey("people.account"), nullable=False),
    Column("about", ForeignKey("people.account"), nullable=False),
    Column("challenge", BigInteger),
    Column("match", BigInteger),
    Column("text", Text, nullable=False),
    Column("note", Text),
    Column("made_at", BigInteger, nullable=False),
    Column("closed_at", BigInteger),
    Column("study", Text),
)

MODERATION_LOG = Table(
    "moderation_log",
    METADATA,
    Column("id", _ID, primary_key=True),
    Column("by", ForeignKey("people.account"), nullable=False),
    Column("about", ForeignKey("people.account"), nullable=False),
    Column("action", Text, nullable=False),
    Column("reason", Text, nullable=False),
    Column("report", BigInteger),
    Column("made_at", BigInteger, nullable=False),
    Column("seen_at", BigInteger),
    Column("study", Text),
    Column("study_name", Text),
)

WEB_GRANTS = Table(
    "web_grants",
    METADATA,
    Column("account", ForeignKey("people.account"), primary_key=True),
    Column("token", Text, nullable=False),
    Column("servers", Text, nullable=False),
    Column("read_at", BigInteger, nullable=False),
    Column("next_read_at", BigInteger, nullable=False),
)

# `work_at` is when a process may go on with an analysis: in the past, or at the end of another's lease; NULL
# when it is complete and no puzzles are to be looked for in it. `simulations` is the least that every
# position has got, and more than that when it is complete. `by` is NULL for visitors.
GAME_ANALYSES = Table(
    "game_analyses",
    METADATA,
    Column("id", _ID, primary_key=True),
    Column("match", ForeignKey("matches.id"), unique=True),
    Column("record", ForeignKey("records.id"), unique=True),
    Column("by", ForeignKey("people.account")),
    Column("made_at", BigInteger, nullable=False),
    Column("work_at", BigInteger),
    Column("simulations", Integer, nullable=False, server_default="0"),
    Column("text", Text),
    CheckConstraint("(match IS NULL) <> (record IS NULL)", name="one_game"),
)

# `settings` is JSON (`matches/tournaments/settings.py`), `rounds` how many stages there are, NULL if that is
# not known. What is drawn follows from the number `draw`, which is published at the start. `work_at` is when
# the sweep has something to do, NULL when it is over.
TOURNAMENTS = Table(
    "tournaments",
    METADATA,
    Column("id", _ID, primary_key=True),
    Column("by", ForeignKey("people.account"), nullable=False),
    Column("server", ForeignKey("servers.server"), nullable=False),
    Column("place", Text, nullable=False),
    Column("name", Text, nullable=False),
    Column("kind", Text, nullable=False),
    Column("state", Text, nullable=False),
    Column("settings", Text, nullable=False),
    Column("made_at", BigInteger, nullable=False),
    Column("starts_at", BigInteger, nullable=False),
    Column("ended_at", BigInteger),
    Column("rounds", Integer),
    Column("draw", BigInteger),
    Column("work_at", BigInteger),
)

# `from_stage` is the first stage in which somebody plays, `rank` the place on a ladder, `absences` in how
# many seasons of a league too little was played, `idle_since` when somebody on a ladder last played or went
# down. An account has one row in each tournament that is not withdrawn.
TOURNAMENT_ENTRANTS = Table(
    "tournament_entrants",
    METADATA,
    Column("id", _ID, primary_key=True),
    Column("tournament", ForeignKey("tournaments.id"), nullable=False),
    Column("account", ForeignKey("people.account"), nullable=False),
    Column("joined_at", BigInteger, nullable=False),
    Column("from_stage", Integer, nullable=False, server_default="1"),
    Column("seed", Integer),
    Column("rating", Integer),
    Column("rank", Integer),
    Column("absences", Integer, nullable=False, server_default="0"),
    Column("idle_since", BigInteger),
    Column("is_registered", Boolean, nullable=False, server_default=true()),
    Column("was_warned", Boolean, nullable=False, server_default=false()),
    Column("withdrawn", Text),
    Column("withdrawn_in", Integer),
    Column("withdrawn_at", BigInteger),
)

# `groups` is JSON: the entrants of each table. `rules` is JSON: the rules version of each game.
TOURNAMENT_STAGES = Table(
    "tournament_stages",
    METADATA,
    Column("tournament", ForeignKey("tournaments.id"), primary_key=True),
    Column("number", Integer, primary_key=True, autoincrement=False),
    Column("state", Text, nullable=False),
    Column("starts_at", BigInteger, nullable=False),
    Column("ends_at", BigInteger, nullable=False),
    Column("ended_at", BigInteger),
    Column("groups", Text, nullable=False),
    Column("rules", Text, nullable=False),
    sqlite_with_rowid=False,
)

# Points are halves. `first_moved_at` is the last move of that player, written when the match ends; `news_at`
# is set until the sweep has taken in what happened; `assess_at` while a worker is to assess the board, in the
# past or at the end of another's lease; `chances` are those of the first side in 10,000. `warnings` counts
# what the players were told about the end date.
TOURNAMENT_GAMES = Table(
    "tournament_games",
    METADATA,
    Column("id", _ID, primary_key=True),
    Column("tournament", ForeignKey("tournaments.id"), nullable=False),
    Column("stage", Integer, nullable=False),
    Column("division", Integer, nullable=False),
    Column("round", Integer, nullable=False),
    Column("number", Integer, nullable=False),
    Column("setup", Integer, nullable=False),
    Column("first", ForeignKey("tournament_entrants.id"), nullable=False),
    Column("second", ForeignKey("tournament_entrants.id")),
    Column("state", Text, nullable=False),
    Column("first_points", Integer),
    Column("second_points", Integer),
    Column("decision", Text),
    Column("match", ForeignKey("matches.id"), unique=True),
    Column("opened_at", BigInteger),
    Column("ended_at", BigInteger),
    Column("ends_at", BigInteger),
    Column("answer_by", BigInteger),
    Column("first_moved_at", BigInteger),
    Column("second_moved_at", BigInteger),
    Column("warnings", Integer, nullable=False, server_default="0"),
    Column("news_at", BigInteger),
    Column("assess_at", BigInteger),
    Column("chances", Integer),
)

# What organisers did, with `by`, and what the rules did.
TOURNAMENT_LOG = Table(
    "tournament_log",
    METADATA,
    Column("id", _ID, primary_key=True),
    Column("tournament", ForeignKey("tournaments.id"), nullable=False),
    Column("made_at", BigInteger, nullable=False),
    Column("act", Text, nullable=False),
    Column("by", ForeignKey("people.account")),
    Column("about", ForeignKey("people.account")),
    Column("reason", Text, nullable=False),
    Column("details", Text),
)

# The first places: of a league one for each season, else with the stage 0.
TOURNAMENT_WINS = Table(
    "tournament_wins",
    METADATA,
    Column("tournament", ForeignKey("tournaments.id"), primary_key=True),
    Column("stage", Integer, primary_key=True, autoincrement=False),
    Column("entrant", ForeignKey("tournament_entrants.id"), primary_key=True, autoincrement=False),
    Column("won_at", BigInteger, nullable=False),
    sqlite_with_rowid=False,
)

# The opening explorer. `position` is a fingerprint of a canonical position (`matches/explorer/lines.py`), and
# `players` who played (`matches/explorer/values.py`). A row counts the games of these players in which `move`
# was played there, by who won; `latest` and `previous` are the two counted last, as far as they still count.
EXPLORER_MOVES = Table(
    "explorer_moves",
    METADATA,
    Column("position", BigInteger, primary_key=True, autoincrement=False),
    Column("move", Text, primary_key=True),
    Column("players", Integer, primary_key=True, autoincrement=False),
    Column("won_by_first", Integer, nullable=False),
    Column("drawn", Integer, nullable=False),
    Column("won_by_second", Integer, nullable=False),
    Column("latest", BigInteger),
    Column("previous", BigInteger),
    sqlite_with_rowid=False,
)

# How many games began with these options (JSON, without random ones).
EXPLORER_STARTS = Table(
    "explorer_starts",
    METADATA,
    Column("game", Text, primary_key=True),
    Column("options", Text, primary_key=True),
    Column("games", Integer, nullable=False),
    sqlite_with_rowid=False,
)
# `text` is one line (`engine/puzzle.py`), empty after a player of `match` had it removed. `match` is NULL for
# those that are shipped or from games of the computer. `withdrawn` says why nobody gets it any more, NULL if
# somebody can; besides, one from a match is shown only while everybody can see that match.
PUZZLES = Table(
    "puzzles",
    METADATA,
    Column("key", Text, primary_key=True),
    Column("game", Text, nullable=False),
    Column("text", Text, nullable=False),
    Column("match", ForeignKey("matches.id")),
    Column("is_shipped", Boolean, nullable=False, server_default=false()),
    Column("rating", BigInteger, nullable=False),
    Column("deviation", BigInteger, nullable=False),
    Column("volatility", BigInteger, nullable=False),
    Column("solved", Integer, nullable=False, server_default="0"),
    Column("failed", Integer, nullable=False, server_default="0"),
    Column("made_at", BigInteger, nullable=False),
    Column("withdrawn", Text),
    Column("withdrawn_at", BigInteger),
)

# What one can choose from: each puzzle that is not withdrawn once with the empty theme, and once with each of
# its themes, in the order of the ratings, which are whole points here.
PUZZLE_CHOICES = Table(
    "puzzle_choices",
    METADATA,
    Column("game", Text, primary_key=True),
    Column("theme", Text, primary_key=True),
    Column("rating", Integer, primary_key=True, autoincrement=False),
    Column("puzzle", ForeignKey("puzzles.key"), primary_key=True),
    sqlite_with_rowid=False,
)

# The first attempt of a person, with the person's rating before and after it in whole points.
PUZZLE_ATTEMPTS = Table(
    "puzzle_attempts",
    METADATA,
    Column("person", ForeignKey("people.account"), primary_key=True),
    Column("puzzle", ForeignKey("puzzles.key"), primary_key=True),
    Column("is_solved", Boolean, nullable=False),
    Column("rating_before", Integer, nullable=False),
    Column("rating_after", Integer, nullable=False),
    Column("made_at", BigInteger, nullable=False),
    sqlite_with_rowid=False,
)

PUZZLE_RATINGS = Table(
    "puzzle_ratings",
    METADATA,
    Column("person", ForeignKey("people.account"), primary_key=True),
    Column("game", Text, primary_key=True),
    Column("rating", BigInteger, nullable=False),
    Column("deviation", BigInteger, nullable=False),
    Column("volatility", BigInteger, nullable=False),
    Column("solved", Integer, nullable=False),
    Column("failed", Integer, nullable=False),
    Column("rated_at", BigInteger, nullable=False),
    sqlite_with_rowid=False,
)

# Who says that a puzzle has a second solution: `turns` are the solver's, the last one is that solution. From
# `work_at` on a search can check it; None if one has.
PUZZLE_REPORTS = Table(
    "puzzle_reports",
    METADATA,
    Column("puzzle", ForeignKey("puzzles.key"), primary_key=True),
    Column("person", ForeignKey("people.account"), primary_key=True),
    Column("turns", Text, nullable=False),
    Column("made_at", BigInteger, nullable=False),
    Column("work_at", BigInteger),
    sqlite_with_rowid=False,
)

# The puzzle of a day (`day` is such as 2026-05-01).
DAILY_PUZZLES = Table(
    "daily_puzzles",
    METADATA,
    Column("day", Text, primary_key=True),
    Column("puzzle", ForeignKey("puzzles.key"), nullable=False),
)

# Where a server gets the daily puzzle: at `minute` of the day in the time zone `zone`, next at `next_at`. The
# post of the day `posting` is being sent, or was before a process died, and is claimed until `claimed_until`.
# `day`, `puzzle` and `post` are those of the last post that is known. `by` has set it, and so many
# `failures` are posts in a row that were refused.
DAILY_PUZZLE_PLACES = Table(
    "daily_puzzle_places",
    METADATA,
    Column("server", ForeignKey("servers.server"), primary_key=True),
    Column("place", Text, nullable=False),
    Column("minute", Integer, nullable=False),
    Column("zone", Text, nullable=False),
    Column("next_at", BigInteger, nullable=False),
    Column("claimed_until", BigInteger),
    Column("posting", Text),
    Column("day", Text),
    Column("puzzle", ForeignKey("puzzles.key")),
    Column("post", Text),
    Column("by", ForeignKey("people.account")),
    Column("failures", Integer, nullable=False, server_default="0"),
)

# Who gets a puzzle by mail each day, at `minute` of the day in their time zone, next at `next_at` (None: not
# any more). `day` is that of the last one, and so many in a row are `unanswered`. On the day `asked_on` (UTC)
# they have `asked` for so many others. `mailed` are the beginnings of the keys of the newest ones sent.
PUZZLE_MAILS = Table(
    "puzzle_mails",
    METADATA,
    Column("person", ForeignKey("people.account"), primary_key=True),
    Column("minute", Integer, nullable=False),
    Column("next_at", BigInteger),
    Column("day", Text),
    Column("unanswered", Integer, nullable=False, server_default="0"),
    Column("asked_on", Text),
    Column("asked", Integer, nullable=False, server_default="0"),
    Column("mailed", Text),
    sqlite_with_rowid=False,
)

# Who has opened the puzzle of a day from its post on a server, with the name there.
DAILY_PUZZLE_TRIES = Table(
    "daily_puzzle_tries",
    METADATA,
    Column("server", ForeignKey("daily_puzzle_places.server"), primary_key=True),
    Column("day", Text, primary_key=True),
    Column("person", ForeignKey("people.account"), primary_key=True),
    Column("name", Text, nullable=False),
    sqlite_with_rowid=False,
)

# Games that somebody has stored on the website under a name. `numbered` is how many chapters a study ever
# had, `hidden_at` when moderators hid it from others.
STUDIES = Table(
    "studies",
    METADATA,
    Column("key", Text, primary_key=True),
    Column("owner", ForeignKey("people.account"), nullable=False),
    Column("name", Text, nullable=False),
    Column("audience", Text, nullable=False),
    Column("numbered", Integer, nullable=False),
    Column("changed_at", BigInteger, nullable=False),
    Column("hidden_at", BigInteger),
)

# A game in a study, with variations and comments: `state` is that of the link of an analysis board, below the
# path of the game or, with `match`, of that match, whose moves are not copied. `place` is its order.
CHAPTERS = Table(
    "chapters",
    METADATA,
    Column("study", ForeignKey("studies.key"), primary_key=True),
    Column("number", Integer, primary_key=True),
    Column("owner", ForeignKey("people.account"), nullable=False),
    Column("place", Integer, nullable=False),
    Column("name", Text, nullable=False),
    Column("game", Text, nullable=False),
    Column("match", BigInteger),
    Column("state", Text, nullable=False),
    Column("revision", Integer, nullable=False),
    Column("changed_at", BigInteger, nullable=False),
)

# Which file of shipped puzzles was read last, by its `digest`.
PUZZLE_SETS = Table(
    "puzzle_sets",
    METADATA,
    Column("game", Text, primary_key=True),
    Column("digest", Text, nullable=False),
    Column("read_at", BigInteger, nullable=False),
)
