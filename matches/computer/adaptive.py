"""How strong the computer plays against a person when it follows the person's results.

A strength is a number of levels above the lowest: 1 is *casual*, 1.5 halfway between *casual* and *club*. It
is worked out from the person's finished matches of the game against the computer when a match begins, and is
kept in the terms of that match, so that it stays the same to the end and everybody can read it.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from engine.game import Outcome
from matches.computer.accounts import ACCOUNT_PREFIX, ADAPTIVE, computer_level, is_computer, level_strength
from matches.platforms import WEB, WEBSITE, platform_of
from matches.terms import parse_terms
from storage.match import results

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from engine.game import Game
    from storage import Connection
    from storage.match.results import SeatedResult

FIRST = 1.0  # of a person without any result
HIGHEST = 4.0  # expert: the level above takes its time, which is not everybody's
FIRST_STEP, STEP = 0.5, 0.25  # after a win or a loss
FIRST_RESULTS = 4  # so many results against the adaptive computer change it by the first step
FROM_FIXED = 0.5  # so far above a level that was beaten, or below one that has won
RECENT = 50  # finished matches that are looked at; their terms say what was reached before


def find_strength(found: Iterable[tuple[str, float]], before: float | None = None) -> float:
    """Return the strength after results, the oldest first: the level of the computer and the person's score.

    `before` is the strength before them, None for a person without any.

    A score is 1 for a win, 0.5 for a draw, 0 for a loss. Beating a fixed level shows that the person is
    stronger than it, losing to one that the person is weaker; nothing else follows from either.
    """
    strength, adaptive_results = (FIRST, 0) if before is None else (before, FIRST_RESULTS)
    for level, score in found:
        if level == ADAPTIVE:
            step = FIRST_STEP if adaptive_results < FIRST_RESULTS else STEP
            adaptive_results += 1
            strength += step * (2 * score - 1)
        elif (fixed := level_strength(level)) is not None:
            if score == 1:
                strength = max(strength, fixed + FROM_FIXED)
            elif score == 0:
                strength = min(strength, fixed - FROM_FIXED)
        strength = min(max(strength, 0.0), HIGHEST)
    return strength


async def load_strength(connection: Connection, person: str, server: str, game: Game) -> float:
    """Return how strong an adaptive computer plays in the next match of an account at a game.

    On a website of one's own machine every match has new accounts, so all who play there count as one person.
    """
    is_own_machine = platform_of(server) == WEB and server != WEBSITE
    whose = {"server": server} if is_own_machine else {"account": person}
    return strength_after(
        await results.list_against(connection, ACCOUNT_PREFIX, game.name, RECENT, **whose), game
    )


def strength_after(rows: Sequence[SeatedResult], game: Game) -> float:
    """Return the strength after matches of a person at a game against the computer, the oldest first.

    Where there may be older ones, what was reached with them stands in the terms of the first adaptive match.
    """
    before = None
    if len(rows) == RECENT:
        strengths = [parse_terms(row.terms).strength for row in rows]
        first, before = next(
            ((index, one) for index, one in enumerate(strengths) if one is not None), (0, None)
        )
        rows = rows[first:]
    return find_strength((_result(row, game) for row in rows), before)


def _result(row: SeatedResult, game: Game) -> tuple[str, float]:
    """Return the level of the computer in a match, and the score of the person."""
    is_second = is_computer(row.first)
    level = computer_level(row.first if is_second else row.second) or ""
    if row.outcome == Outcome.DRAW:
        return level, 0.5
    return level, float(row.outcome == game.sides[is_second])
