"""What a browser needs for hints: the kernel of the computer opponent, and what it knows of each game."""

from __future__ import annotations

from contextlib import suppress
from dataclasses import dataclass, replace
from functools import cache
from types import MappingProxyType
from typing import TYPE_CHECKING

from ai.kernel import MODULE
from ai.levels import Level
from ai.weights import GAME_PHASES, Weights, network_file

if TYPE_CHECKING:
    from collections.abc import Mapping

HINT_LEVEL = Level.EXPERT
SMALL_BOARD_SHARE = 3
"""On the smallest board, where expert thinks longest, a hint has this part of its simulations."""


@dataclass(frozen=True, slots=True)
class HintEffort:
    """How long a browser searches for a hint in a game.

    `simulations` are those of a search; `small_simulations` and `small_steps` (of its playouts) those on the
    smallest board, where it uses a network from the phase `small_phase` of the kernel on; 0 without one.
    """

    simulations: int
    small_phase: int = 0
    small_simulations: int = 0
    small_steps: int = 0


@dataclass(frozen=True, slots=True)
class HintFiles:
    """What a browser needs for hints, by file name, and how long it searches for one, by game."""

    contents: Mapping[str, bytes]
    efforts: Mapping[str, HintEffort]


@cache
def load_hint_files(games: tuple[str, ...]) -> HintFiles:
    """Return the files for those games that the kernel plays; none without a kernel."""
    contents, efforts = dict[str, bytes](), dict[str, HintEffort]()
    for game in games if MODULE.exists() else ():
        with suppress(FileNotFoundError):
            weights = Weights.load_without_network(game)
            contents[f"{game}.weights"] = weights.pack()
            efforts[game] = HintEffort(weights.levels[HINT_LEVEL].simulations)
            if weights.small_expert is not None:
                contents[f"{game}-network.weights"] = network_file(game).read_bytes()
                contents[f"{game}-small.weights"] = weights.small_expert.pack()
                efforts[game] = _small_board_effort(weights.small_expert, efforts[game])
    if efforts:
        contents["kernel.wasm"] = MODULE.read_bytes()
    return HintFiles(MappingProxyType(contents), MappingProxyType(efforts))


def _small_board_effort(weights: Weights, other: HintEffort) -> HintEffort:
    return replace(
        other,
        small_phase=GAME_PHASES,
        small_simulations=weights.levels[HINT_LEVEL].simulations // SMALL_BOARD_SHARE,
        small_steps=weights.playout_limit // SMALL_BOARD_SHARE,
    )
