"""Closed fists: each person picks in private, and one post opens both.

Nothing here shows a pick before both are in: no post, no private answer to the other, no log line.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from bot.feature import Feature
from bot.outbox.responses import respond_with_update
from bot.posts import formatting
from bot.posts.post import Post
from bot.ui import clock_formatting, ids, markdown
from bot.ui.buttons import PersistentButton, Style, view_of
from bot.ui.interactions import require_permissions, response_timeout
from matches import AlreadyPicked, ChoiceAlreadyMade, MatchId, MatchOver, MatchState, NotInMatch

if TYPE_CHECKING:
    from collections.abc import Mapping

    from bot.client import Interaction
    from engine.game import Game, SimultaneousChoice
    from i18n import Texts
    from matches import Announcement, MatchView, Pick, Reveal


def setup(_words: Texts, _games: Mapping[str, Game]) -> Feature:
    """Return the buttons."""
    return Feature(items=(SimultaneousChoiceButton, SubmitPickButton))


class SimultaneousChoiceButton(PersistentButton, template=r"fists1:(?P<match>\d+)"):
    """Stands under the post that asks both people to pick."""

    async def on_click(self, interaction: Interaction) -> None:
        """Offer the picks in private."""
        client, match = interaction.client, MatchId(int(self.values["match"]))
        view = await client.matches.view(match, now=client.now())
        _check_can_pick(view, ids.user_account(interaction.user))
        opponent = view.opponent(ids.user_account(interaction.user))
        name = "" if opponent is None else markdown.escaped_name(opponent.person)
        game = client.games[view.game]
        async with response_timeout(interaction):
            await interaction.response.send_message(
                client.texts("fists.choose", opponent=name),
                view=view_of(
                    *(
                        SubmitPickButton.of(client.texts, game, match, pick)
                        for pick in require_simultaneous_choice(game).picks
                    )
                ),
                ephemeral=True,
            )


class SubmitPickButton(PersistentButton, template=r"fist1:(?P<match>\d+):(?P<pick>\w+)"):
    """One of the picks on offer."""

    @classmethod
    def of(cls, texts: Texts, game: Game, match: MatchId, pick: str) -> SubmitPickButton:
        """Make the button of one pick."""
        label = texts("fists.option", **_describe_pick(texts, game, pick))
        return cls.create(label, f"fist1:{match}:{pick}", Style.primary)

    async def on_click(self, interaction: Interaction) -> None:
        """Pick; if both are in, open them for all to see."""
        require_permissions(interaction)
        client, match = interaction.client, MatchId(int(self.values["match"]))
        pick, who = self.values["pick"], ids.to_person(interaction.user)
        update = await client.matches.pick(match, who, pick, now=client.now())
        game, opponent = client.games[update.match.game], update.match.opponent(who.account)
        pick_texts = _describe_pick(client.texts, game, pick)
        if update.announcement is None:
            name = "" if opponent is None else markdown.escaped_name(opponent.person)
            confirmation = client.texts("fists.picked", opponent=name, **pick_texts)
        else:
            confirmation = client.texts("fists.picked_last", **pick_texts)
        await respond_with_update(interaction, update, Post(confirmation))


def build_choice_post(
    texts: Texts, games: Mapping[str, Game], view: MatchView, announcement: Announcement
) -> Post:
    """Return the post that asks both people to pick."""
    first, second = (ids.user_mention(seat.person.account) for seat in view.seats)
    details = formatting.format_options(texts, games[view.game], view.options)
    text = texts("fists.post", first=first, second=second, details=details)
    footer = formatting.format_footer(texts, view)
    button = SimultaneousChoiceButton.create(texts("button.fists"), f"fists1:{view.id}", Style.primary)
    mentions = announcement.recipients if view.is_current else ()
    lines = [line for line in (text, clock_formatting.describe_match_time(texts, view), footer) if line]
    return Post(texts.join(lines, "list.lines"), None, lambda: view_of(button), mentions)


def format_reveal(texts: Texts, game: Game, reveal: Reveal) -> str:
    """Tell both picks, the start that follows, and why."""
    first, second = (_format_pick(texts, game, pick) for pick in reveal.picks)
    mode = formatting.format_option(texts, game.name, reveal.option, reveal.value)
    reason = texts("fists.agreed" if reveal.agreed else "fists.third", mode=mode)
    return texts("fists.opened", first=first, second=second, reason=reason)


def require_simultaneous_choice(game: Game) -> SimultaneousChoice:
    """Return the game's closed fists. Raises LookupError for a game without them."""
    if game.simultaneous_choice is None:
        raise LookupError(f"{game.name} knows no closed fists.")
    return game.simultaneous_choice


def _format_pick(texts: Texts, game: Game, pick: Pick) -> str:
    return texts(
        "fists.one", name=markdown.escaped_name(pick.person), **_describe_pick(texts, game, pick.pick)
    )


def _describe_pick(texts: Texts, game: Game, pick: str) -> dict[str, str]:
    """Return how a pick is drawn, how the hands are told, and the start that it is for."""
    value = game.resolve_picks(pick, pick)
    return {
        "drawn": texts(f"fists.drawn.{pick}"),
        "hands": texts(f"fists.hands.{pick}"),
        "mode": formatting.format_option(texts, game.name, require_simultaneous_choice(game).option, value),
    }


def _check_can_pick(view: MatchView, account: str) -> None:
    """Raise the refusal of whoever cannot pick in this match."""
    if view.seat(account) is None:
        raise NotInMatch(match=view.id)
    if view.state is MatchState.OVER:
        raise MatchOver(match=view.id)
    if view.state is not MatchState.CHOOSING:
        raise ChoiceAlreadyMade(match=view.id)
    if any(person.account == account for person in view.picked_by):
        raise AlreadyPicked(match=view.id)
