"""Glicko-2 against the worked example of its author, and the treatment of time between matches."""

from datetime import timedelta
from math import exp, log, pi, sqrt

import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from matches.ratings.glicko import (
    DEFAULT_RATING,
    MAX_DEVIATION,
    RATING_PERIOD,
    Rating,
    decay,
    expected_score,
    time_until_deviation,
    update_rating,
)

PLAYER = Rating(1500, 200, 0.06)
# The paper's three games: a win and two losses.
GAMES = [(Rating(1400, 30), 1.0), (Rating(1550, 100), 0.0), (Rating(1700, 300), 0.0)]
NEW = Rating()
AN_HOUR = timedelta(hours=1)

ratings = st.builds(
    Rating,
    st.floats(400, 3000),
    st.floats(30, MAX_DEVIATION),
    st.floats(0.02, 0.15),
)
peers = st.builds(Rating, st.floats(1400, 1900), st.floats(30, MAX_DEVIATION))
scores = st.sampled_from([0.0, 0.5, 1.0])


def reference_update(rating: Rating, games: list[tuple[Rating, float]], periods: float) -> Rating:
    """Compute an update independently, in the paper's notation; find the volatility by bisection."""
    mu, phi, sigma = (rating.rating - 1500) / 173.7178, rating.deviation / 173.7178, rating.volatility
    g = [1 / sqrt(1 + 3 * (other.deviation / 173.7178) ** 2 / pi**2) for other, _ in games]
    e = [
        1 / (1 + exp(-gj * (mu - (other.rating - 1500) / 173.7178)))
        for gj, (other, _) in zip(g, games, strict=True)
    ]
    v = 1 / sum(gj**2 * ej * (1 - ej) for gj, ej in zip(g, e, strict=True))
    gained = sum(gj * (score - ej) for gj, ej, (_, score) in zip(g, e, games, strict=True))
    delta, a = v * gained, log(sigma**2)

    def f(x: float) -> float:
        rest = delta**2 - phi**2 - v - exp(x)
        return exp(x) * rest / (2 * (phi**2 + v + exp(x)) ** 2) - (x - a) / 0.25

    step = 0.01 if f(a) > 0 else -0.01
    walk = next(a + n * step for n in range(1, 9999) if f(a + n * step) * step <= 0)
    low, high = min(a, walk), max(a, walk)
    for _ in range(60):
        middle = (low + high) / 2
        low, high = (middle, high) if f(middle) > 0 else (low, middle)
    star = phi**2 + periods * exp(low)
    phi = 1 / sqrt(1 / star + 1 / v)
    return Rating(1500 + 173.7178 * (mu + phi**2 * gained), 173.7178 * phi, exp(low / 2))


def test_the_papers_example_comes_out() -> None:
    """Compare with the paper.

    It rounds intermediate values to 1464.06, 151.52 and 0.05999; unrounded the rating is 1464.0507 and the
    volatility 0.059996.
    """
    after = update_rating(PLAYER, GAMES, RATING_PERIOD)
    assert after.rating == pytest.approx(1464.06, abs=0.01)
    assert after.deviation == pytest.approx(151.52, abs=0.005)
    assert after.volatility == pytest.approx(0.05999, abs=0.00001)


@pytest.mark.long
@given(ratings, st.lists(st.tuples(peers, scores), min_size=1, max_size=4), st.floats(0, 20))
def test_every_period_comes_out_as_the_paper_says(
    one: Rating, games: list[tuple[Rating, float]], periods: float
) -> None:
    after, book = update_rating(one, games, periods * RATING_PERIOD), reference_update(one, games, periods)
    assert after.rating == pytest.approx(book.rating, abs=1e-3)
    assert after.deviation == pytest.approx(book.deviation, abs=1e-3)
    assert after.volatility == pytest.approx(book.volatility, abs=1e-6)


