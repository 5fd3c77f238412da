"""A cluster of real processes on one database and a simulated Discord, for `tests.soak` and `tests.storms`.

`process` starts, stops and kills processes, `posts` records what appears in Discord, `audit` compares
that and every match with the database at the end.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from matches import MatchId


class Violation(AssertionError):  # noqa: N818 - it is what was found
    """Something was lost, doubled or half done; in `match` if that is not None."""

    def __init__(self, what: str, match: MatchId | None = None) -> None:
        super().__init__(what)
        self.match = match
