"""The log of a tournament in words: what organisers did, why, and what the rules did."""

from __future__ import annotations

from datetime import UTC, datetime
from typing import TYPE_CHECKING, Any

from i18n.writing import Moment, MomentStyle, isolate
from matches.tournaments.values import Act, Withdrawal
from web.tournaments.names import DASH, format_points

if TYPE_CHECKING:
    from i18n import Texts
    from matches.tournaments.values import LogEntry, TournamentView

MAX_ENTRIES = 60  # on a page
MILLIS = 1000


def history_context(texts: Texts, view: TournamentView) -> list[dict[str, Any]]:
    """Return the template contexts of the log, the newest entry first."""
    newest = view.log[::-1][:MAX_ENTRIES]
    return [
        {"at": Moment(one.at), "text": describe_entry(texts, view, one), "reason": isolate(one.reason)}
        for one in newest
    ]


def describe_entry(texts: Texts, view: TournamentView, entry: LogEntry) -> str:
    """Return what was done, by whom and about whom."""
    values: dict[str, Any] = {
        "by": "" if entry.by is None else isolate(entry.by.name),
        "name": "" if entry.about is None else isolate(entry.about.name),
        "kind": view.settings.kind.value,
        **entry.details,
    }
    key = entry.act.value
    if entry.act is Act.WITHDRAWN:
        why = entry.details.get("why", "")
        key = f"withdrawn_{why}" if why in set(Withdrawal) else "withdrawn_left"
    if entry.act in (Act.STAGE_STARTED, Act.STAGE_ENDED):
        values["stage"] = texts(f"tournament_stage.{view.settings.kind}", number=values.get("stage", 0))
    if entry.act is Act.CORRECTED:
        values |= _describe_correction(texts, view, entry)
    if "ends" in values:
        values["ends"] = Moment(datetime.fromtimestamp(int(values["ends"]) / MILLIS, UTC), MomentStyle.DATE)
    return texts(f"web.tournaments.log.{key}", **values)


def _describe_correction(texts: Texts, view: TournamentView, entry: LogEntry) -> dict[str, str]:
    """Return who played a corrected game, if it is one of the shown stage, and its points in whole ones."""
    groups = () if view.stage is None else view.stage.groups
    games = {game.id: game for group in groups for game in group.games}
    game = games.get(int(entry.details.get("game", 0)))
    players = () if game is None else tuple(one for one in (game.first, game.second) if one is not None)
    names = DASH.join(isolate(view.entrant(one).person.name) for one in players)
    points = {
        name: " : ".join(format_points(int(one)) for one in str(entry.details.get(name, "0-0")).split("-"))
        for name in ("before", "after")
    }
    return {"players": names or texts("web.tournaments.log.some_game"), **points}