@pytest.mark.parametrize(
    ("opponent", "likely"), [(GAMES[0][0], 0.639), (GAMES[1][0], 0.432), (GAMES[2][0], 0.303)]
)
def test_the_papers_expectations_come_out(opponent: Rating, likely: float) -> None:
    assert round(expected_score(PLAYER, opponent), 3) == likely


def test_surprise_moves_the_volatility() -> None:
    strong, weak = Rating(1900, 100), Rating(1500, 40)
    beaten = [update_rating(strong, [(weak, 0.0)] * times, RATING_PERIOD) for times in (1, 4, 8)]
    assert strong.volatility < beaten[0].volatility < beaten[1].volatility < beaten[2].volatility


def test_one_enormous_surprise_changes_volatility_little() -> None:
    strong, weak = Rating(2200, 40), Rating(1200, 40)
    assert expected_score(strong, weak) > 0.996
    after = update_rating(strong, [(weak, 0.0)])
    assert 2180 < after.rating < 2195
    assert after.volatility == pytest.approx(0.06, abs=0.0001)


def test_first_match_between_two_newcomers() -> None:
    winner, loser = update_rating(NEW, [(NEW, 1.0)]), update_rating(NEW, [(NEW, 0.0)])
    assert winner.rating + loser.rating == pytest.approx(2 * DEFAULT_RATING)
    assert round(winner.rating) == 1662
    assert round(winner.deviation) == round(loser.deviation) == 290


def test_draw_between_equals_changes_no_rating() -> None:
    after = update_rating(NEW, [(NEW, 0.5)])
    assert after.rating == pytest.approx(DEFAULT_RATING)
    assert after.deviation < MAX_DEVIATION


@pytest.mark.long
@given(ratings, ratings, scores)
def test_score_decides_the_direction(one: Rating, other: Rating, score: float) -> None:
    after = update_rating(one, [(other, score)])
    likely = expected_score(one, other)
    assume(abs(score - likely) > 1e-6)
    assert (after.rating > one.rating) == (score > likely)
    assert after.deviation < one.deviation


@pytest.mark.long
@given(ratings, ratings)
def test_better_score_gives_the_better_rating(one: Rating, other: Rating) -> None:
    lost, drawn, won = (update_rating(one, [(other, score)]).rating for score in (0.0, 0.5, 1.0))
    assert lost < drawn < won


@pytest.mark.parametrize(
    ("deviation", "weeks", "grown"),
    [(60, 0, 60), (60, 52, 96), (60, 104, 122), (50, 0.5, 51), (300, 500, 350), (350, 52, 350)],
)
def test_rest_changes_only_the_deviation(deviation: float, weeks: float, grown: int) -> None:
    before = Rating(1712, deviation, 0.06)
    after = decay(before, timedelta(weeks=weeks))
    assert (after.rating, round(after.deviation), after.volatility) == (1712, grown, 0.06)


@pytest.mark.long
@given(ratings, st.integers(0, 10_000), st.integers(0, 10_000))
def test_rest_can_be_split(one: Rating, first: int, second: int) -> None:
    whole = decay(one, (first + second) * AN_HOUR)
    in_two_steps = decay(decay(one, first * AN_HOUR), second * AN_HOUR)
    assert whole.deviation == pytest.approx(in_two_steps.deviation)


@pytest.mark.long
@given(ratings, st.floats(30, 340))
def test_rest_until_a_deviation_reaches_it(one: Rating, deviation: float) -> None:
    after = decay(one, time_until_deviation(one, deviation))
    assert after.deviation == pytest.approx(max(deviation, one.deviation))


@pytest.mark.long
@given(st.lists(st.tuples(ratings, scores), min_size=1, max_size=40))
def test_long_careers_stay_sane(games: list[tuple[Rating, float]]) -> None:
    rating = NEW
    for game in games:
        rating = decay(update_rating(rating, [game]), AN_HOUR)
    assert -2000 < rating.rating < 5000
    assert 20 < rating.deviation < MAX_DEVIATION
    assert 0.01 < rating.volatility < 0.5
