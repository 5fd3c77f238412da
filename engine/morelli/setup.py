"""How the outermost band is filled: fixed modes, a seeded draw, and placing in turns."""

from __future__ import annotations

from hashlib import sha256
from typing import TYPE_CHECKING

from engine.game import OptionError, Side
from engine.morelli.editions import Phase, Setup
from engine.morelli.messages import TOWER_AND_CENTRE, MorelliMessage
from engine.notation_text import abbreviate

if TYPE_CHECKING:
    from engine.morelli.board import MorelliBoard
    from engine.morelli.editions import Edition

MAX_SEED = 2**32 - 1


def facing_setup(board: MorelliBoard) -> tuple[int, int]:
    """Return Black's and White's stones of the Facing mode (§2.2, §2.3): each colour two opposite lines.

    On 13 x 13 Black A1-L1 and B13-M13, White A2-A13 and M1-M12.
    """
    last = board.size - 1
    black = sum(board.bit_at(file, 0) | board.bit_at(file + 1, last) for file in range(last))
    return black, board.outermost_bits ^ black


def adjacent_setup(board: MorelliBoard) -> tuple[int, int]:
    """Return Black's and White's stones of the Adjacent mode (§2.2, §2.3): two Ls, M1 White."""
    last = board.size - 1
    left = sum(board.bit_at(0, rank) for rank in range(last + 1))
    black = left | sum(board.bit_at(file, 0) for file in range(last))
    return black, board.outermost_bits ^ black


def random_setup(board: MorelliBoard, seed: int) -> tuple[int, int]:
    """Return Black's and White's pieces of the random set-up (rules of 2015 §2.2) for `seed`.

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


def initial_stones(board: MorelliBoard, setup: Setup, seed: int) -> tuple[int, int]:
    """Return Black's and White's first stones; none where the set-up is played."""
    if setup is Setup.FACING:
        return facing_setup(board)
    if setup is Setup.ADJACENT:
        return adjacent_setup(board)
    if setup is Setup.RANDOM:
        return random_setup(board, seed)
    return 0, 0


def placement_count(board: MorelliBoard, phase: Phase) -> int:
    """Return how many placements a set-up has in all: one for each stone (free) or pair."""
    stones = len(board.outermost)
    return stones if phase is Phase.FREE else stones // 2


def placing_side(edition: Edition, total: int, done: int) -> Side:
    """Return who makes the placement after `done` ones, of `total` (§2.6; 2015 §2.3.2 to §2.3.5).

    After the last it is Black's turn to move (§4.1).
    """
    if done >= total - 1:
        return Side.BLACK
    is_black = (done + 1) // 2 % 2 == 0 if edition.doubles_placements else done % 2 == 0
    return Side.BLACK if is_black else Side.WHITE


def consecutive_placements(edition: Edition, total: int, done: int) -> int:
    """Return how many placements in a row are due from the side that makes the next one."""
    side = placing_side(edition, total, done)
    count = 1
    while done + count < total and placing_side(edition, total, done + count) is side:
        count += 1
    return count


def placements_made(phase: Phase, stones: int) -> int:
    """Return how many placements have been made when `stones` (bits) stand on the board."""
    return stones.bit_count() if phase is Phase.FREE else stones.bit_count() // 2


_SETUP_BY_PICK = {"LL": Setup.ADJACENT, "RR": Setup.FACING, "LR": Setup.FREE}


def resolve_picks(first: str, second: str) -> Setup:
    """Return the mode that two picks of closed fists decide: the same picks that mode, else the third (§2.5).

    LL: both stones in the left hand, RR: both in the right, LR: one in each. Raises OptionError.
    """
    picks = []
    for found in (first, second):
        pick = found.strip().upper()
        if pick not in _SETUP_BY_PICK:
            message = MorelliMessage.INVALID_PICK.to_text(
                TOWER_AND_CENTRE, choices=", ".join(_SETUP_BY_PICK), found=abbreviate(found)
            )
            raise OptionError(message, text=found)
        picks.append(pick)
    if picks[0] == picks[1]:
        return _SETUP_BY_PICK[picks[0]]
    (third,) = set(_SETUP_BY_PICK) - set(picks)
    return _SETUP_BY_PICK[third]
