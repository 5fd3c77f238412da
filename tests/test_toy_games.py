"""Two games that only the tests know, in all places where a game is seen."""

# ruff: noqa: RUF001 - the texts contain typographic characters

from __future__ import annotations

import re
from html import unescape
from typing import TYPE_CHECKING

import pytest

import engine
from bot.posts.board_text import describe_board
from engine.game import IllegalMove, NotationError
from engine.protocol import perft
from engine.records import Record, RecordEntry, format_record, parse_record
from i18n.formatting import format_side, format_turn
from matches import MatchId
from render import RenderOptions, register_renderer, renderers
from render.layout import BoardLayout
from render.themes import ThemeName, get_theme
from tests.bot.conftest import database_file, discord, env
from tests.databases import open_database
from tests.games import GAMES, TEXTS
from tests.render.pixel_probe import PixelProbe
from tests.toy_games import ATAXX, BREAKTHROUGH, TOY_GAMES, build_scene
from tests.toy_games.ataxx import AtaxxPosition
from tests.web.environment import running_web

if TYPE_CHECKING:
    from pathlib import Path

    from matches import Database
    from tests.bot.environment import BotEnvironment

__all__ = ["database_file", "discord", "env"]

BEFORE = BREAKTHROUGH.load("breakthrough 1b1b2/2b3/1w4/2w3/b5/w5 w")
CAPTURE = BEFORE.parse("B4-C5")
AFTER = BEFORE.play(CAPTURE)
EVENTS = BEFORE.events(CAPTURE)


def test_project_does_not_contain_the_games() -> None:
    assert set(GAMES) - set(engine.GAMES) == {game.name for game in TOY_GAMES}


@pytest.mark.parametrize(("depth", "count"), [(1, 16), (2, 256), (3, 6460)])
def test_move_counts_of_ataxx(depth: int, count: int) -> None:
    assert perft(ATAXX.initial_position(), depth) == count


@pytest.mark.parametrize(
    ("before", "move", "told", "after"),
    [
        ("b5r/7/7/7/7/7/r5b r", "A2", "Red clones to A2", "b5r/7/7/7/7/r6/r5b b"),
        ("b5r/7/7/7/7/7/r5b r", "a1 - a2", "Red clones to A2", "b5r/7/7/7/7/r6/r5b b"),
        ("b5r/7/7/7/7/7/r5b r", "A1-C2", "Red A1-C2", "b5r/7/7/7/7/2r4/6b b"),
        (
            "7/7/2b4/3b3/3r3/7/7 r",
            "C4",
            "Red clones to C4, converts C5 and D4",
            "7/7/2r4/2rr3/3r3/7/7 b",
        ),
        ("7/7/2b4/3b3/3r3/7/7 r", "D3-E5", "Red D3-E5, converts D4", "7/7/2b1r2/3r3/7/7/7 b"),
        ("rbb4/bbb4/bbb4/7/7/7/7 r", "pass", "Red passes", "rbb4/bbb4/bbb4/7/7/7/7 b"),
    ],
)
def test_moves_of_ataxx(before: str, move: str, told: str, after: str) -> None:
    position = ATAXX.load(f"ataxx {before}")
    played = position.parse(move)
    assert format_turn(TEXTS, "ataxx", position.mover, position.events(played)) == told
    assert str(position.play(played)) == f"ataxx {after}"


@pytest.mark.parametrize(
    ("line", "move"),
    [
        ("b5r/7/7/7/7/7/r5b r", "A4"),  # too far
        ("b5r/7/7/7/7/7/r5b r", "A1-A4"),
        ("b5r/7/7/7/7/7/r5b r", "A1"),  # occupied
        ("b5r/7/7/7/7/7/r5b r", "G1-G2"),  # Black's stone
        ("b5r/7/7/7/7/7/r5b r", "pass"),  # there are other moves
        ("7/7/7/7/7/7/r6 b", "A2"),  # the game is over
    ],
)
def test_illegal_moves_of_ataxx(line: str, move: str) -> None:
    with pytest.raises(IllegalMove):
        ATAXX.load(f"ataxx {line}").parse(move)


@pytest.mark.parametrize(
    ("rows", "winner"),
    [
        ("bbbbbbb/bbbbbbb/bbbbbbb/bbbbrrr/rrrrrrr/rrrrrrr/rrrrrrr", "black"),
        ("7/7/7/7/7/7/r6", "red"),
        ("bbbbbbb/bbbbbbb/bbbbbbb/6r/rrrrrrr/rrrrrrr/rrrrrrr", None),
    ],
)
def test_ataxx_ends_when_the_board_is_full_or_a_side_has_no_stones(rows: str, winner: str | None) -> None:
    assert ATAXX.load(f"ataxx {rows} r").outcome == winner


def test_ataxx_has_a_stone_at_least() -> None:
    with pytest.raises(NotationError, match="no stones"):
        ATAXX.load("ataxx 7/7/7/7/7/7/7 r")


def test_capture_by_replacement_has_a_sentence() -> None:
    told = format_turn(TEXTS, BEFORE.vocabulary, BEFORE.mover, EVENTS)
    assert told == "White B4-C5, captures on C5"


@pytest.mark.parametrize("theme", ThemeName)
def test_capture_by_replacement_is_marked_on_the_piece_that_captured(theme: ThemeName) -> None:
    probe = PixelProbe(
        AFTER,
        RenderOptions(TEXTS, theme=theme, last_turn=EVENTS),
        BoardLayout(BREAKTHROUGH.size, 700, is_flipped=False),
    )
    white = get_theme(theme).white
    assert [probe.colour_at("C5", right, 0) for right in (0, 0.2)] == [white.symbol, white.face]
    assert probe.colour_at("C3") == white.face


