"""A select menu of matches for a command that could mean several; it carries the command with its options.

Nothing is stored: the custom ids hold the command's name and options, so the menu also works after a restart.
"""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

from bot.ui.buttons import MAX_ID_LENGTH, PersistentButton, Style
from bot.ui.commands import PENDING
from bot.ui.ids import user_account
from bot.ui.selects import PersistentSelect, select_option
from i18n.match_names import format_match_name

if TYPE_CHECKING:
    from collections.abc import Sequence

    import discord

    from bot.context import Interaction
    from matches import MatchSummary

MAX_OPTIONS = 25
SEEN_REVISION = "seen_revision"  # a key of Interaction.extras
COMMAND_PATTERN = r"(?P<command>[\w-]{1,32}):(?P<options>(?s:.*))"


class MatchSelect(PersistentSelect, template=f"which1:{COMMAND_PATTERN}"):
    """Lists the matches; a value is the number of one and the revision of its board, ``7:12``."""

    async def callback(self, interaction: Interaction) -> None:  # type: ignore[override]
        """Run the command for the selected match."""
        match, _, revision = self.item.values[0].partition(":")
        await _run_command(interaction, self.values["command"], self.values["options"], match, int(revision))


class MatchButton(
    PersistentButton, template=rf"this1:(?P<match>\d{{1,12}}):(?P<stamp>\d{{1,10}}):{COMMAND_PATTERN}"
):
    """Runs the command for one match."""

    async def callback(self, interaction: Interaction) -> None:  # type: ignore[override]
        """Run the command."""
        match, revision = self.values["match"], int(self.values["stamp"])
        await _run_command(interaction, self.values["command"], self.values["options"], match, revision)


ITEMS = (MatchSelect, MatchButton)


def seen_revision(interaction: Interaction) -> int | None:
    """Return the revision of the board for which a command was typed, if its match was selected later."""
    return interaction.extras.get(SEEN_REVISION)


def create_items(
    interaction: Interaction, found: Sequence[MatchSummary], labels: Sequence[str], only: MatchSummary | None
) -> tuple[discord.ui.Item[Any], ...]:
    """Return the menu of the matches `found`, with a button for the `only` one where the command works.

    Returns nothing if the command with its options is too long for a custom id.
    """
    if PENDING not in interaction.extras:
        return ()  # an autocomplete
    texts, (name, arguments) = interaction.client.texts.plain, interaction.extras[PENDING]
    given = {key: value for key, value in arguments.items() if value is not None}
    command = f"{name}:{json.dumps(given, ensure_ascii=False, separators=(',', ':'))}"
    select_id = f"which1:{command}"
    if len(select_id) > MAX_ID_LENGTH:
        return ()
    options = [
        select_option(label, f"{one.id}:{one.revision}")
        for one, label in zip(found[:MAX_OPTIONS], labels, strict=False)
    ]
    select = MatchSelect.create(texts("which.placeholder"), select_id, options)
    button_id = "" if only is None else f"this1:{only.id}:{only.revision}:{command}"
    if only is None or len(button_id) > MAX_ID_LENGTH:
        return (select,)
    name = format_match_name(texts, only, user_account(interaction.user))
    return MatchButton.create(texts("which.play", match_name=name), button_id, Style.primary), select


async def _run_command(
    interaction: Interaction, name: str, options_text: str, match: str, revision: int
) -> None:
    """Run a command as if it had been typed with the option `match`."""
    client = interaction.client
    command: Any = client.tree.get_command(client.texts(f"command.{name}.name"))
    given = json.loads(options_text)
    names = [one.name for one in command.parameters]
    interaction.extras[SEEN_REVISION] = revision
    await command.callback(interaction, **{one: given.get(one) for one in names} | {"match": match})
