"""Matches between two persons: challenges, turns, clocks, offers, ratings. Knows no front end.

Start with :class:`Matches`. Everything a front end needs is exported here.
"""

from engine.records import MAX_RECORD_BYTES
from engine.turn_comparison import TurnComparison, choose_facts
from matches.actions import Action, is_between_people, possible_actions
from matches.audience import (
    ANONYMOUS_NAME,
    OPEN_TO_ALL,
    OUTSIDER,
    PUBLIC,
    SERVER_AUDIENCES,
    Audience,
    Reader,
    ShownNames,
)
from matches.challenge_drafts import MAX_CHALLENGE_NOTE, MAX_STANDING_GAMES, MAX_WITHIN, MIN_WITHIN
from matches.challenge_limits import ChallengeLimits
from matches.challenge_links import derive_challenge_key
from matches.clocks.uptime import OUTAGE_THRESHOLD, WEBSITE_COVERAGE, Coverage
from matches.clocks.values import MatchTime, SeatTime
from matches.computer.accounts import (
    ADAPTIVE,
    FIXED_LEVELS,
    HALF,
    LEVELS,
    computer_level,
    is_computer,
    level_strength,
)
from matches.computer.service import ComputerTask
from matches.errors import (
    AliasRefused,
    AnnouncementUnknown,
    MatchUnknown,
    MoveAmbiguous,
    MoveRefused,
    NoBoard,
    NoteTooLong,
    NotFollowed,
    NotInMatch,
    OfferPending,
    Refusal,
    StaleBoard,
    TooManyMoves,
)
from matches.fingerprints import MatchFingerprint
from matches.following.service import digest_items
from matches.following.values import DigestItem, FollowedMatch, FollowMode
from matches.game_analysis.mistakes import Mistake, TriedTurn, TurnVerdict, find_mistakes, find_task_turns
from matches.game_analysis.reasons import find_reasons
from matches.game_analysis.service import can_be_analysed
from matches.game_analysis.values import (
    AnalysisJob,
    AnalysisStatus,
    AssessedTurn,
    Assessment,
    GameAnalysis,
    PuzzleLook,
    TurningPoint,
)
from matches.lobby import Lobby, OwnChallenges, ShownChallenge
from matches.match_view import LastMove, LoggedMove, MatchOutline, MatchSummary, MatchView
from matches.names import MAX_NAME_LENGTH, clean_line, clean_name
from matches.notices.values import MailAddress, Notice, NoticeChoice, NoticeKind, Reach, Way, possible_ways
from matches.offers.kinds import possible_offers
from matches.people.guests import NewGuest
from matches.people.profiles import Profile
from matches.people.seats import SeatState
from matches.people.sessions import Grant, Session
from matches.personal_data.stand_ins import DELETED_NAME, is_deleted
from matches.personal_data.values import DataSummary, Erasure, ErasureChoice
from matches.places.values import Delivery, MoveReason
from matches.platforms import DISCORD, MAIL, NO_PLACE, WEB, WEBSITE, is_of_local_game, platform_of
from matches.posting.outdated_posts import PostedAnnouncement
from matches.preferences.quiet_hours import (
    format_quiet_hours,
    local_time,
    parse_time_of_day,
    resolve_time_zone,
    time_zone_names,
)
from matches.preferences.values import (
    SHOWN_DAYS,
    BoardOrientation,
    PictureTheme,
    Preferences,
    ProfileAudience,
    ReminderChannel,
)
from matches.public_queries import ListPosition
from matches.puzzles.daily_posts import DailyPlace, DuePost, PastPost
from matches.puzzles.mails import PuzzleMails
from matches.puzzles.values import (
    Attempt,
    AttemptResult,
    PastAttempt,
    Progress,
    PuzzleChoice,
    PuzzleReport,
    PuzzleStep,
    PuzzleVerdict,
    SolverRating,
    StoredPuzzle,
)
from matches.ratings.glicko import Rating
from matches.ratings.values import (
    PROVISIONAL_DEVIATION,
    LeaderboardPage,
    RatingChange,
    RatingStep,
    ResultCounts,
    Results,
    Standing,
)
from matches.records.from_match import replay_from_history
from matches.records.values import Replay, ReplayTurn
from matches.servers.settings import DEFAULT_TIME_CONTROL, ServerSettings
from matches.servers.threads import MatchThread
from matches.service import Matches
from matches.terms import (
    SUGGESTED_TIME_CONTROLS,
    Terms,
    TimeControl,
    TimeoutRule,
    format_time_control,
    parse_time_control,
)
from matches.times import parse_duration
from matches.updates import Announcement, AnnouncementKind, ChallengeUpdate, MatchUpdate
from matches.values import (
    AnnouncementId,
    Challenge,
    ChallengeId,
    ChallengeState,
    EndReason,
    MatchId,
    MatchState,
    Offer,
    OfferId,
    OfferKind,
    Person,
    Pick,
    RecordId,
    Result,
    Reveal,
    Seat,
)
from matches.work.leases import Leases
from storage import Database, RequestRepeated, StorageUnavailable
from storage.work.requests import Request
