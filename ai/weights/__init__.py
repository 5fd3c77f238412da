"""What the search knows about a game: numbers in a TOML file beside this module, one file for each game.

`exploration`, `rave`, `temperature`, `value_share`, `playout_steps` and `first_play` steer the search (see
kernel/search.h), and so do `contempt`, `network` and `prior_floor`, by default 0, and `playout_choice`, by
default 1.
``[policy]`` weighs the features of a move and ``[value]`` the numbers of a position, each for three phases of
the game, in the order in which the kernel numbers them. Three more are for the smallest board, where the
kernel tells it apart (Morelli on 9 x 9); without them, the first three hold on every board.
``[levels]`` has the simulations, the temperature, the margin and the share of oversights of each level (see
:class:`ai.levels.LevelSettings`); the simulations are multiplied by the `effort` of the phase, by default 1.
`analysis_effort`, by default 1, multiplies those of the analysis of a game.
``[ratings]`` has a rating for each level, a whole number on the scale of :mod:`matches.ratings`, fitted by
``python -m bench.ai_ratings`` from games of the levels against each other; their mean is 1500.
``[small_expert]`` has the simulations and the settings that differ where expert plays on the smallest board,
and its `playout_limit` ends a search after so many steps of its playouts, which are long in the first moves.
Master plays there with these settings too, with the simulations `master` and as many more steps.
With a `network` of 1 it uses the network in ``GAME.network`` (see :func:`pack_network`).
"""

from __future__ import annotations

import logging
import struct
import tomllib
from dataclasses import dataclass, replace
from functools import cache
from pathlib import Path
from types import MappingProxyType
from typing import TYPE_CHECKING, Any, Self

from ai.levels import TOP_LEVELS, Level, LevelSettings

if TYPE_CHECKING:
    from collections.abc import Mapping

logger = logging.getLogger(__name__)

FOLDER = Path(__file__).parent
FEATURES = 32
SCALE = 4096  # what 1 is written as in the file of a network; the largest number is just below 8
LIMIT = 32767
GAME_PHASES = 3
PHASES = 2 * GAME_PHASES
DEFAULTS = {"contempt": 0.0, "playout_choice": 1.0, "network": 0.0, "prior_floor": 0.0}
SETTINGS = ("exploration", "rave", "temperature", "value_share", "playout_steps", "first_play", *DEFAULTS)

Table = dict[str, tuple[float, ...]]
"""Weights by name: one for each phase of the game, or one for each phase of the kernel."""


@dataclass(frozen=True, slots=True)
class Weights:
    """The weights of one game."""

    settings: dict[str, float]
    policy: Table
    value: Table
    levels: Mapping[Level, LevelSettings]
    ratings: Mapping[Level, int]
    effort: tuple[float, ...] = (1.0,)
    small_expert: Self | None = None
    analysis_effort: float = 1.0
    playout_limit: int = 0
    network: bytes = b""

    @classmethod
    def load(cls, game: str) -> Self:
        """Read the weights of a game. Raise FileNotFoundError.

        If only the file of the network is missing, log one line; expert then plays everywhere as on the
        other boards.
        """
        weights = cls.load_without_network(game)
        expert = weights.small_expert
        if expert is None or not expert.settings["network"]:
            return weights
        try:
            data = unpack_network((FOLDER / f"{game}.network").read_bytes())
        except FileNotFoundError:
            logger.warning("%s.network is missing: expert is weaker on the smallest board.", game)
            return replace(weights, small_expert=None)
        return replace(weights, small_expert=replace(expert, network=data))

    @classmethod
    def load_without_network(cls, game: str) -> Self:
        """Read the weights of a game as they are without the file of its network. Raise FileNotFoundError."""
        return cls.parse(tomllib.loads((FOLDER / f"{game}.toml").read_text(encoding="utf-8")))

    @classmethod
    def parse(cls, data: Mapping[str, Any]) -> Self:
        """Return the weights of a file's contents."""
        given = {**DEFAULTS, **data}
        weights = cls(
            settings={name: float(given[name]) for name in SETTINGS},
            policy=_parse_table(data["policy"]),
            value=_parse_table(data["value"]),
            levels={
                Level(name): LevelSettings(int(simulations), *map(float, numbers))
                for name, (simulations, *numbers) in data["levels"].items()
            },
            ratings={Level(name): int(rating) for name, rating in data["ratings"].items()},
            effort=tuple(map(float, data.get("effort", (1.0,)))),
            analysis_effort=float(data.get("analysis_effort", 1)),
        )
        small = data.get("small_expert")
        return weights if small is None else replace(weights, small_expert=weights.changed_for_expert(small))

    def changed_for_expert(self, changes: Mapping[str, float]) -> Self:
        """Return these weights with other simulations of expert and master, and other settings."""
        settings = {name: float(changes.get(name, number)) for name, number in self.settings.items()}
        expert = replace(self.levels[Level.EXPERT], simulations=int(changes["simulations"]))
        master = replace(self.levels[Level.MASTER], simulations=int(changes["master"]))
        levels = {**self.levels, Level.EXPERT: expert, Level.MASTER: master}
        return replace(self, settings=settings, levels=levels, playout_limit=int(changes["playout_limit"]))

    def choose_for(self, level: Level, phase: int) -> Weights:
        """Return the weights with which a level searches in a phase of the game."""
        is_small = phase >= GAME_PHASES
        return self.small_expert if self.small_expert and is_small and level in TOP_LEVELS else self

    def count_simulations(self, level: Level, phase: int) -> int:
        """Return the length of a search of a level in a phase of the game."""
        levels = self.choose_for(level, phase).levels
        return round(levels[level].simulations * self.effort[phase % len(self.effort)])

    def limit_playouts(self, level: Level) -> int:
        """Return after how many steps of its playouts a search ends; 0 for no limit."""
        expert = self.levels[Level.EXPERT].simulations
        return self.playout_limit * self.levels[level].simulations // expert

    def pack(self) -> bytes:
        """Return the numbers in the layout of the kernel."""
        numbers = [*self.settings.values()]
        for table in (self.policy, self.value):
            rows = list(table.values())
            for phase in range(PHASES):
                numbers += [row[phase % len(row)] for row in rows] + [0.0] * (FEATURES - len(rows))
        return struct.pack(f"<{len(numbers)}f", *numbers)


@cache
def load_ratings() -> Mapping[tuple[str, str], float]:
    """Return the ratings of the levels by game and level; a game without the table has none."""
    ratings = {
        (path.stem, level.value): float(table[level.value])
        for path in sorted(FOLDER.glob("*.toml"))
        if (table := tomllib.loads(path.read_text(encoding="utf-8")).get("ratings", {}))
        for level in Level
        if level.value in table
    }
    return MappingProxyType(ratings)


def _parse_table(data: Mapping[str, Any]) -> Table:
    return {name: tuple(map(float, row)) for name, row in data.items()}


def pack_network(numbers: bytes) -> bytes:
    """Return the contents of the file of a network for its numbers, in the order of kernel/network.h.

    They are written as 16-bit fixed-point numbers; too large ones are cut.
    """
    count = len(numbers) // 4
    fixed = (
        max(-LIMIT, min(LIMIT, round(SCALE * number))) for number in struct.unpack(f"<{count}f", numbers)
    )
    return struct.pack(f"<{count}h", *fixed)


def unpack_network(data: bytes) -> bytes:
    """Return the numbers of the file of a network in the layout of the kernel."""
    count = len(data) // 2
    return struct.pack(f"<{count}f", *(number / SCALE for number in struct.unpack(f"<{count}h", data)))
