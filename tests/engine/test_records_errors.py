"""Records: every refusal, with its line and column; and no other error whatever text comes in."""

from __future__ import annotations

import time

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from engine import GAMES, GameError
from engine.fields import COUNT
from engine.morphos.line import FORM as MORPHOS_LINE
from engine.morphos.reasons import Reason as MorphosReason
from engine.records import (
    LARGEST,
    Place,
    Record,
    RecordError,
    RecordHeaderError,
    RecordMoveError,
    RecordResultError,
    RecordSizeError,
    RecordSyntaxError,
    read,
    write,
)
from engine.records.reasons import Reason

HEAD = '[Game "morphos"]\n[Rules "1"]\n[Options "size=5"]\n[Result "*"]\n'
GOOD = f"{HEAD}\n{{So.}}\n1. C3 {{why}}\n2. D4\n*\n"
WON = HEAD.replace('"*"', '"black"')
OVER = WON.replace("[Result", '[Start "morphos - 5/2b2/2b2/2b2/2b2 b 8 -"]\n[Result')
FISTS = HEAD.replace("morphos", "morelli").replace("size=5", "setup=fists")
DRAWN = FISTS.replace("setup=fists", "edition=2015 size=9")
SHORT = "morphos - 5 b 0 -"
OTHER_RESULT = Reason.OTHER_RESULT
MORELLI = '[Game "morelli"]\n[Rules "1"]\n[Result "{result}"]\n[Reason "{reason}"]\n\n{result}'

