"""Reading a record: its text is held to the format, its moves to the rules."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Final

from engine import GAMES, UnknownGameError, find
from engine.game import GameError, Outcome
from engine.records.errors import (
    Place,
    RecordHeaderError,
    RecordMoveError,
    RecordResultError,
    RecordSizeError,
    RecordSyntaxError,
)
from engine.records.reasons import Reason
from engine.records.results import disagreement
from engine.records.scanning import Part, Scanner
from engine.records.values import FIXED, PLAYED, Entry, Record, is_date, is_name, is_reason
from engine.records.writing import GOES_ON
from engine.texts import quoted

if TYPE_CHECKING:
    from engine.game import Game, Position, Setting

LARGEST: Final = 256 * 1024
"""Bytes of a record that are read."""

LONGEST: Final = 5000
"""Turns of a record that are replayed."""

MOST_HEADERS: Final = 100

_VERSION = re.compile(r"[1-9][0-9]{0,8}")


def read(text: str | bytes) -> Record:
    """Read the text of one record; bytes are UTF-8.

    Every move is played under the version of the rules that the record names. Raises a subclass of
    RecordError, which says the line and the column.
    """
    data = text if isinstance(text, bytes) else text.encode("utf-8", "surrogatepass")
    if len(data) > LARGEST:
        raise RecordSizeError(Reason.TOO_LARGE.say(most=LARGEST, found=len(data)), Place(1, 1))
    return _Reader(Scanner(_decoded(text) if isinstance(text, bytes) else text)).record()


def _decoded(data: bytes) -> str:
    try:
        return data.decode("utf-8")
    except UnicodeDecodeError as error:
        good = data[: error.start].decode("utf-8")
        place = Place(good.count("\n") + 1, len(good) - good.rfind("\n"))
        raise RecordSyntaxError(Reason.NOT_UTF8.say(), place) from None


class _Reader:
    """One record being read."""

    def __init__(self, scanner: Scanner) -> None:
        self.scanner = scanner
        self.headers = self._headers()
        self.end_of_headers = scanner.at

    def record(self) -> Record:
        """Give the record, read to its end."""
        game = self._game()
        options = self._options(game)
        first = self._first(game, options)
        sides = [side.capitalize() for side in game.sides]
        result = self._result(game)
        comment = self.scanner.comment()
        entries, last = self._entries(first)
        self._end(result)
        black, white = (self._value(side) for side in sides)
        return Record(
            game=game.name,
            rules_version=game.rules_version,
            options=options,
            entries=tuple(entries),
            start=str(first) if "Start" in self.headers else "",
            people=(black, white),
            began=self._date("Began"),
            ended=self._date("Ended"),
            pace=self._value("Pace"),
            result=result,
            reason=self._reason(result, last),
            comment=comment,
            others=tuple(
                (name, value.text) for name, value in self.headers.items() if name not in {*FIXED, *sides}
            ),
        )

    def _headers(self) -> dict[str, Part]:
        found: dict[str, Part] = {}
        for name, value in self.scanner.headers():
            if len(found) == MOST_HEADERS:
                raise self.scanner.error(Reason.TOO_MANY_HEADERS, name.at, RecordSizeError, most=MOST_HEADERS)
            if not is_name(name.text):
                raise self._wrong(name, Reason.BAD_NAME)
            if name.text in found:
                raise self._wrong(name, Reason.TWICE)
            found[name.text] = value
        return found

    def _game(self) -> Game:
        name, version = self._needed("Game"), self._needed("Rules")
        if name.text not in GAMES:
            raise self._wrong(name, Reason.NO_GAME, names=", ".join(GAMES))
        if not _VERSION.fullmatch(version.text):
            raise self._wrong(version, Reason.BAD_RULES)
        try:
            return find(name.text, int(version.text))
        except UnknownGameError as error:
            raise self._refused(version, str(error)) from None

    def _options(self, game: Game) -> dict[str, Setting]:
        header = self.headers.get("Options", Part("", self.end_of_headers))
        given: dict[str, Setting] = {}
        for word in header.text.split():
            name, equals, value = word.partition("=")
            if not equals:
                raise self._wrong(header, Reason.BAD_OPTION, word)
            if name in given:
                raise self._wrong(header, Reason.OPTION_TWICE, name)
            given[name] = value
        try:
            return game.settings(**given)
        except GameError as error:
            raise self._refused(header, error.reason) from None

    def _first(self, game: Game, options: dict[str, Setting]) -> Position:
        """Give the first position: that of the header Start, else the one that the options give."""
        missing = Part("", self.end_of_headers)
        header = self.headers.get("Start") or self.headers.get("Options", missing)
        try:
            if "Start" in self.headers:
                return game.load(header.text)
            for option in game.options:
                if option.drawn and option.name not in options:
                    ends = ({option.name: option.minimum}, {option.name: option.maximum})
                    if game.start(**options | ends[0]) != game.start(**options | ends[1]):
                        raise self._refused(header, Reason.UNDRAWN.say(name=option.name))
            return game.start(**options)
        except RecordHeaderError:
            raise
        except GameError as error:
            raise self._refused(header, error.reason) from None

    def _entries(self, position: Position) -> tuple[list[Entry], Position]:
        """Give the turns, every move played from `position` on, and the last position."""
        entries: list[Entry] = []
        while number := self.scanner.number():
            if len(entries) == LONGEST:
                raise self.scanner.error(Reason.TOO_LONG, number.at, RecordSizeError, most=LONGEST)
            if int(number.text) != len(entries) + 1:
                raise self.scanner.error(
                    Reason.WRONG_NUMBER, number.at, wanted=len(entries) + 1, found=number.text
                )
            word = self.scanner.word()
            if word is None:
                raise self.scanner.error(Reason.NO_MOVE, self.scanner.at, number=number.text)
            try:
                move = position.parse(word.text)
                position = position.play(move)
            except GameError as error:
                place = self.scanner.place(word.at)
                raise RecordMoveError(error.reason, place, text=error.text, position=position) from error
            entries.append(Entry(str(move), self.scanner.comment()))
        return entries, position

    def _end(self, result: Outcome | None) -> None:
        """Take the result that closes the record, which repeats the header's."""
        word, said = self.scanner.word(), result or GOES_ON
        if word is None:
            rest = self.scanner.rest()
            reason = Reason.TURN_FORM if rest else Reason.NO_END
            raise self.scanner.error(reason, self.scanner.at, found=rest.text[:1] if rest else "")
        if word.text not in {GOES_ON, *Outcome}:
            raise self.scanner.error(Reason.TURN_FORM, word.at, found=quoted(word.text))
        if word.text != said:
            raise self.scanner.error(
                Reason.OTHER_END, word.at, RecordResultError, found=word.text, result=said
            )
        rest = self.scanner.rest()
        if rest:
            raise self.scanner.error(Reason.AFTER_END, rest.at, found=quoted(rest.text.partition("\n")[0]))

    def _result(self, game: Game) -> Outcome | None:
        header = self._needed("Result")
        choices = [*(side.value for side in game.sides), Outcome.DRAW.value]
        if header.text not in {GOES_ON, *choices}:
            raise self._wrong(header, Reason.BAD_RESULT, choices=", ".join(choices))
        return None if header.text == GOES_ON else Outcome(header.text)

    def _reason(self, result: Outcome | None, last: Position) -> str:
        """Give the reason of the result; where the header is left out, the rules of the game came to it."""
        header = self.headers.get("Reason", Part("", self.headers["Result"].at))
        if header.text and not is_reason(header.text):
            raise self._wrong(header, Reason.BAD_REASON)
        refusal = disagreement(last, result, header.text)
        if refusal:
            place = self.scanner.place(header.at)
            raise RecordResultError(refusal, place, text=header.text, position=last)
        return PLAYED if last.outcome else header.text

    def _date(self, name: str) -> str:
        date = self.headers.get(name)
        if date and date.text and not is_date(date.text):
            raise self._wrong(date, Reason.BAD_DATE)
        return date.text if date else ""

    def _value(self, name: str) -> str:
        return self.headers[name].text if name in self.headers else ""

    def _needed(self, name: str) -> Part:
        if name not in self.headers:
            raise self._refused(Part("", self.end_of_headers), Reason.MISSING.say(name=name))
        return self.headers[name]

    def _wrong(
        self, part: Part, reason: Reason, found: str | None = None, **values: object
    ) -> RecordHeaderError:
        """Give the refusal of a header, quoting `found` or the part itself."""
        shown = quoted(part.text if found is None else found)
        return self._refused(part, reason.say(found=shown, **values))

    def _refused(self, part: Part, reason: str) -> RecordHeaderError:
        return RecordHeaderError(reason, self.scanner.place(part.at), text=quoted(part.text))
