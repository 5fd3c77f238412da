"""Records: every error with its line and column, and no other errors for any text."""

from __future__ import annotations

import time

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from engine import GAMES, GameError
from engine.morphos.position_line import LAYOUT as MORPHOS_LINE
from engine.records import (
    MAX_RECORD_BYTES,
    Record,
    RecordError,
    RecordHeaderError,
    RecordMoveError,
    RecordResultError,
    RecordSizeError,
    RecordSyntaxError,
    TextLocation,
    format_record,
    parse_record,
)
from engine.sentences import find_sentence
from tests.unicode_text import unicode_text

HEAD = '[Game "morphos"]\n[Rules "1"]\n[Options "size=5"]\n[Result "*"]\n'
GOOD = f"{HEAD}\n{{So.}}\n1. C3 {{why}}\n2. D4\n*\n"
WON = HEAD.replace('"*"', '"black"')
OVER = WON.replace("[Result", '[Start "morphos - 5/2b2/2b2/2b2/2b2 b 8 -"]\n[Result')
FISTS = HEAD.replace("morphos", "morelli").replace("size=5", "setup=fists")
DRAWN = FISTS.replace("setup=fists", "edition=2015 size=9")
SHORT = "morphos - 5 b 0 -"
BACK_AND_FORTH = ("A1-A4", "G7-G4", "A4-A1", "G4-G7")
TOO_LONG = (
    '[Game "morabaraba"]\n[Rules "1"]\n[Start "morabaraba 12 2r/1r1/2r/4r1/3/w2/w1w w 0,0 -"]\n[Result "*"]\n'
    + "\n".join(f"{number + 1}. {BACK_AND_FORTH[number % 4]}" for number in range(5001))
    + "\n*"
)
TOO_MANY_HEADERS = HEAD + "\n".join(f'[Tag{number} "x"]' for number in range(200)) + "\n*"
MORELLI = '[Game "morelli"]\n[Rules "1"]\n[Result "{result}"]\n[Reason "{reason}"]\n\n{result}'


def sentence(key: str, **values: object) -> str:
    """Return the sentence of a refusal of the records."""
    return find_sentence(f"record.{key}").format(**values)


