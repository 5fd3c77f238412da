"""The log of a tournament, and why somebody is above somebody else in its table, in sentences."""

from __future__ import annotations

from datetime import UTC, datetime
from typing import TYPE_CHECKING, Any

from i18n.writing import Moment, MomentStyle
from matches.tournaments.results import format_points
from matches.tournaments.values import Act, Withdrawal

if TYPE_CHECKING:
    from i18n.catalogue import Texts
    from matches.tournaments.values import LogEntry, TableRow, TournamentView
    from matches.values import Person

TIMES = {"ends": MomentStyle.DATE, "before": MomentStyle.FULL, "starts": MomentStyle.FULL}
"""The details that are times in milliseconds, and how they are shown."""


def describe_entry(texts: Texts, view: TournamentView, entry: LogEntry) -> str:
    """Return what was done, by whom and about whom; its reason is shown apart from it."""
    key, details = entry.act.value, entry.details
    values: dict[str, Any] = {"by": entry.by or "", "name": entry.about or "", **details}
    if entry.act is Act.WITHDRAWN:
        why = details.get("why", "")
        key = f"withdrawn_{why if why in set(Withdrawal) else Withdrawal.LEFT}"
    if entry.act in (Act.STAGE_STARTED, Act.STAGE_ENDED):
        values["stage"] = texts(f"tournament_stage.{view.settings.kind}", number=details.get("stage", 0))
    if entry.act is Act.CORRECTED:
        values |= _describe_correction(texts, view, entry)
    else:
        values |= {
            name: Moment(datetime.fromtimestamp(int(details[name]) / 1000, UTC), style)
            for name, style in TIMES.items()
            if name in details
        }
    if entry.act is Act.CHANGED and "before" in details:
        key = "moved"
    return texts(f"tournament_log.{key}", **values)


def explain_place(texts: Texts, row: TableRow, next_person: Person | None) -> str:
    """Return what puts an entrant above the next one, `next_person`.

    Empty if the points do, and if nothing does yet but the seed.
    """
    is_fresh = row.tie_break == "seed" and not row.played
    if next_person is None or is_fresh or row.tie_break in {None, "points"}:
        return ""
    return texts(f"tournament_tie.{row.tie_break}", name=next_person)


def _describe_correction(texts: Texts, view: TournamentView, entry: LogEntry) -> dict[str, str]:
    """Return who played a corrected game, if it is one of the shown stage, and its points in whole ones."""
    groups = () if view.stage is None else view.stage.groups
    games = {game.id: game for group in groups for game in group.games}
    game = games.get(int(entry.details.get("game", 0)))
    if game is None or game.second is None:
        players = texts("tournament_log.some_game")
    else:
        pair = {"first": view.entrant(game.first).person, "second": view.entrant(game.second).person}
        players = texts("tournament_log.players", **pair)
    return {"players": players} | {
        name: " : ".join(format_points(int(one)) for one in str(entry.details.get(name, "0-0")).split("-"))
        for name in ("before", "after")
    }