def test_board_as_text() -> None:
    *lines, diagram = describe_board(TEXTS, AFTER, RenderOptions(TEXTS), 2000)
    assert lines == ["White, 3: A1, C3, C5.", "Black, 3: A2, B6, D6."]
    assert "5 . . w . . ." in diagram


def test_record_is_formatted_and_parsed() -> None:
    record = Record(BREAKTHROUGH.name, 1, {}, entries=(RecordEntry("B2-B3"),), games=GAMES)
    assert parse_record(format_record(record), GAMES) == record


def test_another_renderer_of_the_same_name_is_refused() -> None:
    assert renderers.renderer_for(BREAKTHROUGH.name) is build_scene
    with pytest.raises(ValueError, match="breakthrough"):
        register_renderer(BREAKTHROUGH.name, renderers.renderer_for("morphos"))


@pytest.mark.long
async def test_game_without_options_leaves_no_gap_in_discord(env: BotEnvironment) -> None:
    options = {"game": "breakthrough", "colour": "white", "board": None, "start": None}
    challenge = await env.make_challenge(**options)
    assert "**Breakthrough**.\nNo clock · rated\nAlice plays White.\n" in challenge.text
    lobby = await env.alice.command("lobby", channel=env.channel)
    assert "to Breakthrough, No clock · rated, in" in lobby.text
    await env.wait_for_board(after=await env.bob.click(challenge, "Accept"))
    board = await env.alice.command("board", channel=env.channel)
    assert board.text.splitlines()[0] == "**Breakthrough #1**: Alice (White) – Bob (Black)"
    replay = await env.alice.command("replay", channel=env.channel)
    assert replay.text.splitlines()[0] == "**Breakthrough #1**: Alice (White) – Bob (Black)"


@pytest.mark.long
async def test_capture_is_built_and_posted_in_discord(env: BotEnvironment) -> None:
    options = {"game": "breakthrough", "colour": "white", "board": None, "start": None}
    await env.start_match(**options)
    for person, move in ((env.alice, "C2-C3"), (env.bob, "D5-D4")):
        board = await env.move(person, move)
    dialogue = await env.alice.click(board, "Pick")
    assert dialogue.content.startswith("Which piece do you move?")
    dialogue = await env.alice.select(dialogue, "From", ["C3"])
    described = {option.value: option.description for option in dialogue.selects[0].options}
    assert described["D4"] == "captures D4"
    dialogue = await env.alice.select(dialogue, "To", ["D4"])
    assert dialogue.content.startswith("**White C3-D4, captures on D4**")
    await env.alice.click(dialogue, "Confirm")
    assert "captures on D4" in env.latest_message.text
    view = await env.bot.matches.view(MatchId(1), now=env.bot.now())
    assert [move.text for move in view.last_turn] == ["C3-D4"]


STUCK = "ataxx rbbbbbb/bbbbbbb/bbbbbbb/bbbbbbb/bbbbbbb/bbbbbb1/bbbbbb1 r"
"""Red cannot move, and the game is nearly over."""


async def replace_board(database: Database, line: str) -> None:
    """Replace the position of match 1, which has no moves, as if some had been taken back: pages notice."""
    async with database.transaction() as connection:
        await connection.exec_driver_sql(
            "UPDATE matches SET position = ?, base = ?, takebacks = 1 WHERE id = 1", (line, line)
        )


@pytest.mark.long
async def test_pass_is_offered_as_the_only_answer_in_discord(env: BotEnvironment) -> None:
    await env.start_match(game="ataxx", colour="red", board=None, start=None)
    await replace_board(env.database, STUCK)
    board = await env.alice.command("board", channel=env.channel)
    dialogue = await env.alice.click(board, "Pick")
    assert dialogue.content.startswith("**Red passes**")
    await env.alice.click(dialogue, "Confirm")
    assert env.latest_message.text.startswith("Alice: **Red passes**")


@pytest.mark.long
async def test_game_of_ataxx_is_clicked_to_its_end_on_the_website(database_file: Path) -> None:
    async with (
        open_database(f"sqlite:///{database_file}") as database,
        running_web(database, allow_local_games=True) as web,
        web.visitor() as visitor,
    ):
        seat = (await visitor.post("/new", data={"game": "ataxx", "screens": "one"})).url
        await replace_board(database, STUCK)
        while (view := await web.view(MatchId(1))).to_move is not None:
            page = await visitor.get(seat)
            while cells := re.findall(r'<a data-cell="\w+" class="open"[^>]* href="([^"]+)"', page.text):
                page = await visitor.get(seat + unescape(cells[-1]))
            fields = dict(re.findall(r'type="hidden" name="(board|answers)" value="([^"]*)"', page.text))
            page = await visitor.post(f"{seat}/play", data=fields)
        position = view.position
    assert isinstance(position, AtaxxPosition)
    for side in ATAXX.sides:
        stones = len(position.cells_of(side))
        assert re.search(rf'id="pieces-{side}" .*</span>{stones}</span>', page.text)
    assert page.text.count('class="piece"') == len(position.stones)
    assert view.result is not None
    assert view.result.winner is not None
    winner = format_side(TEXTS, view.result.winner.side)
    assert f"{winner} wins. {winner} has more stones." in page.visible_text
