"""A line is a move as it is in Discord, or a command, or a question."""

from __future__ import annotations

from itertools import islice, product
from typing import TYPE_CHECKING

import pytest

from mail.reading.commands import clean
from mail.reading.values import Command, CommandName, Play, Unclear, UnclearReason
from tests.games import GAMES
from tests.mail.reading.scenario import MORELLI, VOCABULARY, read, starts

if TYPE_CHECKING:
    from engine.game import Position

STARTS = dict(starts())
RUNS = {name: start for name, start in STARTS.items() if start.moves_due > 1}
ORDINARY = {name: start for name, start in STARTS.items() if start.moves_due == 1}
MANY = 50  # moves of a position from which some are tried
FULL_WIDTH = {code: code + 0xFEE0 for code in range(0x21, 0x7F)}
DRESSES = (
    "{move}",
    "{lower}",
    "*{move}*",
    "_{move}_",
    "**{move}**",
    "`{move}`",
    "\u201c{move}\u201d",
    "{move}!",
    "{move}.",
    "{move}!!",
    "{move} please",
    "{move}, please!",
    "7. {move}!",
    "{move}お願いします",
    "{wide}",
    " \u00a0{move}\u200b ",
    "Hi Ada,\n\n{move}",
    "Hello!\n{move}\n\nBest wishes\nBob",
)


def run_of(position: Position, count: int) -> list[str]:
    """Return the first moves of a position, as many as are played in a row."""
    moves: list[str] = []
    for _ in range(count):
        move = next(position.moves_with_prefix(""))
        moves.append(str(move))
        position = position.play(move)
    return moves


@pytest.mark.parametrize("name", sorted(ORDINARY))
def test_move_in_any_dress(name: str) -> None:
    position = ORDINARY[name]
    moves = tuple(islice(position.moves_with_prefix(""), MANY))
    for move, dress in product((moves[0], moves[-1]), DRESSES):
        text = str(move)
        typed = dress.format(move=text, lower=text.lower(), wide=text.translate(FULL_WIDTH))
        words = read(typed, position)
        assert isinstance(words, Play), typed
        assert [position.parse(word) for word in words.words] == [move]


@pytest.mark.parametrize(
    "text", ["B1 to B10", "b1b10", "move B1 to B10", "B1 \u2013 B10", "B1→B10", "Black: B1-B10", "b1 b10"]
)
def test_two_cells_in_any_dress(text: str) -> None:
    assert read(text) == Play(("B1-B10",), text)


@pytest.mark.parametrize("separator", [" ", ", ", "; ", "\n"])
@pytest.mark.parametrize("name", sorted(RUNS))
def test_run_of_placements_is_one_turn(name: str, separator: str) -> None:
    position = RUNS[name]
    moves = run_of(position, position.moves_due)
    words = read(separator.join(moves), position)
    assert isinstance(words, Play)
    assert words.words == tuple(moves)


@pytest.mark.parametrize("name", sorted(RUNS))
def test_longer_run_than_is_due_is_a_question(name: str) -> None:
    position = RUNS[name]
    moves = run_of(position, position.moves_due)
    assert position.moves_due > 1
    for separator in (" ", "\n"):
        assert isinstance(read(separator.join([*moves, moves[0]]), position), Unclear)


