"""Challenges that are not written yet, and what a challenge can say besides game, options and terms."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from matches.audience import Audience
from matches.errors import Refusal
from matches.platforms import WEBSITE

if TYPE_CHECKING:
    from engine.game import Side
    from matches.options import MatchSetup
    from matches.terms import Terms
    from matches.values import Person

MAX_CHALLENGE_NOTE = 200  # characters
MIN_WITHIN, MAX_WITHIN = 25, 2000  # rating points
MAX_STANDING_GAMES = 3


@dataclass(frozen=True, slots=True, kw_only=True)
class ChallengeDraft:
    """A challenge that is not written yet, as :meth:`Challenges.create` takes it; `to` None is anyone."""

    by: Person
    to: Person | None
    server: str
    channel: str
    setup: MatchSetup
    terms: Terms
    colour: Side | None
    rematch_of: int | None = None
    audience: Audience | None = None
    note: str = ""
    within: int | None = None
    by_link: bool = False
    games: int | None = None


def check_extras(draft: ChallengeDraft) -> None:
    """Raise if what a challenge has besides game, options and terms does not fit whom it is for.

    Raises `note_for_nobody`, `note_too_long`, `within_for_named`, `within_out_of_range`, `link_for_named`,
    `private_for_anyone`, `standing_not_here`, `standing_out_of_range`.
    """
    is_for_anyone = draft.to is None and not draft.by_link
    if draft.note and is_for_anyone:
        raise Refusal("note_for_nobody")
    if len(draft.note) > MAX_CHALLENGE_NOTE:
        raise Refusal("note_too_long_for_challenge", limit=MAX_CHALLENGE_NOTE, size=len(draft.note))
    if draft.within is not None and draft.to is not None:
        raise Refusal("within_for_named", name=draft.to)
    if draft.within is not None and not MIN_WITHIN <= draft.within <= MAX_WITHIN:
        raise Refusal("within_out_of_range", lowest=MIN_WITHIN, highest=MAX_WITHIN)
    if draft.by_link and draft.to is not None:
        raise Refusal("link_for_named", name=draft.to)
    if draft.server == WEBSITE and is_for_anyone and draft.audience is Audience.PLAYERS:
        raise Refusal("private_for_anyone")
    if draft.games is not None and not (is_for_anyone and draft.server == WEBSITE):
        raise Refusal("standing_not_here")
    if draft.games is not None and not 1 <= draft.games <= MAX_STANDING_GAMES:
        raise Refusal("standing_out_of_range", highest=MAX_STANDING_GAMES)
