"""Glicko-2, after Mark E. Glickman's "Example of the Glicko-2 system" (2013); steps are those of the paper.

The paper collects the games of a rating period, ten or more for each player, and rates them as if played at
once. A correspondence match lasts for months: a player ends one or two a month, and wants to see its effect
at once. So each match is a rating period of its own without length, rated when it ends. The time since the
player's last match counts as periods without games, each :data:`RATING_PERIOD` long, fractions included (step
6 for players who do not compete: variances add up, so that whole periods agree with the paper). Ratings are
on the paper's outer scale, on which 1500 is the initial rating.
"""

from __future__ import annotations

from dataclasses import dataclass
from datetime import timedelta
from math import exp, log, pi, sqrt
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

DEFAULT_RATING, MAX_DEVIATION, DEFAULT_VOLATILITY = 1500.0, 350.0, 0.06
"""The rating of a player without rated games (step 1). No deviation is larger."""

RATING_PERIOD = timedelta(weeks=1)
"""How long the volatility takes to widen a deviation once: a year without a match turns 60 into 97."""

_SCALE = 173.7178  # points of the outer scale in one of the inner (step 2)
_TAU = 0.5  # system constant; the value of the paper's example
_TOLERANCE = 1e-6  # convergence tolerance of the logarithm of the volatility


@dataclass(frozen=True, slots=True)
class Rating:
    """A Glicko-2 rating: `rating` and `deviation` in points of the outer scale, and `volatility`."""

    rating: float = DEFAULT_RATING
    deviation: float = MAX_DEVIATION
    volatility: float = DEFAULT_VOLATILITY

    @property
    def mu(self) -> float:
        """The rating on the inner scale (step 2)."""
        return (self.rating - DEFAULT_RATING) / _SCALE

    @property
    def phi(self) -> float:
        """The deviation on the inner scale (step 2)."""
        return self.deviation / _SCALE


GameResult = tuple[Rating, float]
"""An opponent, and what one scored: 1 for a win, 0.5 for a draw, 0 for a loss."""


def decay(rating: Rating, elapsed: timedelta) -> Rating:
    """Return a rating after `elapsed` without a game: the deviation grows (step 6), at most to UNKNOWN's."""
    phi = sqrt(rating.phi**2 + (elapsed / RATING_PERIOD) * rating.volatility**2)
    return Rating(rating.rating, min(phi * _SCALE, MAX_DEVIATION), rating.volatility)


def time_until_deviation(rating: Rating, deviation: float) -> timedelta:
    """Return how long without a game it takes until the deviation has grown to a value; 0 if it has."""
    variance_gap = (deviation / _SCALE) ** 2 - rating.phi**2
    return max(variance_gap, 0) / rating.volatility**2 * RATING_PERIOD


def update_rating(rating: Rating, results: Sequence[GameResult], length: timedelta = timedelta()) -> Rating:
    """Return a rating after `elapsed` and a period with at least one game (steps 3 to 8)."""
    variance = 1 / sum(_weight(rating, other) for other, _ in results)
    improvement = sum(_g_factor(other) * (score - expected_score(rating, other)) for other, score in results)
    volatility = _new_volatility(rating, variance, variance * improvement)
    pre_variance = rating.phi**2 + (length / RATING_PERIOD) * volatility**2
    phi = 1 / sqrt(1 / pre_variance + 1 / variance)
    mu = rating.mu + phi**2 * improvement
    return Rating(DEFAULT_RATING + _SCALE * mu, _SCALE * phi, volatility)


def expected_score(rating: Rating, opponent: Rating) -> float:
    """Return the expected score against an opponent, 0 to 1 (step 3)."""
    return 1 / (1 + exp(-_g_factor(opponent) * (rating.mu - opponent.mu)))


def _g_factor(opponent: Rating) -> float:
    """Return the weight of a game against an opponent, which falls with their deviation (g of step 3)."""
    return 1 / sqrt(1 + 3 * opponent.phi**2 / pi**2)


def _weight(rating: Rating, opponent: Rating) -> float:
    expectation = expected_score(rating, opponent)
    return _g_factor(opponent) ** 2 * expectation * (1 - expectation)


def _new_volatility(rating: Rating, variance: float, improvement: float) -> float:
    """Return the new volatility (step 5)."""
    base, improvement_squared = rating.phi**2 + variance, improvement**2
    before = log(rating.volatility**2)

    def slope(x: float) -> float:
        spread = base + exp(x)
        return exp(x) * (improvement_squared - spread) / (2 * spread**2) - (x - before) / _TAU**2

    return exp(_find_root(slope, before, _bracket(slope, before, improvement_squared - base)) / 2)


def _bracket(slope: Callable[[float], float], before: float, excess: float) -> float:
    """Return a point beyond the root, as seen from `before` (step 5.2)."""
    if excess > 0:
        return log(excess)
    far = before - _TAU
    while slope(far) < 0:
        far -= _TAU
    return far


def _find_root(slope: Callable[[float], float], near: float, far: float) -> float:
    """Find the root between two points by the paper's regula falsi (steps 5.3 to 5.5)."""
    at_near, at_far = slope(near), slope(far)
    while abs(far - near) > _TOLERANCE:
        middle = near + (near - far) * at_near / (at_far - at_near)
        at_middle = slope(middle)
        if at_middle * at_far <= 0:
            near, at_near = far, at_far
        else:
            at_near /= 2
        far, at_far = middle, at_middle
    return near
