"""The fields of the form for a challenge: read with the words and rules of Discord's command."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from i18n import clocks
from i18n import formatting as game_formatting
from matches import (
    DEFAULT_TIME_CONTROL,
    MAX_CHALLENGE_NOTE,
    MAX_STANDING_GAMES,
    SUGGESTED_TIME_CONTROLS,
    Audience,
    Refusal,
    Terms,
    TimeoutRule,
    clean_line,
    format_time_control,
    parse_time_control,
)
from web.play.option_fields import option_fields, submitted_options

if TYPE_CHECKING:
    from collections.abc import Mapping

    from engine.game import Game, OptionValue, Side
    from i18n import Texts
    from web.context import WebContext

ANYONE, NAMED, BY_LINK, BY_MAIL = "anyone", "name", "link", "mail"  # values of the field `who`
RANGES = (50, 100, 200, 300, 500)  # rating points
MAX_NUMBER = 4  # digits
# Check boxes are not sent when they are off, so a form says that it was sent at all.
SENT = "form"


@dataclass(frozen=True, slots=True)
class Wish:
    """What a form asks for; `who` is one of the four kinds of opponents."""

    who: str
    to: str
    address: str
    rules: Game
    options: Mapping[str, OptionValue]
    terms: Terms
    colour: Side | None
    audience: Audience | None
    note: str
    within: int | None
    games: int | None


def read_wish(context: WebContext, values: Mapping[str, str]) -> Wish:
    """Return what a form asks for; fields that do not go with its opponent are left out. Raises Refusal."""
    rules = context.games.get(values.get("game", ""))
    if rules is None:
        raise Refusal("game_unknown")
    who = values.get("who", ANYONE)
    is_for_anyone = who not in {NAMED, BY_LINK, BY_MAIL}
    return Wish(
        who=ANYONE if is_for_anyone else who,
        to=clean_line(values.get("to", "")).removeprefix("@"),
        address=values.get("address", "").strip(),
        rules=rules,
        options=submitted_options(context.texts, rules, _own_values(rules, values)),
        terms=_read_terms(values),
        colour=next((side for side in rules.sides if side.value == values.get(f"{rules.name}:side")), None),
        audience=Audience.PLAYERS if "private" in values and not is_for_anyone else None,
        note="" if is_for_anyone else values.get("note", ""),
        within=_read_number(values.get("within", "")) if is_for_anyone else None,
        games=_read_number(values.get("standing", "")) if is_for_anyone else None,
    )


def fields_context(context: WebContext, values: Mapping[str, str]) -> dict[str, Any]:
    """Return the template context of the fields; `values` are those of a URL or of a refused form."""
    texts = context.texts
    chosen = values["game"] if values.get("game") in context.games else next(iter(context.games))
    time_control = values.get("time_control", format_time_control(DEFAULT_TIME_CONTROL))
    return {
        "values": values,
        "who": values.get("who") or (NAMED if values.get("to") else ANYONE),
        "games": [_game_fields(texts, rules, values, chosen) for rules in context.games.values()],
        "time_controls": [
            (text, clocks.describe_time_control(texts, parse_time_control(text)), text == time_control)
            for text in SUGGESTED_TIME_CONTROLS
        ],
        "timeout_rules": [(rule.value, texts(f"terms.timeout.{rule}")) for rule in TimeoutRule],
        "ticks": {name: SENT not in values or name in values for name in ("rated", "takeback", "vacation")},
        "ranges": RANGES,
        "standing": range(1, MAX_STANDING_GAMES + 1),
        "note_limit": MAX_CHALLENGE_NOTE,
    }


def _game_fields(texts: Texts, rules: Game, values: Mapping[str, str], chosen: str) -> dict[str, Any]:
    side = values.get(f"{rules.name}:side", "")
    return {
        "name": rules.name,
        "title": texts(f"game.{rules.name}.name"),
        "about": texts(f"game.{rules.name}.about"),
        "is_chosen": rules.name == chosen,
        "fields": list(option_fields(texts, rules, _own_values(rules, values))),
        "sides": [
            (one.value, game_formatting.format_side(texts, one), one.value == side) for one in rules.sides
        ],
    }


def _own_values(rules: Game, values: Mapping[str, str]) -> dict[str, str]:
    """Return the fields of one game, by the names that they have without the game."""
    start = f"{rules.name}:"
    return {name.removeprefix(start): value for name, value in values.items() if name.startswith(start)}


def _read_terms(values: Mapping[str, str]) -> Terms:
    """Return the terms of a form; a time control that was typed counts more than a chosen one."""
    typed = values.get("time_control_typed", "").strip() or values.get("time_control", "")
    rule = values.get("time_out", TimeoutRule.CLAIM)
    return Terms(
        time_control=parse_time_control(typed) if typed else DEFAULT_TIME_CONTROL,
        timeout_rule=TimeoutRule(rule) if rule in set(TimeoutRule) else TimeoutRule.CLAIM,
        vacation_stops_clock="vacation" in values,
        takebacks_allowed="takeback" in values,
        rated="rated" in values,
    )


def _read_number(text: str) -> int | None:
    return int(text) if text.isascii() and text.isdigit() and len(text) <= MAX_NUMBER else None
