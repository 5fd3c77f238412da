"""Matches against the computer: what a form offers, a browser remembers, and a seat shows."""

from __future__ import annotations

import asyncio
from math import ceil, floor
from typing import TYPE_CHECKING, Any
from urllib.parse import parse_qsl, urlencode

from i18n import formatting as game_formatting
from i18n.names import GUEST_NAME
from matches import (
    ADAPTIVE,
    FIXED_LEVELS,
    HALF,
    LEVELS,
    Audience,
    Person,
    Refusal,
    Terms,
    clean_name,
    computer_level,
    level_strength,
)
from web.context import CONTEXT
from web.pages.view_options import set_cookie
from web.play.option_fields import submitted_options

if TYPE_CHECKING:
    from collections.abc import Mapping

    from aiohttp import web

    from engine.game import Game, OptionValue, Side
    from matches import MatchUpdate, MatchView, NewGuest, Seat
    from web.context import WebContext

DEFAULT_LEVEL = LEVELS[0]  # for the first game
RANDOM_SIDE = "random"
MAX_NAME = 40
MAX_COOKIE_LENGTH = 400
NAME_FIELDS = ("first", "second")  # names of the players of the first and the second side
UNRATED = Terms(rated=False)


def remembered_settings(request: web.Request, rules: Game) -> dict[str, str]:
    """Return the fields of the form of a game that this browser has sent last: level, side and options.

    Where it has sent none, those for a first game. Options are left out if they are not possible, as in a
    cookie that another version has written.
    """
    text = request.cookies.get(_cookie_name(rules), "")[:MAX_COOKIE_LENGTH]
    if not text:
        return {name: str(value) for name, value in rules.first_options.items()}
    names = {option.name for option in rules.options if not option.is_random}
    found = dict(parse_qsl(text))
    options = {name: value for name, value in found.items() if name in names}
    try:
        submitted_options(request.app[CONTEXT].texts, rules, options)
    except Refusal:
        options = {}
    return {name: found[name] for name in ("level", "side") if name in found} | options


def remember_settings(
    context: WebContext, answer: web.Response, rules: Game, settings: Mapping[str, str]
) -> None:
    """Keep level, side and options in the browser; :func:`remembered_settings` returns them."""
    set_cookie(answer, _cookie_name(rules), urlencode(settings), secure=context.is_secure)


def chosen_level(values: Mapping[str, str]) -> str:
    """Return the level in the fields of a form, by default that for the first game.

    The field `half` adds half a level, where there is one.
    """
    level = values.get("level", "")
    found = (each for each in (level + values.get("half", ""), level) if each in LEVELS)
    return next(found, DEFAULT_LEVEL)


def chosen_side(rules: Game, values: Mapping[str, str]) -> Side | None:
    """Return the side that the person plays, by default the one that begins; None for a random one."""
    if values.get("side") == RANDOM_SIDE:
        return None
    return next((side for side in rules.sides if side.value == values.get("side")), rules.sides[0])


def form_context(context: WebContext, rules: Game, values: Mapping[str, str]) -> dict[str, Any]:
    """Return the template context of level and side in the form of a game."""
    texts, side = context.texts, chosen_side(rules, values)
    first, second = (game_formatting.format_side(texts, one) for one in rules.sides)
    sides = [
        (rules.sides[0].value, texts("web.new.begins", side=first)),
        (rules.sides[1].value, second),
        (RANDOM_SIDE, texts("web.new.random")),
    ]
    chosen = RANDOM_SIDE if side is None else side.value
    level = chosen_level(values)
    return {
        "levels": (*FIXED_LEVELS, ADAPTIVE),
        "level": level.removesuffix(HALF),
        "half": HALF,
        "is_half": level.endswith(HALF),
        "computer_sides": [(value, label, value == chosen) for value, label in sides],
    }


def player_name(rules: Game, values: Mapping[str, str]) -> str:
    """Return the name of the person in a form, for which only one of the two names matters."""
    names = [clean_name(values.get(field, ""))[:MAX_NAME] for field in NAME_FIELDS]
    own = chosen_side(rules, values)
    if own is not None and own is rules.sides[1]:
        names.reverse()
    return next(filter(None, names), GUEST_NAME)


async def start_against_computer(
    request: web.Request,
    server: str,
    rules: Game,
    person: Person,
    *,
    level: str,
    side: Side | None,
    options: Mapping[str, OptionValue],
    audience: Audience = Audience.NAMES,
    guest: NewGuest | None = None,
) -> MatchView:
    """Start a match of `person`, who plays `side` or a random one, on a server; everybody may watch it.

    With `guest`, `person` is that new guest. Raises Refusal, TooManyRequests.
    """
    context = request.app[CONTEXT]
    context.computer_limiter.acquire(context.client_address(request), asyncio.get_running_loop().time())
    update: MatchUpdate = await context.matches.computer.start(
        person,
        level=level,
        server=server,
        channel=server,
        game=rules.name,
        options=options,
        colour=side,
        terms=UNRATED,
        audience=audience,
        guest=guest,
        now=context.now(),
    )
    if update.announcement is not None:
        await context.announce(update.announcement)
    return update.match


def level_choices(level: str) -> dict[str, str]:
    """Return the next whole levels in both directions, as far as there are any: ``easier`` and ``harder``."""
    strength = level_strength(level)
    if strength is None:
        return {}
    choices = {"easier": ceil(strength) - 1, "harder": floor(strength) + 1}
    return {name: FIXED_LEVELS[index] for name, index in choices.items() if 0 <= index < len(FIXED_LEVELS)}


def seat_level(seat: Seat) -> str:
    """Return the level of a seat of the computer."""
    return computer_level(seat.person.account) or DEFAULT_LEVEL


def _cookie_name(rules: Game) -> str:
    return f"play_{rules.name}"
