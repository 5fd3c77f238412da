"""The posts of offers, of their answers, and of matches given up early."""

from __future__ import annotations

from typing import TYPE_CHECKING, ClassVar, Self

from bot.outbox.responses import respond_with_update
from bot.posts import formatting
from bot.ui import ids, markdown
from bot.ui.buttons import PersistentButton, Style
from bot.ui.interactions import require_permissions
from matches import AnnouncementKind as Kind
from matches import OfferId, OfferKind

if TYPE_CHECKING:
    from bot.client import Interaction
    from bot.posts.board_posts import BoardPostFactory
    from bot.posts.post import Post
    from i18n import Texts
    from matches import Announcement, MatchView


def build_offer_post(board_posts: BoardPostFactory, view: MatchView, announcement: Announcement) -> Post:
    """Return the post of an offer, with its two answers, or of an offer that was declined."""
    texts, kind = board_posts.texts, OfferKind(str(announcement.details["what"]))
    values = _text_values(board_posts, view, announcement)
    if announcement.kind is Kind.OFFER_DECLINED:
        return board_posts.text_post(
            view, announcement, texts(f"offer.{kind}.refused", match=view.id, **values)
        )
    if view.position is not None:
        values["result"] = formatting.format_agreed_end(texts, view.position)
    offer_id = int(announcement.details["offer"])
    buttons = (OfferButton.of(texts, kind, offer_id, answer) for answer in OfferButton.ANSWERS)
    return board_posts.text_post(
        view, announcement, texts(f"offer.{kind}.post", match=view.id, **values), *buttons
    )


async def build_offer_result_post(
    board_posts: BoardPostFactory, view: MatchView, announcement: Announcement
) -> Post:
    """Return the post of moves taken back, or of a match given up early."""
    texts, values = board_posts.texts, _text_values(board_posts, view, announcement)
    if announcement.kind is Kind.ABORTED:
        return await board_posts.board_post(view, announcement, texts("abort.post", match=view.id, **values))
    opponent = view.opponent(announcement.by)
    name = "" if opponent is None else markdown.escaped_name(opponent.person)
    sentence = texts("takeback.post", match=view.id, by=values["by"], name=name)
    return await board_posts.board_post(view, announcement, sentence, formatting.turn_mention(texts, view))


def _text_values(
    board_posts: BoardPostFactory, view: MatchView, announcement: Announcement
) -> dict[str, str]:
    by = view.seat(announcement.by)
    mentions = [ids.user_mention(account) for account in announcement.recipients]
    return {
        "by": "" if by is None else markdown.escaped_name(by.person),
        "mentions": board_posts.texts.join(mentions),
    }


ACCEPT, DECLINE = "accept", "decline"


class OfferButton(PersistentButton, template=r"offer1:(?P<offer>\d+):(?P<answer>accept|decline)"):
    """Accepts or declines the offer that it stands under."""

    ANSWERS: ClassVar = (ACCEPT, DECLINE)

    @classmethod
    def of(cls, texts: Texts, kind: OfferKind, offer: int, answer: str) -> Self:
        """Make the button of one answer."""
        style = Style.success if answer == ACCEPT else Style.secondary
        return cls.create(texts(f"offer.{kind}.{answer}"), f"offer1:{offer}:{answer}", style)

    async def on_click(self, interaction: Interaction) -> None:
        """Answer, and tell it where the match is played."""
        require_permissions(interaction)
        client, offer = interaction.client, OfferId(int(self.values["offer"]))
        who, accept = ids.to_person(interaction.user), self.values["answer"] == ACCEPT
        await respond_with_update(
            interaction, await client.matches.offers.answer(offer, who, accept=accept, now=client.now())
        )
