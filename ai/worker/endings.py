"""When the computer resigns, offers to end a match, and agrees to that."""

from __future__ import annotations

from itertools import islice
from typing import TYPE_CHECKING

from ai.levels import Level
from engine import get_game
from engine.game import Outcome
from matches import OfferKind

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from ai.search import Opponent
    from engine.game import Game, Position, Side
    from matches import ComputerTask

HOPELESS = 0.02  # expected result from which on a match is lost, and even a loss is agreed to
MIN_GAIN = 0.05  # how much better than its expected result an offer has to be
# So many of its turns in a row has the result been certain, before it offers the end or resigns. The texts
# `offer.why.decided` and `result.resigned.computer` say these numbers.
OFFER_TURNS, RESIGN_TURNS = 3, 5
REPETITIONS = 3  # of a board, before it offers a draw and agrees to one whatever it expects
RECENT_BOARDS = 100  # on which a repetition is looked for
OFFER_PLIES = 20  # between two offers
RESIGNING_LEVELS = (Level.CLUB, Level.STRONG, Level.EXPERT, Level.MASTER)
"""The lower ones play on, so that beginners can finish what they have won."""


def accepts_result(result: float, expected: float) -> bool:
    """Return whether to agree to a result (1, 0.5 or 0) while another is expected.

    A win is always agreed to, a draw from 45 % on downwards, and a loss only where nothing else is left.
    """
    return result == 1 or expected <= max(result - MIN_GAIN, HOPELESS)


def accepts_offer(
    opponent: Opponent, games: Mapping[str, Game], task: ComputerTask, position: Position, seed: int
) -> bool:
    """Return whether the computer agrees to an end or a draw; never before both have moved."""
    side = _own_side(task)
    if side is None or position.to_move is None or task.view.is_abortable:
        return False
    result = _result_for(side, position.agreed_outcome or Outcome.DRAW)
    if result == 0.5 and _count_boards(games, task, position) >= REPETITIONS:
        return True
    expected = opponent.expect_result(position, seed)
    return accepts_result(result, expected if position.to_move is side else 1 - expected)


def resigns(
    opponent: Opponent, games: Mapping[str, Game], task: ComputerTask, level: Level, seed: int
) -> bool:
    """Return whether the computer resigns, instead of its turn, what it has lost for some turns.

    Not where an end by agreement has the same result: then it offers that, and its opponent decides. Never
    against somebody who wants to play to the end.
    """
    side, position = _own_side(task), task.view.position
    if level not in RESIGNING_LEVELS or task.plays_on or side is None or position is None:
        return False
    agreed = position.agreed_outcome
    is_offered = agreed is not None and _result_for(side, agreed) == 0
    return not is_offered and _decided_result(opponent, games, task, RESIGN_TURNS, seed) == 0


def choose_offer(
    opponent: Opponent, games: Mapping[str, Game], task: ComputerTask, after: Position, seed: int
) -> OfferKind | None:
    """Return what the computer offers after its turn, which leads to the position `after`; mostly None.

    It is the end that the rules define if its result has been certain for some turns (never to somebody who
    wants to play to the end), or a draw where the board has occurred often enough; and nothing if it has made
    an offer not long ago.
    """
    side, view = _own_side(task), task.view
    is_early = task.offered_at is not None and view.ply - task.offered_at < OFFER_PLIES
    if side is None or after.to_move is None or is_early:
        return None
    agreed = after.agreed_outcome
    if (agreed is Outcome.DRAW or (agreed is None and after.game.allows_draws)) and (
        _count_boards(games, task, after) + 1 >= REPETITIONS
    ):
        return OfferKind.DRAW if agreed is None else OfferKind.END
    if agreed is None or agreed is Outcome.DRAW or task.plays_on:
        return None
    is_certain = _decided_result(opponent, games, task, OFFER_TURNS, seed) == _result_for(side, agreed)
    return OfferKind.END if is_certain else None


def _own_side(task: ComputerTask) -> Side | None:
    seat = task.view.seat(task.person.account)
    return None if seat is None else seat.side


def _result_for(side: Side, outcome: Outcome) -> float:
    return 0.5 if outcome.winner is None else float(outcome.winner is side)


def _count_boards(games: Mapping[str, Game], task: ComputerTask, position: Position) -> int:
    """Return on how many of the latest boards the pieces were as in `position`, with the same side to move.

    Position lines may differ: some count the turns without a capture.
    """
    game = _game(games, task)
    boards = (game.load(board.position) for board in task.boards[-RECENT_BOARDS:])
    key = position.to_move, position.piece_groups
    return sum((board.to_move, board.piece_groups) == key for board in boards)


def _game(games: Mapping[str, Game], task: ComputerTask) -> Game:
    return get_game(task.view.game, task.view.rules_version, games)


def _decided_result(
    opponent: Opponent, games: Mapping[str, Game], task: ComputerTask, turns: int, seed: int
) -> float | None:
    """Return 1 or 0 if the computer was certain to win or to lose on so many turns in a row, else None.

    Also None if the kernel does not play the game: a search in plain Python is never certain.
    """
    positions = list(islice(_own_positions(games, task), turns))
    if len(positions) < turns or not opponent.is_strong_at(_game(games, task)):
        return None
    decided = None
    for position in positions:
        expected = opponent.expect_result(position, seed)
        result = round(expected)
        if abs(expected - result) > HOPELESS or decided not in (None, result):
            return None
        decided = result
    return decided


def _own_positions(games: Mapping[str, Game], task: ComputerTask) -> Iterator[Position]:
    """Yield the positions in which the computer had to move, with the present one, the latest first."""
    side, game = _own_side(task), _game(games, task)
    for board in reversed(task.boards):
        if board.by != task.person.account and (position := game.load(board.position)).to_move is side:
            yield position
