"""Parsing of a record: the text is checked against the format and the moves against the rules."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Final

from engine import GAMES, UnknownGameError, get_game
from engine.game import GameError, Outcome
from engine.notation_text import abbreviate
from engine.records.errors import (
    RecordHeaderError,
    RecordMoveError,
    RecordResultError,
    RecordSizeError,
    RecordSyntaxError,
    TextLocation,
)
from engine.records.formatting import ONGOING
from engine.records.record import (
    KNOWN_HEADERS,
    OLD_TIME_CONTROL,
    PLAYED,
    Record,
    RecordEntry,
    is_date,
    is_header_name,
    is_reason,
)
from engine.records.results import find_contradiction
from engine.records.scanner import Scanner, Token

if TYPE_CHECKING:
    from collections.abc import Mapping

    from engine.game import Game, OptionValue, Position
    from engine.sentences import RefusalValue

MAX_RECORD_BYTES: Final = 256 * 1024
"""The maximum size of a record, in bytes of UTF-8."""

MAX_RECORD_TURNS: Final = 5000
"""The maximum number of turns of a record."""

MAX_HEADERS: Final = 100

_VERSION = re.compile(r"[1-9][0-9]{0,8}")


def parse_record(
    text: str | bytes, games: Mapping[str, Game] = GAMES, *, max_turns: int = MAX_RECORD_TURNS
) -> Record:
    """Return the record of one of `games` in `text`; bytes are UTF-8. Raise a RecordError.

    The moves are played under the rules version that the record names; of more than `max_turns`
    the rest is not played, and the record refused. Errors have a line and a column.
    """
    data = text if isinstance(text, bytes) else text.encode("utf-8", "surrogatepass")
    if len(data) > MAX_RECORD_BYTES:
        sizes = {"most": MAX_RECORD_BYTES, "found": len(data)}
        raise RecordSizeError("record.too_large", sizes, TextLocation(1, 1))
    return _RecordParser(
        Scanner(_decode(text) if isinstance(text, bytes) else text), games, max_turns
    ).parse()


def _decode(data: bytes) -> str:
    try:
        return data.decode("utf-8")
    except UnicodeDecodeError as error:
        good = data[: error.start].decode("utf-8")
        location = TextLocation(good.count("\n") + 1, len(good) - good.rfind("\n"))
        raise RecordSyntaxError("record.not_utf8", {}, location) from None


def _check_random_options(game: Game, options: dict[str, OptionValue]) -> None:
    """Raise GameError if the first position depends on a random option that is not given."""
    for option in game.options:
        if option.is_random and option.name not in options:
            first, last = (
                game.initial_position(**options | {option.name: value})
                for value in (option.minimum, option.maximum)
            )
            if first != last:
                raise GameError("record.missing_random_option", {"name": option.name})


class _RecordParser:
    """Parses one record; the headers are read when it is created."""

    def __init__(self, scanner: Scanner, games: Mapping[str, Game], max_turns: int) -> None:
        self.scanner = scanner
        self.games = games
        self.max_turns = max_turns
        self.headers = self._parse_headers()
        self.end_of_headers = scanner.offset

    def parse(self) -> Record:
        """Parse the rest of the text and return the record. Raise a subclass of RecordError."""
        game = self._parse_game()
        options = self._parse_options(game)
        first_position = self._first_position(game, options)
        sides = [side.capitalize() for side in game.sides]
        result = self._parse_result(game)
        comment = self.scanner.scan_comment()
        entries, last_position = self._parse_entries(first_position)
        self._check_end(result)
        black, white = (self._header_text(side) for side in sides)
        return Record(
            game=game.name,
            rules_version=game.rules_version,
            options=options,
            entries=tuple(entries),
            start=str(first_position) if "Start" in self.headers else "",
            players=(black, white),
            began=self._parse_date("Began"),
            ended=self._parse_date("Ended"),
            time_control=self._header_text("TimeControl") or self._header_text(OLD_TIME_CONTROL),
            result=result,
            reason=self._parse_reason(result, last_position),
            comment=comment,
            other_headers=tuple(
                (name, value.text)
                for name, value in self.headers.items()
                if name not in {*KNOWN_HEADERS, *sides}
            ),
            games=self.games,
        )

    def _parse_headers(self) -> dict[str, Token]:
        found: dict[str, Token] = {}
        for name, value in self.scanner.scan_headers():
            if len(found) == MAX_HEADERS:
                raise self.scanner.error("too_many_headers", name.offset, RecordSizeError, most=MAX_HEADERS)
            if not is_header_name(name.text):
                raise self._invalid_header(name, "bad_name")
            if name.text in found:
                raise self._invalid_header(name, "header_twice")
            found[name.text] = value
        return found

    def _parse_game(self) -> Game:
        name, version = self._require_header("Game"), self._require_header("Rules")
        if name.text not in self.games:
            raise self._invalid_header(name, "no_game", names=tuple(self.games))
        if not _VERSION.fullmatch(version.text):
            raise self._invalid_header(version, "bad_rules_version")
        try:
            return get_game(name.text, int(version.text), self.games)
        except UnknownGameError as error:
            raise self._header_error(version, error) from None

    def _parse_options(self, game: Game) -> dict[str, OptionValue]:
        header = self.headers.get("Options", Token("", self.end_of_headers))
        given: dict[str, OptionValue] = {}
        for word in header.text.split():
            name, equals, value = word.partition("=")
            if not equals:
                raise self._invalid_header(header, "bad_option", word)
            if name in given:
                raise self._invalid_header(header, "option_twice", name)
            given[name] = value
        try:
            return game.complete_options(**given)
        except GameError as error:
            raise self._header_error(header, error) from None

    def _first_position(self, game: Game, options: dict[str, OptionValue]) -> Position:
        """Return the position of the header Start, or else the one that the options give."""
        missing = Token("", self.end_of_headers)
        header = self.headers.get("Start") or self.headers.get("Options", missing)
        try:
            if "Start" in self.headers:
                return game.load(header.text)
            _check_random_options(game, options)
            return game.initial_position(**options)
        except GameError as error:
            raise self._header_error(header, error) from None

    def _parse_entries(self, position: Position) -> tuple[list[RecordEntry], Position]:
        """Return the turns, whose moves are played from `position` on, and the last position."""
        entries: list[RecordEntry] = []
        while number := self.scanner.scan_number():
            if len(entries) == self.max_turns:
                raise self.scanner.error("too_long", number.offset, RecordSizeError, most=self.max_turns)
            if int(number.text) != len(entries) + 1:
                raise self.scanner.error(
                    "wrong_number", number.offset, wanted=len(entries) + 1, found=number.text
                )
            word = self.scanner.scan_word()
            if word is None:
                raise self.scanner.error("no_move", self.scanner.offset, number=number.text)
            try:
                move = position.parse(word.text)
                position = position.play(move)
            except GameError as error:
                location = self.scanner.locate(word.offset)
                raise RecordMoveError(
                    error.key, error.values, location, text=error.text, position=position
                ) from error
            entries.append(RecordEntry(str(move), self.scanner.scan_comment()))
        return entries, position

    def _check_end(self, result: Outcome | None) -> None:
        """Check that the record ends with the result of the header and that nothing follows."""
        word, expected = self.scanner.scan_word(), result or ONGOING
        if word is None:
            rest = self.scanner.scan_rest()
            if rest is None:
                raise self.scanner.error("result_missing", self.scanner.offset)
            raise self.scanner.error("turn_form", self.scanner.offset, found=rest.text[:1])
        if word.text not in {ONGOING, *Outcome}:
            raise self.scanner.error("turn_form", word.offset, found=abbreviate(word.text))
        if word.text != expected:
            raise self.scanner.error(
                "result_mismatch",
                word.offset,
                RecordResultError,
                found=word.text,
                result=expected,
            )
        rest = self.scanner.scan_rest()
        if rest:
            raise self.scanner.error(
                "text_after_result", rest.offset, found=abbreviate(rest.text.partition("\n")[0])
            )

    def _parse_result(self, game: Game) -> Outcome | None:
        header = self._require_header("Result")
        choices = [*(side.value for side in game.sides), Outcome.DRAW.value]
        if header.text not in {ONGOING, *choices}:
            raise self._invalid_header(header, "bad_result", choices=tuple(choices))
        return None if header.text == ONGOING else Outcome(header.text)

    def _parse_reason(self, result: Outcome | None, last_position: Position) -> str:
        """Return the reason of the result; without the header Reason it is that the game was played out."""
        header = self.headers.get("Reason", Token("", self.headers["Result"].offset))
        if header.text and not is_reason(header.text):
            raise self._invalid_header(header, "bad_reason")
        contradiction = find_contradiction(last_position, result, header.text)
        if contradiction:
            location = self.scanner.locate(header.offset)
            raise RecordResultError(*contradiction, location, text=header.text, position=last_position)
        return PLAYED if last_position.outcome else header.text

    def _parse_date(self, name: str) -> str:
        date = self.headers.get(name)
        if date and date.text and not is_date(date.text):
            raise self._invalid_header(date, "bad_date")
        return date.text if date else ""

    def _header_text(self, name: str) -> str:
        return self.headers[name].text if name in self.headers else ""

    def _require_header(self, name: str) -> Token:
        if name not in self.headers:
            missing = GameError("record.header_missing", {"name": name})
            raise self._header_error(Token("", self.end_of_headers), missing)
        return self.headers[name]

    def _invalid_header(
        self, token: Token, key: str, found: str | None = None, **values: RefusalValue
    ) -> RecordHeaderError:
        """Return the error for `token`; the sentence quotes `found`, or else the token itself."""
        shown = abbreviate(token.text if found is None else found)
        return self._header_error(token, GameError(f"record.{key}", {"found": shown, **values}))

    def _header_error(self, token: Token, error: GameError) -> RecordHeaderError:
        """Return `error` with the location of `token`."""
        return RecordHeaderError(
            error.key,
            error.values,
            self.scanner.locate(token.offset),
            text=abbreviate(token.text),
            vocabulary=error.vocabulary,
        )
