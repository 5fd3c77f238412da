"""What happens in a match, as sentences that may stand on a page; the pages escape them."""

from __future__ import annotations

from typing import TYPE_CHECKING

from matches import MatchState, OfferKind
from words import telling

if TYPE_CHECKING:
    from collections.abc import Mapping

    from engine.game import Game, Setting, Side
    from matches import MatchView, Result
    from matches.records.values import Page
    from words import Words


def game(words: Words, name: str) -> str:
    """Give the name of a game."""
    return words(f"game.{name}.name")


def settings(words: Words, rules: Game, options: Mapping[str, Setting]) -> str:
    """Tell the options of a match."""
    return telling.settings(words, rules, options)


def side(words: Words, which: Side) -> str:
    """Give the name of a side."""
    return telling.side(words, which)


def versus(words: Words, view: MatchView) -> str:
    """Name both people, as a title does."""
    first, second = (seat.person.name for seat in view.seats)
    return words("web.versus", first=first, second=second)


def done(words: Words, page: Page) -> str:
    """Tell what a turn did, without naming the side; empty for the first board."""
    if page.side is None:
        return ""
    return telling.done(words, page.position.idiom, page.side, page.events)


def turn(words: Words, page: Page) -> str:
    """Tell a turn in one sentence."""
    if page.side is None:
        return words("web.turn.start")
    return telling.turn(words, page.position.idiom, page.side, page.events)


def standing(words: Words, view: MatchView) -> str:
    """Tell what is awaited now, or how the match ended."""
    if view.result is not None:
        return result(words, view, view.result)
    if view.state is MatchState.FISTS:
        return words("board.fists", who=words.listed([person.name for person in view.waits_for]))
    seat = view.to_move
    if seat is None:
        return ""
    who = called(words, seat.person.name, side(words, seat.side))
    if view.run:
        return words("web.standing.run", who=who, done=len(view.run), count=view.due)
    return words("web.standing.to_move", who=who)


def called(words: Words, name: str, which: str) -> str:
    """Name a person with their side; whoever gave no name at the local table is called by the side alone."""
    return which if name == which else words("web.called", name=name, side=which)


def offer(words: Words, view: MatchView) -> str:
    """Tell the offer that stands, and what it would come to; empty where there is none."""
    standing = view.standing
    if standing is None or view.result is not None:
        return ""
    told = words(f"web.offer.{standing.kind}.stands", name=standing.by.name)
    if standing.kind is not OfferKind.END or view.position is None:
        return told
    return words("web.offer.with_result", told=told, result=telling.agreed(words, view.position))


def result(words: Words, view: MatchView, ended: Result) -> str:
    """Tell who won and why."""
    moved = view.last[-1].side if view.last else view.seats[1].side
    return telling.result(
        words,
        view.position.idiom if view.position else "",
        ended.reason,
        winner=None if ended.winner is None else ended.winner.side,
        stuck=next(seat.side for seat in view.seats if seat.side is not moved),
        names={seat.side: seat.person.name for seat in view.seats},
    )


def reveal(words: Words, rules: Game, view: MatchView) -> str:
    """Tell what both people picked and what follows; empty where there were no fists."""
    if view.reveal is None:
        return ""
    picks = [
        words("web.fists.one", name=one.person.name, hands=words(f"fists.hands.{one.pick}"))
        for one in view.reveal.picks
    ]
    mode = telling.setting(words, rules.name, view.reveal.option, view.reveal.value)
    key = "web.fists.agreed" if view.reveal.agreed else "web.fists.third"
    return words(key, picks=words.listed(picks, "list.comma"), mode=mode)
