"""One command of a mail that is carried out: who asks what, in which words the answer is written."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from matches import MatchUnknown, Refusal

if TYPE_CHECKING:
    from datetime import datetime

    from engine.game import Game
    from i18n import Texts
    from mail.commands.values import MailRequest
    from mail.context import MailContext
    from matches import Matches, MatchView, Person


@dataclass(frozen=True, slots=True)
class Task:
    """A command with its `argument`, in the `texts` of the reader; `is_sure`: it is confirmed."""

    context: MailContext
    request: MailRequest
    texts: Texts
    now: datetime
    argument: str = ""
    is_sure: bool = False

    @property
    def matches(self) -> Matches:
        """The matches of the database."""
        return self.context.matches

    @property
    def person(self) -> Person:
        """Who asks."""
        return self.request.person

    @property
    def account(self) -> str:
        """The account of who asks."""
        return self.request.person.account

    async def load_view(self) -> MatchView:
        """Return the match that is meant, as its player sees it.

        Raises MatchUnknown, also for a match of others, `match_unnamed`, `no_match_anywhere`.
        """
        if self.request.match is None:
            active = await self.matches.views.list_active_of(self.person, None)
            raise Refusal("match_unnamed" if active else "no_match_anywhere")
        view = await self.matches.view(self.request.match, readers=(self.account,), now=self.now)
        if view.seat(self.account) is None:
            raise MatchUnknown(match=view.id)
        return view

    def game_of(self, view: MatchView) -> Game:
        """Return the newest rules of the game of a match."""
        return self.context.games[view.game]
