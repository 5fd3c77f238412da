"""The posts of offers, of their answers, and of matches given up early."""

from __future__ import annotations

from typing import TYPE_CHECKING

from bot import people, telling
from bot.offers.buttons import OfferButton
from matches import AnnouncementKind as Kind
from matches import OfferKind

if TYPE_CHECKING:
    from bot.desk import Desk
    from bot.posts import Post
    from matches import Announcement, MatchView


def post(desk: Desk, view: MatchView, announcement: Announcement) -> Post:
    """Give the post of an offer, with its two answers, or of an offer that was declined."""
    words, kind = desk.words, OfferKind(str(announcement.details["what"]))
    values = _values(desk, view, announcement)
    if announcement.kind is Kind.REFUSED:
        return desk.bare(view, announcement, words(f"offer.{kind}.refused", match=view.id, **values))
    if view.position is not None:
        values["result"] = telling.agreed(words, view.position)
    number = int(announcement.details["offer"])
    buttons = (OfferButton.of(words, kind, number, answer) for answer in OfferButton.ANSWERS)
    return desk.bare(view, announcement, words(f"offer.{kind}.post", match=view.id, **values), *buttons)


async def shown(desk: Desk, view: MatchView, announcement: Announcement) -> Post:
    """Give the post of moves taken back, or of a match given up early."""
    words, values = desk.words, _values(desk, view, announcement)
    if announcement.kind is Kind.ABORTED:
        return await desk.told(view, announcement, words("abort.post", match=view.id, **values))
    other = view.opponent(announcement.by)
    name = "" if other is None else people.called(other.person)
    sentence = words("takeback.post", match=view.id, by=values["by"], name=name)
    return await desk.told(view, announcement, sentence, telling.call(words, view))


def _values(desk: Desk, view: MatchView, announcement: Announcement) -> dict[str, str]:
    by = view.seat(announcement.by)
    whom = [people.mention(account) for account in announcement.whom]
    return {"by": "" if by is None else people.called(by.person), "whom": desk.words.listed(whom)}
