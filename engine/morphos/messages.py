"""The sentences with which Morphos refuses a turn or a position line."""

from __future__ import annotations

from engine.messages import MessageTemplate


class MorphosMessage(MessageTemplate):
    """One sentence for each reason; fields in braces are filled in by :meth:`to_text`."""

    NOT_A_TURN = (
        "{text} is not a move: write an empty point to place a stone, like D4, or x and a point to flip the "
        "stone there, like xD4."
    )
    NO_CELL = "{text}: there is no point {cell} on this board, which goes from A1 to {last}."
    TWICE = "{text}: a turn places on two different points."
    NOT_OF_THIS_BOARD = "{text} is not a move on this board."

    GAME_OVER = "The game is over."
    ONLY_FIRST = "swap: changing sides is open to White alone, on White's first turn."
    RESTORE_FIRST = (
        "{text}: {mover} first puts the captured stone back; name an empty point for it, then the turn, like "
        "{example}."
    )
    NOTHING_TO_RESTORE = "{text}: no captured stone waits to be put back."
    TAKEN = "{cell} already holds a {colour} stone; stones go on empty points."
    TAKEN_BY_RESTORED = "{cell} is the point that the captured stone goes back to; the turn needs another."
    ONE_STONE = "{text}: a turn places one stone; two belong to mutator c, which is not in play."
    EMPTY = "x{cell}: no stone stands on {cell}."
    OWN = "x{cell}: the stone on {cell} is {mover}'s own; only the enemy's can be flipped."
    OWN_RESTORED = "x{cell}: {cell} holds the stone just put back, which is {mover}'s own."
    NOT_VULNERABLE = (
        "x{cell}: the {colour} stone on {cell} is not vulnerable; {mover}'s stones and edges complete "
        "neither pattern around it."
    )
    FLIPPED_BACK = "x{cell}: {enemy} could flip the stone on {cell} straight back, which mutator b forbids."
    FLIPPED_BACK_AFTER_RESTORE = (
        "x{cell}: {enemy} could put the captured stone on {point} and flip the stone on {cell} straight "
        "back, which mutator b forbids."
    )
    MUST_MOVE = "pass: {mover} has another move, so passing is not allowed."

    NOT_OFFERED = "{answer} is not among what can be chosen here."
    PATH_TOO_LONG = "The move is complete before {answer}."

    LINE_MUTATORS = "The mutators are sorted letters out of abcde, or -, not {found}."
    LINE_SIZE = "The position has {found} rows; a board of Morphos has {smallest} to {largest}."
    LINE_SIDE = "The side to move is b or w, not {found}."
    LINE_TURN = "The turn is a whole number of at most 18 digits, not {found}."
    LINE_EXTRA = (
        "The last field is - or, separated by commas and in this order, swapped, a flipped stone like xD4, "
        "owed and passed; not {found}."
    )
    LINE_EARLY = "After {turns} turns there cannot be {found}."
    LINE_FLIP_MUTATOR = "{found} belongs to mutator b, which is not in play."
    LINE_FLIP_STONE = "{found} names a stone of {enemy}'s that was {mover}'s before; there is none on {cell}."
    LINE_OWED_MUTATOR = "owed belongs to mutator d, which is not in play."
    LINE_OWED_FULL = "owed: the board has no empty point for the captured stone."
    LINE_PASSED = (
        "After a pass nothing was flipped, so passed stands without a flipped stone and without owed."
    )
