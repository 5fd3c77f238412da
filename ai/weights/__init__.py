"""What the search knows about a game: numbers in a TOML file beside this module, one file for each game.

`exploration`, `rave`, `temperature`, `value_share`, `playout_steps` and `first_play` steer the search (see
kernel/search.h), and so do `contempt`, `network`, `prior_floor`, `widest` and `expand_at`, by default 0, and
`playout_choice`, by default 1.
``[policy]`` weighs the features of a move and ``[value]`` the numbers of a position, each for three phases of
the game, in the order in which the kernel numbers them. Three more are for the smallest board, where the
kernel tells it apart (Morelli on 9 x 9); without them, the first three hold on every board.
``[levels]`` has the simulations, the temperature, the margin and the share of oversights of each level (see
:class:`ai.levels.LevelSettings`), and of halfway to the next one (`club+`) where what lies between the two is
not about as strong; the simulations are multiplied by the `effort` of the phase, by default 1.
`analysis_effort`, by default 1, multiplies those of the analysis of a game.
``[ratings]`` has a rating for each level, a whole number on the scale of :mod:`matches.ratings`, fitted by
``python -m bench.ai_ratings`` from games of the levels against each other; the mean of those
below master is 1500. Those with a `+` are of what is halfway to the next level.
``[small]`` has what differs where `strong+`, expert and master play on the smallest board: their simulations
and settings, and a `playout_limit` that ends a search of expert after so many steps of its playouts, which
are long in the first moves; it is in proportion to the simulations. With a `network` of 1 they use the
network in ``GAME.network`` (see :func:`pack_network`).
``[large]`` has what differs where they play on the other boards, or on all of a game without ``[small]``,
with the network in ``GAME-large.network``; but not during the set-up of Morelli, of which it knows nothing.
``[small.master]`` and ``[large.master]`` have what differs from these for master.
Analyses use the settings of expert, but without contempt: to them a draw is half a win.
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

from ai.levels import HALF, TOP_LEVELS, Level, LevelSettings, settings_at

if TYPE_CHECKING:
    from collections.abc import Mapping

logger = logging.getLogger(__name__)

FOLDER = Path(__file__).parent
FEATURES = 32
SCALE = 4096  # what 1 is written as in the file of a network; the largest number is just below 8
LIMIT = 32767
GAME_PHASES = 3
PHASES = 2 * GAME_PHASES
NEAR_EXPERT = f"{Level.STRONG}{HALF}"
"""From here on the levels use what expert uses, so that it does not all come with the last half level."""

DEFAULTS = {
    "contempt": 0.0,
    "playout_choice": 1.0,
    "network": 0.0,
    "prior_floor": 0.0,
    "widest": 0.0,
    "expand_at": 0.0,
}
SETTINGS = ("exploration", "rave", "temperature", "value_share", "playout_steps", "first_play", *DEFAULTS)

Table = dict[str, tuple[float, ...]]
"""Weights by name: one for each phase of the game, or one for each phase of the kernel."""


@dataclass(frozen=True, slots=True)
class Weights:
    """The weights of one game."""

    settings: dict[str, float]
    policy: Table
    value: Table
    levels: Mapping[str, LevelSettings]
    ratings: Mapping[str, int]
    effort: tuple[float, ...] = (1.0,)
    small: Weights | None = None
    large: Weights | None = None
    master: Weights | None = None
    analysis_effort: float = 1.0
    playout_limit: int = 0
    network: bytes = b""

    @classmethod
    def load(cls, game: str) -> Self:
        """Read the weights of a game. Raise FileNotFoundError.

        If only the file of a network is missing, log one line; the common settings are then used instead.
        """
        weights = cls.parse(tomllib.loads((FOLDER / f"{game}.toml").read_text(encoding="utf-8")))
        return replace(
            weights,
            small=_add_network(weights.small, game),
            large=_add_network(weights.large, game, large=True),
        )

    @classmethod
    def parse(cls, data: Mapping[str, Any]) -> Self:
        """Return the weights of a file's contents."""
        given = {**DEFAULTS, **data}
        weights = cls(
            settings={name: float(given[name]) for name in SETTINGS},
            policy=_parse_table(data["policy"]),
            value=_parse_table(data["value"]),
            levels={
                name: LevelSettings(int(simulations), *map(float, numbers))
                for name, (simulations, *numbers) in data["levels"].items()
            },
            ratings={name: int(rating) for name, rating in data["ratings"].items()},
            effort=tuple(map(float, data.get("effort", (1.0,)))),
            analysis_effort=float(data.get("analysis_effort", 1)),
        )
        return replace(
            weights,
            small=weights.change(data["small"]) if "small" in data else None,
            large=weights.change(data["large"]) if "large" in data else None,
        )

    def change(self, changes: Mapping[str, Any]) -> Self:
        """Return these weights with what differs: settings, limits, simulations from `strong+` to master.

        In `changes`, `master` is the simulations of master, or a table of all that differs for it again.
        """
        if isinstance(changes.get("master"), dict):
            settings = dict(changes["master"])
            common = self.change({name: each for name, each in changes.items() if name != "master"})
            return replace(common, master=common.change(settings | {"master": settings["simulations"]}))
        levels = dict(self.levels)
        levels.setdefault(NEAR_EXPERT, settings_at(levels, Level.STRONG, 0.5))
        for level in (NEAR_EXPERT, *TOP_LEVELS):
            if level in changes:
                levels[level] = replace(levels[level], simulations=int(changes[level]))
        return replace(
            self,
            settings={name: float(changes.get(name, number)) for name, number in self.settings.items()},
            levels=levels,
            playout_limit=int(changes.get("playout_limit", self.playout_limit)),
            analysis_effort=float(changes.get("analysis_effort", self.analysis_effort)),
        )

    def choose_for(self, level: Level, phase: int, share: float = 0.0, *, is_known: bool) -> Weights:
        """Return the weights with which a level, or a `share` of the way to the next, searches in a phase.

        `is_known` is whether a network knows such positions (see :attr:`ai.kernel.Kernel.chances`).
        """
        if level not in TOP_LEVELS and (level != Level.STRONG or share < 0.5):
            return self
        chosen = self.small if phase >= GAME_PHASES else self.large if is_known else None
        if chosen is None:
            return self
        return (chosen.master if level == Level.MASTER else None) or chosen

    def count_simulations(self, level: Level, phase: int, share: float = 0.0) -> int:
        """Return the length of a search with these weights, at a `share` of the way to the next level."""
        settings = settings_at(self.levels, level, share)
        return round(settings.simulations * self.effort[phase % len(self.effort)])

    def limit_playouts(self, level: Level, share: float = 0.0) -> int:
        """Return after how many steps of its playouts a search ends; 0 for no limit."""
        expert = self.levels[Level.EXPERT].simulations
        return self.playout_limit * settings_at(self.levels, level, share).simulations // expert

    def pack(self, *, is_neutral: bool = False) -> bytes:
        """Return the numbers in the layout of the kernel, without contempt if `is_neutral`."""
        settings = self.settings | {"contempt": 0.0} if is_neutral else self.settings
        numbers = [*settings.values()]
        for table in (self.policy, self.value):
            rows = list(table.values())
            for phase in range(PHASES):
                numbers += [row[phase % len(row)] for row in rows] + [0.0] * (FEATURES - len(rows))
        return struct.pack(f"<{len(numbers)}f", *numbers)


