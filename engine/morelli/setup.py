"""The set-up of the outermost band: fixed modes, a random mode with a seed, and placements in turn."""

from __future__ import annotations

from hashlib import sha256
from typing import TYPE_CHECKING

from engine.game import OptionError, Side
from engine.morelli.editions import Phase, Setup
from engine.notation_text import abbreviate

if TYPE_CHECKING:
    from engine.morelli.board import MorelliBoard
    from engine.morelli.editions import Edition

MAX_SEED = 2**32 - 1


def facing_setup(board: MorelliBoard) -> tuple[int, int]:
    """Return Black's and White's stones in Facing mode (§2.2, §2.3): two opposite lines for each side.

    On 13 x 13: Black A1-L1 and B13-M13, White A2-A13 and M1-M12.
    """
    last = board.size - 1
    black = sum(board.bit_at(file, 0) | board.bit_at(file + 1, last) for file in range(last))
    return black, board.outermost_bits ^ black


def adjacent_setup(board: MorelliBoard) -> tuple[int, int]:
    """Return Black's and White's stones in Adjacent mode (§2.2, §2.3): an L for each side, M1 is White."""
    last = board.size - 1
    left = sum(board.bit_at(0, rank) for rank in range(last + 1))
    black = left | sum(board.bit_at(file, 0) for file in range(last))
    return black, board.outermost_bits ^ black


def random_setup(board: MorelliBoard, seed: int) -> tuple[int, int]:
    """Return Black's and White's pieces of the random set-up (rules of 2015 §2.2) for `seed`.

    The SHA-256 digest of the ASCII text ``morelli SIZE SEED`` (decimal numbers) is one big-endian number.
    The outermost cells are visited by file, then rank. For each cell whose opposite cell has not been
    visited, the next binary digit of the number, from the lowest up, decides: Black (1) or White (0). The
    opposite cell gets the other colour.
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


def initial_stones(board: MorelliBoard, setup: Setup, seed: int) -> tuple[int, int]:
    """Return Black's and White's stones at the beginning; none if the players place them in turn."""
    if setup is Setup.FACING:
        return facing_setup(board)
    if setup is Setup.ADJACENT:
        return adjacent_setup(board)
    if setup is Setup.RANDOM:
        return random_setup(board, seed)
    return 0, 0


def placement_count(board: MorelliBoard, phase: Phase) -> int:
    """Return the number of placements of a whole set-up: one for each stone (free) or pair (pairs)."""
    stones = len(board.outermost)
    return stones if phase is Phase.FREE else stones // 2


def placing_side(edition: Edition, total: int, done: int) -> Side:
    """Return the side that makes the next placement after `done` of `total` (§2.6; 2015 §2.3.2 to §2.3.5).

    After the last one it is Black's turn to move (§4.1).
    """
    if done >= total - 1:
        return Side.BLACK
    is_black = (done + 1) // 2 % 2 == 0 if edition.doubles_placements else done % 2 == 0
    return Side.BLACK if is_black else Side.WHITE


def consecutive_placements(edition: Edition, total: int, done: int) -> int:
    """Return the number of placements in a row by the side that makes the next one."""
    side = placing_side(edition, total, done)
    count = 1
    while done + count < total and placing_side(edition, total, done + count) is side:
        count += 1
    return count


def placements_made(phase: Phase, stones: int) -> int:
    """Return the number of placements made when `stones` (bits) are on the board."""
    return stones.bit_count() if phase is Phase.FREE else stones.bit_count() // 2


_SETUP_BY_PICK = {"LL": Setup.ADJACENT, "RR": Setup.FACING, "LR": Setup.FREE}


def resolve_picks(first: str, second: str) -> Setup:
    """Return the mode that two picks of closed fists decide (§2.5). Raise OptionError.

    Equal picks give the mode of the pick, different picks the third mode.

    LL means both stones in the left hand, RR both in the right hand, LR one in each.
    """
    picks = []
    for found in (first, second):
        pick = found.strip().upper()
        if pick not in _SETUP_BY_PICK:
            raise OptionError(
                "morelli.invalid_pick",
                {"choices": tuple(_SETUP_BY_PICK), "found": abbreviate(found)},
                text=found,
            )
        picks.append(pick)
    if picks[0] == picks[1]:
        return _SETUP_BY_PICK[picks[0]]
    (third,) = set(_SETUP_BY_PICK) - set(picks)
    return _SETUP_BY_PICK[third]
