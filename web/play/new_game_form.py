"""The form for a new game: what it shows, what it sends, and what a browser remembers of it."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from engine.game import OptionError
from i18n import formatting as game_formatting
from matches import Refusal
from web.addresses import CHALLENGE_FORM_PATH
from web.context import CONTEXT
from web.play.computer_games import NAME_FIELDS, chosen_level, form_context, remembered_settings
from web.play.option_fields import option_fields, submitted_options, submitted_text
from web.server.forms import new_form_number

if TYPE_CHECKING:
    from collections.abc import Mapping

    from aiohttp import web

    from engine.game import Game, OptionValue
    from i18n import Texts

FORM_NUMBER = "form"  # the field with its secret number
COMPUTER, ONE_SCREEN, TWO_SCREENS = "computer", "one", "two"  # values of the field `screens`


async def new_game_form(request: web.Request) -> web.Response:
    """Show the form for a new game."""
    return render_form(request, request.query, "", 200)


def sent_or_remembered(request: web.Request, rules: Game, values: Mapping[str, str]) -> Mapping[str, str]:
    """Return the settings of a form, or, for the short one of the front page, those of the browser's last."""
    names = {"level", *(option.name for option in rules.options)}
    is_sent = any(name.partition(".")[0] in names for name in values)
    return values if is_sent else remembered_settings(request, rules)


def settings_to_remember(rules: Game, values: Mapping[str, str]) -> dict[str, str]:
    """Return the settings of a form to remember: level, side, and the options that were chosen."""
    texts = {option.name: submitted_text(option, values) for option in rules.options if not option.is_random}
    own = {name: values[name] for name in ("level", "side") if name in values}
    if own.get("level"):
        own["level"] = chosen_level(values)
    return own | {name: text for name, text in texts.items() if text}


def render_form(request: web.Request, values: Mapping[str, str], notice: str, status: int) -> web.Response:
    """Return the form with what was typed, and with the reason why no match was started.

    On a public website there are only games against the computer.
    """
    context = request.app[CONTEXT]
    playable = context.games.values() if context.can_start_games else ()
    games = [_game_form(request, rules, values) for rules in playable]
    games.sort(key=lambda game: not game["is_open"])
    return context.pages.respond(
        request,
        "new_game.html",
        status=status,
        games=games,
        values=values,
        notice=notice,
        has_computer=context.has_computer(),
        allow_local_games=context.allow_local_games,
        challenge_path="" if context.allow_local_games else CHALLENGE_FORM_PATH,
        form_number=new_form_number(),
    )


def _game_form(request: web.Request, rules: Game, values: Mapping[str, str]) -> dict[str, Any]:
    """Return the template context of one game's form; `values` are those of a URL or of a refused form."""
    context = request.app[CONTEXT]
    texts, own = context.texts, values if values.get("game") == rules.name else {}
    asked = own
    if "screens" not in own:
        own = {**remembered_settings(request, rules), **own}
    names = {*(option.name for option in rules.options), *NAME_FIELDS}
    return {
        "name": rules.name,
        "title": texts(f"game.{rules.name}.name"),
        "about": texts(f"game.{rules.name}.about"),
        "sides": [(side.value, game_formatting.format_side(texts, side)) for side in rules.sides],
        "fields": list(option_fields(texts, rules, own)),
        "settings": game_formatting.format_options(texts, rules, _possible_options(texts, rules, own)),
        "has_values": any(asked[name] and name.partition(".")[0] in names for name in asked),
        "is_open": values.get("game", next(iter(context.games))) == rules.name,
        **form_context(context, rules, own),
    }


def _possible_options(texts: Texts, rules: Game, values: Mapping[str, str]) -> dict[str, OptionValue]:
    """Return the options of the form, completed; the defaults if they are not possible."""
    try:
        return rules.complete_options(**submitted_options(texts, rules, values))
    except (Refusal, OptionError):
        return rules.complete_options()
