"""The fields of the form for a tournament: what it shows, and the settings that it sends."""

from __future__ import annotations

from dataclasses import replace
from datetime import UTC, date, datetime, time
from typing import TYPE_CHECKING, Any

from i18n import clocks
from i18n.typed_values import fold
from matches import FIXED_LEVELS, SUGGESTED_TIME_CONTROLS, Refusal, format_time_control, parse_time_control
from matches.preferences.quiet_hours import UTC_NAME, resolve_time_zone, tzinfo_of
from matches.tournaments.settings import FILLED
from matches.tournaments.values import (
    DAY,
    GAMES_AT_ONCE,
    MAX_ABOUT_LENGTH,
    MAX_ENTRANTS,
    MAX_GAMES,
    MAX_NAME_LENGTH,
    MAX_ROUNDS,
    MAX_STAGE,
    MAX_WAIT,
    MIN_ENTRANTS,
    MIN_STAGE,
    STAGE_LENGTHS,
    TIME_CONTROL,
    EntryLimits,
    GameSetup,
    Kind,
    Settings,
)
from web.play.option_fields import option_fields, submitted_options

if TYPE_CHECKING:
    from collections.abc import Mapping

    from engine.game import Game
    from i18n import Texts
    from matches import TimeControl
    from web.context import WebContext

SENT = "form"  # check boxes are not sent when they are off, so a form says that it was sent at all
NO_LEVEL = "off"  # of the field for the computer: it does not play
START_TIME = "18:00"  # by default
DAYS_TO_JOIN = 14  # by default
MAX_NUMBER = 5  # digits
KINDS_WITH_ROUNDS = frozenset({Kind.SWISS, Kind.LEAGUE})


def read_settings(context: WebContext, values: Mapping[str, str], known: Settings | None) -> Settings:
    """Return the settings of a form; `known` are those that it changes, whose kind and server stay.

    Raises Refusal for what cannot be read.
    """
    kind = known.kind if known is not None else _read_kind(values)
    own = Settings(
        name=values.get("name", ""),
        kind=kind,
        games=_read_games(context, values),
        starts_at=_keep_seconds(read_start(values), known),
        stage_length=(_read_number(values, "days") or 0) * DAY,
        rounds=_read_number(values, "rounds") if kind in KINDS_WITH_ROUNDS else None,
        time_control=_read_time_control(values),
        rated="rated" in values,
        limits=EntryLimits(
            min_rating=_read_number(values, "from"),
            max_rating=_read_number(values, "to"),
            entrants=_read_number(values, "entrants") or MAX_ENTRANTS,
        ),
        games_at_once=_read_number(values, "at_once") or GAMES_AT_ONCE,
        computer_level=_read_level(values, kind),
        about=values.get("about", "").replace("\r\n", "\n"),
    )
    return own if known is None else replace(own, server=known.server, channel=known.channel)


def settings_values(settings: Settings, zone: str) -> dict[str, str]:
    """Return the fields of a form that sends these settings, with times in a zone."""
    limits, starts = settings.limits, settings.starts_at.astimezone(tzinfo_of(zone))
    values = {
        "name": settings.name,
        "about": settings.about,
        "kind": settings.kind.value,
        "date": starts.date().isoformat(),
        "time": starts.time().isoformat("minutes"),
        "zone": zone,
        "days": str(settings.stage_length.days or ""),
        "rounds": str(settings.rounds or ""),
        "time_control": format_time_control(settings.time_control),
        "from": str(limits.min_rating or ""),
        "to": str(limits.max_rating or ""),
        "entrants": "" if limits.entrants == MAX_ENTRANTS else str(limits.entrants),
        "at_once": str(settings.games_at_once),
        "computer": settings.computer_level or NO_LEVEL,
        SENT: "-",
    }
    for slot, setup in enumerate(settings.games, 1):
        values[f"{slot}.game"] = setup.game
        values |= {f"{slot}:{setup.game}:{name}": str(value) for name, value in setup.options.items()}
    return values | ({"rated": "1"} if settings.rated else {})


