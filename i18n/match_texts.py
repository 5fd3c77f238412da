"""A match in words, for every front end: who plays, whose turn it is, what the turns did, how it ended.

A match is described alike now and on a page of its replay: both have seats, a position, a side to move next
and a result.
"""

from __future__ import annotations

from dataclasses import replace
from datetime import datetime
from typing import TYPE_CHECKING

from engine.game import Outcome
from i18n import formatting
from i18n.match_names import format_replay_name, format_short_match_name
from i18n.names import with_own_name
from i18n.quoting import quote
from i18n.writing import Day, Moment, MomentStyle, isolate
from matches.computer.accounts import is_computer, strength_levels
from matches.values import MAX_REASON_LENGTH, EndReason, MatchState, OfferKind, tell_apart

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from engine.game import Game, PieceGroup, Position
    from i18n.catalogue import Texts
    from matches.match_view import LoggedMove, MatchView
    from matches.records.values import Replay, ReplayTurn
    from matches.values import Person, Result, Seat

    DescribedMatch = MatchView | ReplayTurn

REASONS_WITHOUT_RESULT = frozenset({EndReason.ABORTED, EndReason.VOIDED})  # nobody has won, lost or drawn


def seat_values(texts: Texts, seats: Sequence[Seat]) -> dict[str, str]:
    """Return the values `first`, `first_side`, `second` and `second_side` of texts about both players."""
    first, second = tell_apart(*(with_own_name(texts, seat.person) for seat in seats[:2]))
    shown = (replace(seats[0], person=first), replace(seats[1], person=second))
    return {
        name: value
        for number, seat in zip(("first", "second"), shown, strict=True)
        for name, value in (
            (number, format_player(texts, seat)),
            (f"{number}_side", formatting.format_side(texts, seat.side)),
        )
    }


def format_player(texts: Texts, seat: Seat) -> str:
    """Return the name of a player; an imported record may not have it."""
    return texts.write(seat.person) if seat.person.name else texts("replay.nobody")


def format_played_turn(texts: Texts, moves: Sequence[LoggedMove]) -> str:
    """Return what the moves of one turn did: ``White G11-J8, captures J7``."""
    events = [event for move in moves for event in move.events]
    return formatting.format_turn(texts, moves[-1].position.vocabulary, moves[0].side, events)


def format_state(texts: Texts, match: DescribedMatch, *, is_current: bool = True) -> str:
    """Return the result, or whose turn it is or was; empty if neither is known."""
    if match.result is not None or match.to_move is None:
        return format_result(texts, match)
    values = {
        "name": format_player(texts, match.to_move),
        "side": formatting.format_side(texts, match.to_move.side),
    }
    if not is_current:
        return texts("board.was_to_move", **values)
    return add_turns_to_draw(texts, texts("board.to_move", **values), match.position)


def add_turns_to_draw(texts: Texts, sentence: str, position: Position | None) -> str:
    """Return `sentence`, and after it how few turns are left to a draw, if they are few."""
    turns = format_turns_to_draw(texts, position)
    return texts.join([sentence, turns], "list.space") if turns else sentence


def format_turns_to_draw(texts: Texts, position: Position | None) -> str:
    """Return after how many more turns the game is a draw; empty if they are many, or not limited."""
    if position is None or position.turns_to_draw is None:
        return ""
    return texts.for_game(position.vocabulary, "board.draw_in", count=position.turns_to_draw)


def format_choosing(texts: Texts, people: Sequence[Person]) -> str:
    """Return that there is no board yet, because these people still have to pick."""
    return texts("board.choosing", names=texts.join(people))


def format_result(texts: Texts, match: DescribedMatch) -> str:
    """Return who won and why, such as ``White (Bob) wins. Alice resigns.``; empty before the end.

    The reason of an imported record may be another program's.
    """
    if match.result is None:
        return ""
    position, stuck = match.position, formatting.format_side(texts, match.next_side)
    vocabulary, cause = ("", "") if position is None else (position.vocabulary, position.outcome_cause)
    if match.result.reason != EndReason.PLAYED:
        loser = match.result.loser
        cause = "computer" if loser is not None and is_computer(loser.person.account) else ""
    return _format_end(texts, match.result, vocabulary, cause, stuck=stuck)


