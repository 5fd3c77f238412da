"""Matches, turns and results as Discord text."""

from __future__ import annotations

from typing import TYPE_CHECKING

from bot.ui import ids, markdown
from bot.ui.markdown import escaped_name
from bot.ui.match_names import format_short_match_name
from i18n import formatting, match_texts
from i18n.formatting import format_side
from i18n.match_texts import format_played_turn
from matches import MatchState, is_computer

if TYPE_CHECKING:
    from collections.abc import Sequence

    from engine.game import Game
    from i18n import Texts
    from matches import Announcement, MatchSummary, MatchView, Result

MAX_REASON_LENGTH = 300


def seat_values(texts: Texts, view: MatchView) -> dict[str, str]:
    """Return the values of `first`, `first_side`, `second` and `second_side` for texts about both players."""
    return match_texts.seat_values(texts, view.seats, escaped_name)


def format_last_turns(texts: Texts, view: MatchView) -> list[str]:
    """Return the last turn as text, after the turns announced with it; none before the first turn."""
    turns = (*view.preceding_turns, view.last_turn)
    return [format_played_turn(texts, moves) for moves in turns if moves]


def format_announced_turns(
    texts: Texts, view: MatchView, announcement: Announcement, turns: Sequence[str]
) -> tuple[str, ...]:
    """Return one line for each turn of an announcement: a turn, then replies by conditional moves.

    `turns` are those of :func:`format_last_turns`.
    """
    people = [moves[-1].person for moves in (*view.preceding_turns, view.last_turn)]
    lines = [
        texts("turn.replied" if number else "turn.post", name=escaped_name(person), turn=turn)
        for number, (person, turn) in enumerate(zip(people, turns, strict=True))
    ]
    result = view.result
    if "resigned" in announcement.details and result is not None and result.loser is not None:
        lines.append(texts("turn.replied_resigned", name=escaped_name(result.loser.person)))
    return tuple(lines)


def turn_mention(texts: Texts, view: MatchView) -> str:
    """Return a sentence that mentions the player to move; empty on an old board and if nobody is to move."""
    seat = view.to_move
    if seat is None or view.position is None or not view.is_current:
        return ""
    if is_computer(seat.person.account):
        return texts("computer.thinking", name=escaped_name(seat.person))
    mention, side_text = markdown.mention_or_name(seat.person), format_side(texts, seat.side)
    return texts.for_game(
        view.position.vocabulary,
        f"your_turn.{formatting.action_key_for(view.position)}",
        mention=mention,
        side=side_text,
        count=view.moves_due,
    )


def format_call(texts: Texts, view: MatchView, announcement: Announcement, key: str, **values: str) -> str:
    """Return the text of `key`, which calls the recipients of an announcement as `mentions`.

    Where the other player is the computer, there may be none: then the text of ``KEY_to_computer``, which
    calls nobody.
    """
    if not announcement.recipients:
        return texts(f"{key}_to_computer", **values)
    return texts(key, mentions=markdown.mention_all(texts, announcement.recipients, view), **values)


def format_status(texts: Texts, view: MatchView, turns: Sequence[str] | None = None) -> str:
    """Return the status of a match: the last turn, then who has to act, or the result.

    `turns` are those of :func:`format_last_turns`, if they are known.
    """
    if view.state is MatchState.CHOOSING:
        state = match_texts.format_choosing(texts, view.waits_for, escaped_name)
    elif view.result is not None:
        state = format_result(texts, view, view.result)
    else:
        state = match_texts.format_state(texts, view, escaped_name, is_current=view.is_current)
    turns = format_last_turns(texts, view) if turns is None else turns
    return texts("board.last", turn=texts.join(turns, "list.then"), state=state) if turns else state


def format_title(texts: Texts, view: MatchView, game: Game) -> str:
    """Return the title of a match: its game, number, players and options."""
    title = texts("board.title", match_name=format_short_match_name(texts, view), **seat_values(texts, view))
    return match_texts.format_match_title(texts, game, view.options, title)


def format_earlier_board(texts: Texts, view: MatchView, latest: MatchSummary) -> str:
    """Return the sentence that a board is not the latest one, with a link to that."""
    key = "board.taken_back" if view.is_taken_back else "board.earlier" if view.ply else "board.first"
    return texts(key, ply=view.ply, latest=latest.ply, url=ids.latest_post_url(latest))


def format_footer(texts: Texts, view: MatchView) -> str:
    """Return the footer of a post, which names the match."""
    key = "turn.foot" if view.ply else "turn.foot_start"
    name = format_short_match_name(texts, view)
    return texts(key, match_name=name, ply=view.ply, **seat_values(texts, view))


def describe_place(texts: Texts, match: MatchView | MatchSummary) -> str:
    """Return where a match is played: a mention of its channel, or that it is in direct messages."""
    return texts("place.direct") if match.is_direct else ids.channel_mention(match.channel)


def format_alt_text(texts: Texts, view: MatchView, diagram: str, turns: Sequence[str] | None = None) -> str:
    """Return the alternative text of a picture, as plain text; `turns` are as for :func:`format_status`."""
    status = markdown.strip_escapes(format_status(texts, view, turns))
    name = format_short_match_name(texts, view)
    return texts("board.alt", match_name=name, status=status, diagram=diagram)


def format_result(texts: Texts, view: MatchView, result: Result) -> str:
    """Return a result as text, such as ``White (Bob) wins. Alice resigns.``, with any correction."""
    text = match_texts.format_result(texts, view, escaped_name)
    correction = result.correction
    if correction is None:
        return text
    by, reason = (
        escaped_name(correction.by),
        markdown.escape_foreign(correction.stated_reason, MAX_REASON_LENGTH),
    )
    return texts(
        "correction.noted", result=text, by=by, reason=reason, when=f"{correction.corrected_at:%Y-%m-%d}"
    )
