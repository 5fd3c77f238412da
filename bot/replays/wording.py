"""A replayed game as sentences: which it is, what a turn did, how it ended."""

from __future__ import annotations

from typing import TYPE_CHECKING

from bot import people
from words import telling

if TYPE_CHECKING:
    from collections.abc import Mapping

    from engine.game import Game, Side
    from matches import Page, Replay
    from words import Words

LONGEST_NAME = 60
LONGEST_COMMENT = 300
DAY = len("2026-05-01")


def title(words: Words, games: Mapping[str, Game], game: Replay, page: Page) -> str:
    """Tell which game it is, between whom, and its options."""
    told = words(
        "replay.match" if game.match is not None else "replay.record",
        number=game.match or game.record,
        game=words(f"game.{game.game}.name"),
        details=telling.settings(words, games[game.game], game.options),
        **seats(words, page),
    )
    if game.match is not None or not game.began:
        return told
    return words("replay.dated", title=told, date=game.began[:DAY])


def turn(words: Words, game: Replay, page: Page) -> str:
    """Tell what the turn of a page did and what is said of it; on the last page also how things stand."""
    lines = [_place(words, game, page)]
    if page.comment:
        lines.append(words("replay.comment", comment=people.foreign(page.comment, LONGEST_COMMENT)))
    if page.turn == game.turns:
        lines.append(standing(words, page))
    return words.listed([line for line in lines if line], "list.lines")


def standing(words: Words, page: Page) -> str:
    """Tell the result, or who is to move; empty where neither is known."""
    if page.reason:
        return result(words, page)
    seat = page.to_move
    if seat is None:
        return ""
    return words("board.to_move", name=name(words, page, seat.side), side=telling.side(words, seat.side))


def alt(words: Words, game: Replay, page: Page, diagram: str) -> str:
    """Tell in plain text what the picture of a page and its words show."""
    return words("replay.alt", told=people.plain(turn(words, game, page)), diagram=diagram)


def film_alt(words: Words, games: Mapping[str, Game], game: Replay) -> str:
    """Tell in plain text what an animation shows."""
    last = game.pages[-1]
    told = words(
        "film.alt",
        title=title(words, games, game, last),
        count=game.turns,
        standing=standing(words, last),
    )
    return people.plain(told)


def seats(words: Words, page: Page) -> dict[str, str]:
    """Give the values `first`, `first_side`, `second`, `second_side` of a sentence about both people."""
    first, second = page.seats
    return {
        "first": name(words, page, first.side),
        "first_side": telling.side(words, first.side),
        "second": name(words, page, second.side),
        "second_side": telling.side(words, second.side),
    }


def name(words: Words, page: Page, side: Side) -> str:
    """Give the name of whoever sits at a side, which anybody may have written into a record."""
    seat = next(seat for seat in page.seats if seat.side is side)
    return people.foreign(seat.person.name, LONGEST_NAME) or words("replay.nobody")


def result(words: Words, page: Page) -> str:
    """Tell who won and why; a record may give a reason of its own, in one word."""
    if page.outcome is None:
        return words("replay.void", reason=page.reason)
    winner, names = page.outcome.winner, {seat.side: name(words, page, seat.side) for seat in page.seats}
    if not words.has(f"result.{page.reason}.{'win' if winner else 'draw'}"):
        if winner is None:
            return words("replay.drawn", reason=page.reason)
        return words("replay.won", side=telling.side(words, winner), name=names[winner], reason=page.reason)
    moved = page.side or page.seats[1].side
    stuck = next(seat.side for seat in page.seats if seat.side is not moved)
    return telling.result(words, page.position.idiom, page.reason, winner=winner, stuck=stuck, names=names)


def _place(words: Words, game: Replay, page: Page) -> str:
    if page.side is None:
        return words("replay.start", count=game.turns)
    told = telling.turn(words, page.position.idiom, page.side, page.events)
    return words("replay.turn", turn=page.turn, turns=game.turns, told=told)