SYNTAX = [
    ("[Game morphos]", 1, 1, Reason.HEADER_FORM.say()),
    ('[Game "morphos]\n[Rules "1"]', 1, 1, Reason.HEADER_FORM.say()),
    ('[Game "morphos"', 1, 1, Reason.HEADER_FORM.say()),
    ('[Game\n"morphos"]', 1, 1, Reason.HEADER_FORM.say()),
    (f"{HEAD}[Event]", 5, 1, Reason.HEADER_FORM.say()),
    (f"{HEAD}1. C3 {{why", 5, 7, Reason.OPEN_COMMENT.say()),
    (f"{HEAD}1. C3 {{why\\}}", 5, 7, Reason.OPEN_COMMENT.say()),
    (f"{HEAD}1. C3 {{a\\x}}", 5, 9, Reason.NOT_AN_ESCAPE.say(found="x")),
    (f"{HEAD}1. C3 {{a\\u12}}", 5, 9, Reason.NOT_AN_ESCAPE.say(found="u")),
    (f"{HEAD}{{\\ud83d}}", 5, 2, Reason.NOT_TEXT.say(found="'\\ud83d'")),
    (f"{HEAD}{{\ud83d}}", 5, 2, Reason.NOT_TEXT.say(found="'\\ud83d'")),
    (f"{HEAD}{{\x07}}", 5, 2, Reason.CONTROL.say(found="0007")),
    (f"{HEAD}2. C3", 5, 1, Reason.WRONG_NUMBER.say(wanted=1, found=2)),
    (f"{HEAD}1. C3\n1. C4", 6, 1, Reason.WRONG_NUMBER.say(wanted=2, found=1)),
    (f"{HEAD}1. C3 3. C4", 5, 7, Reason.WRONG_NUMBER.say(wanted=2, found=3)),
    (f"{HEAD}1.", 5, 3, Reason.NO_MOVE.say(number=1)),
    (f"{HEAD}1. {{where}}", 5, 4, Reason.NO_MOVE.say(number=1)),
    (f"{HEAD}C3", 5, 1, Reason.TURN_FORM.say(found="C3")),
    (f"{HEAD}1. C3 D4", 5, 7, Reason.TURN_FORM.say(found="D4")),
    (f"{HEAD}1. C3 ]", 5, 7, Reason.TURN_FORM.say(found="]")),
    (f'{HEAD}1. C3 [Late "x"]', 5, 7, Reason.TURN_FORM.say(found="[")),
    (f"{HEAD}1. C3\n", 6, 1, Reason.NO_END.say()),
    (f"{HEAD}* *", 5, 3, Reason.AFTER_END.say(found="*")),
    (f"{HEAD}*\n\n{HEAD}*", 7, 1, Reason.AFTER_END.say(found='[Game "morphos"]')),
]
HEADERS = [
    ("", 1, 1, Reason.MISSING.say(name="Game")),
    ('[Rules "1"]\n[Result "*"]\n*', 3, 1, Reason.MISSING.say(name="Game")),
    ('[Game "morphos"]\n[Result "*"]\n*', 3, 1, Reason.MISSING.say(name="Rules")),
    ('[Game "morphos"]\n[Rules "1"]\n*', 3, 1, Reason.MISSING.say(name="Result")),
    ('[game "morphos"]', 1, 2, Reason.BAD_NAME.say(found="game")),
    (f'{HEAD}[Rules "1"]', 5, 2, Reason.TWICE.say(found="Rules")),
    (f'{HEAD}[Event "a"]\n[Event "a"]', 6, 2, Reason.TWICE.say(found="Event")),
    (HEAD.replace("morphos", "go"), 1, 8, Reason.NO_GAME.say(found="go", names=", ".join(GAMES))),
    (HEAD.replace('"1"', '"one"'), 2, 9, Reason.BAD_RULES.say(found="one")),
    (HEAD.replace('"1"', '"7"'), 2, 9, "morphos is known under version 1 of its rules, not 7."),
    (HEAD.replace("size=5", "size"), 3, 11, Reason.BAD_OPTION.say(found="size")),
    (HEAD.replace("size=5", "size=5 size=6"), 3, 11, Reason.OPTION_TWICE.say(found="size")),
    (HEAD.replace("size=5", "size=4"), 3, 11, "size cannot be 4; it is a whole number from 5 to 19."),
    (HEAD.replace("size=5", "self=4"), 3, 11, "morphos has no option self; its options are size, mutators."),
    (f"{FISTS}*", 3, 11, "The fists are still closed: the set-up must be settled before the game can start."),
    (f"{DRAWN}*", 3, 11, Reason.UNDRAWN.say(name="seed")),
    (f'{HEAD}[Start "{SHORT}"]\n*', 5, 9, "The position has 1 rows; a board of Morphos has 5 to 19."),
    (f'{HEAD}[Start ""]\n*', 5, 9, COUNT.format(form=MORPHOS_LINE, found=0, wanted=6)),
    (HEAD.replace('"*"', '"red"'), 4, 10, Reason.BAD_RESULT.say(choices="black, white, draw", found="red")),
    (f'{HEAD}[Began "1.3.2026"]\n*', 5, 9, Reason.BAD_DATE.say(found="1.3.2026")),
    (f'{HEAD}[Ended "2026-02-30"]\n*', 5, 9, Reason.BAD_DATE.say(found="2026-02-30")),
    (f'{WON}[Reason "Gave up"]\nblack', 5, 10, Reason.BAD_REASON.say(found="Gave up")),
]
MOVES = [
    (f"{HEAD}1. C3\n2. c3\n*", 6, 4, "C3 already holds a black stone; stones go on empty points."),
    (f"{HEAD}1. Z9\n*", 5, 4, "Z9: there is no point Z9 on this board, which goes from A1 to E5."),
    (f"{HEAD}1. 2. C3\n*", 5, 4, MorphosReason.NOT_A_TURN.say(text="2.")),
    (f"{OVER}1. C5 2. A1\nblack", 6, 10, "The game is over."),
]
RESULTS = [
    (f"{WON}1. C3\n*", 6, 1, Reason.OTHER_END.say(found="*", result="black")),
    (f"{HEAD}1. C3\nblack", 6, 1, Reason.OTHER_END.say(found="black", result="*")),
    (f"{WON}1. C3\nblack", 4, 10, Reason.NOT_PLAYED_OUT.say()),
    (f'{WON}[Reason "played"]\n1. C3\nblack', 5, 10, Reason.NOT_PLAYED_OUT.say()),
    (f"{OVER.replace('black', 'white')}1. C5 white", 5, 10, OTHER_RESULT.say(outcome="black", found="white")),
    (f"{OVER.replace('black', '*')}1. C5 *", 5, 10, OTHER_RESULT.say(outcome="black", found="*")),
    (f'{OVER}[Reason "time"]\n1. C5 black', 6, 10, Reason.OTHER_REASON.say(found="time")),
    (f'{HEAD}[Reason "time"]\n*', 5, 10, Reason.REASON_ALONE.say()),
    (MORELLI.format(result="draw", reason="resigned"), 4, 10, Reason.NOBODY_RESIGNED.say()),
    (f'{WON}[Reason "agreed"]\nblack', 5, 10, Reason.NO_AGREEMENT.say()),
    (
        MORELLI.format(result="black", reason="agreed"),
        *(4, 10, Reason.OTHER_AGREEMENT.say(outcome="draw", found="black")),
    ),
]


def refusal(text: str | bytes) -> RecordError:
    with pytest.raises(RecordError) as caught:
        read(text)
    return caught.value


@pytest.mark.parametrize(
    ("kind", "text", "line", "column", "reason"),
    [
        (kind, *case)
        for kind, cases in (
            (RecordSyntaxError, SYNTAX),
            (RecordHeaderError, HEADERS),
            (RecordMoveError, MOVES),
            (RecordResultError, RESULTS),
        )
        for case in cases
    ],
)
def test_what_does_not_hold_is_refused_where_it_stands(
    kind: type[RecordError], text: str, line: int, column: int, reason: str
) -> None:
    error = refusal(text)
    assert (type(error), error.place, error.reason) == (kind, Place(line, column), reason)
    assert str(error) == f"Line {line}, column {column}: {reason}"


