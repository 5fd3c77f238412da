"""The private message in which a move is picked, its buttons and its menu.

All it knows stands in their ids (:mod:`bot.picking.trail`), so it goes on after a restart. Each
step edits the message in the interaction's own answer; nothing is played before *Confirm*.
"""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Any, Self

from bot import looks, people, pictures
from bot.answers import need_permissions, within
from bot.delivery import deliver
from bot.menus import Menu, option
from bot.picking.seats import sit
from bot.picking.trail import FORM, Trail
from bot.picking.wording import GROUP, Wording
from bot.posts import Picture, Post
from bot.presses import Press, Style, row
from bot.refusals import refused
from matches import MatchError, MatchId, MatchUnknown
from picking import compact, follow, onward, sketch

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    import discord

    from bot.client import Interaction
    from bot.picking.seats import Sitting
    from bot.picking.wording import Offer
    from engine.game import Position
    from matches import MatchView, Preferences
    from words import Words

    Lead = Callable[[Position, Trail], Trail]


class PickButton(Press, template=r"pick1:(?P<match>\d{1,12}):(?P<stamp>\d{1,10})"):
    """Stands under the latest board; opens the dialogue."""

    @classmethod
    def of(cls, words: Words, view: MatchView) -> Self:
        """Make the button for a board that can be played on."""
        return cls.labelled(words("button.pick"), f"pick1:{view.id}:{view.stamp}", Style.primary)

    async def pressed(self, interaction: Interaction) -> None:
        """Ask the first question, seen from the person's own side."""
        sitting = await sit(interaction, MatchId(int(self.values["match"])), int(self.values["stamp"]))
        chosen = await looks.chosen(interaction)
        turned = looks.turned(chosen, second=sitting.is_second)
        trail = _forwards(sitting.position, Trail(sitting.view.id, sitting.view.stamp, turned=turned))
        post = await _sheet(interaction.client.words, sitting, trail, chosen)
        async with within(interaction):
            await interaction.response.send_message(ephemeral=True, **post.new())


class Answer(Press, template=f"answer1:{FORM}"):
    """Goes on to where its id leads, and further wherever there is no alternative."""

    async def pressed(self, interaction: Interaction) -> None:
        """Show the next question or the preview."""
        await _turn(interaction, Trail.read(self.values), _forwards)


class Step(Press, template=f"step1:{FORM}"):
    """Shows exactly the step that its id names: the one before, or the same from the other side."""

    async def pressed(self, interaction: Interaction) -> None:
        """Show that step."""
        await _turn(interaction, Trail.read(self.values), lambda _, trail: trail)


class Offered(Menu, template=f"offer1:{FORM}"):
    """Lists cells, or groups of cells."""

    async def picked(self, interaction: Interaction, chosen: tuple[str, ...]) -> None:
        """Take the answer, or narrow the question to a group."""
        await _turn(
            interaction, Trail.read(self.values), lambda position, trail: _led(position, trail, chosen)
        )


class Confirm(Press, template=f"confirm1:{FORM}"):
    """Plays what the preview shows, if that is still the board."""

    async def pressed(self, interaction: Interaction) -> None:
        """Play, and answer with the turn's post for all to see."""
        need_permissions(interaction)
        client, trail = interaction.client, Trail.read(self.values)
        try:
            sitting = await sit(interaction, trail.match, trail.stamp, exact=True)
            turn = await client.matches.play(
                trail.match,
                people.person(interaction.user),
                [str(move) for move in follow(sitting.position, trail.answers).moves],
                seen_ply=trail.stamp,
                exact=True,
                now=client.now(),
            )
        except MatchError as error:
            is_played = await _is_played(interaction, trail)
            await _close(
                interaction, client.words("picking.played") if is_played else refused(client.words, error)
            )
        else:
            await deliver(interaction, turn)


ITEMS = (PickButton, Answer, Step, Offered, Confirm)


def _forwards(position: Position, trail: Trail) -> Trail:
    return replace(trail, answers=onward(position, trail.answers), group="")


def _led(position: Position, trail: Trail, chosen: tuple[str, ...]) -> Trail:
    choice = follow(position, trail.answers).choice
    if choice is not None and choice.many:
        return _forwards(position, trail.answered(compact(choice, chosen)))
    if chosen[0].startswith(GROUP):
        return trail.narrowed(chosen[0].removeprefix(GROUP))
    return _forwards(position, trail.answered(chosen[0]))


async def _turn(interaction: Interaction, trail: Trail, lead: Lead) -> None:
    """Turn the message into the step that `lead` gives; into a refusal where the match has moved on."""
    words = interaction.client.words
    try:
        sitting = await sit(interaction, trail.match, trail.stamp, exact=True)
    except MatchError as error:
        await _close(interaction, refused(words, error))
    else:
        post = await _sheet(words, sitting, lead(sitting.position, trail), await looks.chosen(interaction))
        async with within(interaction):
            await interaction.response.edit_message(**post.edit())


async def _close(interaction: Interaction, sentence: str) -> None:
    """Leave of the dialogue one sentence, and nothing to press."""
    async with within(interaction):
        await interaction.response.edit_message(**Post(sentence).edit())


async def _is_played(interaction: Interaction, trail: Trail) -> bool:
    """Tell whether the match went on with just what the preview shows: a second click on *Confirm*."""
    client = interaction.client
    try:
        before = await client.matches.view(trail.match, stamp=trail.stamp, now=client.now())
        if before.position is None:
            return False
        stand = follow(before.position, trail.answers)
        after = await client.matches.view(trail.match, stamp=trail.stamp + len(stand.moves), now=client.now())
    except MatchUnknown:
        return False
    return after.position == stand.position


async def _sheet(words: Words, sitting: Sitting, trail: Trail, chosen: Preferences) -> Post:
    """Give the message of one step: what is asked or previewed, the picture, what can be pressed."""
    stand = follow(sitting.position, trail.answers)
    wording = Wording(words, stand, trail, sitting.seat.side)
    offer, question = wording.offer(), wording.question()
    sides = stand.start.game.sides
    seen = looks.seen(chosen, sides[1] if trail.turned else sides[0])
    # Cells bear their names only where they themselves are in the menu.
    shown, view = sketch(stand, seen, offer.cells, named=not offer.many and not offer.kind)
    png, diagram = await pictures.paint(shown, view)
    cells = words.listed(offer.cells, "list.comma")
    alt = words(
        "picking.alt" if cells else "picking.alt_bare", question=question, cells=cells, diagram=diagram
    )
    text = words("picking.sheet", question=question, match=trail.match)
    items = tuple(_items(words, trail, offer, wording.hint(offer)))
    return Post(text, Picture(png, alt), lambda: row(*items))


def _items(words: Words, trail: Trail, offer: Offer, hint: str) -> Iterator[discord.ui.Item[Any]]:
    if offer.lines:
        lines = [option(one.label, one.value, one.about, chosen=one.chosen) for one in offer.lines]
        yield Offered.listing(hint, f"offer1:{trail}", lines, many=offer.many)
    for one in offer.words:
        yield Answer.labelled(one.label, f"answer1:{trail.answered(one.value)}", Style.primary)
    if not offer.lines and not offer.words:
        yield Confirm.labelled(words("button.confirm"), f"confirm1:{trail}", Style.success)
    back = trail.back()
    if back is not None:
        yield Step.labelled(words("button.back"), f"step1:{back}")
    yield Step.labelled(words("button.flip"), f"step1:{trail.flipped()}")
