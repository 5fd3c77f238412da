"""The private message of a board to think on, its buttons and its menu.

All they need stands in their ids (:mod:`bot.analysis.study`), or was put away under a number that does, so it
goes on after a restart. Each step edits the message in the interaction's own answer; nothing is played here.
"""

from __future__ import annotations

import re
from dataclasses import replace
from typing import TYPE_CHECKING, Any

from bot import forms, looks, people, pictures
from bot.analysis import wording
from bot.analysis.bench import played, sit
from bot.analysis.study import FORCED, FORM, LONGEST_ID, PUT_AWAY, RESIGNING, Study, joined
from bot.answers import within
from bot.menus import Menu, option
from bot.picking.trail import Trail
from bot.picking.wording import GROUP, Wording
from bot.posts import Picture, Post
from bot.presses import Press, Style, row
from bot.refusals import Refusal, refused
from matches import MatchError, MatchId, StaleBoard
from matches.analysis import SketchId
from picking import compact, follow, parted, sketch

if TYPE_CHECKING:
    from collections.abc import Awaitable, Callable, Iterator, Mapping

    import discord

    from bot.analysis.bench import Bench
    from bot.client import Interaction
    from bot.picking.wording import Offer
    from bot.replays.bookmark import Bookmark
    from matches.conditionals import Settled
    from words import Words

    Ids = Callable[[Study], str]
    Change = Callable[..., Awaitable[Settled]]

TYPED = "tried1"
ROOM = LONGEST_ID - len("unsettle1:")
IS_TYPED = re.compile(f"{TYPED}:{FORM}")


class Try(Press, template=f"try1:{FORM}"):
    """Shows the study that its id names, with the answers in it followed."""

    async def pressed(self, interaction: Interaction) -> None:
        """Turn the message into it."""
        await turn(interaction, await recalled(interaction, self.values))


class Tried(Menu, template=f"trying1:{FORM}"):
    """Lists cells, or groups of cells, for the next move."""

    async def picked(self, interaction: Interaction, chosen: tuple[str, ...]) -> None:
        """Take the answer, or narrow the question to a group."""
        study = await recalled(interaction, self.values)
        if chosen and chosen[0].startswith(GROUP):
            await turn(interaction, study.narrowed(chosen[0].removeprefix(GROUP)))
            return
        bench = await sit(interaction, study)
        choice = follow(bench.position, bench.study.answers).choice
        answer = compact(choice, chosen) if choice is not None and choice.many else chosen[0]
        await turn(interaction, study.asked(answer))


class Type(Press, template=f"typing1:{FORM}"):
    """Asks for moves as text."""

    async def pressed(self, interaction: Interaction) -> None:
        """Show the form."""
        words = interaction.client.words
        study = await recalled(interaction, self.values)
        bench = await sit(interaction, study)
        example = next((str(move) for move in bench.position.legal_moves()), "")
        modal = forms.form(
            words("analysis.modal_title"),
            f"{TYPED}:{await _id(interaction, study)}",
            forms.line("moves", words("analysis.modal_label"), words("turn.modal_example", example=example)),
        )
        async with within(interaction):
            await interaction.response.send_modal(modal)


class Adopt(Press, template=f"adopt1:{FORM}"):
    """Takes what fits of an analysis over into conditional moves."""

    async def pressed(self, interaction: Interaction) -> None:
        """Show that line from the present board on, to be kept."""
        bench = await sit(interaction, await recalled(interaction, self.values))
        line = tuple(text for texts in bench.fits for text in texts)
        if not line:
            raise Refusal("line_unfit")
        present = bench.study.bookmark.at(bench.game.turns)
        await turn(interaction, Study(present, line, len(line), settling=True))


class Settle(Press, template=f"settle1:{FORM}"):
    """Keeps the line in view as conditional moves."""

    async def pressed(self, interaction: Interaction) -> None:
        """Keep it, and show that it is kept."""
        await _settle(interaction, self.values, interaction.client.matches.conditionals.keep)


class Unsettle(Press, template=f"unsettle1:{FORM}"):
    """Keeps the line in view no more."""

    async def pressed(self, interaction: Interaction) -> None:
        """Remove its last turn and what follows that, and say so."""
        client = interaction.client
        remove, note = client.matches.conditionals.remove, client.words("conditional.removed")
        await _settle(interaction, self.values, remove, note)


async def _settle(
    interaction: Interaction, values: Mapping[str, str], change: Change, note: str = ""
) -> None:
    """Have a change made to what is settled, and show the line as it then is."""
    study = await recalled(interaction, values)
    bench = await sit(interaction, study)
    if bench.settled is not None:
        match, stamp = bench.settled.match, bench.settled.stamp
        who = people.person(interaction.user)
        await change(match, who, bench.turns, seen_ply=stamp, now=interaction.client.now())
    await turn(interaction, study, note)


async def typed(interaction: Interaction) -> None:
    """Try what was typed into the form."""
    found = IS_TYPED.fullmatch(interaction.custom_id or "")
    if found is None:
        raise Refusal("study_gone")
    study = await recalled(interaction, found.groupdict(""))
    bench = await sit(interaction, study)
    texts = parted(forms.typed(interaction).get("moves", ""))
    moves = played(study.bookmark.number, bench.position, texts)
    await turn(interaction, bench.study.tried(*(move.text for move in moves)))


