"""Glicko-2, after Mark E. Glickman's "Example of the Glicko-2 system" (2013), whose steps are named here.

The paper gathers the games of a rating period and counts them as played at once, ten or more for each person.
A correspondence match lasts for months: a person ends one or two a month, and wants to see what it came to
when it is over. So each match is a period of its own without length, rated when it ends, and the time since
the person's last one is a stretch without games, by as much of :data:`PERIOD` as it lasted, fractions
included (step 6 for people who do not compete: variances add up, so whole periods come out as in the paper).
Ratings are given on the paper's outer scale: 1500 to begin with.
"""

from __future__ import annotations

from dataclasses import dataclass
from datetime import timedelta
from math import exp, log, pi, sqrt
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

START, UNKNOWN, STEADY = 1500.0, 350.0, 0.06
"""Rating, deviation and volatility of somebody of whom nothing is known (step 1). No deviation is larger."""

PERIOD = timedelta(weeks=1)
"""How long the volatility takes to widen a deviation once: a year without a match turns 60 into 97."""

_SCALE = 173.7178  # points of the outer scale to one of the inner (step 2)
_TAU = 0.5  # how readily the volatility changes; the paper's example has the same
_TOLERANCE = 1e-6  # how exactly the volatility is found, in its logarithm


@dataclass(frozen=True, slots=True)
class Rating:
    """How strong somebody is: the `rating`, how unsure that is (`deviation`, in points), how steady."""

    rating: float = START
    deviation: float = UNKNOWN
    volatility: float = STEADY

    @property
    def mu(self) -> float:
        """The rating on the inner scale (step 2)."""
        return (self.rating - START) / _SCALE

    @property
    def phi(self) -> float:
        """The deviation on the inner scale (step 2)."""
        return self.deviation / _SCALE


Game = tuple[Rating, float]
"""An opponent, and what one scored: 1 for a win, 0.5 for a draw, 0 for a loss."""


def rested(rating: Rating, length: timedelta) -> Rating:
    """Give a rating after `length` without a game: the deviation grows (step 6), at most to UNKNOWN."""
    phi = sqrt(rating.phi**2 + _periods(length) * rating.volatility**2)
    return Rating(rating.rating, min(phi * _SCALE, UNKNOWN), rating.volatility)


def rest_until(rating: Rating, deviation: float) -> timedelta:
    """Give how long somebody must rest for the deviation to grow to so much; 0 where it is there by now."""
    missing = (deviation / _SCALE) ** 2 - rating.phi**2
    return max(missing, 0) / rating.volatility**2 * PERIOD


def rated(rating: Rating, games: Sequence[Game], length: timedelta = timedelta()) -> Rating:
    """Give a rating after a period of some `length` with games, at least one (steps 3 to 8)."""
    variance = 1 / sum(_weight(rating, other) for other, _ in games)
    gain = sum(_reach(other) * (score - expected(rating, other)) for other, score in games)
    volatility = _steadied(rating, variance, variance * gain)
    widened = rating.phi**2 + _periods(length) * volatility**2
    phi = 1 / sqrt(1 / widened + 1 / variance)
    mu = rating.mu + phi**2 * gain
    return Rating(START + _SCALE * mu, _SCALE * phi, volatility)


def expected(rating: Rating, other: Rating) -> float:
    """Give the score that is to be expected against somebody, 0 to 1 (step 3)."""
    return 1 / (1 + exp(-_reach(other) * (rating.mu - other.mu)))


def _periods(length: timedelta) -> float:
    return length / PERIOD


def _reach(other: Rating) -> float:
    """Give how much a game against somebody tells: less, the less sure their rating is (g of step 3)."""
    return 1 / sqrt(1 + 3 * other.phi**2 / pi**2)


def _weight(rating: Rating, other: Rating) -> float:
    likely = expected(rating, other)
    return _reach(other) ** 2 * likely * (1 - likely)


def _steadied(rating: Rating, variance: float, improvement: float) -> float:
    """Give the new volatility (step 5)."""
    known, surprise = rating.phi**2 + variance, improvement**2
    before = log(rating.volatility**2)

    def slope(x: float) -> float:
        spread = known + exp(x)
        return exp(x) * (surprise - spread) / (2 * spread**2) - (x - before) / _TAU**2

    return exp(_root(slope, before, _beyond(slope, before, surprise - known)) / 2)


def _beyond(slope: Callable[[float], float], before: float, excess: float) -> float:
    """Give a place on the far side of the root, seen from `before` (step 5.2)."""
    if excess > 0:
        return log(excess)
    far = before - _TAU
    while slope(far) < 0:
        far -= _TAU
    return far


def _root(slope: Callable[[float], float], near: float, far: float) -> float:
    """Close in on the root between two places by the paper's regula falsi (steps 5.3 to 5.5)."""
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