def format_short_result(texts: Texts, result: Result) -> str:
    """Return who won, and why unless the game itself decided.

    What decided a game is seen on its last board, which lists do not load.
    """
    if result.reason == EndReason.PLAYED:
        return format_winner(texts, result)
    return _format_end(texts, result)


def format_winner(texts: Texts, result: Result) -> str:
    """Return who won, such as ``White (Bob) wins.``."""
    if result.winner is None:
        return texts("result.void" if result.reason in REASONS_WITHOUT_RESULT else "result.drawn")
    side = formatting.format_side(texts, result.winner.side)
    name = format_player(texts, result.winner)
    if name == side:  # an unnamed player is called by the side
        return texts("result.won_by_side", side=side)
    # The computer's name, for example, ends with its level.
    return texts(
        "result.won_as" if name.endswith((")", "\N{FULLWIDTH RIGHT PARENTHESIS}")) else "result.won",
        side=side,
        name=name,
    )


def _format_end(texts: Texts, result: Result, vocabulary: str = "", cause: str = "", **values: str) -> str:
    if result.winner is not None and result.loser is not None:
        values |= {
            "winner": formatting.format_side(texts, result.winner.side),
            "loser": format_player(texts, result.loser),
            "losing_side": formatting.format_side(texts, result.loser.side),
        }
    kind = "draw" if result.winner is None else "win"
    if result.reason == EndReason.ADJUDICATED and result.outcome is None:
        return texts("result.adjudicated.pending")
    keys = [
        f"result.{result.reason}.{cause or kind}",
        f"result.{result.reason}.{kind}",
    ]
    key = next((key for key in keys if texts.has_for_game(vocabulary, key)), "")
    if key:
        reason = texts.for_game(vocabulary, key, **values)
        return texts("result.whole", headline=format_winner(texts, result), reason=reason)
    if result.winner is None:
        return texts("replay.drawn", reason=result.reason)
    name = format_player(texts, result.winner)
    return texts("replay.won", side=values["winner"], name=name, reason=result.reason)


def format_last_turn(texts: Texts, view: MatchView) -> str:
    """Return the last turn as text, after the turns announced with it; empty before the first turn."""
    if not view.last_turn:
        return ""
    return texts.join(
        [format_played_turn(texts, moves) for moves in (*view.preceding_turns, view.last_turn)], "list.then"
    )


def format_standing(texts: Texts, view: MatchView) -> str:
    """Return the last turn, then who has to act, or the result."""
    if view.state is MatchState.CHOOSING:
        state = format_choosing(texts, view.waits_for)
    elif view.result is not None:
        state = format_corrected_result(texts, view, view.result)
    else:
        state = format_state(texts, view, is_current=view.is_current)
    return texts("board.last", turn=format_last_turn(texts, view), state=state) if view.last_turn else state


def format_title(texts: Texts, view: MatchView, game: Game) -> str:
    """Return the title of a match: its game, number, players and options."""
    settings = format_settings(texts, view, game)
    return _format_title(texts, format_short_match_name(texts, view), view.seats, settings)


def format_replay_title(texts: Texts, replay: Replay, turn: ReplayTurn, game: Game) -> str:
    """Return the title of a replay with the players of a turn; for an imported record also its date."""
    settings = formatting.format_options(texts, game, replay.options)
    title = _format_title(texts, format_replay_name(texts, replay), turn.seats, settings)
    if replay.match is not None or not replay.began:
        return title
    return texts("replay.dated", title=title, date=Day(datetime.fromisoformat(replay.began)))


def format_settings(texts: Texts, view: MatchView, game: Game) -> str:
    """Return the options of a match, and between which levels an adaptive computer plays."""
    parts = [formatting.format_options(texts, game, view.options)]
    if view.terms.strength is not None:
        lower, upper = (texts(f"level.{level}.name") for level in strength_levels(view.terms.strength))
        key = "terms.strength" if lower == upper else "terms.strength_between"
        parts.append(texts(key, lower=lower, upper=upper))
    return texts.join([part for part in parts if part], "list.dot")


