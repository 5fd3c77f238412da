"""The catalogue of the engine's refusals: each that is raised has a sentence with exactly its values."""

from __future__ import annotations

from functools import cache, partial
from string import Formatter
from typing import TYPE_CHECKING

from ai.__main__ import OpponentSession
from ai.search import Opponent
from engine import GAMES, GameError, Move, MoveChoice, Side, get_game
from engine.morelli.refusals import BANDS
from engine.records import MAX_RECORD_BYTES, Record, RecordEntry, parse_record
from engine.sentences import Word, find_sentence, load_sentences
from tests.engine import test_morabaraba_position_line as morabaraba_lines
from tests.engine import test_morabaraba_refusals as morabaraba
from tests.engine import test_morelli_position_line as morelli_lines
from tests.engine import test_morelli_refusals as morelli
from tests.engine import test_morphos_position_line as morphos_lines
from tests.engine import test_morphos_refusals as morphos
from tests.engine import test_records_errors as records
from tests.toy_games import BREAKTHROUGH

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from engine import Position

SENTENCES = load_sentences()
COMMANDS = [
    *("x" * 5000, "hello", "games please", "position", "start", "start go", "start morelli 9"),
    *("start morelli size=9 size=9", "play", "perft", "fists LL", "fists LL XX", "genmove", "genmove club x"),
    "load morelli nestor 9/9/9/9/4B4/9/9/9/9 b -",
    *("genmove club", "undo", "perft 99"),
]
WORDS = {
    *(f"{kind}.{side}" for kind in ("side", "colour") for side in Side),
    *(f"morelli.band.{band}" for band in BANDS),
    "protocol.no_name",
    "protocol.nothing",
}


class UnknownMove(Move):
    """A move that belongs to no game."""

    __slots__ = ()

    def __str__(self) -> str:
        return "nonsense"


def other_edition(line: str) -> str:
    """Return a position line of Morelli in the edition of 2015."""
    return line.replace("nestor", "2015").replace("free", "pairs")


def refused_acts() -> Iterator[Callable[[], object]]:
    """Yield calls of every kind that the engine refuses; a few are accepted."""
    moves = [
        *(("morelli", line, text) for line, text, _ in morelli.ILLEGAL + morelli.UNREADABLE),
        *(("morelli", str(position), text) for position, text, _ in morelli.DECLINES),
        *(
            ("morelli", other_edition(line), text)
            for line, text, _ in morelli.ILLEGAL
            if line != morelli.FREE
        ),
        ("morelli", other_edition(morelli.START), "x"),
        ("morelli", "morelli 2015 b8/9/9/9/9/9/9/9/8w w pairs", "A9"),
        *(("morphos", line, text) for line, text, _ in morphos.ILLEGAL),
        *(("morphos", morphos.MIDDLE, text) for text, _ in morphos.UNREADABLE),
        ("morphos", morphos.OWING, "d4"),
        *(("morabaraba", line, text) for line, text, _ in morabaraba.ILLEGAL),
        *(("morabaraba", morabaraba.PLACING, text) for text, _ in morabaraba.UNREADABLE),
        ("morabaraba", morabaraba.MOVING, "D7-A7"),
    ]
    yield from (partial(GAMES[game].load(line).parse, text) for game, line, text in moves)
    for game in GAMES.values():
        position = game.initial_position()
        yield partial(position.play, UnknownMove())
        yield partial(position.next_choice, ("Z99",))
        yield partial(position.next_choice, (*first_path(position), "Z99"))
        yield partial(game.resolve_picks, "XX", "LL")
        yield partial(game.complete_options, colour="red")
    lines = [line for line, _ in morelli_lines.REFUSED]
    yield from (partial(GAMES["morelli"].load, line) for line in (*lines, *map(other_edition, lines)))
    yield from (partial(GAMES["morphos"].load, line) for line, *_ in morphos_lines.BROKEN)
    yield from (partial(GAMES["morabaraba"].load, line) for line, *_ in morabaraba_lines.BROKEN)
    yield from (
        partial(get_game("morabaraba", 1).load, line) for line, *_ in morabaraba_lines.BROKEN_VERSION_1
    )
    yield partial(GAMES["morabaraba"].load, morabaraba_lines.GOOD.replace("quiet=7", "quiet=999"))
    yield partial(GAMES["morabaraba"].load, "morabaraba 12 3/3 w 6,6 -")
    yield partial(GAMES["morphos"].load, morphos.MIDDLE.replace("morphos", "go"))
    for options in (
        {"size": 8},
        {"setup": "pairs"},
        {"setup": "fists"},
        {"setup": "fists", "edition": "2015"},
    ):
        yield partial(GAMES["morelli"].initial_position, **options)
    yield partial(GAMES["morphos"].initial_position, size=4)
    yield partial(BREAKTHROUGH.complete_options, size=4)
    yield partial(get_game, "go", 1)
    yield partial(get_game, "morelli", 9)
    for table in (records.SYNTAX, records.HEADERS, records.RESULTS):
        yield from (partial(parse_record, text) for text, *_ in table)
    too_large = "x" * (MAX_RECORD_BYTES + 1)
    for text in (b"\xff", too_large, records.TOO_LONG, records.TOO_MANY_HEADERS):
        yield partial(parse_record, text)
    yield partial(Record, "morphos", 1, {}, (RecordEntry("C3 D4"),))
    session = OpponentSession(Opponent(None))
    for line in COMMANDS:
        yield partial(session.execute, line)


def first_path(position: Position) -> tuple[str, ...]:
    """Return the answers that build a move by always taking the first option."""
    path: tuple[str, ...] = ()
    while isinstance(choice := position.next_choice(path), MoveChoice):
        path = (*path, choice.options[0])
    return path


@cache
def raised() -> tuple[GameError, ...]:
    """Return the errors of :func:`refused_acts`."""
    found: list[GameError] = []
    for act in refused_acts():
        try:
            act()
        except GameError as error:
            found.append(error)
    return tuple(found)


def used_key(error: GameError) -> str:
    """Return the key of the sentence that an error shows."""
    own = f"vocabulary.{error.vocabulary}.{error.key}"
    return own if own in SENTENCES else error.key


def placeholders(key: str) -> set[str]:
    """Return the names of the placeholders of a sentence besides the refused text, which is always known."""
    return {name for _, name, _, _ in Formatter().parse(SENTENCES[key]) if name} - {"text"}


def test_every_refusal_has_a_sentence_with_exactly_its_values() -> None:
    assert {used_key(error) for error in raised()} <= SENTENCES.keys()
    for error in raised():
        assert placeholders(used_key(error)) == error.values.keys(), error.key


def test_every_sentence_is_used() -> None:
    assert SENTENCES.keys() - WORDS == {used_key(error) for error in raised()}


def test_every_word_has_a_name() -> None:
    words = {value for error in raised() for value in error.values.values() if isinstance(value, Word)}
    assert words <= WORDS <= SENTENCES.keys()


def test_every_reason_is_a_sentence_on_one_line() -> None:
    for error in raised():
        assert error.reason.endswith(".")
        assert error.reason.isprintable()
        assert not set("{}") & set(error.reason.replace(error.text, "")) or error.key == "record.bad_escape"


def test_a_key_without_a_sentence_is_shown_by_its_last_word() -> None:
    assert find_sentence("chess.still_in_check") == "still in check"