async def recalled(interaction: Interaction, values: Mapping[str, str]) -> Study:
    """Give the study that an id names. Raises Refusal where its line was put away and is no more."""
    line = values["line"]
    if not line.startswith(PUT_AWAY):
        return Study.read(values, line)
    number = SketchId(int(line.removeprefix(PUT_AWAY)))
    found = await interaction.client.matches.drawer.get(number, people.person(interaction.user))
    if found is None:
        raise Refusal("study_gone")
    return Study.read(values, found)


async def open_study(interaction: Interaction, bookmark: Bookmark, *, settling: bool = False) -> None:
    """Answer with a new board to think on."""
    post = await sheet(interaction, await sit(interaction, Study(bookmark, settling=settling)))
    async with within(interaction):
        await interaction.response.send_message(ephemeral=True, **post.new())


async def turn(interaction: Interaction, study: Study, note: str = "") -> None:
    """Turn the message into a study; into a refusal where what is to be settled comes too late."""
    try:
        post = await sheet(interaction, await sit(interaction, study), note)
    except MatchError as error:
        if not study.settling:
            raise
        key = "conditional.stale" if isinstance(error, StaleBoard) else ""
        words = interaction.client.words
        post = Post(words(key, match=study.bookmark.number) if key else refused(words, error))
    async with within(interaction):
        await interaction.response.edit_message(**post.edit())


async def sheet(interaction: Interaction, bench: Bench, note: str = "") -> Post:
    """Give the message of one step: the line, the question, the picture, what can be pressed."""
    words, study, position = interaction.client.words, bench.study, bench.position
    side = bench.game.pages[0].seats[study.bookmark.turned].side
    seen = replace(looks.seen(await looks.chosen(interaction), side), last=bench.last)
    asking, offer = _asking(words, bench)
    shown = position
    if asking is not None and offer is not None and (study.answers or study.group):
        stand = follow(position, study.answers)
        shown, seen = sketch(stand, seen, offer.cells, named=not offer.many and not offer.kind)
    png, diagram = await pictures.paint(shown, seen)
    token = await _token(interaction, study)
    items = tuple(_items(words, bench, asking, offer, lambda one: one.written(token)))
    text = wording.sheet(words, bench, asking, note)
    return Post(text, Picture(png, wording.alt(words, bench, diagram), "analysis.png"), lambda: row(*items))


def _asking(words: Words, bench: Bench) -> tuple[Wording | None, Offer | None]:
    """Give what words and offers there are for the open question; nothing where the line is at its end."""
    study, side = bench.study, bench.position.to_move
    if side is None or study.resigns:
        return None, None
    trail = Trail(MatchId(0), 0, study.answers, study.group, study.bookmark.turned)
    asking = Wording(words, follow(bench.position, study.answers), trail, side)
    return asking, asking.offer()


def _items(
    words: Words, bench: Bench, asking: Wording | None, offer: Offer | None, ids: Ids
) -> Iterator[discord.ui.Item[Any]]:
    study = bench.study
    if asking is not None and offer is not None:
        if offer.lines:
            lines = [option(one.label, one.value, one.about, chosen=one.chosen) for one in offer.lines]
            yield Tried.listing(asking.hint(offer), f"trying1:{ids(study)}", lines, many=offer.many)
        for one in offer.words:
            yield Try.labelled(one.label, f"try1:{ids(study.asked(one.value))}", Style.primary)
        if not offer.lines and not offer.words:
            (only,) = bench.position.legal_moves()
            yield Try.labelled(str(only), f"try1:{ids(study.asked(FORCED))}", Style.primary)
    yield from _ways(words, bench, ids)
    if not study.settling:
        if bench.fits:
            yield Adopt.labelled(words("button.adopt"), f"adopt1:{ids(study)}", Style.success)
    elif bench.settled is not None:
        yield from _settling(words, bench, bench.settled, ids)


def _ways(words: Words, bench: Bench, ids: Ids) -> Iterator[discord.ui.Item[Any]]:
    """Give the buttons that lead through the line."""
    study = bench.study
    for name, to in (("back", bench.back), ("forward", study.forward()), ("flip", study.flipped())):
        if to is not None:
            yield Try.labelled(words(f"button.{name}"), f"try1:{ids(to)}")
    if bench.position.to_move is not None and not study.resigns:
        yield Type.labelled(words("button.type"), f"typing1:{ids(study)}")


def _settling(words: Words, bench: Bench, settled: Settled, ids: Ids) -> Iterator[discord.ui.Item[Any]]:
    """Give the buttons for keeping the line in view, and for resigning in it."""
    study, gone = bench.study, bench.steps(settled)
    kept = bench.is_kept(settled)
    if study.answers or bench.begun:
        return
    if gone and gone[-1].own and not kept:
        yield Settle.labelled(words("button.keep"), f"settle1:{ids(study)}", Style.success)
    if kept:
        yield Unsettle.labelled(words("button.remove"), f"unsettle1:{ids(study)}", Style.danger)
    if bench.board(settled).own and not study.resigns:
        yield Try.labelled(words("button.resign_then"), f"try1:{ids(study.asked(RESIGNING))}", Style.danger)


async def _id(interaction: Interaction, study: Study) -> str:
    return study.written(await _token(interaction, study))


async def _token(interaction: Interaction, study: Study) -> str:
    """Give what stands for the line in an id: itself, or if that is too long, the number it is kept under."""
    line, longest = joined(study.line), study.asked("A99,B99,C99,D99,E99")
    if len(longest.written(line)) <= ROOM:
        return line
    client = interaction.client
    number = await client.matches.drawer.put(line, people.person(interaction.user), now=client.now())
    return f"{PUT_AWAY}{number}"


ITEMS = (Try, Tried, Type, Adopt, Settle, Unsettle)