def _format_title(texts: Texts, name: str, seats: Sequence[Seat], settings: str) -> str:
    title = texts("board.title", match_name=name, **seat_values(texts, seats))
    return texts.join([title, settings], "list.comma") if settings else title


def format_outline(texts: Texts, view: MatchView, game: Game) -> list[str]:
    """Return two lines: the title of a match, and its status."""
    return [format_title(texts, view, game), format_standing(texts, view)]


def format_footer(texts: Texts, view: MatchView) -> str:
    """Return the last line of a message, which names the match."""
    key, name = "turn.foot" if view.ply else "turn.foot_start", format_short_match_name(texts, view)
    return texts(key, match_name=name, ply=view.ply, **seat_values(texts, view.seats))


def format_alt_text(texts: Texts, match_name: str, status: str, diagram: str) -> str:
    """Return the alternative text of the picture of a board; all of it is plain text."""
    return texts.plain("board.alt", match_name=match_name, status=status, diagram=diagram)


def format_corrected_result(texts: Texts, view: MatchView, result: Result) -> str:
    """Return a result as text, such as ``White (Bob) wins. Alice resigns.``, with any correction."""
    text, correction = format_result(texts, view), result.correction
    if correction is None:
        return text
    return texts(
        "correction.noted",
        result=text,
        by=correction.by,
        reason=quote(correction.stated_reason, MAX_REASON_LENGTH),
        when=Moment(correction.corrected_at, MomentStyle.DATE),
    )


def explain_offer(texts: Texts, view: MatchView, by: Person) -> str:
    """Return why the computer makes an offer on the board of a match; empty for an offer of a person."""
    if view.position is None or not is_computer(by.account):
        return ""
    is_decided = view.position.agreed_outcome not in (None, Outcome.DRAW)
    return texts("offer.why.decided" if is_decided else "offer.why.repeated")


def format_pending_offer(texts: Texts, view: MatchView, undone: Sequence[tuple[str, str]]) -> str:
    """Return the pending offer and what it would lead to; empty without one.

    `undone` are the turns that a takeback would undo, each as the name of its player and its text.
    """
    pending_offer = view.pending_offer
    if pending_offer is None or view.result is not None:
        return ""
    text = texts(f"offer.{pending_offer.kind}.pending", name=pending_offer.by)
    why = explain_offer(texts, view, pending_offer.by)
    if why:
        text = texts.join([why, text], "list.space")
    result = ""
    if pending_offer.kind is OfferKind.END and view.position is not None:
        result = formatting.format_agreed_end(texts, view.position)
    elif pending_offer.kind is OfferKind.TAKEBACK and undone:
        turns = [texts("offer.takeback.turn", name=isolate(name), turn=turn) for name, turn in undone]
        result = texts("offer.takeback.undone", turns=texts.join(turns))
    return texts("offer.with_result", offer=text, result=result) if result else text


def describe_pieces(texts: Texts, position: Position) -> Iterator[str]:
    """Yield a sentence for each group of pieces on a board, in the game's own words."""
    for group in position.piece_groups:
        yield texts.for_game(
            position.vocabulary,
            f"board_text.{group.kind}" if group.cells else "board_text.none",
            side="" if group.side is None else formatting.format_side(texts, group.side),
            **_cell_values(texts, group),
        )


def _cell_values(texts: Texts, group: PieceGroup) -> dict[str, str | int]:
    listed = texts.join(group.cells, "list.comma")
    return {"count": len(group.cells), "cells": listed, "cell": listed}


def describe_pick(texts: Texts, game: Game, pick: str) -> dict[str, str]:
    """Return the picture and the name of a pick, and the value that two such picks give, all as text.

    Raises LookupError for a game without a simultaneous choice.
    """
    if game.simultaneous_choice is None:
        raise LookupError(f"{game.name} has no simultaneous choice.")
    option, value = game.simultaneous_choice.option, game.resolve_picks(pick, pick)
    return {
        "picture": texts.for_game(game.name, f"pick.{pick}.picture"),
        "name": texts.for_game(game.name, f"pick.{pick}.name"),
        "value": formatting.format_option(texts, game.name, option, value),
    }
