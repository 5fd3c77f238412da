"""The entrants of a tournament as templates show them: names, places of their pages, points."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from i18n.names import name_of
from i18n.writing import isolate
from web.accounts.signed_in import find_member
from web.addresses import profile_path
from web.context import CONTEXT

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

    from aiohttp import web

    from i18n import Texts
    from matches.tournaments.results import EntrantId
    from matches.tournaments.values import TournamentView

MAX_LINKED = 130  # entrants on a page whose names lead to their pages
DASH = " \N{EN DASH} "


@dataclass(frozen=True, slots=True)
class Names:
    """The entrants of a page by id, with what templates need of each."""

    texts: Texts
    items: Mapping[EntrantId, Mapping[str, Any]]

    def item(self, entrant: EntrantId) -> Mapping[str, Any]:
        """Return the template context of an entrant."""
        return self.items[entrant]

    def name(self, entrant: EntrantId) -> str:
        """Return the name of an entrant, for a sentence."""
        return str(self.items[entrant]["name"])


async def load_names(request: web.Request, view: TournamentView, linked: Iterable[EntrantId]) -> Names:
    """Return the entrants; the names of `linked` ones lead to their pages, if the sender may see them."""
    context, wanted = request.app[CONTEXT], set(linked)
    member = await find_member(request)
    persons = [one.person for one in view.entrants if one.id in wanted][:MAX_LINKED]
    reader = None if member is None else member.account
    handles = await context.matches.people.profiles.find_handles(persons, reader)
    items = {
        one.id: {
            "id": one.id,
            "name": isolate(name_of(context.texts, one.person)),
            "person": one.person,
            "href": profile_path(handles[one.person.account]) if one.person.account in handles else "",
            "rating": one.rating,
            "seed": one.seed,
            "is_me": one.id == view.me,
            "withdrawn": context.texts(f"web.tournaments.withdrawn.{one.withdrawn}") if one.withdrawn else "",
            "was_warned": one.was_warned and one.withdrawn is None,
        }
        for one in view.entrants
    }
    return Names(context.texts, items)
