"""A study with its game at hand: the boards of its line, and what of it can be settled beforehand."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from discord.utils import escape_markdown

from bot import people
from bot.analysis.study import FORCED, LONGEST_LINE, RESIGNING, Study
from bot.refusals import Refusal
from bot.replays.bookmark import Kind
from bot.replays.dialogue import load
from matches import MatchError, MatchId, MoveOpen, MoveRefused, StaleBoard
from matches.analysis import line_from, whole_turns
from matches.conditionals import RESIGN, known_line, steps
from matches.moving import moved
from picking import backward, follow, onward

if TYPE_CHECKING:
    from collections.abc import Sequence

    from bot.client import Interaction
    from engine.game import Event, Position
    from matches import Page, Replay
    from matches.conditionals import Ahead, Line, Settled, Step
    from matches.moving import Moved


@dataclass(frozen=True, slots=True, repr=False)
class Bench:
    """A study at its board.

    `settled` is what the person has settled in the match; None where they have no part in it, or it is over.
    """

    study: Study
    game: Replay
    moves: tuple[Moved, ...]
    settled: Settled | None

    @property
    def page(self) -> Page:
        """The page of the game on which the analysis begins."""
        return self.game.page(self.study.bookmark.turn)

    @property
    def position(self) -> Position:
        """The board in view."""
        return self.moves[-1].position if self.moves else self.page.position

    @property
    def last(self) -> tuple[Event, ...]:
        """What led to the board in view."""
        return self.moves[-1].events if self.moves else self.page.events

    @property
    def back(self) -> Study | None:
        """The study before the last step that could have been another, None at its beginning."""
        return self.study.back(backward(self.position, self.study.answers))

    @property
    def turns(self) -> Line:
        """The whole turns in view, the last of which may be resigning."""
        whole, _ = whole_turns(self.page.position, self.moves)
        return (*whole, RESIGN) if self.study.resigns else whole

    @property
    def begun(self) -> tuple[str, ...]:
        """The moves of a turn that is not whole."""
        return whole_turns(self.page.position, self.moves)[1]

    @property
    def fits(self) -> Line:
        """What of the line can be settled beforehand; empty where nothing can."""
        if self.settled is None or self.study.answers:
            return ()
        return line_from(self.settled, self.page.position, self.moves)

    def steps(self, settled: Settled) -> tuple[Step, ...]:
        """Give the whole turns in view, as they go on from what is settled."""
        return tuple(steps(settled.board, self.turns))

    def board(self, settled: Settled) -> Ahead:
        """Give the board as it is before a turn that is not whole."""
        gone = self.steps(settled)
        return gone[-1].after if gone else settled.board

    def is_kept(self, settled: Settled) -> bool:
        """Tell whether the turns in view are settled as they are."""
        return bool(self.turns) and known_line(settled.board, settled.tree, self.turns) is not None


async def sit(interaction: Interaction, study: Study) -> Bench:
    """Take a study to its board, its answers followed as far as they settle a move.

    Raises MatchError, StaleBoard where it is to be settled and the match has moved on; Refusal where its
    moves are not legal (any more), or too many.
    """
    game = await load(interaction, study.bookmark)
    settled = await _settled(interaction, study)
    bench = _bench(game, study, settled)
    if study.settling and (
        settled is None or settled.board.position != game.page(study.bookmark.turn).position
    ):
        raise StaleBoard(match=study.bookmark.number, seen=study.bookmark.turn, ply=game.turns)
    led = _led(bench.position, study) if study.answers else study
    if len(led.line) > LONGEST_LINE:
        raise Refusal("line_full", limit=LONGEST_LINE)
    return bench if led is study else _bench(game, led, settled)


async def _settled(interaction: Interaction, study: Study) -> Settled | None:
    """Give what the person has settled in the match. Raises MatchError only where they are about that."""
    if study.bookmark.kind is not Kind.MATCH:
        return None
    match = MatchId(study.bookmark.number)
    try:
        return await interaction.client.matches.conditionals.of(match, people.person(interaction.user))
    except MatchError:
        if study.settling:
            raise
        return None


def _bench(game: Replay, study: Study, settled: Settled | None) -> Bench:
    start = game.page(study.bookmark.turn).position
    return Bench(study, game, played(study.bookmark.number, start, study.played), settled)


def played(match: int, start: Position, texts: Sequence[str]) -> tuple[Moved, ...]:
    """Play moves from a board, without regard to resigning. Raises Refusal where one is not legal."""
    try:
        return moved(match, start, [text for text in texts if text != RESIGNING])
    except MoveRefused as error:
        key = "line_open" if isinstance(error, MoveOpen) else "line_move"
        reason, choices = str(error.values["reason"]), error.error.choices
        raise Refusal(key, reason=escape_markdown(reason), choices=", ".join(choices)) from error


def _led(position: Position, study: Study) -> Study:
    """Follow the answers; as soon as they settle a move it is tried."""
    if study.answers == (RESIGNING,):
        return study.tried(RESIGNING)
    answers = () if study.answers == (FORCED,) else onward(position, study.answers)
    moves = follow(position, answers).moves
    if not moves:
        return replace(study, answers=answers)
    return study.tried(*map(str, moves))