def fields_context(context: WebContext, values: Mapping[str, str]) -> dict[str, Any]:
    """Return the template context of the fields; `values` are those of a URL or of a sent form."""
    texts, now = context.texts, context.now()
    kind = values.get("kind", Kind.ROUND_ROBIN.value)
    chosen = values.get("time_control") or format_time_control(TIME_CONTROL)
    suggested = dict.fromkeys([format_time_control(TIME_CONTROL), *SUGGESTED_TIME_CONTROLS[1:], chosen])
    return {
        "values": values,
        "kinds": [(one.value, one.value == kind) for one in Kind],
        "slots": [_slot(context, number, values) for number in range(1, MAX_GAMES + 1)],
        "date": values.get("date") or (now + DAYS_TO_JOIN * DAY).date().isoformat(),
        "first_date": (now - DAY / 2).date().isoformat(),  # it may be yesterday still
        "last_date": (now + MAX_WAIT).date().isoformat(),
        "time": values.get("time") or START_TIME,
        "time_controls": [_time_control_item(texts, text, chosen) for text in suggested],
        "usual_days": [(one.value, length.days) for one, length in STAGE_LENGTHS.items()],
        "levels": [(NO_LEVEL, texts("web.tournaments.form.no_computer"))]
        + [(level, texts(f"level.{level}.name")) for level in FIXED_LEVELS],
        "is_rated": SENT not in values or "rated" in values,
        "numbers": {
            "entrants": (MIN_ENTRANTS, MAX_ENTRANTS),
            "days": (MIN_STAGE.days, MAX_STAGE.days),
            "rounds": (1, MAX_ROUNDS),
            "at_once": (1, MAX_ROUNDS),
        },
        "at_once": values.get("at_once") or GAMES_AT_ONCE,
        "name_limit": MAX_NAME_LENGTH,
        "about_limit": MAX_ABOUT_LENGTH,
    }


def _slot(context: WebContext, number: int, values: Mapping[str, str]) -> dict[str, Any]:
    """Return the fields of one game of a tournament; only the first is needed."""
    games = context.games
    first = next(iter(games)) if number == 1 else ""
    chosen = values.get(f"{number}.game", first)
    return {
        "number": number,
        "chosen": chosen,
        "games": [
            {
                "name": rules.name,
                "title": context.texts(f"game.{rules.name}.name"),
                "is_chosen": rules.name == chosen,
                "fields": list(option_fields(context.texts, rules, _own_values(rules, number, values))),
            }
            for rules in games.values()
        ],
    }


def _time_control_item(texts: Texts, text: str, chosen: str) -> tuple[str, str, bool]:
    try:
        words = clocks.describe_time_control(texts, parse_time_control(text))
    except Refusal:  # of a form that was refused for it
        words = text
    return text, words, text == chosen


def _own_values(rules: Game, number: int, values: Mapping[str, str]) -> dict[str, str]:
    """Return the fields of one game, by the names that they have without slot and game."""
    start = f"{number}:{rules.name}:"
    return {name.removeprefix(start): value for name, value in values.items() if name.startswith(start)}


def _read_kind(values: Mapping[str, str]) -> Kind:
    try:
        return Kind(values.get("kind", ""))
    except ValueError as error:
        raise Refusal("form_malformed") from error


def _read_games(context: WebContext, values: Mapping[str, str]) -> tuple[GameSetup, ...]:
    setups = list[GameSetup]()
    for number in range(1, MAX_GAMES + 1):
        name = values.get(f"{number}.game", "")
        if name:
            rules = context.games.get(name)
            if rules is None:
                raise Refusal("game_unknown")
            options = submitted_options(context.texts, rules, _own_values(rules, number, values))
            setups.append(GameSetup(name, options))
    return tuple(setups)


def read_start(values: Mapping[str, str]) -> datetime:
    """Return the start that was typed in a time zone, by default UTC, as a time in UTC.

    Raises `tournament_dates`, `time_zone_unknown`.
    """
    zone = tzinfo_of(resolve_time_zone(values.get("zone", "").strip() or UTC_NAME))
    try:
        day, at = (
            date.fromisoformat(values.get("date", "")),
            time.fromisoformat(values.get("time") or START_TIME),
        )
        return datetime.combine(day, at.replace(tzinfo=None), zone).astimezone(UTC)
    except (ValueError, OverflowError) as error:
        raise Refusal("tournament_dates", days=MAX_WAIT.days) from error


def _keep_seconds(start: datetime, known: Settings | None) -> datetime:
    """Return the known start if it is in the minute that was typed: the form has no seconds, it may have."""
    if known is not None and known.starts_at.replace(second=0, microsecond=0) == start:
        return known.starts_at
    return start


def _read_time_control(values: Mapping[str, str]) -> TimeControl:
    """Return the time control; one that was typed counts more than a chosen one."""
    typed = values.get("time_control_typed", "").strip() or values.get("time_control", "")
    control = parse_time_control(typed) if typed else TIME_CONTROL
    if control is None:
        raise Refusal("time_control_unreadable", text=typed)
    return control


def _read_level(values: Mapping[str, str], kind: Kind) -> str | None:
    level = values.get("computer", NO_LEVEL)
    return level if level in FIXED_LEVELS and kind in FILLED else None


def _read_number(values: Mapping[str, str], name: str) -> int | None:
    """Return a number of a form; None for an empty field. Raises `number_unreadable`."""
    typed = values.get(name, "").strip()
    text = fold(typed)
    if not text:
        return None
    if not (text.isascii() and text.isdigit() and len(text) <= MAX_NUMBER):
        raise Refusal("number_unreadable", text=typed)
    return int(text)
