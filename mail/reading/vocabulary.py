"""The words that are understood in mails, from the catalogue."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from mail.reading.values import CommandName

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

    from engine.game import Game
    from i18n import Texts


@dataclass(frozen=True, slots=True)
class Vocabulary:
    """Spellings in lower case. `games` are the names of the games, `picks` those of a simultaneous choice."""

    commands: Mapping[str, CommandName]
    yes: frozenset[str]
    then: frozenset[str]
    day: frozenset[str]
    week: frozenset[str]
    over: frozenset[str]
    turn: frozenset[str]
    begin: frozenset[str]
    list: frozenset[str]
    remove: frozenset[str]
    clear: frozenset[str]
    watch: Mapping[str, frozenset[str]]
    off: frozenset[str]
    please: frozenset[str]
    greeting: frozenset[str]
    doubt: frozenset[str]
    games: frozenset[str]
    picks: frozenset[str]

    @classmethod
    def load(cls, texts: Texts, games: Iterable[Game]) -> Vocabulary:
        """Return the words of the catalogue and of some games."""

        def read(word: str) -> frozenset[str]:
            return frozenset(_split(texts.plain(f"mail_word.{word}")))

        games = tuple(games)
        names = {game.name for game in games} | {texts.plain(f"game.{game.name}.name") for game in games}
        choices = [game.simultaneous_choice for game in games]
        return cls(
            commands={
                spelling: command
                for command in CommandName
                for spelling in _split(texts.plain(f"mail_command.{command}"))
            },
            yes=read("yes"),
            then=read("then"),
            day=read("day"),
            week=read("week"),
            over=read("over"),
            turn=read("turn"),
            begin=read("begin"),
            list=read("list"),
            remove=read("remove"),
            clear=read("clear"),
            watch={mode: read(f"watch_{mode}") for mode in ("turns", "daily", "end")},
            off=read("over") | read("puzzle_off"),
            please=read("please"),
            greeting=read("greeting"),
            doubt=read("doubt"),
            games=frozenset(name.casefold() for name in names),
            picks=frozenset(pick.upper() for choice in choices if choice for pick in choice.picks),
        )


def _split(text: str) -> list[str]:
    return [spelling.strip().casefold() for spelling in text.split(",")]
