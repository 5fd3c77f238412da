"""``/whatif`` and the button that opens an analysis board."""

from __future__ import annotations

from typing import TYPE_CHECKING, Self

from bot.feature import Feature
from bot.features.analysis_board import dialog
from bot.posts import pictures
from bot.ui import ids, replay_argument
from bot.ui.buttons import PersistentButton
from bot.ui.commands import CommandField, define_command
from bot.ui.replay_argument import load_replay
from bot.ui.replay_state import LAST_TURN, REPLAY_ID_PATTERN, ReplaySource, ReplayState

if TYPE_CHECKING:
    from bot.context import Interaction
    from i18n import Texts
    from matches import MatchView, Replay


class WhatIfButton(PersistentButton, template=rf"whatif1:{REPLAY_ID_PATTERN}"):
    """Opens an analysis of the board in its message."""

    @classmethod
    def of(cls, texts: Texts, view: MatchView, _account: str) -> Self | None:
        """Create the button for a board that is in the log."""
        if view.position is None or view.is_taken_back:
            return None
        number = view.last_turn[-1].turn if view.last_turn else 0
        return cls.create(
            texts("button.what_if"), f"whatif1:{ReplayState(ReplaySource.MATCH, view.id, number)}"
        )

    @classmethod
    def for_replay(cls, texts: Texts, _replay: Replay, replay_state: ReplayState) -> Self:
        """Create the button for a replay message."""
        return cls.create(texts("button.what_if"), f"whatif1:{replay_state}", row=1)

    async def on_click(self, interaction: Interaction) -> None:
        """Respond with an analysis board."""
        replay_state = ReplayState.from_values(self.values)
        await _open_analysis(interaction, replay_state, replay_state.turn_number)


class LegacyWhatIfButton(WhatIfButton, template=r"whatif1:(?P<number>\d{1,12}):(?P<turn>\d{1,5})"):
    """The button of the first analysis messages, which knew matches only."""


async def _open_what_if(
    interaction: Interaction, match: str | None, turn: int | None, record: int | None
) -> None:
    """Open an analysis of a match or a record, by default of its last position."""
    if record is None:
        replay_state = ReplayState(
            ReplaySource.MATCH, await replay_argument.resolve_match(interaction, match)
        )
    else:
        replay_state = replay_argument.resolve_record(record)
    number = LAST_TURN if turn is None else max(0, min(turn, LAST_TURN))
    await _open_analysis(interaction, replay_state, number)


async def _open_analysis(interaction: Interaction, replay_state: ReplayState, number: int) -> None:
    replay = await load_replay(interaction, replay_state)
    is_second = replay.turns[-1].seats[1].person.account == ids.user_account(interaction.user)
    is_flipped = pictures.is_flipped(await pictures.load_preferences(interaction), is_second=is_second)
    turn = replay.turn_at(number)
    await dialog.open_analysis(
        interaction, ReplayState(replay_state.source, replay_state.number, turn.number, is_flipped)
    )


FEATURE = Feature(
    commands=(
        define_command(
            "whatif",
            _open_what_if,
            replay_argument.match_field("whatif"),
            CommandField("turn", "command.whatif.turn", int),
            CommandField("record", "command.whatif.record", int),
        ),
    ),
    items=(*dialog.ITEMS, WhatIfButton, LegacyWhatIfButton),
    modal_handlers={dialog.MODAL_ID: dialog.submit_moves},
    private_buttons=(WhatIfButton.of,),
    replay_buttons=(WhatIfButton.for_replay,),
)
