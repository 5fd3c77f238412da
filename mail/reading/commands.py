"""A typed line as a command: the whole line, with an argument only where a command has one."""

from __future__ import annotations

import re
import unicodedata
from typing import TYPE_CHECKING

from mail.reading.values import Command, CommandName

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Mapping

    from mail.reading.vocabulary import Vocabulary

DAYS_OF_WEEK = 7
_BORDERS = "*_`'\"\u201c\u201d\u201e\u00ab\u00bb\u2018\u2019 "
_MARKS = "!.\u3002,; "
_SEPARATOR = re.compile("[,;\u3001]")
_AFTER_COMMAND = ":,\u3001"  # may stand between a command and what follows it
_CELL = re.compile(r"\b[A-Z][1-9][0-9]?\b")
_NUMBER = re.compile(r"#?([0-9]{1,9})")
_COUNTED = re.compile(r"([0-9]{1,3}) ?([^\W\d_]{0,8})")
_NAME = re.compile(r"[^\s,;:!?]{1,60}")
_MAX_WORDS = 40  # of an argument that lists a game and its options, perhaps with a note
_MAX_TIME = 20  # characters of a time of day
_MAX_LENGTH_WORDS = 6  # of a length of time
_SWITCHES = frozenset({"swap", "pass"})  # moves without a cell


def clean(line: str, vocabulary: Vocabulary) -> str:
    """Return a line in plain characters, without marks around it and without ``please`` at its end."""
    text = unicodedata.normalize("NFKC", line).strip(_BORDERS)
    for _ in range(3):
        text = text.rstrip(_MARKS + _BORDERS)
        shorter = _without_please(text, vocabulary)
        if shorter == text:
            return text
        text = shorter
    return text


def _without_please(text: str, vocabulary: Vocabulary) -> str:
    folded = text.casefold()
    for word in vocabulary.please:
        kept = text[: -len(word)]
        if folded.endswith(word) and kept.strip() and (not word.isascii() or not kept[-1].isalnum()):
            return kept
    return text


def find_command(text: str, vocabulary: Vocabulary) -> Command | CommandName | None:
    """Return the command that a cleaned line is; its name alone if the argument is missing or malformed.

    None if the line does not begin with a command, or goes on as a sentence does.
    """
    found: CommandName | None = None
    for name, rest in _beginnings(text, vocabulary):
        if "?" in text and name is not CommandName.NOTE:
            continue
        command = _read_argument(name, rest, vocabulary)
        if command is not None:
            return command
        if name in _NEEDY:
            found = name
    return found


def find_note(line: str, vocabulary: Vocabulary) -> str:
    """Return the text of a note as it was typed in a line that is one."""
    beginnings = [one for one, name in vocabulary.commands.items() if name is CommandName.NOTE]
    used = max((len(one) for one in beginnings if line.casefold().startswith(one)), default=0)
    return line[used:].strip(":\uff1a, ")


def has_cell(text: str) -> bool:
    """Return whether a text has the name of a cell, which makes it look like a move."""
    return bool(_CELL.search(unicodedata.normalize("NFKC", text).upper()))


def is_greeting(line: str, vocabulary: Vocabulary) -> bool:
    """Return whether a line is a greeting alone, such as ``Hi Bob,``."""
    words = [word.strip(_MARKS + _BORDERS).casefold() for word in unicodedata.normalize("NFKC", line).split()]
    for used in range(min(len(words), 3), 0, -1):
        if " ".join(words[:used]) in vocabulary.greeting:
            rest = words[used:]
            is_name = all(word.isalpha() for word in rest if word)
            is_plain = vocabulary.doubt.isdisjoint(rest) and vocabulary.commands.keys().isdisjoint(rest)
            return len(rest) <= 2 and is_name and is_plain and "?" not in line
    return False


