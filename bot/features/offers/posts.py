"""The posts of offers, of the answers to them, and of aborted matches."""

from __future__ import annotations

from typing import TYPE_CHECKING, ClassVar, Self

from bot.outbox.responses import respond_with_update
from bot.posts.replies import closed_question
from bot.ui import ids
from bot.ui.buttons import PersistentButton, Style
from bot.ui.interactions import leave_unusable_channel
from matches import AnnouncementKind, OfferId, OfferKind, is_computer

if TYPE_CHECKING:
    from bot.context import Interaction
    from bot.posts.board_posts import BoardPostFactory
    from bot.posts.post import Post
    from i18n import Texts
    from matches import Announcement, MatchView


async def build_offer_post(
    board_posts: BoardPostFactory, view: MatchView, announcement: Announcement
) -> Post:
    """Return the post of an offer, with its buttons while it is open, or of a declined offer."""
    if announcement.kind is not AnnouncementKind.OFFERED:
        return board_posts.announcement_text_post(view, announcement)
    kind, offer_id = OfferKind(str(announcement.details["what"])), int(announcement.details["offer"])
    opponent = view.opponent(announcement.by)
    is_for_computer = opponent is not None and is_computer(opponent.person.account)
    answers = () if not view.is_current else (WITHDRAW,) if is_for_computer else OfferButton.ANSWERS
    buttons = (OfferButton.of(board_posts.texts, kind, offer_id, answer) for answer in answers)
    return board_posts.announcement_text_post(view, announcement, *buttons)


ACCEPT, DECLINE, WITHDRAW = "accept", "decline", "withdraw"


class OfferButton(PersistentButton, template=r"offer1:(?P<offer>\d+):(?P<answer>accept|decline|withdraw)"):
    """Accepts, declines or withdraws the offer of its post."""

    ANSWERS: ClassVar = (ACCEPT, DECLINE, WITHDRAW)

    @classmethod
    def of(cls, texts: Texts, kind: OfferKind, offer: int, answer: str) -> Self:
        """Create the button for one of ANSWERS."""
        style = Style.success if answer == ACCEPT else Style.secondary
        label = texts("button.withdraw" if answer == WITHDRAW else f"offer.{kind}.{answer}")
        return cls.create(label, f"offer1:{offer}:{answer}", style)

    async def on_click(self, interaction: Interaction) -> None:
        """Answer the offer and announce the result in the match's channel."""
        await leave_unusable_channel(interaction)
        client, offer = interaction.client, OfferId(int(self.values["offer"]))
        if self.values["answer"] == WITHDRAW:
            update = await client.matches.offers.withdraw(
                offer, ids.to_person(interaction.user), now=client.now()
            )
            await respond_with_update(interaction, update, closed_question(interaction))
            return
        who, accept = ids.to_person(interaction.user), self.values["answer"] == ACCEPT
        await respond_with_update(
            interaction, await client.matches.offers.answer(offer, who, accept=accept, now=client.now())
        )


class LegacyEndButton(PersistentButton, template=r"(?P<answer>agree|disagree)1:(?P<match>\d+):(?P<ply>\d+)"):
    """Accepts or declines an offer of the old format to end the match."""

    async def on_click(self, interaction: Interaction) -> None:
        """Answer the offer."""
        await leave_unusable_channel(interaction)
        client, who = interaction.client, ids.to_person(interaction.user)
        accept = self.values["answer"] == "agree"
        update = await client.matches.offers.answer_end(
            self.match, who, accept=accept, seen_revision=int(self.values["ply"]), now=client.now()
        )
        await respond_with_update(interaction, update)


ANNOUNCEMENT_POSTS = {
    AnnouncementKind.OFFERED: build_offer_post,
    AnnouncementKind.OFFER_DECLINED: build_offer_post,
    AnnouncementKind.OFFER_WITHDRAWN: build_offer_post,
}
