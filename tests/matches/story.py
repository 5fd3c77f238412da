"""People, a clock and short cuts, so that a test of matches reads as what happens in it."""

from datetime import UTC, datetime, timedelta

from engine import GAMES
from engine.game import Setting, Side
from matches import (
    Announcement,
    Challenge,
    ChallengeId,
    Matches,
    MatchId,
    MatchState,
    MatchView,
    Person,
    Terms,
    Turn,
)
from matches.terms import USUAL

NOON = datetime(2026, 5, 1, 12, tzinfo=UTC)
SERVER, PLACE = "test:server", "test:table"
ALICE, BOB, CAROL = (Person(f"test:{name.lower()}", name) for name in ("Alice", "Bob", "Carol"))
ROBOT = Person("test:robot", "Robot", bot=True)
SMALL: dict[str, Setting] = {"size": 9}
FREE: dict[str, Setting] = {"size": 9, "setup": "free"}
FISTS: dict[str, Setting] = {"size": 9, "setup": "fists"}


def later(**amount: float) -> datetime:
    return NOON + timedelta(**amount)


async def challenge(
    matches: Matches,
    by: Person = ALICE,
    to: Person | None = None,
    *,
    options: dict[str, Setting] | None = None,
    colour: Side | None = Side.BLACK,
    game: str = "morelli",
    place: str = PLACE,
    terms: Terms = USUAL,
    now: datetime = NOON,
) -> Challenge:
    step = await matches.challenge(
        by,
        to=to,
        server=SERVER,
        place=place,
        game=game,
        options=options,
        terms=terms,
        colour=colour,
        now=now,
    )
    return step.challenge


async def begin(
    matches: Matches,
    options: dict[str, Setting] | None = None,
    *,
    by: Person = ALICE,
    to: Person = BOB,
    game: str = "morelli",
    place: str = PLACE,
    terms: Terms = USUAL,
    now: datetime = NOON,
) -> MatchView:
    """Begin a match, by default of Morelli on a small board, with Alice to move first and Bob across."""
    made = await challenge(
        matches,
        by,
        to,
        options=SMALL if options is None else options,
        colour=GAMES[game].sides[0],
        game=game,
        place=place,
        terms=terms,
        now=now,
    )
    return (await matches.accept(made.id, to, now=now)).match


def legal(view: MatchView, index: int = 0) -> str:
    assert view.position is not None
    return str(view.position.legal_moves()[index])


def mover(view: MatchView) -> Person:
    assert view.to_move is not None
    return view.to_move.person


async def move(matches: Matches, view: MatchView, text: str | None = None, now: datetime = NOON) -> Turn:
    """Have whoever is to move play `text`, or the first legal move."""
    return await matches.play(
        view.id, mover(view), [legal(view) if text is None else text], seen_ply=view.stamp, now=now
    )


async def play_out(matches: Matches, view: MatchView) -> Turn:
    """Play first legal moves to the end of the game."""
    turn = Turn(view, None)
    while turn.match.state is MatchState.PLAYING:
        turn = await move(matches, turn.match)
    return turn


def told(announcement: Announcement | None) -> Announcement:
    assert announcement is not None
    return announcement


NOBODY = ChallengeId(4711)
NOWHERE = MatchId(4711)
