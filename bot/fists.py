"""Closed fists: each person picks in private, and one post opens both.

Nothing here shows a pick before both are in: no post, no private answer to the other, no log line.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from bot import people, telling
from bot.answers import need_permissions, within
from bot.clocks import wording
from bot.delivery import deliver
from bot.parts import Part
from bot.posts import Post
from bot.presses import Press, Style, row
from matches import FistsOpen, MatchId, MatchOver, MatchState, NotInMatch, PickStands

if TYPE_CHECKING:
    from collections.abc import Mapping

    from bot.client import Interaction
    from engine.game import Fists, Game
    from matches import Announcement, MatchView, Pick, Reveal
    from words import Words


def part(_words: Words, _games: Mapping[str, Game]) -> Part:
    """Give the buttons."""
    return Part(items=(FistsButton, PickFistButton))


class FistsButton(Press, template=r"fists1:(?P<match>\d+)"):
    """Stands under the post that asks both people to pick."""

    async def pressed(self, interaction: Interaction) -> None:
        """Offer the picks in private."""
        client, match = interaction.client, MatchId(int(self.values["match"]))
        view = await client.matches.view(match, now=client.now())
        _refuse(view, people.account(interaction.user))
        other = view.opponent(people.account(interaction.user))
        name = "" if other is None else people.called(other.person)
        game = client.games[view.game]
        async with within(interaction):
            await interaction.response.send_message(
                client.words("fists.choose", other=name),
                view=row(*(PickFistButton.of(client.words, game, match, pick) for pick in fists(game).picks)),
                ephemeral=True,
            )


class PickFistButton(Press, template=r"fist1:(?P<match>\d+):(?P<pick>\w+)"):
    """One of the picks on offer."""

    @classmethod
    def of(cls, words: Words, game: Game, match: MatchId, pick: str) -> PickFistButton:
        """Make the button of one pick."""
        label = words("fists.option", **_told(words, game, pick))
        return cls.labelled(label, f"fist1:{match}:{pick}", Style.primary)

    async def pressed(self, interaction: Interaction) -> None:
        """Pick; if both are in, open them for all to see."""
        need_permissions(interaction)
        client, match = interaction.client, MatchId(int(self.values["match"]))
        pick, who = self.values["pick"], people.person(interaction.user)
        turn = await client.matches.pick(match, who, pick, now=client.now())
        game, other = client.games[turn.match.game], turn.match.opponent(who.account)
        told = _told(client.words, game, pick)
        if turn.announcement is None:
            name = "" if other is None else people.called(other.person)
            closing = client.words("fists.picked", other=name, **told)
        else:
            closing = client.words("fists.picked_last", **told)
        await deliver(interaction, turn, Post(closing))


def post(words: Words, games: Mapping[str, Game], view: MatchView, announcement: Announcement) -> Post:
    """Give the post that asks both people to pick."""
    first, second = (people.mention(seat.person.account) for seat in view.seats)
    details = telling.settings(words, games[view.game], view.options)
    text = words("fists.post", first=first, second=second, details=details)
    foot = telling.foot(words, view)
    button = FistsButton.labelled(words("button.fists"), f"fists1:{view.id}", Style.primary)
    calls = announcement.whom if view.current else ()
    lines = [line for line in (text, wording.standing(words, view), foot) if line]
    return Post(words.listed(lines, "list.lines"), None, lambda: row(button), calls)


def opened(words: Words, game: Game, reveal: Reveal) -> str:
    """Tell both picks, the start that follows, and why."""
    first, second = (_opened(words, game, pick) for pick in reveal.picks)
    mode = telling.setting(words, game.name, reveal.option, reveal.value)
    why = words("fists.agreed" if reveal.agreed else "fists.third", mode=mode)
    return words("fists.opened", first=first, second=second, why=why)


def fists(game: Game) -> Fists:
    """Give the game's closed fists. Raises LookupError for a game without them."""
    if game.fists is None:
        raise LookupError(f"{game.name} knows no closed fists.")
    return game.fists


def _opened(words: Words, game: Game, pick: Pick) -> str:
    return words("fists.one", name=people.called(pick.person), **_told(words, game, pick.pick))


def _told(words: Words, game: Game, pick: str) -> dict[str, str]:
    """Give how a pick is drawn, how the hands are told, and the start that it is for."""
    value = game.settle(pick, pick)
    return {
        "drawn": words(f"fists.drawn.{pick}"),
        "hands": words(f"fists.hands.{pick}"),
        "mode": telling.setting(words, game.name, fists(game).option, value),
    }


def _refuse(view: MatchView, account: str) -> None:
    """Raise the refusal of whoever cannot pick in this match."""
    if view.seat(account) is None:
        raise NotInMatch(match=view.id)
    if view.state is MatchState.OVER:
        raise MatchOver(match=view.id)
    if view.state is not MatchState.FISTS:
        raise FistsOpen(match=view.id)
    if any(person.account == account for person in view.picked):
        raise PickStands(match=view.id)