def test_the_good_one_is_good() -> None:
    assert write(read(GOOD)).endswith("\n{So.}\n1. C3 {why}\n2. D4\n*\n")
    assert read(MORELLI.format(result="draw", reason="agreed")).reason == "agreed"
    assert read(MORELLI.format(result="white", reason="time")).reason == "time"
    assert read(f"{OVER}1. C5 black").reason == "played"


def test_a_refused_move_names_the_position_before_it() -> None:
    error = refusal(f"{HEAD}1. C3\n2. c3\n*")
    assert str(error.position) == "morphos - 5/5/2b2/5/5 w 1 -"
    assert error.text == "c3"
    assert isinstance(error.__cause__, GameError)


def test_bytes_that_are_no_utf8_are_refused_where_they_stand() -> None:
    error = refusal(GOOD.encode().replace(b"why", b"\xc3\xa9\xff"))
    assert (type(error), error.place) == (RecordSyntaxError, Place(7, 9))
    assert error.reason == "A record is encoded as UTF-8; the byte here does not fit."


@pytest.mark.parametrize("text", ["é" * LARGEST, b"x" * (LARGEST + 1)])
def test_more_bytes_than_are_read_are_refused(text: str | bytes) -> None:
    size = len(text.encode()) if isinstance(text, str) else len(text)
    assert refusal(text).reason == f"A record is at most {LARGEST} bytes long; this one has {size}."


def test_more_turns_than_are_read_are_refused() -> None:
    back_and_forth = ("A1-A4", "G7-G4", "A4-A1", "G4-G7")
    start = '[Start "morabaraba 12 2r/1r1/2r/4r1/3/w2/w1w w 0,0 -"]'
    turns = "\n".join(f"{number + 1}. {back_and_forth[number % 4]}" for number in range(5001))
    error = refusal(f'[Game "morabaraba"]\n[Rules "1"]\n{start}\n[Result "*"]\n{turns}\n*')
    assert (type(error), error.reason) == (RecordSizeError, "A record has at most 5000 turns.")


def test_more_headers_than_are_read_are_refused() -> None:
    error = refusal(HEAD + "\n".join(f'[Tag{number} "x"]' for number in range(200)) + "\n*")
    assert (type(error), error.reason) == (RecordSizeError, "A record has at most 100 headers.")
    assert error.place == Place(101, 2)


@pytest.mark.parametrize(
    "text",
    [
        "[" * 200_000,
        "{" * 200_000,
        HEAD + "{" + "\\" * 200_000,
        '[Game "' + '\\"' * 100_000,
        HEAD + "1. " + "A" * 200_000,
        HEAD + "1. C3 " * 40_000,
        "\n" * 200_000,
        HEAD + " " * 200_000 + "1",
        f'[Game "{"x" * 200_000}"]\n[Rules "1"]',
    ],
)
def test_hostile_texts_are_refused_in_no_time_and_in_short(text: str) -> None:
    before = time.process_time()
    error = refusal(text)
    assert time.process_time() - before < 1
    assert len(str(error)) < 500


def test_every_reason_has_its_test() -> None:
    cases = [*SYNTAX, *HEADERS, *MOVES, *RESULTS]
    said = " ".join(reason for *_, reason in cases)
    elsewhere = {Reason.TOO_LARGE, Reason.TOO_LONG, Reason.TOO_MANY_HEADERS, Reason.NOT_UTF8, Reason.BAD_MOVE}
    for reason in set(Reason) - elsewhere:
        longest = max(reason.value.replace("{", "}").split("}")[::2], key=len)
        assert longest in said, reason


pieces = st.one_of(
    st.text(max_size=6),
    st.sampled_from(
        ["[", "]", '"', "{", "}", "\\", "\n", "*", "1.", "2. ", "C3 ", "black", "\\u00e9", "swap"]
    ),
)


def outcome(text: str) -> Record | RecordError:
    try:
        return read(text)
    except RecordError as error:
        return error


@settings(max_examples=300, deadline=None)
@given(st.integers(0, len(GOOD)), st.integers(0, 12), st.lists(pieces, max_size=3).map("".join))
def test_any_change_gives_a_record_or_a_named_error(at: int, cut: int, new: str) -> None:
    found = outcome(GOOD[:at] + new + GOOD[at + cut :])
    if isinstance(found, Record):
        assert read(write(found)) == found
    else:
        assert min(found.place) >= 1
        assert found.reason.isprintable()
