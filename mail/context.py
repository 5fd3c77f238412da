"""What all mails of one process are made with."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from mail.hint_search import HintSearch
from mail.message import unsubscribe_headers

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping
    from datetime import datetime

    from engine.game import Game
    from i18n import Texts
    from mail.links import Links
    from mail.message import Sender
    from mail.reply_addresses import ReplyAddresses
    from matches import Matches, MatchId


@dataclass(frozen=True, slots=True)
class MailContext:
    """The dependencies of mails.

    `texts` are in plain words, `links` lead to the website, whose `secret` codes follow from. `now` returns
    the current time, aware. `replies` are the addresses at which mails are answered, None if nothing receives
    mail. `hints` are searches for players who ask for one.
    """

    matches: Matches
    games: Mapping[str, Game]
    texts: Texts
    links: Links
    secret: str
    sender: Sender
    now: Callable[[], datetime]
    replies: ReplyAddresses | None = None
    hints: HintSearch = field(default_factory=HintSearch)

    def envelope_sender(self, address: str) -> str | None:
        """Return where a mail to `address` comes back that cannot be delivered; None for the sender."""
        return None if self.replies is None else self.replies.bounce_address(address)

    @property
    def plain_reply_to(self) -> str | None:
        """Where mails are answered that are about no match and no challenge; None where nothing is read."""
        return None if self.replies is None else self.replies.plain

    def thread_of(self, match: MatchId) -> str:
        """Return the Message-ID that begins the thread of a match; no mail needs to have it."""
        return self.sender.message_id(f"match-{match}")

    def watching_headers(self, account: str, match: MatchId | None) -> dict[str, str]:
        """Return the headers of a mail about a match that an account watches; None: about all of them."""
        name = "watching" if match is None else f"match-{match}"
        stop = unsubscribe_headers(self.links.unwatch_url(account, match))
        return {"List-Id": f"<{name}.{self.sender.domain}>", **stop}
