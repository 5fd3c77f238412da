"""What a browser needs for hints: the kernel of the computer opponent, and what it knows of each game."""

from __future__ import annotations

from contextlib import suppress
from dataclasses import dataclass
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
    """How a browser searches for a hint on some boards of a game.

    `weights` and `network` are names of files, the latter empty without a network. A search ends after
    `simulations`, or after `steps` of its playouts, if these are not 0. It is for positions in the phase
    `phase` of the kernel or a later one; a `large` network also has to know the position.
    """

    weights: str
    simulations: int
    network: str = ""
    large: bool = False
    steps: int = 0
    phase: int = 0


@dataclass(frozen=True, slots=True)
class HintFiles:
    """What a browser needs for hints, by file name, and how it searches for one, by game.

    Of the efforts of a game, the first that is for a position holds.
    """

    contents: Mapping[str, bytes]
    efforts: Mapping[str, tuple[HintEffort, ...]]


@cache
def load_hint_files(games: tuple[str, ...]) -> HintFiles:
    """Return the files for those games that the kernel plays; none without a kernel.

    Where the file of a network is missing, the common settings are used instead.
    """
    contents, efforts = dict[str, bytes](), dict[str, tuple[HintEffort, ...]]()
    for game in games if MODULE.exists() else ():
        with suppress(FileNotFoundError):
            weights = Weights.load(game)
            boards = {"small": weights.small, "large": weights.large, "common": weights}
            known = {kind: each for kind, each in boards.items() if each is not None}
            efforts[game] = tuple(_effort(game, kind, each) for kind, each in known.items())
            for each, used in zip(efforts[game], known.values(), strict=True):
                contents[each.weights] = used.pack()
                if each.network:
                    contents[each.network] = network_file(game, large=each.large).read_bytes()
    if efforts:
        contents["kernel.wasm"] = MODULE.read_bytes()
    return HintFiles(MappingProxyType(contents), MappingProxyType(efforts))


def _effort(game: str, kind: str, weights: Weights) -> HintEffort:
    share, is_large = SMALL_BOARD_SHARE if kind == "small" else 1, kind == "large"
    network = f"{game}{'-large' if is_large else ''}-network.weights"
    return HintEffort(
        weights=f"{game}.weights" if kind == "common" else f"{game}-{kind}.weights",
        simulations=weights.levels[HINT_LEVEL].simulations // share,
        network=network if weights.network else "",
        large=is_large,
        steps=weights.playout_limit // share,
        phase=GAME_PHASES if kind == "small" else 0,
    )
