"""What people type about a challenge besides the options of its game: game, level, colour and terms."""

from __future__ import annotations

from typing import TYPE_CHECKING

from engine.game import Side
from i18n.formatting import format_side
from i18n.typed_values import find_value
from matches.computer.accounts import FIXED_LEVELS, LEVELS
from matches.errors import Refusal
from matches.terms import Terms, TimeoutRule, parse_time_control

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

    from engine.game import Game
    from i18n.catalogue import Texts
    from matches.terms import TimeControl

DEFAULT_LEVEL = "casual"  # of a newcomer who does not choose
RANDOM_COLOUR = "random"


def find_game_key(texts: Texts, games: Mapping[str, Game], typed: str) -> str | None:
    """Return the key of a game typed as key or name, None if there is none."""
    return find_value(((texts(f"game.{key}.name"), key) for key in games), typed)


def parse_level(texts: Texts, typed: str | None, levels: tuple[str, ...] = LEVELS) -> str:
    """Return the one of these levels of the computer that has this name. Raises `level_unknown`."""
    name = (typed or DEFAULT_LEVEL).strip()
    # The beginning of a name is enough, and then means the whole level rather than half a level more.
    labels = [[(texts(f"level.{one}.name"), one) for one in each] for each in (FIXED_LEVELS, levels)]
    level = find_value(labels[0], name) or find_value(labels[1], name)
    if level is None:
        raise Refusal("level_unknown", level=name, levels=levels)
    return level


def colour_labels(texts: Texts, sides: Iterable[Side]) -> list[tuple[str, str]]:
    """Return the labels of colours with their values, a random one first."""
    named = [(format_side(texts, side), side.value) for side in sides]
    return [(texts("colour.random"), RANDOM_COLOUR), *named]


def parse_colour(texts: Texts, game: Game | None, typed: str | None) -> Side | None:
    """Return the side with this name or value, None for a random colour. Raises `invalid_colour`."""
    if typed is None or game is None:
        return None
    colour = find_value(colour_labels(texts, Side), typed)
    if colour is None:
        raise Refusal("invalid_colour", colour=typed, sides=tuple(side.value for side in game.sides))
    return None if colour == RANDOM_COLOUR else Side(colour)


def parse_typed_time_control(texts: Texts, typed: str) -> TimeControl | None:
    """Parse a time control; None means no clock.

    Raises `time_control_unreadable`, `time_control_out_of_bounds`.
    """
    is_none = typed.strip().casefold() == texts("time_control.none").casefold()
    return None if is_none else parse_time_control(typed)


def timeout_rule_labels(texts: Texts) -> list[tuple[str, str]]:
    """Return the labels of what happens on time-out with their values."""
    return [(texts(f"terms.timeout.{rule}"), rule.value) for rule in TimeoutRule]


def parse_terms(
    texts: Texts,
    default: TimeControl | None,
    *,
    time_control: str | None = None,
    time_out: str | None = None,
    vacation: bool | None = None,
    takeback: bool | None = None,
    rated: bool | None = None,
) -> Terms:
    """Return the terms that a person has typed.

    `time_control` is `default` if None, `time_out` the rule for what happens on time-out. Raises
    `timeout_rule_unreadable`, and as :func:`parse_typed_time_control`.
    """
    return Terms(
        time_control=default if time_control is None else parse_typed_time_control(texts, time_control),
        timeout_rule=TimeoutRule.CLAIM if time_out is None else _parse_timeout_rule(texts, time_out),
        vacation_stops_clock=vacation is not False,
        takebacks_allowed=takeback is not False,
        rated=rated is not False,
    )


def _parse_timeout_rule(texts: Texts, typed: str) -> TimeoutRule:
    rule = find_value(timeout_rule_labels(texts), typed)
    if rule is None:
        raise Refusal("timeout_rule_unreadable", text=typed, rules=tuple(TimeoutRule))
    return TimeoutRule(rule)
