"""What is agreed on in a challenge beside the game, as parameters of the command."""

from __future__ import annotations

from typing import TYPE_CHECKING

from discord.utils import escape_markdown

from bot.clocks import wording
from bot.commands import Field, choice
from bot.refusals import Refusal
from matches import Flag, MatchError, Terms, read_pace, write_pace

if TYPE_CHECKING:
    from discord import app_commands

    from bot.client import Interaction
    from matches import Pace
    from words import Words

# What is proposed before anything is typed.
USUAL_PACES = (
    "none",
    "1d per move",
    "2d per move",
    "3d per move",
    "5d per move",
    "7d per move",
    "14d per move",
    "3d + 12h per move, at most 7d",
    "7d + 1d per move, at most 14d",
    "14d + 1d per move, at most 21d",
    "30d in all",
)


def fields() -> tuple[Field, ...]:
    """Give the parameters."""
    return (
        Field("pace", "command.challenge.pace", complete=complete_pace),
        Field("flag", "command.challenge.flag", complete=_complete_flag),
        Field("vacation", "command.challenge.vacation", bool),
        Field("takeback", "command.challenge.takeback", bool),
        Field("rated", "command.challenge.rated", bool),
    )


def given(
    words: Words,
    usual: Pace | None,
    *,
    pace: str | None,
    flag: str | None,
    vacation: bool | None,
    takeback: bool | None,
    rated: bool | None,
) -> Terms:
    """Give what was typed; `usual` is the pace where none was. Raises Refusal and MatchError."""
    return Terms(
        pace=usual if pace is None else read(words, pace),
        flag=Flag.CLAIM if flag is None else _flag(words, flag),
        vacation=vacation is not False,
        takeback=takeback is not False,
        rated=rated is not False,
    )


def read(words: Words, typed: str) -> Pace | None:
    """Read a pace as it is written or told. Raises PaceUnreadable, PaceOutOfBounds."""
    none = typed.strip().casefold() == words("pace.none").casefold()
    return None if none else read_pace(typed)


async def complete_pace(interaction: Interaction, current: str) -> list[app_commands.Choice[str]]:
    """Propose paces: what is typed, if it is one, and the usual ones that fit it."""
    words, sought = interaction.client.words, current.strip().casefold()
    labels = {wording.pace(words, read_pace(text)): text for text in USUAL_PACES}
    fitting = {label: text for label, text in labels.items() if sought in label.casefold() or sought in text}
    try:
        own = read_pace(current)
    except MatchError:
        own = None
    if own is not None:
        fitting = {wording.pace(words, own): write_pace(own), **fitting}
    return [choice(label, text) for label, text in fitting.items()]


def _flag(words: Words, typed: str) -> Flag:
    for flag in Flag:
        if typed.strip().casefold() in {flag.value, words(f"terms.flag.{flag}").casefold()}:
            return flag
    flags = words.listed([f"`{flag}`" for flag in Flag], "list.or")
    raise Refusal("flag_unreadable", text=escape_markdown(typed[:100]), flags=flags)


async def _complete_flag(interaction: Interaction, current: str) -> list[app_commands.Choice[str]]:
    labels = {interaction.client.words(f"terms.flag.{flag}"): flag.value for flag in Flag}
    return [choice(label, value) for label, value in labels.items() if current.casefold() in label.casefold()]
