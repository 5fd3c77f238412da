"""Packing of finished matches in the background."""

from __future__ import annotations

from typing import TYPE_CHECKING

from bot.feature import Feature

if TYPE_CHECKING:
    from collections.abc import Mapping

    from bot.context import BotClient
    from engine.game import Game
    from i18n import Texts


def setup(_texts: Texts, _games: Mapping[str, Game]) -> Feature:
    """Return the periodic task."""
    return Feature(periodic_tasks=(pack_matches,))


async def pack_matches(client: BotClient) -> None:
    """Pack some of the matches that have been over for long enough. Raises StorageUnavailable."""
    await client.matches.work.packing.pack(now=client.now())
