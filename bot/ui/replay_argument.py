"""The arguments that name a game: any match of this guild or a record imported here."""

from __future__ import annotations

from typing import TYPE_CHECKING

from bot.ui import access, ids, match_argument
from bot.ui.commands import CommandField, complete_labels
from bot.ui.replay_state import ReplaySource, ReplayState
from i18n.match_names import format_match_name
from matches import MatchId, MatchState, RecordId, Refusal

if TYPE_CHECKING:
    from discord import app_commands

    from bot.context import Interaction
    from matches import MatchSummary, Replay


def match_field(name: str) -> CommandField:
    """Return the parameter `match` of the command `name`."""
    return CommandField("match", f"command.{name}.match", completer=_complete)


async def resolve_match(interaction: Interaction, argument: str | None) -> MatchId:
    """Return the given match, by default the newest in this channel, preferring the user's own.

    In private messages that is the newest of the user's own. Raises Refusal, MatchUnknown.
    """
    if argument is not None:
        return await _resolve_number(interaction, argument)
    account, found = (
        ids.user_account(interaction.user),
        await match_argument.list_recent(interaction, here=True),
    )
    summaries = [one for one in found if _has_board(one)]
    if not summaries:
        raise Refusal("no_replay_here")
    return next((one for one in summaries if _is_own(one, account)), summaries[0]).id


async def _resolve_number(interaction: Interaction, argument: str) -> MatchId:
    client, match_id = interaction.client, match_argument.parse_match_id(argument)
    await access.require_visible(interaction, await client.matches.view(match_id, now=client.now()))
    return match_id


def resolve_record(number: int) -> ReplayState:
    """Return the state of an imported record. Raises Refusal if the number cannot be a record's."""
    if not 0 < number < 10**12:
        raise Refusal("record_unknown")
    return ReplayState(ReplaySource.RECORD, number)


async def load_replay(interaction: Interaction, state: ReplayState, *, public: bool = False) -> Replay:
    """Return the game of a replay state; with `public` it is to be shown to everybody here.

    Raises Refusal, also for a match that the user may not see, or not show.
    """
    client, server = interaction.client, ids.stored_id(interaction.guild_id or 0)
    if state.source is ReplaySource.RECORD:
        return await client.matches.records.replay(RecordId(state.number), server)
    replay = await client.matches.replay(MatchId(state.number), now=client.now())
    account = ids.user_account(interaction.user)
    is_player = any(seat.person.account == account for seat in replay.turns[-1].seats)
    if not is_player:
        view = await client.matches.view(MatchId(state.number), now=client.now())
        await access.require_visible(interaction, view)
        if public:
            await access.require_public(interaction, view)
    return replay


async def _complete(interaction: Interaction, current: str) -> list[app_commands.Choice[str]]:
    summaries = await match_argument.list_recent(interaction)
    visible = await access.visible(interaction, [one for one in summaries if _has_board(one)])
    return complete_labels(((_label(interaction, one), one.id) for one in visible), current)


def _label(interaction: Interaction, summary: MatchSummary) -> str:
    texts = interaction.client.texts.plain
    name = format_match_name(texts, summary)
    return texts("replay.choice_over", match_name=name) if summary.state is MatchState.OVER else name


def _has_board(summary: MatchSummary) -> bool:
    return summary.state is not MatchState.CHOOSING


def _is_own(summary: MatchSummary, account: str) -> bool:
    return any(seat.person.account == account for seat in summary.seats)
