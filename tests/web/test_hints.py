"""Hints: what the server shows of a turn that the visitor's browser has found, and to whom."""

from __future__ import annotations

import gzip
import html
import json
import re
import shutil
from typing import TYPE_CHECKING, Any

import pytest

from ai.weights import FOLDER, Weights
from engine import GAMES
from engine.game import Side
from matches import MatchId, Terms
from tests.web.environment import ALICE, BOB, running_web
from web.play.hint_files import load_hint_files
from web.play.local_games import LOCAL_SERVER
from web.server.middleware import CONTENT_SECURITY_POLICY

if TYPE_CHECKING:
    from pathlib import Path

    from matches import Database
    from tests.web.environment import PageResponse

MOST_BYTES = 500_000


def read_search(page: PageResponse) -> dict[str, Any]:
    """Return what the button tells the browser to search for."""
    found = re.search(r'id="hint-button"[^>]* data-search="([^"]*)"', page.text)
    assert found
    return json.loads(html.unescape(found[1]))  # type: ignore[no-any-return]


@pytest.mark.long
async def test_hint_is_shown_where_it_is_allowed(database: Database) -> None:
    async with running_web(database, allow_local_games=True) as env, env.visitor() as visitor:
        seat = (await visitor.post("/new", data={"game": "morelli", "size": "9", "screens": "one"})).url
        position = (await env.view(MatchId(1))).position
        assert position is not None
        searched = read_search(await visitor.get(seat))
        assert searched["position"] == str(position)
        assert searched["rules"] == position.game.rules_version
        assert [each["weights"] for each in searched["efforts"]] == [
            "morelli-small.weights",
            "morelli-large.weights",
            "morelli.weights",
        ]
        page = await visitor.get(f"{seat}?part=seat", params={"hint": "d1-d4", "part": "seat"})
        assert "Hint: Black moves D1-D4" in page.visible_text
        assert (await env.view(MatchId(1))).ply == 0
        page = await visitor.get(seat, params={"hint": "D1-D4", "answers": "D1", "board": "0"})
        assert "Hint: Black moves D1-D4" in page.visible_text
        for text in ("D1-A9", "<b>", "x" * 500, ""):
            page = await visitor.get(seat, params={"hint": text})
            assert (page.status, "Hint:" in page.text) == (200, False)
        assert 'id="hint' not in (await visitor.get("/m/1?hint=D1-D4")).text
        # People who play in Discord get none, rated or not.
        for rated in (True, False):
            match = await env.start_match(terms=Terms(rated=rated))
            own = await env.take_seat(visitor, match.id, ALICE)
            page = await visitor.get(own, params={"hint": "D1-D4"})
            assert 'id="hint' not in page.text


@pytest.mark.parametrize(
    ("version", "extra", "status"),
    [
        (1, "-", "Alice (White) to play."),
        (2, "quiet=80", "Alice (White) to play. Without a capture, the game is a draw after 20 more turns."),
    ],
)
async def test_hint_and_status_follow_the_rules_of_the_match(
    database: Database, version: int, extra: str, status: str
) -> None:
    line = f"morabaraba 12 2w/1r1/1w1/w2r2/r2/3/w1r w 0,0 {extra}"
    text = f'[Game "morabaraba"] [Rules "{version}"] [Start "{line}"] [Result "*"]\n*\n'
    async with running_web(database, allow_local_games=True) as env, env.visitor() as visitor:
        matches, now = env.matches, env.clock()
        record = await matches.records.import_record(text.encode(), ALICE, server=LOCAL_SERVER, now=now)
        assert record.record is not None
        step = await matches.challenges.create_from_record(
            record.record, ALICE, server=LOCAL_SERVER, channel=LOCAL_SERVER, colour=Side.WHITE, now=now
        )
        match = (await matches.challenges.accept(step.challenge.id, BOB, now=now)).match
        page = await visitor.get(await env.take_seat(visitor, match.id, ALICE))
        searched = read_search(page)
        assert (searched["position"], searched["rules"]) == (line, version)
        assert f'<p class="status" id="status">{status}' in page.text


async def test_beside_a_hint_stands_what_speaks_for_it(database: Database) -> None:
    async with running_web(database, allow_local_games=True) as env, env.visitor() as visitor:
        seat = (await visitor.post("/new", data={"game": "morabaraba", "screens": "one"})).url
        await env.play(MatchId(1), "A1", "C3")
        reason = "It threatens to close a mill on A7."
        for hint, has_reason in (("A4", True), ("D3", False)):
            text = (await visitor.get(seat, params={"hint": hint})).visible_text
            assert "Hint: White" in text
            assert (reason in text, "It " in text) == (has_reason, has_reason)


async def test_only_the_worker_of_hints_may_compile(database: Database) -> None:
    async with running_web(database) as env, env.visitor() as visitor:
        url = env.context.pages.asset_url
        worker = await visitor.get(url("hint-worker.js"))
        assert "'wasm-unsafe-eval'" in worker.headers["Content-Security-Policy"]
        for path in ("/", url("hint.js"), url("kernel.wasm")):
            answer = await visitor.get(path)
            assert answer.headers["Content-Security-Policy"] == CONTENT_SECURITY_POLICY
        assert answer.headers["Content-Type"] == "application/wasm"
        async with visitor.session.get(f"{env.base}{url('morphos.weights')}") as weights:
            assert await weights.read() == Weights.load("morphos").pack()


def test_without_the_file_of_a_network_hints_use_the_common_settings(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    for name in ("morelli.toml", "morelli.network"):
        shutil.copy(FOLDER / name, tmp_path)
    monkeypatch.setattr("ai.weights.FOLDER", tmp_path)
    files = load_hint_files.__wrapped__(("morelli",))
    assert [each.weights for each in files.efforts["morelli"]] == ["morelli-small.weights", "morelli.weights"]
    assert set(files.contents) == {
        *("kernel.wasm", "morelli-small.weights", "morelli-network.weights", "morelli.weights")
    }


def test_a_first_hint_is_not_much_to_load() -> None:
    files = load_hint_files(tuple(GAMES))
    for efforts in files.efforts.values():
        for effort in efforts:
            names = ("kernel.wasm", effort.weights, effort.network)
            contents = [files.contents[name] for name in names if name]
            assert sum(len(gzip.compress(each)) for each in contents) < MOST_BYTES
    assert set(files.efforts) == set(GAMES)
