"""The list of moves of an analysis board: the main line, and the variations below the moves they replace."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from i18n import formatting
from web.analysis_board.variations import VariationTree

if TYPE_CHECKING:
    from collections.abc import Mapping

    from i18n import Texts
    from web.analysis_board.board_link import Line, PlayedAnalysis
    from web.analysis_board.links import Links
    from web.analysis_board.variations import Variation

MAX_NAMED_MOVES = 6  # of a line in the name of the link that removes it


@dataclass(frozen=True, slots=True)
class VariationMove:
    """A move of a variation."""

    number: int
    text: str
    href: str
    is_current: bool
    comment: str


@dataclass(frozen=True, slots=True)
class VariationItem:
    """A variation. `depth` is 1 for one of the main line; `name` tells it from others."""

    depth: int
    name: str
    moves: tuple[VariationMove, ...]
    remove_href: str


@dataclass(frozen=True, slots=True)
class MoveItem:
    """A move of the main line, and the variations listed below it; number 0 is the start before any move."""

    number: int
    side: str
    text: str
    href: str
    is_current: bool
    variations: tuple[VariationItem, ...]
    comment: str


def list_moves(texts: Texts, played: PlayedAnalysis, links: Links) -> list[MoveItem]:
    """Return the moves of the main line with the variations from it."""
    board, main = played.board, played.lines[0]
    tree = VariationTree(board.lines)
    current = (tree.owner(board.shown, board.cursor), board.cursor)
    variations = {
        number: tuple(_variation_item(played, one, links, current) for one in found)
        for number, found in tree.by_main_move(len(main)).items()
    }
    comments = dict(board.comments)
    comment = comments.get((), "")
    items = []
    if comment or 0 in variations:
        more = variations.get(0, ())
        items = [MoveItem(0, "", "", "", is_current=False, variations=more, comment=comment)]
    for number, move in enumerate(main, 1):
        side = played.position_before(main, number - 1).to_move
        if side is not None:
            text = formatting.format_events(texts, move.position.vocabulary, side, move.events)
            href = links.within(board.in_line(0, number))
            is_current = current == (0, number)
            comment = _find(comments, board.moves, number)
            items.append(
                MoveItem(number, side.value, text, href, is_current, variations.get(number, ()), comment)
            )
    return items


def _find(comments: Mapping[Line, str], line: Line, number: int) -> str:
    return comments.get(line[:number], "") if comments else ""


def _variation_item(
    played: PlayedAnalysis, variation: Variation, links: Links, current: tuple[int, int]
) -> VariationItem:
    board, line = played.board, variation.line
    comments = dict(board.comments)
    first, moves = variation.shared + 1, board.lines[line][variation.shared :]
    return VariationItem(
        depth=variation.depth,
        name=f"{first}. {' '.join(moves[:MAX_NAMED_MOVES])}",
        moves=tuple(
            VariationMove(
                number,
                text,
                links.within(board.in_line(line, number)),
                current == (line, number),
                _find(comments, board.lines[line], number),
            )
            for number, text in enumerate(moves, first)
        ),
        remove_href=links.to_remove(board, line),
    )
