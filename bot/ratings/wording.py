"""Ratings and results as lines of text."""

from __future__ import annotations

from typing import TYPE_CHECKING

from bot import people, telling
from render import MOST_SIGNED

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from engine.game import Game
    from matches import Rating, RatingChange, RatingStep, Results, Score, Standing
    from words import Words

MOST_OPPONENTS = 8
MOST_SIGNS = 40  # results spelled out in an alternative text


def figure(rating: float) -> str:
    """Give a rating or a deviation as it is shown."""
    return f"{rating:.0f}"


def changes(words: Words, made: Sequence[RatingChange]) -> str:
    """Tell what a match did to both ratings; empty where it does not count."""
    told = [
        words(
            "rating.change",
            name=people.called(one.person),
            before=figure(one.before.rating),
            after=figure(one.after.rating),
            gain=_gain(words, one),
        )
        for one in made
    ]
    return words("rating.changed", changes=words.listed(told, "list.dot")) if told else ""


def _gain(words: Words, one: RatingChange) -> str:
    points = round(one.after.rating) - round(one.before.rating)
    if points == 0:
        return words("rating.same")
    return words("rating.gained" if points > 0 else "rating.lost", points=abs(points))


def standing(words: Words, one: Standing) -> str:
    """Tell how somebody stands at a game."""
    return words(
        "profile.provisional" if one.provisional else "profile.rating",
        game=words(f"game.{one.game}.name"),
        rating=figure(one.rating.rating),
        deviation=figure(one.rating.deviation),
        count=one.played,
    )


def results(words: Words, game: Game, found: Results) -> Iterator[str]:
    """Tell somebody's results at a game: all, then by opponent, colour and start mode."""
    name = words(f"game.{game.name}.name")
    if not found.total.played:
        yield words("profile.no_results", game=name)
        return
    total = words("profile.total", count=found.total.played, **_counts(found.total))
    yield words("profile.results", game=name, total=total)
    opponents = [(people.called(person), score) for person, score in found.by_opponent.items()]
    yield words("profile.opponents", scores=_scores(words, opponents))
    sides = [(telling.side(words, side), score) for side, score in found.by_side.items()]
    yield words("profile.colours", scores=_scores(words, sides))
    if game.fists is not None and found.by_start:
        option = game.fists.option
        starts = [
            (telling.setting(words, game.name, option, start), score)
            for start, score in found.by_start.items()
        ]
        yield words("profile.starts", scores=_scores(words, starts))


def _scores(words: Words, scores: Sequence[tuple[str, Score]]) -> str:
    told = [words("profile.score", name=name, **_counts(score)) for name, score in scores]
    shown = told[:MOST_OPPONENTS]
    if len(told) > len(shown):
        shown.append(words("profile.more", count=len(told) - len(shown)))
    return words.listed(shown, "list.comma")


def _counts(score: Score) -> dict[str, int]:
    return {"won": score.won, "drawn": score.drawn, "lost": score.lost}


def course(words: Words, name: str, game: str, steps: Sequence[RatingStep], now: Rating) -> str:
    """Tell what a picture of a rating's course shows."""
    ratings = [step.rating.rating for step in steps]
    signs = [words(f"profile.signs.{_sign(step.score)}") for step in steps[-MOST_SIGNS:]]
    return words(
        "profile.alt",
        name=name,
        game=words(f"game.{game}.name"),
        count=len(steps),
        first=f"{steps[0].at:%Y-%m-%d}",
        last=f"{steps[-1].at:%Y-%m-%d}",
        start=figure(ratings[0]),
        low=figure(min(ratings)),
        high=figure(max(ratings)),
        now=figure(now.rating),
        deviation=figure(now.deviation),
        order=words("profile.order_last" if len(steps) > len(signs) else "profile.order", last=len(signs)),
        signs=words.listed(signs, "list.comma"),
    )


def caption(words: Words, game: str, matches: int) -> str:
    """Tell how to read a picture of a rating's course; that of very many matches has no sign for each."""
    key = "profile.caption" if matches <= MOST_SIGNED else "profile.caption_many"
    return words(key, game=words(f"game.{game}.name"))


def _sign(score: float) -> str:
    if score == 0.5:
        return "drawn"
    return "won" if score > 0.5 else "lost"