@pytest.mark.parametrize(
    ("text", "command"),
    [
        ("Resign", Command(CommandName.RESIGN)),
        ("resign yes", Command(CommandName.RESIGN, is_sure=True)),
        ("Resign: yes!", Command(CommandName.RESIGN, is_sure=True)),
        ("投了", Command(CommandName.RESIGN)),
        ("投了 はい", Command(CommandName.RESIGN, is_sure=True)),
        ("Aufgeben, ja!", Command(CommandName.RESIGN, is_sure=True)),
        ("Zug zurücknehmen", Command(CommandName.TAKEBACK)),
        ("Brett Zug 12", Command(CommandName.BOARD, "12")),
        ("Urlaub 2 Wochen", Command(CommandName.VACATION, "14 days")),
        ("wenn A1-B2 dann C3-D4", Command(CommandName.IF, "A1-B2 then C3-D4")),
        ("*draw*", Command(CommandName.DRAW)),
        ("引き分け", Command(CommandName.DRAW)),
        ("Take back, please.", Command(CommandName.TAKEBACK)),
        ("待った", Command(CommandName.TAKEBACK)),
        ("accept", Command(CommandName.ACCEPT)),
        ("ヘルプ", Command(CommandName.HELP)),
        ("board", Command(CommandName.BOARD)),
        ("board turn 12", Command(CommandName.BOARD, "12")),
        ("盤 12手目", Command(CommandName.BOARD, "12")),
        ("\uff22oard\u3000\uff11\uff12", Command(CommandName.BOARD, "12")),
        ("vacation 7 days", Command(CommandName.VACATION, "7 days")),
        ("vacation 2 weeks", Command(CommandName.VACATION, "14 days")),
        ("休暇 7日", Command(CommandName.VACATION, "7 days")),
        ("受ける", Command(CommandName.ACCEPT)),
        ("受ける 太郎", Command(CommandName.ACCEPT, "太郎")),
        ("参加:太郎", Command(CommandName.JOIN, "太郎")),
        ("メモ\uff1a辺に注意", Command(CommandName.NOTE, "辺に注意")),
        ("予約手A1-B2ならC3-D4", Command(CommandName.IF, "A1-B2 then C3-D4")),
        ("対局申し込み bob morelli 3日", Command(CommandName.CHALLENGE, "bob morelli 3日")),
        ("vacation end", Command(CommandName.VACATION, "end")),
        ("if A1-B2 then C3-D4", Command(CommandName.IF, "A1-B2 then C3-D4")),
        ("もしA1-B2ならC3-D4", Command(CommandName.IF, "A1-B2 then C3-D4")),
        ("if A1-B2 then C3-D4 then E5 to F6", Command(CommandName.IF, "A1-B2 then C3-D4 then E5 to F6")),
        ("note: Is A1-B2 good?", Command(CommandName.NOTE, "Is A1-B2 good?")),
        ("note two\nlines with A1-B2", Command(CommandName.NOTE, "two\nlines with A1-B2")),
        (
            "challenge bob@mail.example Morelli 3d",
            Command(CommandName.CHALLENGE, "bob@mail.example Morelli 3d"),
        ),
        ("play expert morabaraba", Command(CommandName.PLAY, "expert morabaraba")),
        ("コンピューター戦 中級\uff0b morelli", Command(CommandName.PLAY, "中級+ morelli")),
        ("watch #12", Command(CommandName.WATCH, "12")),
        ("stop these mails", Command(CommandName.STOP)),
        ("Hi!\n\nboard\n\nThanks\nBob", Command(CommandName.BOARD)),
    ],
)
def test_command(text: str, command: Command) -> None:
    assert read(text) == command


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        ("", UnclearReason.EMPTY),
        ("> B1-B10", UnclearReason.EMPTY),
        ("Hi!\n", UnclearReason.EMPTY),
        ("Nice move!", UnclearReason.NO_WORDS),
        ("Thanks, B1-B10", UnclearReason.NO_WORDS),
        ("B1-B10 or A1-B2", UnclearReason.SEVERAL_MOVES),
        ("B1-B10\nA1-B2", UnclearReason.SEVERAL_MOVES),
        ("B1-B10\nno, wait", UnclearReason.SEVERAL_MOVES),
        ("B1-B10\n\ndraw", UnclearReason.SEVERAL_MOVES),
        ("B1-B10\n\nSorry, A1-B2", UnclearReason.SEVERAL_MOVES),
        ("B1-A5", UnclearReason.ILLEGAL),
        ("if you go then I go", UnclearReason.BAD_ARGUMENT),
        ("challenge accepted", UnclearReason.BAD_ARGUMENT),
        ("play well", UnclearReason.BAD_ARGUMENT),
    ],
)
def test_question(text: str, reason: UnclearReason) -> None:
    words = read(text)
    assert isinstance(words, Unclear)
    assert words.reason is reason


def test_ambiguous_move_is_a_question() -> None:
    mill = GAMES["morabaraba"].load("morabaraba 12 2r/3/r1r/6/3/3/ww1 w 10,9 -")
    words = read("G1", mill)
    assert isinstance(words, Unclear)
    assert words.reason is UnclearReason.AMBIGUOUS


def test_talk_of_other_moves_further_down_is_no_question() -> None:
    text = "B1-B10\n\nDid you expect A1-B2?\nGood game so far, sorry if I am slow."
    assert read(text) == Play(("B1-B10",), "B1-B10")


def test_without_a_board_a_pick_is_a_turn() -> None:
    for game in GAMES.values():
        if game.simultaneous_choice is not None:
            for pick in game.simultaneous_choice.picks:
                assert read(f"{pick.lower()}!", None) == Play((pick.upper(),), f"{pick.lower()}!")
    assert isinstance(read("LX", None), Unclear)
    assert isinstance(read("B1-B10", None), Unclear)


def test_one_word_can_name_somebody() -> None:
    assert read("join Bob", None) == Command(CommandName.JOIN, "Bob")
    assert read("accept Bob", None) == Command(CommandName.ACCEPT, "Bob")
    assert read("accept Bob", MORELLI) == Command(CommandName.ACCEPT, "Bob")
    assert isinstance(read("accept Bob and Ann", MORELLI), Unclear)
    assert isinstance(read("join us tomorrow", None), Unclear)


def test_spelling_means_one_command() -> None:
    assert {VOCABULARY.commands[name] for name in map(str, CommandName)} == set(CommandName)
    for spelling, name in VOCABULARY.commands.items():
        assert clean(spelling, VOCABULARY).casefold() == spelling
        words = read(spelling)
        assert words == Command(name) or (
            isinstance(words, Unclear) and words.reason is UnclearReason.BAD_ARGUMENT
        )


@pytest.mark.parametrize("name", sorted(STARTS))
def test_no_spelling_is_a_move(name: str) -> None:
    for spelling in (*VOCABULARY.commands, *VOCABULARY.greeting, *VOCABULARY.please):
        assert not isinstance(read(spelling, STARTS[name]), Play)
