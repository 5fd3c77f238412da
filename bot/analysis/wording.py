"""What stands over a board to think on: which game it is, the line so far, and what is asked."""

from __future__ import annotations

from typing import TYPE_CHECKING

from bot import people
from bot.replays import wording as replays
from words import telling

if TYPE_CHECKING:
    from collections.abc import Iterable

    from bot.analysis.bench import Bench
    from bot.picking.wording import Wording
    from matches.conditionals import Settled, Step
    from words import Words

SHOWN = 40  # moves of the line before the board in view, and as many after it


def sheet(words: Words, bench: Bench, asking: Wording | None, note: str) -> str:
    """Give the whole text. `asking` knows the question that is open, None where the game is over."""
    if bench.study.settling and bench.settled is not None:
        lines = (*_settling(words, bench, bench.settled), _open(words, bench, asking))
    else:
        lines = (*_what_if(words, bench), _open(words, bench, asking))
    foot = "conditional.foot" if bench.study.settling else "analysis.foot"
    return words.listed([line for line in (*lines, note, words(foot)) if line], "list.lines")


def alt(words: Words, bench: Bench, diagram: str) -> str:
    """Tell in plain text what the picture shows."""
    line = " ".join(move.text for move in bench.moves)
    return words("analysis.alt" if line else "analysis.alt_start", line=line, diagram=diagram)


def turn(words: Words, step: Step) -> str:
    """Tell one turn of a line that is settled."""
    side = telling.side(words, step.side)
    if not step.texts:
        return words("conditional.resigns", side=side)
    return telling.turn(words, step.after.position.idiom, step.side, step.events)


def _what_if(words: Words, bench: Bench) -> Iterable[str]:
    page, study = bench.page, bench.study
    title = "analysis.match" if bench.game.match is not None else "analysis.record"
    yield words(
        title,
        number=study.bookmark.number,
        turn=page.turn,
        turns=bench.game.turns,
        **replays.seats(words, page),
    )
    played, ahead = study.played[-SHOWN:], study.line[study.at :][:SHOWN]
    if not study.line:
        yield words("analysis.nothing")
    elif not ahead:
        yield words("analysis.line", played=" ".join(played))
    elif not played:
        yield words("analysis.ahead", ahead=" ".join(ahead))
    else:
        yield words("analysis.both", played=" ".join(played), ahead=" ".join(ahead))


def _settling(words: Words, bench: Bench, settled: Settled) -> Iterable[str]:
    seat = next(seat for seat in bench.game.pages[-1].seats if seat.side is not settled.board.side)
    yield words(
        "conditional.title",
        match=settled.match,
        name=people.called(seat.person),
        side=telling.side(words, seat.side),
    )
    told = [
        words("conditional.own" if step.own else "conditional.theirs", told=turn(words, step))
        for step in bench.steps(settled)
    ]
    if told:
        yield words.listed(told, "list.then")
    if bench.begun:
        yield words("conditional.begun", cells=words.listed(bench.begun))
    if bench.is_kept(settled):
        yield words("conditional.kept")


def _open(words: Words, bench: Bench, asking: Wording | None) -> str:
    """Ask for the next move, or tell why there is none."""
    position, study = bench.position, bench.study
    if study.resigns:
        return ""
    if asking is None or position.to_move is None:
        winner = position.outcome.winner if position.outcome else None
        if winner is None:
            return words("analysis.drawn")
        return words("analysis.won", side=telling.side(words, winner))
    if study.answers or study.group:
        return asking.question()
    key = "analysis.ask"
    if study.settling and bench.settled is not None:
        own = bench.board(bench.settled).own
        key = "conditional.ask_own" if own else "conditional.ask_theirs"
    return words(key, side=telling.side(words, position.to_move), count=position.due)