@cache
def load_ratings() -> Mapping[tuple[str, str], float]:
    """Return the ratings of the levels by game and level; a game without the table has none."""
    ratings = {
        (path.stem, level): float(rating)
        for path in sorted(FOLDER.glob("*.toml"))
        for level, rating in tomllib.loads(path.read_text(encoding="utf-8")).get("ratings", {}).items()
    }
    return MappingProxyType(ratings)


def _parse_table(data: Mapping[str, Any]) -> Table:
    return {name: tuple(map(float, row)) for name, row in data.items()}


def _add_network(weights: Weights | None, game: str, *, large: bool = False) -> Weights | None:
    """Return weights with their network, if they use one; None if its file is missing."""
    if weights is None or not weights.settings["network"]:
        return weights
    file = network_file(game, large=large)
    try:
        network = unpack_network(file.read_bytes())
        return replace(
            weights, network=network, master=weights.master and replace(weights.master, network=network)
        )
    except FileNotFoundError:
        logger.warning("%s is missing, which weakens the levels from strong+ up on its boards.", file.name)
        return None


def network_file(game: str, *, large: bool = False) -> Path:
    """Return the file of the network of a game's smallest board, or of the `large` one of all others."""
    return FOLDER / f"{game}{'-large' if large else ''}.network"


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
