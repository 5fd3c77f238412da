"""Persons, times and shortcuts for tests of matches."""

from datetime import UTC, datetime, timedelta

from engine.game import OptionValue, Side
from matches import (
    Announcement,
    Challenge,
    ChallengeId,
    Matches,
    MatchId,
    MatchState,
    MatchUpdate,
    MatchView,
    OfferKind,
    Person,
    Terms,
)
from matches.terms import DEFAULT_TERMS
from tests.games import GAMES

NOON = datetime(2026, 5, 1, 12, tzinfo=UTC)
SERVER, CHANNEL = "test:server", "test:table"
ALICE, BOB, CAROL = (Person(f"test:{name.lower()}", name) for name in ("Alice", "Bob", "Carol"))
ROBOT = Person("test:robot", "Robot", bot=True)
SMALL: dict[str, OptionValue] = {"size": 9}
FREE: dict[str, OptionValue] = {"size": 9, "setup": "free"}
FISTS: dict[str, OptionValue] = {"size": 9, "setup": "fists"}


def later(**amount: float) -> datetime:
    return NOON + timedelta(**amount)


async def make_challenge(
    matches: Matches,
    by: Person = ALICE,
    to: Person | None = None,
    *,
    options: dict[str, OptionValue] | None = None,
    colour: Side | None = Side.BLACK,
    game: str = "morelli",
    server: str = SERVER,
    channel: str = CHANNEL,
    terms: Terms = DEFAULT_TERMS,
    now: datetime = NOON,
) -> Challenge:
    update = await matches.challenges.create(
        by,
        to=to,
        server=server,
        channel=channel,
        game=game,
        options=options,
        terms=terms,
        colour=colour,
        now=now,
    )
    return update.challenge


async def start_match(
    matches: Matches,
    options: dict[str, OptionValue] | None = None,
    *,
    by: Person = ALICE,
    to: Person = BOB,
    game: str = "morelli",
    server: str = SERVER,
    channel: str = CHANNEL,
    terms: Terms = DEFAULT_TERMS,
    now: datetime = NOON,
) -> MatchView:
    """Start a match of Alice and Bob, by default of Morelli on a small board, Alice to move first."""
    challenge = await make_challenge(
        matches,
        by,
        to,
        options=SMALL if options is None else options,
        colour=GAMES[game].sides[0],
        game=game,
        server=server,
        channel=channel,
        terms=terms,
        now=now,
    )
    return (await matches.challenges.accept(challenge.id, to, now=now)).match


def legal_move(view: MatchView, index: int = 0) -> str:
    assert view.position is not None
    return str(view.position.legal_moves()[index])


def end_offered_by(view: MatchView) -> Person | None:
    """Return the person whose offer to end by agreement is pending, or None."""
    offer = view.pending_offer
    return offer.by if offer is not None and offer.kind is OfferKind.END else None


def player_to_move(view: MatchView) -> Person:
    assert view.to_move is not None
    return view.to_move.person


async def play_move(
    matches: Matches, view: MatchView, text: str | None = None, now: datetime = NOON
) -> MatchUpdate:
    """Play `text`, or the first legal move, for the player to move."""
    return await matches.play(
        view.id,
        player_to_move(view),
        [legal_move(view) if text is None else text],
        seen_revision=view.revision,
        now=now,
    )


async def play_to_end(matches: Matches, view: MatchView) -> MatchUpdate:
    """Play first legal moves until the game is over."""
    update = MatchUpdate(view, None)
    while update.match.state is MatchState.PLAYING:
        update = await play_move(matches, update.match)
    return update


def require_announcement(announcement: Announcement | None) -> Announcement:
    assert announcement is not None
    return announcement


async def mark_posted(matches: Matches, update: MatchUpdate) -> Announcement:
    """Record a post of the update's announcement."""
    announcement = require_announcement(update.announcement)
    await matches.announcements.mark_sent(announcement.id, f"post/{announcement.id}", now=NOON)
    return announcement


async def post_everything(matches: Matches, platform: str = "test", post: str = "1/1") -> None:
    """Record the same post for everything that is to be sent on a platform."""
    while rows := await matches.announcements.claim_due(platform, now=later(days=3000)):
        for row in rows:
            await matches.announcements.mark_sent(row.id, post, now=NOON)


UNKNOWN_CHALLENGE = ChallengeId(4711)
UNKNOWN_MATCH = MatchId(4711)
