"""A game that only the tests know, in all places where a game is seen: it captures by replacement."""

# ruff: noqa: RUF001 - the texts contain typographic characters

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

import engine
from bot.posts.board_text import describe_board
from engine.records import Record, RecordEntry, format_record, parse_record
from i18n.formatting import format_turn
from matches import MatchId
from render import RenderOptions, register_renderer, renderers
from render.layout import BoardLayout
from render.themes import ThemeName, get_theme
from tests.bot.conftest import database_file, discord, env, migrated_file, sqlite_file
from tests.games import GAMES, TEXTS
from tests.render.pixel_probe import PixelProbe
from tests.toy_game import BREAKTHROUGH, build_scene
from tests.toy_game.game import SIZE

if TYPE_CHECKING:
    from tests.bot.environment import BotEnvironment

__all__ = ["database_file", "discord", "env", "migrated_file", "sqlite_file"]

BEFORE = BREAKTHROUGH.load("breakthrough 1b1b2/2b3/1w4/2w3/b5/w5 w")
CAPTURE = BEFORE.parse("B4-C5")
AFTER = BEFORE.play(CAPTURE)
EVENTS = BEFORE.events(CAPTURE)


def test_project_does_not_contain_the_game() -> None:
    assert set(GAMES) - set(engine.GAMES) == {BREAKTHROUGH.name}


def test_capture_by_replacement_has_a_sentence() -> None:
    told = format_turn(TEXTS, BEFORE.vocabulary, BEFORE.mover, EVENTS)
    assert told == "White B4-C5, captures on C5"


@pytest.mark.parametrize("theme", ThemeName)
def test_capture_by_replacement_is_marked_on_the_piece_that_captured(theme: ThemeName) -> None:
    probe = PixelProbe(
        AFTER, RenderOptions(TEXTS, theme=theme, last_turn=EVENTS), BoardLayout(SIZE, 700, is_flipped=False)
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
