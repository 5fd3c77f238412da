"""The sentences with which Morabaraba refuses a turn or a position line."""

from __future__ import annotations

from engine.messages import MessageTemplate


class MorabarabaMessage(MessageTemplate):
    """One sentence for each reason; fields in braces are filled in by :meth:`to_text`."""

    NOT_A_TURN = (
        "{text} is not a move: write the point for a man, like D2, or the man and where it goes, like A1-A4; "
        "a mill is followed by x and the man to be removed, or by ~ to remove none."
    )
    NO_POINT = "{text}: there is no point {cell} on this board."
    SAME_POINT = "{text}: a man must move to another point."
    NOT_OF_THIS_GAME = "{text} is not a move of Morabaraba."

    GAME_OVER = "The game is over."
    IN_HAND = "{text}: {mover} still has men in hand, so a turn places one on an empty point, like D2."
    NONE_IN_HAND = "{text}: {mover} has no man in hand, so a turn moves one, like A1-A4."
    TAKEN = "{text}: {cell} already holds a {colour} man."
    NO_MAN = "{text}: no man stands on {cell}."
    NOT_YOURS = "{text}: the man on {cell} is {enemy}'s, and it is {mover}'s turn."
    NOT_ADJACENT = "{text}: {end} is not next to {start} on a line; only a side with three men left flies."
    STRAIGHT_BACK = (
        "{text}: that man has just left one mill and closed another with one move, so it may not go straight "
        "back this turn."
    )
    WHICH_MAN = "{text} closes a mill: add x and the man to be removed ({men}), or ~ to remove none."
    NO_MILL = "{text}: no mill is closed, so no man is removed."
    NO_MILL_TO_DECLINE = "{text}: no mill is closed, so there is nothing to decline."
    NONE_TO_REMOVE = "{text}: {enemy} has no man on the board that could be removed."
    REMOVE_NO_MAN = "{text}: no man of {enemy}'s stands on {cell}."
    REMOVE_OWN = "{text}: the man on {cell} is {mover}'s own."
    IN_MILL = "{text}: the man on {cell} stands in a mill, and {enemy} has others that do not ({men})."

    NOT_OFFERED = "{answer} is not among what can be chosen here."
    PATH_TOO_LONG = "The move is complete before {answer}."

    LINE_MEN = "Each side has 12 or 11 men, not {found}."
    LINE_SIDE = "The side to move is w or r, not {found}."
    LINE_HANDS = "The hands are two whole numbers, White's and Red's, like 12,12; not {found}."
    LINE_TOO_MANY = (
        "{side} has {board} men on the board and {hand} in hand, more than the {men} of this game."
    )
    LINE_EXTRA = (
        "The last field is - or, separated by commas and in this order, the moves barred to White, like "
        "w:A4-A1, and to Red, like r:A4-A1, and quiet=N from 1 to {most}; not {found}."
    )
    LINE_QUIET = "Quiet turns are counted only while both sides have three men."
