"""How the outermost band is filled: fixed modes, a seeded draw, and placing in turns."""

from __future__ import annotations

from hashlib import sha256
from typing import TYPE_CHECKING

from engine.game import OptionError, Side
from engine.morelli.editions import Phase, Setup
from engine.morelli.reasons import TOWER_AND_CENTRE, Reason
from engine.texts import quoted

if TYPE_CHECKING:
    from engine.morelli.board import Board
    from engine.morelli.editions import Edition

LARGEST_SEED = 2**32 - 1


def facing(board: Board) -> tuple[int, int]:
    """Give Black's and White's stones of the Facing mode (§2.2, §2.3): each colour two opposite lines.

    On 13 x 13 Black A1-L1 and B13-M13, White A2-A13 and M1-M12.
    """
    last = board.size - 1
    black = sum(board.at(file, 0) | board.at(file + 1, last) for file in range(last))
    return black, board.rim ^ black


def adjacent(board: Board) -> tuple[int, int]:
    """Give Black's and White's stones of the Adjacent mode (§2.2, §2.3): two Ls, M1 White."""
    last = board.size - 1
    left = sum(board.at(0, rank) for rank in range(last + 1))
    black = left | sum(board.at(file, 0) for file in range(last))
    return black, board.rim ^ black


def drawn(board: Board, seed: int) -> tuple[int, int]:
    """Give Black's and White's pieces of the random set-up (rules of 2015 §2.2) for `seed`.

    The draw: take the SHA-256 digest of the ASCII text ``morelli SIZE SEED`` (decimal numbers) as one
    big-endian number. Go through the outermost cells by file, then rank; for each whose opposite cell
    has not come yet, the number's next binary digit, from the lowest up, says Black (1) or White (0);
    the opposite cell takes the other colour.
    """
    digits = int.from_bytes(sha256(f"morelli {board.size} {seed}".encode("ascii")).digest(), "big")
    sides = [0, 0]
    for name in board.outermost:
        cell, across = board.bit[name], board.bit[board.opposite[name]]
        if not (sides[0] | sides[1]) & cell:
            side = digits & 1
            digits >>= 1
            sides[side] |= cell
            sides[1 - side] |= across
    white, black = sides
    return black, white


def filled(board: Board, setup: Setup, seed: int) -> tuple[int, int]:
    """Give Black's and White's first stones; none where the set-up is played."""
    if setup is Setup.FACING:
        return facing(board)
    if setup is Setup.ADJACENT:
        return adjacent(board)
    if setup is Setup.RANDOM:
        return drawn(board, seed)
    return 0, 0


def placements(board: Board, phase: Phase) -> int:
    """Give how many placements a set-up has in all: one for each stone (free) or pair."""
    stones = len(board.outermost)
    return stones if phase is Phase.FREE else stones // 2


def placer(edition: Edition, total: int, done: int) -> Side:
    """Give who makes the placement after `done` ones, of `total` (§2.6; 2015 §2.3.2 to §2.3.5).

    After the last it is Black's turn to move (§4.1).
    """
    if done >= total - 1:
        return Side.BLACK
    blacks = (done + 1) // 2 % 2 == 0 if edition.doubled else done % 2 == 0
    return Side.BLACK if blacks else Side.WHITE


def run(edition: Edition, total: int, done: int) -> int:
    """Give how many placements in a row are due from the side that makes the next one."""
    side = placer(edition, total, done)
    due = 1
    while done + due < total and placer(edition, total, done + due) is side:
        due += 1
    return due


def placed(phase: Phase, stones: int) -> int:
    """Give how many placements have been made when `stones` (bits) stand on the board."""
    return stones.bit_count() if phase is Phase.FREE else stones.bit_count() // 2


_MODES = {"LL": Setup.ADJACENT, "RR": Setup.FACING, "LR": Setup.FREE}


def settled(first: str, second: str) -> Setup:
    """Give the mode that two picks of closed fists decide: the same picks that mode, else the third (§2.5).

    LL: both stones in the left hand, RR: both in the right, LR: one in each. Raises OptionError.
    """
    picks = []
    for found in (first, second):
        pick = found.strip().upper()
        if pick not in _MODES:
            reason = Reason.FISTS.say(TOWER_AND_CENTRE, choices=", ".join(_MODES), found=quoted(found))
            raise OptionError(reason, text=found)
        picks.append(pick)
    if picks[0] == picks[1]:
        return _MODES[picks[0]]
    (third,) = set(_MODES) - set(picks)
    return _MODES[third]
