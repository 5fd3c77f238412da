"""Links between analysis boards on a page."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING
from urllib.parse import urlencode

if TYPE_CHECKING:
    from web.analysis_board.board_link import AnalysisBoard

REMOVED_LINE = "without"  # the field with the number of a line to remove


@dataclass(frozen=True, slots=True)
class Links:
    """Links to analysis boards below `path`, without one below that of each board's game or match.

    `options` are the view options as a query string.
    """

    path: str
    options: str

    def to(self, board: AnalysisBoard) -> str:
        """Return the link to a board, relative to the website."""
        return self._add_options(board.url(self.path))

    def within(self, board: AnalysisBoard) -> str:
        """Return the link to a board with the same lines as that of the page, relative to the page."""
        return self._add_options(f"?{urlencode(place_of(board))}")

    def to_remove(self, board: AnalysisBoard, line: int) -> str:
        """Return the link, relative to the page, that removes a line and leads to the board without it."""
        return f"{self.within(board)}&{REMOVED_LINE}={line}"

    def _add_options(self, url: str) -> str:
        return f"{url}{'&' if '?' in url else '?'}{self.options}" if self.options else url


def place_of(board: AnalysisBoard) -> list[tuple[str, str]]:
    """Return the parameters for the line in view, if it is not the main one, and for its moves in view."""
    return [*([("in", str(board.shown))] if board.shown else []), ("at", str(board.cursor))]