SYNTAX = [
    ("[Game morphos]", 1, 1, sentence("header_form")),
    ('[Game "morphos]\n[Rules "1"]', 1, 1, sentence("header_form")),
    ('[Game "morphos"', 1, 1, sentence("header_form")),
    ('[Game\n"morphos"]', 1, 1, sentence("header_form")),
    (f"{HEAD}[Event]", 5, 1, sentence("header_form")),
    (f"{HEAD}1. C3 {{why", 5, 7, sentence("open_comment")),
    (f"{HEAD}1. C3 {{why\\}}", 5, 7, sentence("open_comment")),
    (f"{HEAD}1. C3 {{a\\x}}", 5, 9, sentence("bad_escape", found="x")),
    (f"{HEAD}1. C3 {{a\\u12}}", 5, 9, sentence("bad_escape", found="u")),
    (f"{HEAD}{{\\ud83d}}", 5, 2, sentence("surrogate", found="'\\ud83d'")),
    (f"{HEAD}{{\ud83d}}", 5, 2, sentence("surrogate", found="'\\ud83d'")),
    (f"{HEAD}{{\x07}}", 5, 2, sentence("control_character", found="0007")),
    (f"{HEAD}2. C3", 5, 1, sentence("wrong_number", wanted=1, found=2)),
    (f"{HEAD}1. C3\n1. C4", 6, 1, sentence("wrong_number", wanted=2, found=1)),
    (f"{HEAD}1. C3 3. C4", 5, 7, sentence("wrong_number", wanted=2, found=3)),
    (f"{HEAD}1.", 5, 3, sentence("no_move", number=1)),
    (f"{HEAD}1. {{where}}", 5, 4, sentence("no_move", number=1)),
    (f"{HEAD}C3", 5, 1, sentence("turn_form", found="C3")),
    (f"{HEAD}1. C3 D4", 5, 7, sentence("turn_form", found="D4")),
    (f"{HEAD}1. C3 ]", 5, 7, sentence("turn_form", found="]")),
    (f'{HEAD}1. C3 [Late "x"]', 5, 7, sentence("turn_form", found="[")),
    (f"{HEAD}1. C3\n", 6, 1, sentence("result_missing")),
    (f"{HEAD}* *", 5, 3, sentence("text_after_result", found="*")),
    (f"{HEAD}*\n\n{HEAD}*", 7, 1, sentence("text_after_result", found='[Game "morphos"]')),
]
HEADERS = [
    ("", 1, 1, sentence("header_missing", name="Game")),
    ('[Rules "1"]\n[Result "*"]\n*', 3, 1, sentence("header_missing", name="Game")),
    ('[Game "morphos"]\n[Result "*"]\n*', 3, 1, sentence("header_missing", name="Rules")),
    ('[Game "morphos"]\n[Rules "1"]\n*', 3, 1, sentence("header_missing", name="Result")),
    ('[game "morphos"]', 1, 2, sentence("bad_name", found="game")),
    (f'{HEAD}[Rules "1"]', 5, 2, sentence("header_twice", found="Rules")),
    (f'{HEAD}[Event "a"]\n[Event "a"]', 6, 2, sentence("header_twice", found="Event")),
    (HEAD.replace("morphos", "go"), 1, 8, sentence("no_game", found="go", names=", ".join(GAMES))),
    (HEAD.replace('"1"', '"one"'), 2, 9, sentence("bad_rules_version", found="one")),
    (HEAD.replace('"1"', '"7"'), 2, 9, "morphos has no version 7 of its rules; it has 1, 2."),
    (HEAD.replace("size=5", "size"), 3, 11, sentence("bad_option", found="size")),
    (HEAD.replace("size=5", "size=5 size=6"), 3, 11, sentence("option_twice", found="size")),
    (HEAD.replace("size=5", "size=4"), 3, 11, "size cannot be 4; it is a whole number from 5 to 19."),
    (HEAD.replace("size=5", "self=4"), 3, 11, "morphos has no option self; its options are size, mutators."),
    (f"{FISTS}*", 3, 11, "The fists are still closed: the set-up must be settled before the game can start."),
    (f"{DRAWN}*", 3, 11, sentence("missing_random_option", name="seed")),
    (f'{HEAD}[Start "{SHORT}"]\n*', 5, 9, "A board of Morphos has 5 to 19 rows, not 1."),
    (
        f'{HEAD}[Start ""]\n*',
        5,
        9,
        find_sentence("line.wrong_field_count").format(form=MORPHOS_LINE, found=0, wanted=6),
    ),
    (
        HEAD.replace('"*"', '"red"'),
        4,
        10,
        sentence("bad_result", choices="black, white, draw", found="red"),
    ),
    (f'{HEAD}[Began "1.3.2026"]\n*', 5, 9, sentence("bad_date", found="1.3.2026")),
    (f'{HEAD}[Ended "2026-02-30"]\n*', 5, 9, sentence("bad_date", found="2026-02-30")),
    (f'{WON}[Reason "Gave up"]\nblack', 5, 10, sentence("bad_reason", found="Gave up")),
]
MOVES = [
    (f"{HEAD}1. C3\n2. c3\n*", 6, 4, "C3 already holds a black stone; stones go on empty points."),
    (f"{HEAD}1. Z9\n*", 5, 4, "Z9: there is no point Z9 on this board, which goes from A1 to E5."),
    (f"{HEAD}1. 2. C3\n*", 5, 4, find_sentence("morphos.not_a_turn").format(text="2.")),
    (f"{OVER}1. C5 2. A1\nblack", 6, 10, "The game is over."),
]
RESULTS = [
    (f"{WON}1. C3\n*", 6, 1, sentence("result_mismatch", found="*", result="black")),
    (f"{HEAD}1. C3\nblack", 6, 1, sentence("result_mismatch", found="black", result="*")),
    (f"{WON}1. C3\nblack", 4, 10, sentence("not_played_out")),
    (f'{WON}[Reason "played"]\n1. C3\nblack', 5, 10, sentence("not_played_out")),
    (
        f"{OVER.replace('black', 'white')}1. C5 white",
        5,
        10,
        sentence("wrong_result", outcome="black", found="white"),
    ),
    (f"{OVER.replace('black', '*')}1. C5 *", 5, 10, sentence("wrong_result", outcome="black", found="*")),
    (f'{OVER}[Reason "time"]\n1. C5 black', 6, 10, sentence("wrong_reason", found="time")),
    (f'{HEAD}[Reason "time"]\n*', 5, 10, sentence("reason_without_result")),
    (MORELLI.format(result="draw", reason="resigned"), 4, 10, sentence("draw_by_resignation")),
    (f'{WON}[Reason "agreed"]\nblack', 5, 10, sentence("no_agreement")),
    (
        MORELLI.format(result="black", reason="agreed"),
        *(4, 10, sentence("wrong_agreed_result", outcome="draw", found="black")),
    ),
]


