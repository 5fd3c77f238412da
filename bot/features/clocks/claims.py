"""Actions after a time-out: claiming the win, with a confirmation, and giving the opponent more time."""

from __future__ import annotations

from typing import TYPE_CHECKING

from bot.outbox.responses import respond_with_update
from bot.posts.post import Post
from bot.posts.replies import ask, replace_message
from bot.ui import ids, match_argument, modals
from bot.ui.buttons import PersistentButton, Style
from bot.ui.interactions import bind_match, leave_unusable_channel, send_modal
from i18n.match_names import format_match_name, format_short_match_name
from i18n.typed_values import parse_length
from i18n.writing import Moment, MomentStyle
from matches import MatchId, NotInMatch, Refusal, is_computer

if TYPE_CHECKING:
    from bot.context import Interaction
    from i18n import Texts
    from matches import MatchView, SeatTime

MODAL_ID = "give1"


async def claim(interaction: Interaction, match: str | None) -> None:
    """Ask for confirmation before the user claims the match."""
    await _ask_to_claim(interaction, await match_argument.resolve_own(interaction, match))


async def give_time(interaction: Interaction, time: str, match: str | None) -> None:
    """Give the opponent more time."""
    await leave_unusable_channel(interaction)
    await _give_time(interaction, await match_argument.resolve_own(interaction, match), time)


async def submit_time(interaction: Interaction) -> None:
    """Give the opponent the time submitted in the modal."""
    await leave_unusable_channel(interaction)
    (match,) = modals.id_values(interaction)
    await _give_time(interaction, bind_match(MatchId(int(match))), modals.submitted_text(interaction, "time"))


class ClaimButton(PersistentButton, template=r"claim1:(?P<match>\d+)"):
    """A button of the time-out post: claims the match after a confirmation."""

    async def on_click(self, interaction: Interaction) -> None:
        """Ask for confirmation."""
        await _ask_to_claim(interaction, self.match)


class ConfirmClaimButton(PersistentButton, template=r"claimnow1:(?P<match>\d+)"):
    """Claims the match."""

    async def on_click(self, interaction: Interaction) -> None:
        """Claim the match and announce the result in its channel."""
        client, match = interaction.client, self.match
        who = ids.to_person(interaction.user)
        update = await client.matches.clocks.timeouts.claim(match, who, now=client.now())
        name = format_match_name(client.texts, update.match, who.account)
        await respond_with_update(interaction, update, Post(client.texts("timeout.claimed", match_name=name)))


class CancelClaimButton(PersistentButton, template=r"wait1:(?P<match>\d+)"):
    """Closes the confirmation without claiming."""

    async def on_click(self, interaction: Interaction) -> None:
        """Remove the buttons."""
        closing = Post(interaction.client.texts("timeout.claim_cancelled"))
        await replace_message(interaction, closing)


class GiveTimeButton(PersistentButton, template=r"givetime1:(?P<match>\d+)"):
    """Asks how much time to give to the opponent."""

    async def on_click(self, interaction: Interaction) -> None:
        """Open the modal, or respond with the reason why no time can be given."""
        client, match = interaction.client, self.match
        view = await client.matches.view(match, now=client.now())
        _opponent_time(view, ids.user_account(interaction.user))
        texts = client.texts.plain
        modal = modals.create_modal(
            texts("extra_time.modal_title", match_name=format_short_match_name(texts, view)),
            f"{MODAL_ID}:{match}",
            modals.text_line("time", texts("extra_time.modal_label"), texts("extra_time.modal_example")),
            short_title=texts("button.give_time"),
        )
        await send_modal(interaction, modal)


async def _ask_to_claim(interaction: Interaction, match: MatchId) -> None:
    client, account = interaction.client, ids.user_account(interaction.user)
    view = await client.matches.view(match, now=client.now())
    if view.time is None and view.opponent(account) is not None:
        await ask_about_abandoned(interaction, view)
        return
    opponent = _opponent_time(view, account)
    if opponent.flagged_at is None:
        raise Refusal("time_not_over", match=match, name=opponent.person)
    texts = client.texts
    own_time = None if view.time is None else view.time.for_account(account)
    is_void = own_time is not None and own_time.flagged_at is not None
    name = opponent.person
    match_name = format_match_name(texts, view, account)
    question = texts("timeout.ask_void" if is_void else "timeout.ask", match_name=match_name, opponent=name)
    await ask(interaction, question, *_claim_buttons(texts, view))


async def ask_about_abandoned(interaction: Interaction, view: MatchView) -> None:
    """Say from when a match without a clock can be claimed, with the buttons for what is possible now."""
    client, texts, now = interaction.client, interaction.client.texts, interaction.client.now()
    who = ids.to_person(interaction.user)
    found = await client.matches.clocks.abandoned.find(view.id, who, now=now)
    opponent = view.opponent(who.account)
    name = "" if opponent is None else opponent.person
    can_claim, can_nudge = found.can_claim(now), found.can_nudge(now)
    state = "vacation" if found.on_vacation else "claim" if can_claim else "nudge" if can_nudge else "wait"
    next_step = found.claim_from if found.nudge_from is None else found.nudge_from
    text = texts(
        f"abandoned.{state}",
        match_name=format_match_name(texts, view, who.account),
        name=name,
        since=Moment(found.since, MomentStyle.DATE),
        when=Moment(next_step, MomentStyle.DATE),
        nudges=found.nudges,
    )
    lines = [text] if can_claim else [text, texts("abandoned.rule", name=name)]
    nudge = NudgeButton.create(texts("button.nudge"), f"nudge1:{view.id}", Style.primary)
    buttons = _claim_buttons(texts, view) if can_claim else (nudge,) if can_nudge else ()
    await ask(interaction, texts.join(lines, "list.lines"), *buttons)


def _claim_buttons(texts: Texts, view: MatchView) -> tuple[PersistentButton, ...]:
    return (
        ConfirmClaimButton.create(texts("button.claim_now"), f"claimnow1:{view.id}", Style.danger),
        CancelClaimButton.create(texts("button.wait"), f"wait1:{view.id}"),
    )


class NudgeButton(PersistentButton, template=r"nudge1:(?P<match>\d+)"):
    """Calls the opponent of a match without a clock, who has not moved for long."""

    async def on_click(self, interaction: Interaction) -> None:
        """Post the nudge in the match's channel."""
        client, match = interaction.client, self.match
        who = ids.to_person(interaction.user)
        update = await client.matches.clocks.abandoned.nudge(match, who, now=client.now())
        name = format_match_name(client.texts, update.match, who.account)
        await respond_with_update(
            interaction, update, Post(client.texts("abandoned.nudged", match_name=name))
        )


async def _give_time(interaction: Interaction, match: MatchId, text: str) -> None:
    client, who = interaction.client, ids.to_person(interaction.user)
    update = await client.matches.clocks.timeouts.give_time(match, who, parse_length(text), now=client.now())
    await respond_with_update(interaction, update)


def _opponent_time(view: MatchView, account: str) -> SeatTime:
    """Return the opponent's time. Raises NotInMatch, `match_over`, `computer_never_late` or `no_clock`."""
    opponent = view.opponent(account)
    if opponent is None:
        raise NotInMatch(match=view.id)
    if view.result is not None:
        raise Refusal("match_over", match=view.id)
    if is_computer(opponent.person.account):
        raise Refusal("computer_never_late", match=view.id, name=opponent.person)
    time = None if view.time is None else view.time.for_account(opponent.person.account)
    if time is None:
        raise Refusal("no_clock", match=view.id)
    return time
