"""The log of a tournament for templates."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from i18n.tournament_log import describe_entry
from i18n.writing import Moment, isolate

if TYPE_CHECKING:
    from i18n import Texts
    from matches.tournaments.values import TournamentView

MAX_ENTRIES = 60  # on a page


def history_context(texts: Texts, view: TournamentView) -> list[dict[str, Any]]:
    """Return the template contexts of the log, the newest entry first."""
    newest = view.log[::-1][:MAX_ENTRIES]
    return [
        {"at": Moment(one.at), "text": describe_entry(texts, view, one), "reason": isolate(one.reason)}
        for one in newest
    ]