def _beginnings(text: str, vocabulary: Vocabulary) -> Iterator[tuple[CommandName, str]]:
    """Yield each command whose spelling begins a text, with what follows; the longest spelling first."""
    words = text.split()
    folded = [word.casefold() for word in words]
    for spelling in sorted(vocabulary.commands, key=len, reverse=True):
        name = vocabulary.commands[spelling]
        used = len(spelling.split())
        beginning = " ".join(folded[:used])
        if beginning == spelling or beginning.rstrip(_AFTER_COMMAND) == spelling:
            yield name, " ".join(words[used:])
        elif not spelling.isascii() and text.startswith(spelling):
            rest = text[len(spelling) :]
            # A sentence can begin with the word: only a mark shows that a name or a note follows.
            if name not in _FREE or rest[0] in _AFTER_COMMAND:
                yield name, rest.lstrip(_AFTER_COMMAND + " ")


def _read_argument(name: CommandName, rest: str, vocabulary: Vocabulary) -> Command | None:
    """Return a command with what follows it; None if that has another form."""
    if name in _ARGUMENTS:
        return _ARGUMENTS[name](name, rest, vocabulary)
    if not rest:
        return None if name in _NEEDY else Command(name)
    if name is CommandName.NOTE:
        return Command(name, rest)
    return Command(name, rest) if name in _NAMING and _NAME.fullmatch(rest) else None


def _read_sure(name: CommandName, rest: str, vocabulary: Vocabulary) -> Command | None:
    if not rest:
        return Command(name)
    return Command(name, is_sure=True) if rest.casefold() in vocabulary.yes else None


def _read_number(name: CommandName, rest: str, vocabulary: Vocabulary) -> Command | None:
    first, _, others = rest.partition(" ")
    plain = others if first.casefold() in vocabulary.turn else rest
    plain = _without_end(plain, vocabulary.turn)
    number = _NUMBER.fullmatch(plain)
    if not rest:
        return Command(name)
    return Command(name, number[1]) if number else None


def _read_watch(name: CommandName, rest: str, vocabulary: Vocabulary) -> Command | None:
    """Read the number of a match, and when the reader wants to be told, as ``12 daily``."""
    first, _, others = rest.casefold().partition(" ")
    number = _NUMBER.fullmatch(first)
    wanted = others if number else rest.casefold()
    mode = next((one for one, words in vocabulary.watch.items() if wanted in words), None)
    if wanted and mode is None:
        return None
    return Command(name, " ".join(filter(None, (number and number[1], mode))))


def _read_puzzle(name: CommandName, rest: str, vocabulary: Vocabulary) -> Command | None:
    """Read a game, or ``daily`` or ``off``; after ``daily`` anything short with a digit can be the time."""
    folded = rest.casefold()
    if not rest or folded in vocabulary.games:
        return Command(name, folded)
    if folded in vocabulary.off:
        return Command(name, "off")
    for word in sorted(vocabulary.watch["daily"], key=len, reverse=True):
        if not folded.startswith(word):
            continue
        at = folded.removeprefix(word).strip()
        if at in vocabulary.off:
            return Command(name, "off")
        if not at or (len(at) <= _MAX_TIME and any(sign.isdigit() for sign in at)):
            return Command(name, f"daily {at}".strip())
    return None


def _read_vacation(name: CommandName, rest: str, vocabulary: Vocabulary) -> Command | None:
    """Read a number of days or weeks, as ``N days``, or a word for its end, as ``end``."""
    folded = rest.casefold()
    if not rest or folded in vocabulary.over:
        return Command(name, "end" if rest else "")
    if folded in vocabulary.begin:
        return Command(name, "begin")
    if not (counted := _COUNTED.fullmatch(folded)):
        return None
    number, unit = int(counted[1]), counted[2]
    if unit in vocabulary.week:
        number *= DAYS_OF_WEEK
    elif unit and unit not in vocabulary.day:
        return None
    return Command(name, f"{number} days")


def _read_line(name: CommandName, rest: str, vocabulary: Vocabulary) -> Command | None:
    """Read ``MOVE then MOVE``, perhaps with more lines after another ``if``, or what to do with saved ones.

    Nothing but moves may stand there, and the last answer can be to resign. Lines are separated by line
    breaks in the argument, and a number of one to remove follows ``remove``.
    """
    folded = rest.casefold()
    if not rest or folded in vocabulary.list:
        return Command(name)
    if folded in vocabulary.clear:
        return Command(name, "clear")
    first, _, number = folded.partition(" ")
    if first in vocabulary.remove and _NUMBER.fullmatch(number):
        return Command(name, f"remove {number.lstrip('#')}")
    lines = [_read_sides(line, vocabulary) for line in _split_lines(rest, vocabulary)]
    return Command(name, "\n".join(lines)) if lines and all(lines) else None


