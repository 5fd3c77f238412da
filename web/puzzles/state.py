"""The state of a puzzle's page, which is all in its address: what was played, entered and asked for."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING
from urllib.parse import urlencode

from matches import PuzzleChoice
from matches.puzzles.values import MAX_TURNS
from web.addresses import PUZZLES_PATH
from web.play.move_form import parse_answers

if TYPE_CHECKING:
    from collections.abc import Mapping

SEPARATOR = "."  # no move has one
MAX_MOVE_LENGTH = 200  # characters of a turn
MAX_THEME_LENGTH = 40
ANY = PuzzleChoice()
SHOWN = ("hint", "solution", "reported")


@dataclass(frozen=True, slots=True)
class PuzzleState:
    """What the address of a puzzle's page says.

    `turns` are the solver's since the start, the last one perhaps wrong. `answers` are those of the turn that
    is being entered, `text` is a typed one. `shown` is what was asked for, one of :data:`SHOWN`. `choice` is
    what the next puzzle shall be like.
    """

    key: str
    turns: tuple[str, ...] = ()
    answers: tuple[str, ...] = ()
    text: str = ""
    shown: str = ""
    choice: PuzzleChoice = ANY

    @classmethod
    def parse(cls, key: str, values: Mapping[str, str]) -> PuzzleState:
        """Return the state of an address, or of a form that goes on from one."""
        turns = tuple(filter(None, values.get("turns", "").split(SEPARATOR, MAX_TURNS)))[:MAX_TURNS]
        answers = parse_answers(values.get("answers", "")) + parse_answers(values.get("then", ""))
        game, _, theme = values.get("choice", "").partition(SEPARATOR)
        return cls(
            key,
            tuple(one[:MAX_MOVE_LENGTH] for one in turns),
            answers,
            values.get("text", "").strip()[:MAX_MOVE_LENGTH],
            next((one for one in SHOWN if values.get(one)), ""),
            PuzzleChoice(game[:MAX_THEME_LENGTH], theme[:MAX_THEME_LENGTH]),
        )

    @property
    def path(self) -> str:
        """The path of the page without what was played."""
        return f"{PUZZLES_PATH}/{self.key}"

    def fields(self) -> dict[str, str]:
        """Return what every address and form of the page has, without the turn that is being entered."""
        choice = SEPARATOR.join(filter(None, (self.choice.game, self.choice.theme)))
        values = {"turns": SEPARATOR.join(self.turns), "choice": choice}
        return {name: value for name, value in values.items() if value}

    def url(self) -> str:
        """Return the address of the page."""
        entered = {"answers": SEPARATOR.join(self.answers)} if self.answers else {}
        query = urlencode(self.fields() | entered | ({self.shown: "1"} if self.shown else {}))
        return f"{self.path}?{query}" if query else self.path

    def with_turns(self, *turns: str) -> PuzzleState:
        """Return the state after these turns, with nothing entered or asked for."""
        return replace(self, turns=turns, answers=(), text="", shown="")


def next_path(choice: PuzzleChoice) -> str:
    """Return the address that leads to a next puzzle."""
    values = {name: value for name, value in (("game", choice.game), ("theme", choice.theme)) if value}
    return f"{PUZZLES_PATH}?{urlencode(values)}" if values else PUZZLES_PATH
