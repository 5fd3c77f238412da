"""Challenges as templates show them: in the lobby, on the front page, in *My games*, on their own page."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from i18n import clocks
from i18n import formatting as game_formatting
from i18n.names import name_of
from i18n.writing import Moment, MomentStyle, isolate
from web.addresses import challenge_path

if TYPE_CHECKING:
    from matches import Challenge, ShownChallenge
    from web.context import WebContext


def challenge_item(context: WebContext, shown: ShownChallenge, key: str = "") -> dict[str, Any]:
    """Return the template context of a challenge; `key` is that of its link, if the reader knows it."""
    texts, challenge = context.texts, shown.challenge
    mark = "?" if shown.is_provisional else ""
    return {
        "id": challenge.id,
        "href": challenge_path(challenge.id, key),
        "action": challenge_path(challenge.id),
        "key": key,
        "by": isolate(name_of(texts, challenge.by)),
        "rating": "" if shown.rating is None else f"{shown.rating}{mark}",
        "to": "" if challenge.to is None else isolate(name_of(texts, challenge.to)),
        "game": texts(f"game.{challenge.game}.name"),
        "settings": game_formatting.format_options(texts, context.games[challenge.game], challenge.options),
        "terms": clocks.describe_terms(texts, challenge.terms),
        "clock": _format_clock(context, challenge),
        "colour": _format_colour(context, challenge),
        "limits": _format_limits(context, challenge),
        "away": clocks.describe_vacations(texts, challenge.away),
        "note": challenge.note,
        "by_link": challenge.by_link,
        "is_standing": challenge.games is not None,
        "is_own": shown.is_own,
        "is_to_reader": shown.is_to_reader,
        "is_in_range": shown.is_in_range,
        "expires": Moment(challenge.expires_at, MomentStyle.FULL),
    }


def _format_clock(context: WebContext, challenge: Challenge) -> str:
    """Return the time control and whether a challenge is rated: the terms that matter in a list."""
    texts, terms = context.texts, challenge.terms
    rated = texts("terms.rated" if terms.rated else "terms.unrated")
    return texts.join([clocks.describe_time_control(texts, terms.time_control), rated], "list.dot")


def _format_colour(context: WebContext, challenge: Challenge) -> str:
    if challenge.colour is None:
        return context.texts("web.lobby.random_side")
    side = game_formatting.format_side(context.texts, challenge.colour)
    return context.texts("web.lobby.plays", name=challenge.by, side=side)


def _format_limits(context: WebContext, challenge: Challenge) -> list[str]:
    """Return whom a challenge is for, how often, and whether others may watch, as far as that is special."""
    texts, found = context.texts, []
    if challenge.within is not None:
        found.append(texts("web.lobby.within", points=challenge.within))
    if challenge.games is not None:
        found.append(texts("web.lobby.standing", count=challenge.games))
        if challenge.is_paused:
            found.append(texts("web.lobby.paused"))
    if challenge.by_link:
        found.append(texts("web.lobby.by_link"))
    if not challenge.is_public and (challenge.by_link or challenge.to is not None):
        found.append(texts("web.lobby.private"))
    return found
