"""What happens in a match, as sentences that may stand on a page; the pages escape them."""

from __future__ import annotations

from typing import TYPE_CHECKING

from i18n import formatting
from matches import MatchState, OfferKind

if TYPE_CHECKING:
    from collections.abc import Mapping

    from engine.game import Game, OptionValue, Side
    from i18n import Texts
    from matches import MatchView, Result
    from matches.records.values import ReplayTurn


def game_name(texts: Texts, name: str) -> str:
    """Return the name of a game."""
    return texts(f"game.{name}.name")


def format_options(texts: Texts, rules: Game, options: Mapping[str, OptionValue]) -> str:
    """Tell the options of a match."""
    return formatting.format_options(texts, rules, options)


def format_side(texts: Texts, side: Side) -> str:
    """Return the name of a side."""
    return formatting.format_side(texts, side)


def match_title(texts: Texts, view: MatchView) -> str:
    """Name both people, as a title does."""
    first, second = (seat.person.name for seat in view.seats)
    return texts("web.versus", first=first, second=second)


def format_events(texts: Texts, page: ReplayTurn) -> str:
    """Tell what a turn did, without naming the side; empty for the first board."""
    if page.side is None:
        return ""
    return formatting.format_events(texts, page.position.vocabulary, page.side, page.events)


def format_turn(texts: Texts, page: ReplayTurn) -> str:
    """Tell a turn in one sentence."""
    if page.side is None:
        return texts("web.turn.start")
    return formatting.format_turn(texts, page.position.vocabulary, page.side, page.events)


def format_status(texts: Texts, view: MatchView) -> str:
    """Tell what is awaited now, or how the match ended."""
    if view.result is not None:
        return format_result(texts, view, view.result)
    if view.state is MatchState.CHOOSING:
        return texts("board.choosing", names=texts.join([person.name for person in view.waits_for]))
    seat = view.to_move
    if seat is None:
        return ""
    name = player_name(texts, seat.person.name, format_side(texts, seat.side))
    if view.unfinished_moves:
        return texts("web.standing.placing", name=name, done=len(view.unfinished_moves), count=view.moves_due)
    return texts("web.standing.to_move", name=name)


def player_name(texts: Texts, player: str, side: str) -> str:
    """Name a person with their side; whoever gave no name at the local table is called by the side alone."""
    return side if player == side else texts("web.player", name=player, side=side)


def format_offer(texts: Texts, view: MatchView) -> str:
    """Tell the offer that stands, and what it would come to; empty where there is none."""
    pending_offer = view.pending_offer
    if pending_offer is None or view.result is not None:
        return ""
    text = texts(f"web.offer.{pending_offer.kind}.pending", name=pending_offer.by.name)
    if pending_offer.kind is not OfferKind.END or view.position is None:
        return text
    return texts(
        "web.offer.with_result", offer=text, result=formatting.format_agreed_end(texts, view.position)
    )


def format_result(texts: Texts, view: MatchView, result: Result) -> str:
    """Tell who won and why."""
    last_mover = view.last_turn[-1].side if view.last_turn else view.seats[1].side
    return formatting.format_result(
        texts,
        view.position.vocabulary if view.position else "",
        result.reason,
        winner=None if result.winner is None else result.winner.side,
        side_to_move=next(seat.side for seat in view.seats if seat.side is not last_mover),
        names={seat.side: seat.person.name for seat in view.seats},
    )


def format_reveal(texts: Texts, rules: Game, view: MatchView) -> str:
    """Tell what both people picked and what follows; empty where there were no fists."""
    if view.reveal is None:
        return ""
    picks = [
        texts("web.fists.one", name=one.person.name, hands=texts(f"fists.hands.{one.pick}"))
        for one in view.reveal.picks
    ]
    mode = formatting.format_option(texts, rules.name, view.reveal.option, view.reveal.value)
    key = "web.fists.agreed" if view.reveal.agreed else "web.fists.third"
    return texts(key, picks=texts.join(picks, "list.comma"), mode=mode)
