"""``/mydata`` and ``/privacy``: what is kept, a copy of it, its deletion, and what others see afterwards."""

from __future__ import annotations

import json
import logging
from io import BytesIO
from typing import TYPE_CHECKING
from zipfile import ZipFile

from matches import DELETED_NAME

if TYPE_CHECKING:
    import pytest

    from tests.bot.environment import BotEnvironment


async def test_mydata_from_first_look_to_deletion(
    env: BotEnvironment, caplog: pytest.LogCaptureFixture
) -> None:
    caplog.set_level(logging.DEBUG)
    assert "Nothing." in (await env.alice.command("mydata", channel=env.channel)).text
    board = await env.start_match()
    form = await env.alice.command("note", channel=env.channel)
    await env.alice.submit(form, {"Only you see it. Empty it to delete it.": "hold the corner"})
    shown = await env.alice.command("mydata", channel=env.channel)
    assert shown.ephemeral
    print(shown.text)
    exported = await env.alice.click(shown, "Export")
    print(exported.text)
    (file,) = env.alice.dm.messages[-1].attachments
    with ZipFile(BytesIO(file.data)) as archive:
        data = json.loads(archive.read("data.json"))
        assert sorted(archive.namelist()) == ["README.txt", "data.json", "matches/match-1.txt"]
    assert data["notes"][0]["text"] == "hold the corner"
    explained = await env.alice.click(shown, "Delete")
    print(explained.text)
