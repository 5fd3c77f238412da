"""What was typed as a move or a command; whatever is not wholly one of them is a question to the sender.

Only the first line counts. Lines below it can only cast doubt on it: they are never played.
"""

from __future__ import annotations

import unicodedata
from typing import TYPE_CHECKING

from engine.game import AmbiguousMove, GameError, IllegalMove
from mail.reading.commands import clean, find_command, find_note, has_cell, is_greeting
from mail.reading.values import Command, CommandName, Play, Unclear, UnclearReason
from move_builder.state import split_moves

if TYPE_CHECKING:
    from collections.abc import Sequence

    from engine.game import Position
    from mail.reading.values import Paragraphs, Words
    from mail.reading.vocabulary import Vocabulary

MAX_MOVE_LINE = 200  # characters of a line that can be a move
MAX_FURTHER = 60  # lines below the first that can cast doubt on it


def read_words(paragraphs: Paragraphs, position: Position | None, vocabulary: Vocabulary) -> Words:
    """Return what the first line means that is not a greeting.

    `position` is the present board; None if there is none, then a pick of a simultaneous choice is a turn.
    """
    first, *later = _drop_greetings(paragraphs, vocabulary)
    if not first:
        return Unclear(UnclearReason.EMPTY)
    line, below = first[0], first[1:]
    words = _read_line(line, position, vocabulary)
    if isinstance(words, Play) and position is not None and below:
        words, below = _extend(words, below, position, vocabulary)
    if isinstance(words, Unclear):
        return words
    if isinstance(words, Command) and words.name is CommandName.NOTE:
        words, below = Command(words.name, "\n".join([find_note(line, vocabulary), *below])), ()
    if isinstance(words, Command) and words.name is CommandName.IF:
        words, below = _join_lines(words, below, vocabulary)
    further = [one for paragraph in later for one in paragraph]
    is_doubtful = (
        len(below) > MAX_FURTHER
        or any(_casts_doubt(one, position, vocabulary) for one in below)
        or any(_contradicts(one, position, vocabulary) for one in further[:MAX_FURTHER])
    )
    return Unclear(UnclearReason.SEVERAL_MOVES, line) if is_doubtful else words


def _drop_greetings(paragraphs: Paragraphs, vocabulary: Vocabulary) -> Paragraphs:
    """Return the paragraphs from the first line that is not a greeting; an empty one if there is none."""
    for index, paragraph in enumerate(paragraphs):
        for start, line in enumerate(paragraph):
            if not is_greeting(line, vocabulary):
                return (paragraph[start:], *paragraphs[index + 1 :])
    return ((),)


def _read_line(line: str, position: Position | None, vocabulary: Vocabulary) -> Words:
    """Return what one line means by itself."""
    text = clean(line, vocabulary)
    turn = _read_turn(line, text, position, vocabulary)
    if isinstance(turn, Play):
        return turn
    found = find_command(text, vocabulary)
    if isinstance(found, Command):
        return found
    if turn is UnclearReason.NO_WORDS and found is not None:
        turn = UnclearReason.BAD_ARGUMENT
    return Unclear(turn, line)


def _read_turn(
    line: str, text: str, position: Position | None, vocabulary: Vocabulary
) -> Play | UnclearReason:
    """Return the turn that a cleaned line wholly is, or why it is none."""
    if "?" in text or len(text) > MAX_MOVE_LINE:
        return UnclearReason.NO_WORDS
    if position is None:
        pick = "".join(text.split()).upper()
        return Play((pick,), line) if pick in vocabulary.picks else UnclearReason.NO_WORDS
    words = position.resolve_words(split_moves(text))
    if not words or len(words) > position.moves_due:
        moves = sum(has_cell(word) for word in words)
        return UnclearReason.SEVERAL_MOVES if moves > 1 else UnclearReason.NO_WORDS
    return _play(words, position, line)


def _play(words: Sequence[str], position: Position, line: str) -> Play | UnclearReason:
    """Return words as a legal turn, or why they are none."""
    moves: list[str] = []
    try:
        for word in words:
            move = position.parse(word)
            position = position.play(move)
            moves.append(str(move))
    except AmbiguousMove:
        return UnclearReason.AMBIGUOUS
    except IllegalMove:
        return UnclearReason.ILLEGAL
    except GameError:
        return UnclearReason.NO_WORDS
    return Play(tuple(moves), line)


def _extend(
    turn: Play, below: tuple[str, ...], position: Position, vocabulary: Vocabulary
) -> tuple[Play, tuple[str, ...]]:
    """Return the turn with the lines below that continue its run of placements, and the lines after them."""
    for count, line in enumerate(below):
        if not has_cell(line):
            return turn, below[count:]
        text = f"{turn.text} {line}"
        longer = _read_turn(text, clean(text, vocabulary), position, vocabulary)
        if not isinstance(longer, Play):
            return turn, below[count:]
        turn = longer
    return turn, ()


def _join_lines(
    words: Command, below: tuple[str, ...], vocabulary: Vocabulary
) -> tuple[Command, tuple[str, ...]]:
    """Return a conditional move with those of the lines below, and the lines after them."""
    for count, line in enumerate(below):
        found = find_command(clean(line, vocabulary), vocabulary)
        is_line = isinstance(found, Command) and found.name is words.name and found.argument
        if not is_line or not words.argument or not isinstance(found, Command):
            return words, below[count:]
        words = Command(words.name, f"{words.argument}\n{found.argument}")
    return words, ()


def _casts_doubt(line: str, position: Position | None, vocabulary: Vocabulary) -> bool:
    """Return whether a line of the same paragraph may correct, or go on as a sentence."""
    words = _plain_words(line)
    is_correction = bool(words) and words[0] in vocabulary.doubt
    return is_correction or has_cell(line) or _is_words(line, position, vocabulary)


def _contradicts(line: str, position: Position | None, vocabulary: Vocabulary) -> bool:
    """Return whether a line further down may correct the first: talk of other moves does not."""
    is_correction = has_cell(line) and not vocabulary.doubt.isdisjoint(_plain_words(line))
    return is_correction or _is_words(line, position, vocabulary)


def _is_words(line: str, position: Position | None, vocabulary: Vocabulary) -> bool:
    return not isinstance(_read_line(line, position, vocabulary), Unclear)


def _plain_words(line: str) -> list[str]:
    folded = unicodedata.normalize("NFKC", line[:MAX_MOVE_LINE]).casefold()
    return "".join(sign if sign.isalnum() else " " for sign in folded).split()
