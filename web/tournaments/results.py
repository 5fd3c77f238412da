"""The result of a game: a sign in a table, its words for those who do not see it, a line of a list."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from i18n.writing import Moment, MomentStyle
from matches.tournaments.results import DRAW, WIN, Decision, GameState, format_points
from web.addresses import match_path

if TYPE_CHECKING:
    from matches.tournaments.results import EntrantId
    from matches.tournaments.values import GameView
    from web.tournaments.names import Names

OPEN_SIGN, WAITING_SIGN, ANNULLED_SIGN = "…", "·", "\N{MULTIPLICATION SIGN}"
UNPLAYED_SIGNS = {0: "\N{MINUS SIGN}", DRAW: "½", WIN: "+"}
UNPLAYED = frozenset({Decision.BY_DEFAULT, Decision.BYE, Decision.BLOCKED})
OUTCOMES = {0: "lost", DRAW: "drawn", WIN: "won"}
# How a result came about, where it was not simply played.
EXPLAINED = frozenset(Decision) - {Decision.PLAYED, Decision.BYE}


@dataclass(frozen=True, slots=True)
class Mark:
    """A game as one entrant sees it: a sign, its words, the page of the match, and a style."""

    sign: str
    words: str
    href: str
    style: str


def mark_game(names: Names, game: GameView, entrant: EntrantId) -> Mark:
    """Return the mark of a game in the line of an entrant."""
    texts, opponent = names.texts, game.second if entrant == game.first else game.first
    name = "" if opponent is None else names.name(opponent)
    href = "" if game.match is None else match_path(game.match)
    if game.state is GameState.ANNULLED:
        return Mark(ANNULLED_SIGN, texts("web.tournaments.mark.annulled", name=name), href, "annulled")
    if game.points is None:
        is_open = game.state is GameState.OPEN
        words = texts(f"web.tournaments.mark.{'open' if is_open else 'waiting'}", name=name)
        return Mark(OPEN_SIGN if is_open else WAITING_SIGN, words, href, "open" if is_open else "waiting")
    own = game.points[0 if entrant == game.first else 1]
    outcome = OUTCOMES.get(own, "drawn")
    sign = UNPLAYED_SIGNS.get(own, "½") if game.decision in UNPLAYED else format_points(own)
    words = texts(f"web.tournaments.mark.{outcome}", name=name)
    if game.decision in EXPLAINED:
        words = texts("web.tournaments.mark.how", result=words, how=describe_decision(names, game))
    return Mark(sign, words, href, outcome)


def describe_decision(names: Names, game: GameView) -> str:
    """Return how a result came about; empty if it was simply played."""
    if game.decision not in EXPLAINED:
        return ""
    if game.decision is Decision.ADJUDICATED and game.chances is not None:
        percent = round(100 * game.chances)
        return names.texts("web.tournaments.decision.chances", name=names.name(game.first), chances=percent)
    return names.texts(f"web.tournaments.decision.{game.decision}")


def game_item(names: Names, game: GameView) -> dict[str, Any]:
    """Return the template context of a game in a list."""
    result = "" if game.points is None else " : ".join(map(format_points, game.points))
    is_open = game.state is GameState.OPEN
    return {
        "id": game.id,
        "first": names.item(game.first),
        "second": None if game.second is None else names.item(game.second),
        "result": result,
        "state": game.state.value,
        "won": None if game.points is None else (game.points[0] == WIN, game.points[1] == WIN),
        "how": describe_decision(names, game),
        "href": "" if game.match is None else match_path(game.match),
        "until": Moment(game.ends_at, MomentStyle.DATE) if is_open and game.ends_at is not None else None,
        "answer_by": None if game.answer_by is None or not is_unanswered(game) else Moment(game.answer_by),
    }


def is_unanswered(game: GameView) -> bool:
    """Return whether a game is a challenge of a ladder that waits for its answer."""
    return game.answer_by is not None and game.match is None and game.points is None
