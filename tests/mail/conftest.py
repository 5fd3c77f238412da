"""Fixtures of tests of mail."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from matches import Matches
from tests.games import GAMES
from tests.mail.scenario import ANN, BEN, give_mail

if TYPE_CHECKING:
    from storage import Database


@pytest.fixture
async def matches(database: Database) -> Matches:
    """Return matches in which Ann and Ben have mail."""
    await give_mail(database, ANN, BEN)
    return Matches(database, games=GAMES)
