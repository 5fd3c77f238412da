"""Ratings and results as lines of text, for every front end."""

from __future__ import annotations

from typing import TYPE_CHECKING

from i18n import formatting
from i18n.writing import Moment, MomentStyle

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

    from engine.game import Game
    from i18n.catalogue import Texts
    from i18n.contracts import Named
    from matches.ratings.glicko import Rating
    from matches.ratings.values import RatingChange, RatingStep, ResultCounts, Results, Standing

MAX_OPPONENTS = 8
MAX_RESULTS_LISTED = 40  # results listed in the alt text of a chart


def format_rating(rating: float) -> str:
    """Return a rating or a deviation as a whole number."""
    return f"{rating:.0f}"


def format_changes(texts: Texts, changes: Sequence[RatingChange]) -> str:
    """Describe the change of both ratings by a match; empty if the match is unrated."""
    lines = [
        texts(
            "rating.change",
            name=one.person,
            before=format_rating(one.before.rating),
            after=format_rating(one.after.rating),
            gain=_format_gain(texts, one),
        )
        for one in changes
    ]
    return texts("rating.changed", changes=texts.join(lines, "list.dot")) if lines else ""


def _format_gain(texts: Texts, change: RatingChange) -> str:
    points = round(change.after.rating) - round(change.before.rating)
    if points == 0:
        return texts("rating.same")
    return texts("rating.gained" if points > 0 else "rating.lost", points=abs(points))


def format_recomputing(texts: Texts, games: Iterable[str]) -> list[str]:
    """Return a line for each game whose ratings are being recomputed."""
    return [texts("rating.recomputing", game=texts(f"game.{game}.name")) for game in sorted(games)]


def format_standing(texts: Texts, standing: Standing) -> str:
    """Describe a user's rating in a game."""
    return texts(
        "profile.provisional" if standing.is_provisional else "profile.rating",
        game=texts(f"game.{standing.game}.name"),
        rating=format_rating(standing.rating.rating),
        deviation=format_rating(standing.rating.deviation),
        count=standing.played,
    )


def format_results(texts: Texts, game: Game, results: Results) -> Iterator[str]:
    """Yield a user's results in a game: in total, then by opponent, colour and start."""
    name = texts(f"game.{game.name}.name")
    if not results.total.played:
        yield texts("profile.no_results", game=name)
        return
    total = texts("profile.total", count=results.total.played, **_count_values(results.total))
    yield texts("profile.results", game=name, total=total)
    yield texts("profile.opponents", scores=_format_scores(texts, results.by_opponent.items()))
    sides = [(formatting.format_side(texts, side), score) for side, score in results.by_side.items()]
    yield texts("profile.colours", scores=_format_scores(texts, sides))
    if game.simultaneous_choice is not None and results.by_start:
        option = game.simultaneous_choice.option
        starts = [
            (formatting.format_option(texts, game.name, option, start), score)
            for start, score in results.by_start.items()
        ]
        yield texts("profile.starts", scores=_format_scores(texts, starts))


def _format_scores(texts: Texts, scores: Iterable[tuple[object, ResultCounts]]) -> str:
    lines = [texts("profile.score", name=name, **_count_values(score)) for name, score in scores]
    shown = lines[:MAX_OPPONENTS]
    if len(lines) > len(shown):
        shown.append(texts("profile.more", count=len(lines) - len(shown)))
    return texts.join(shown, "list.comma")


def _count_values(score: ResultCounts) -> dict[str, int]:
    return {"won": score.won, "drawn": score.drawn, "lost": score.lost}


def format_history(
    texts: Texts, person: Named, game: str, steps: Sequence[RatingStep], current: Rating
) -> str:
    """Describe a rating chart for its alt text."""
    ratings = [step.rating.rating for step in steps]
    result_names = [texts(f"profile.signs.{_result_key(step.score)}") for step in steps[-MAX_RESULTS_LISTED:]]
    return texts(
        "profile.alt",
        name=person,
        game=texts(f"game.{game}.name"),
        count=len(steps),
        first=Moment(steps[0].at, MomentStyle.DATE),
        last=Moment(steps[-1].at, MomentStyle.DATE),
        start=format_rating(ratings[0]),
        low=format_rating(min(ratings)),
        high=format_rating(max(ratings)),
        now=format_rating(current.rating),
        deviation=format_rating(current.deviation),
        order=texts(
            "profile.order_last" if len(steps) > len(result_names) else "profile.order",
            last=len(result_names),
        ),
        signs=texts.join(result_names, "list.comma"),
    )


def format_caption(texts: Texts, game: str, *, has_marks: bool) -> str:
    """Explain how to read a rating chart, which has marks for single results or not."""
    key = "profile.caption" if has_marks else "profile.caption_many"
    return texts(key, game=texts(f"game.{game}.name"))


def _result_key(score: float) -> str:
    if score == 0.5:
        return "drawn"
    return "won" if score > 0.5 else "lost"