def _split_lines(text: str, vocabulary: Vocabulary) -> list[str]:
    """Return the lines of a text that has ``if`` before each but the first."""
    lines: list[list[str]] = [[]]
    for word in text.split():
        if vocabulary.commands.get(word.casefold()) is CommandName.IF:
            lines.append([])
        else:
            lines[-1].append(word)
    return [" ".join(words).rstrip(_MARKS) for words in lines]


def _read_sides(line: str, vocabulary: Vocabulary) -> str:
    """Return a line with ``then`` between its turns; empty if it is none."""
    sides: list[list[str]] = [[]]
    for word in _separate(line, vocabulary).split():
        if word.strip(",").casefold() in vocabulary.then:
            sides.append([])
        else:
            sides[-1].append(word.strip(","))
    if vocabulary.commands.get(" ".join(sides[-1]).casefold()) is CommandName.RESIGN:
        turns, end = sides[:-1], ["resign"]
    else:
        turns, end = sides, []
    is_line = len(sides) > 1 and all(side and all(map(_is_move_word, side)) for side in turns)
    return " then ".join([*(" ".join(side) for side in turns), *end]) if is_line else ""


def _read_length(name: CommandName, rest: str, _vocabulary: Vocabulary) -> Command | None:
    """Read a length of time, such as ``2 days``: what it means is for whoever carries it out."""
    words = rest.split()
    is_length = bool(words) and rest[0].isdigit() and len(words) <= _MAX_LENGTH_WORDS
    return Command(name, rest) if is_length else None


def _separate(text: str, vocabulary: Vocabulary) -> str:
    """Return a text with spaces around the words for ``then`` of languages that write none."""
    for word in sorted(vocabulary.then, key=len, reverse=True):
        if not word.isascii() and word in text:
            return text.replace(word, f" {word} ")
    return text


def _is_move_word(word: str) -> bool:
    return has_cell(word) or word.casefold() in _SWITCHES or word.casefold() in {"to", "-", "->"}


def _read_game(name: CommandName, rest: str, vocabulary: Vocabulary) -> Command | None:
    """Read a list of words with the name of a game."""
    words = _SEPARATOR.sub(" ", rest.casefold()).split()
    listed = f" {' '.join(words)} "
    has_game = any(f" {game} " in listed for game in vocabulary.games)
    return Command(name, rest) if has_game and len(words) <= _MAX_WORDS else None


def _without_end(text: str, words: frozenset[str]) -> str:
    for word in words:
        if not word.isascii() and text.endswith(word):
            return text.removesuffix(word)
    return text


_ARGUMENTS: Mapping[CommandName, Callable[[CommandName, str, Vocabulary], Command | None]] = {
    CommandName.RESIGN: _read_sure,
    CommandName.ABORT: _read_sure,
    CommandName.BOARD: _read_number,
    CommandName.WATCH: _read_watch,
    CommandName.PUZZLE: _read_puzzle,
    CommandName.UNWATCH: _read_number,
    CommandName.VACATION: _read_vacation,
    CommandName.IF: _read_line,
    CommandName.GIVE: _read_length,
    CommandName.CHALLENGE: _read_game,
    CommandName.PLAY: _read_game,
}
_NAMING = frozenset({CommandName.JOIN, CommandName.ACCEPT, CommandName.DECLINE, CommandName.WITHDRAW})
"""Commands after which one word can name somebody, or what is meant."""

_FREE = _NAMING | {CommandName.NOTE}
"""Commands after which almost anything can stand."""

_NEEDY = frozenset(
    {
        *(CommandName.IF, CommandName.NOTE, CommandName.GIVE),
        *(CommandName.CHALLENGE, CommandName.PLAY, CommandName.JOIN),
    }
)
"""Commands that mean nothing without an argument."""
