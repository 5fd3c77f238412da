"""Records: formatting and parsing in every game, and parsing of records typed by hand."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta, timezone
from functools import cache
from itertools import pairwise

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from engine import Outcome
from engine.records import Record, RecordEntry, format_moment, format_record, parse_record
from tests.engine.random_games import GameStart, all_starts, random_game
from tests.games import GAMES
from tests.unicode_text import unicode_text

STARTS = all_starts()
brief = settings(max_examples=100, deadline=None)
every_start = pytest.mark.parametrize("start", STARTS, ids=str)
some_starts = pytest.mark.parametrize("start", STARTS[::5], ids=str)

COMPLETE = """[Game "morphos"]
[Rules "1"]
[Options "size=5 mutators=-"]
[Start "morphos - 5/5/2b2/5/5 w 1 -"]
[Black "Ada"]
[White "Grace \\"G\\" Hopper"]
[Began "2026-03-01T18:00:00Z"]
[Ended "2026-03-04"]
[TimeControl "three days a move"]
[Result "white"]
[Reason "resigned"]
[Event "Spring"]
[Round "2"]

{Before the first turn.}
1. swap {People \\} change.}
2. B3 {Two
lines.}
white
"""


@cache
def random_record(start: GameStart) -> Record:
    """Return the record of a complete random game."""
    positions = tuple(random_game(start.position(), seed=9, max_plies=120))
    moves = [
        next(move for move in before.legal_moves() if before.play(move) == after)
        for before, after in pairwise(positions)
    ]
    outcome = positions[-1].outcome
    return Record(
        game=start.game,
        rules_version=GAMES[start.game].rules_version,
        options=dict(start.options),
        entries=tuple(RecordEntry(str(move)) for move in moves),
        result=outcome,
        reason="played" if outcome else "",
        games=GAMES,
    )


@every_start
def test_a_formatted_record_is_parsed_unchanged(start: GameStart) -> None:
    record = random_record(start)
    text = format_record(record)
    assert parse_record(text, GAMES) == record
    assert parse_record(text.encode(), GAMES) == record
    assert format_record(parse_record(text, GAMES)) == text


@some_starts
def test_positions_yields_every_position(start: GameStart) -> None:
    record = random_record(start)
    positions = list(record.positions())
    assert positions[0] == record.first_position == start.position()
    assert len(positions) == len(record.entries) + 1
    assert positions[-1].outcome == record.result


def test_the_canonical_form() -> None:
    record = Record(
        game="morphos",
        rules_version=1,
        options={"mutators": "-", "size": 5},
        entries=(RecordEntry("swap", "People } change."), RecordEntry("B3", "Two\nlines.")),
        start="morphos - 5/5/2b2/5/5 w 1 -",
        players=("Ada", 'Grace "G" Hopper'),
        began="2026-03-01T18:00:00Z",
        ended="2026-03-04",
        time_control="three days a move",
        result=Outcome.WHITE,
        reason="resigned",
        comment="Before the first turn.",
        other_headers=(("Event", "Spring"), ("Round", "2")),
    )
    assert format_record(record) == COMPLETE
    assert parse_record(COMPLETE) == record


@pytest.mark.parametrize(
    "change",
    [
        ("\n", "\r\n"),
        ("\n", "\r"),
        ("[Game", "\ufeff\n\n  [Game"),
        ("]\n", "]  "),
        ("1. swap", "1.\n\tSwAp"),
        ("2. B3", "2.b3"),
        ("{Two\nlines.}", "{Two} {lines.}"),
        ("white\n", "   white"),
        ("size=5 mutators=-", "  mutators=-   size=5"),
        ("size=5 mutators=-", "size=5"),
        ("\\}", "\\u007d"),
        ('[Game "morphos"]\n[Rules "1"]', '[Rules "1"]\n[Game "morphos"]'),
        ('[Event "Spring"]\n', ""),
    ],
)
def test_parsing_accepts_more_than_the_canonical_form(change: tuple[str, str]) -> None:
    expected = COMPLETE.replace('[Event "Spring"]\n', "") if change[1] == "" else COMPLETE
    assert change[0] in COMPLETE
    assert format_record(parse_record(COMPLETE.replace(*change))) == expected


def test_a_result_by_the_rules_needs_no_reason_header() -> None:
    start = GameStart("morabaraba", (("men", 12),))
    text = format_record(random_record(start))
    assert parse_record(text.replace('[Reason "played"]\n', ""), GAMES) == random_record(start)


def test_unknown_headers_keep_their_order() -> None:
    text = COMPLETE.replace('[Game "', '[Zeta "z"] [Alpha "a"] [Game "')
    assert parse_record(text).other_headers == (
        ("Zeta", "z"),
        ("Alpha", "a"),
        ("Event", "Spring"),
        ("Round", "2"),
    )


def test_a_side_of_another_game_is_an_unknown_header() -> None:
    assert ("Red", "Rosa") in parse_record(
        COMPLETE.replace('[Event "', '[Red "Rosa"] [Event "')
    ).other_headers


@pytest.mark.parametrize(
    "text", ["A\u0300\u0301", "\u202eevil\u202c", "\x00\x1b[2J", "\u2028", "\U000e0001", "👩\u200d🚀"]
)
def test_invisible_characters_are_escaped(text: str) -> None:
    record = Record("morphos", 1, GAMES["morphos"].complete_options(), players=(text, ""), comment=text)
    written = format_record(record)
    assert all(sign.isprintable() or sign in "\n\u200d" for sign in written)
    assert parse_record(written) == record


def test_a_moment_is_written_in_utc() -> None:
    moment = datetime(2026, 3, 1, 18, 30, 15, 999_999, tzinfo=timezone(timedelta(hours=2)))
    assert format_moment(moment) == "2026-03-01T16:30:15Z"
    assert format_moment(datetime(926, 3, 1, tzinfo=UTC)) == "0926-03-01T00:00:00Z"


@pytest.mark.parametrize(
    ("changes", "reason"),
    [
        ({"other_headers": (("event", "x"),)}, "header's name"),
        ({"other_headers": (("Game", "x"),)}, "header's name"),
        ({"other_headers": (("Black", "x"),)}, "header's name"),
        ({"other_headers": (("Event", "x"), ("Event", "y"))}, "stands twice"),
        ({"began": "yesterday"}, "A date reads"),
        ({"ended": "2026-02-30"}, "A date reads"),
        ({"reason": "Gave Up"}, "one word"),
        ({"entries": (RecordEntry("D4 D5"),)}, "without spaces"),
        ({"entries": (RecordEntry(""),)}, "without spaces"),
        ({"comment": "\ud800"}, "no character"),
    ],
)
def test_values_that_the_format_cannot_represent_are_refused(changes: dict[str, object], reason: str) -> None:
    with pytest.raises(ValueError, match=reason):
        Record("morphos", 1, GAMES["morphos"].complete_options(), **changes)  # type: ignore[arg-type]


def test_time_control_under_its_earlier_name_is_read() -> None:
    earlier = COMPLETE.replace("[TimeControl ", "[Pace ")
    assert parse_record(earlier) == parse_record(COMPLETE)


dates = st.one_of(st.just(""), st.dates().map(str), st.datetimes(timezones=st.just(UTC)).map(format_moment))
names = st.from_regex(r"\A[A-Z][A-Za-z0-9]{0,39}\Z").filter(
    lambda name: (
        name not in {"Game", "Rules", "Options", "Start", "Black", "White"}
        and name not in {"Began", "Ended", "TimeControl", "Pace", "Result", "Reason"}
    )
)


@pytest.mark.long
@brief
@given(
    st.tuples(unicode_text(), unicode_text()),
    st.lists(unicode_text(), min_size=3, max_size=3),
    st.tuples(dates, dates),
    unicode_text(),
    st.dictionaries(names, unicode_text(), max_size=4),
    st.sampled_from(["resigned", "time", "a-long-word"]),
)
def test_any_text_survives_formatting_and_parsing(
    people: tuple[str, str],
    comments: list[str],
    days: tuple[str, str],
    pace: str,
    others: dict[str, str],
    reason: str,
) -> None:
    record = Record(
        game="morphos",
        rules_version=1,
        options={"size": 7, "mutators": "ad"},
        entries=(RecordEntry("D4", comments[0]), RecordEntry("A1", comments[1])),
        players=people,
        began=days[0],
        ended=days[1],
        time_control=pace,
        result=Outcome.BLACK,
        reason=reason,
        comment=comments[2],
        other_headers=tuple(others.items()),
    )
    assert parse_record(format_record(record)) == record
    assert parse_record(format_record(record).encode()) == record