def refusal(text: str | bytes) -> RecordError:
    with pytest.raises(RecordError) as caught:
        parse_record(text)
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
def test_an_error_names_line_and_column(
    kind: type[RecordError], text: str, line: int, column: int, reason: str
) -> None:
    error = refusal(text)
    assert (type(error), error.location, error.reason) == (kind, TextLocation(line, column), reason)
    assert str(error) == f"Line {line}, column {column}: {reason}"


def test_valid_records_are_accepted() -> None:
    assert format_record(parse_record(GOOD)).endswith("\n{So.}\n1. C3 {why}\n2. D4\n*\n")
    assert parse_record(MORELLI.format(result="draw", reason="agreed")).reason == "agreed"
    assert parse_record(MORELLI.format(result="white", reason="time")).reason == "time"
    assert parse_record(f"{OVER}1. C5 black").reason == "played"


def test_a_refused_move_names_the_position_before_it() -> None:
    error = refusal(f"{HEAD}1. C3\n2. c3\n*")
    assert str(error.position) == "morphos - 5/5/2b2/5/5 w 1 -"
    assert error.text == "c3"
    assert isinstance(error.__cause__, GameError)


def test_invalid_utf8_is_refused_at_its_position() -> None:
    error = refusal(GOOD.encode().replace(b"why", b"\xc3\xa9\xff"))
    assert (type(error), error.location) == (RecordSyntaxError, TextLocation(7, 9))
    assert error.reason == "A record is encoded as UTF-8; the byte here does not fit."


@pytest.mark.parametrize("text", ["é" * MAX_RECORD_BYTES, b"x" * (MAX_RECORD_BYTES + 1)])
def test_too_many_bytes_are_refused(text: str | bytes) -> None:
    size = len(text.encode()) if isinstance(text, str) else len(text)
    assert refusal(text).reason == f"A record is at most {MAX_RECORD_BYTES} bytes long; this one has {size}."


def test_too_many_turns_are_refused() -> None:
    error = refusal(TOO_LONG)
    assert (type(error), error.reason) == (RecordSizeError, "A record has at most 5000 turns.")


def test_too_many_headers_are_refused() -> None:
    error = refusal(TOO_MANY_HEADERS)
    assert (type(error), error.reason) == (RecordSizeError, "A record has at most 100 headers.")
    assert error.location == TextLocation(101, 2)


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
def test_hostile_texts_are_refused_quickly_with_a_short_message(text: str) -> None:
    before = time.process_time()
    error = refusal(text)
    assert time.process_time() - before < 1
    assert len(str(error)) < 500


pieces = st.one_of(
    unicode_text(6),
    st.sampled_from(
        ["[", "]", '"', "{", "}", "\\", "\n", "*", "1.", "2. ", "C3 ", "black", "\\u00e9", "swap"]
    ),
)


def outcome(text: str) -> Record | RecordError:
    try:
        return parse_record(text)
    except RecordError as error:
        return error


@pytest.mark.long
@settings(max_examples=300, deadline=None)
@given(st.integers(0, len(GOOD)), st.integers(0, 12), st.lists(pieces, max_size=3).map("".join))
def test_any_change_gives_a_record_or_a_record_error(at: int, cut: int, new: str) -> None:
    found = outcome(GOOD[:at] + new + GOOD[at + cut :])
    if isinstance(found, Record):
        assert parse_record(format_record(found)) == found
    else:
        assert min(found.location) >= 1
        assert found.reason.isprintable()
