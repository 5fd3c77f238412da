"""The computer opponent: it chooses a move in any position of any game, as strongly as its level says."""

from __future__ import annotations

import logging
import random
from functools import cache
from typing import TYPE_CHECKING

from ai import fallback
from ai.kernel import Kernel, KernelError
from ai.levels import (
    BEST,
    ENDINGS_ONLY,
    FALLBACK_LEVELS,
    PROOF_POSITIONS,
    PROVING_LEVELS,
    Level,
    choose,
    settings_at,
)
from ai.weights import Weights
from engine.game import GameError

if TYPE_CHECKING:
    from collections.abc import Sequence

    from ai.levels import Candidate, LevelSettings
    from engine.game import Game, Position

logger = logging.getLogger(__name__)


class Opponent:
    """A player that never tires; the same position, level and seed always give the same move.

    With the kernel it plays the games that have weights (see :mod:`ai.weights`); all others, and all if the
    kernel cannot start, it searches in plain Python. Not for use in several threads at once.
    """

    def __init__(self, kernel: Kernel | None) -> None:
        self._kernel = kernel
        self._loaded_weights: Weights | None = None
        self._is_neutral = False

    @classmethod
    def start(cls) -> Opponent:
        """Return an opponent with the kernel if it can start; otherwise log one line and do without."""
        try:
            return cls(Kernel())
        except (ImportError, OSError, KernelError) as error:
            logger.warning("The computer opponent plays without its kernel, and so weakly: %s", error)
            return cls(None)

    def start_another(self) -> Opponent:
        """Return another opponent like this one, for use in another thread."""
        return Opponent(None) if self._kernel is None else Opponent.start()

    def choose_move(self, position: Position, level: Level, seed: int, *, share: float = 0.0) -> str:
        """Return the canonical text of the move that `level` plays, or a strength above it.

        `share`, from 0 to below 1, is how far on the way to the next level. Raise ValueError if the game is
        over.
        """
        if position.to_move is None:
            raise ValueError("The game is over; there is no move to choose.")
        rng = random.Random(f"{seed} {position}")  # noqa: S311 - a game, no secret
        try:
            candidates, settings = self._find_candidates(position, level, rng, share)
            return str(position.parse(choose(candidates, settings, rng).text))
        except (KernelError, GameError):
            logger.exception("The kernel failed in %s.", position)
        settings = settings_at(FALLBACK_LEVELS, level, share)
        return choose(fallback.find_candidates(position, settings.simulations, rng), settings, rng).text

    def find_best_line(
        self,
        position: Position,
        simulations: int,
        seed: int,
        *,
        excluded: str = "",
        proof: int = PROOF_POSITIONS,
    ) -> tuple[float, tuple[str, ...]] | None:
        """Return the value for the player to move, from 0 (lost) to 1 (won), and the best line.

        `simulations` are multiplied by the game's `analysis_effort` (see :mod:`ai.weights`). The turn whose
        text is `excluded` is left out, if there is another. Forced wins and losses are looked for in at most
        so many positions (`proof`) each.

        The value is proven, or the mean of all simulations: that of the best turn alone is too high.
        The line is a list of moves that begins in `position`. None for a game that the kernel does not play.
        Raises ValueError if the game is over, KernelError.
        """
        if position.to_move is None:
            raise ValueError("The game is over; there is no line to find.")
        weights = load_weights(position.game.name)
        if self._kernel is None or weights is None:
            return None
        rng = random.Random(f"{seed} {position}")  # noqa: S311 - a game, no secret
        self._kernel.load(position)
        is_known = self._kernel.chances is not None
        weights = weights.choose_for(Level.EXPERT, self._kernel.phase, is_known=is_known)
        self._set_weights(self._kernel, weights, is_neutral=True)
        texts = [each.text for each in self._kernel.think(0, 0)] if excluded else []
        index = texts.index(excluded) if excluded in texts and len(texts) > 1 else None
        count = round(simulations * weights.analysis_effort)
        candidates = self._kernel.think(count, rng.getrandbits(31), excluded=index, proof=proof)
        best = choose(candidates, BEST, rng)
        return mean_value(candidates, best), tuple(self._kernel.line(candidates.index(best)))

    def turns_to_win(self, position: Position, most: int, proof: int) -> int:
        """Return in how many of its turns, at most `most`, the side to move wins by force; 0 if it does not.

        Also 0 where that cannot be found out in `proof` positions, or without the kernel. Raise KernelError.
        """
        if self._kernel is None or load_weights(position.game.name) is None:
            return 0
        self._kernel.load(position)
        return self._kernel.turns_to_win(most, proof)

    def _set_weights(self, kernel: Kernel, weights: Weights, *, is_neutral: bool = False) -> None:
        if self._loaded_weights is not weights and weights.network:
            kernel.set_network(weights.network)
        if self._loaded_weights is not weights or self._is_neutral != is_neutral:
            kernel.set_weights(weights.pack(is_neutral=is_neutral))
        self._loaded_weights, self._is_neutral = weights, is_neutral

    def is_strong_at(self, game: Game) -> bool:
        """Return whether the kernel plays a game, and not a search in plain Python."""
        return self._kernel is not None and load_weights(game.name) is not None

    def expect_result(self, position: Position, seed: int) -> float:
        """Return the expected result for the player to move, from 0 (lost) to 1 (won).

        It is that of an ending that is known, or the mean of a search of medium length, the same at every
        level. Raise ValueError if the game is over, KernelError.
        """
        if position.to_move is None:
            raise ValueError("The game is over; there is nothing to expect.")
        rng = random.Random(f"{seed} {position}")  # noqa: S311 - a game, no secret
        candidates, _ = self._find_candidates(position, Level.STRONG, rng, proof=ENDINGS_ONLY)
        return mean_value(candidates, choose(candidates, BEST, rng))

    def _find_candidates(
        self, position: Position, level: Level, rng: random.Random, share: float = 0.0, proof: int = 0
    ) -> tuple[Sequence[Candidate], LevelSettings]:
        weights = load_weights(position.game.name) if self._kernel else None
        if self._kernel is None or weights is None:
            settings = settings_at(FALLBACK_LEVELS, level, share)
            return fallback.find_candidates(position, settings.simulations, rng), settings
        self._kernel.load(position)
        phase = self._kernel.phase
        chosen = weights.choose_for(level, phase, share, is_known=self._kernel.chances is not None)
        self._set_weights(self._kernel, chosen)
        simulations = chosen.count_simulations(level, phase, share)
        limit = chosen.limit_playouts(level, share)
        proof = PROVING_LEVELS.get(level, proof)
        found = self._kernel.think(simulations, rng.getrandbits(31), step_limit=limit, proof=proof)
        return found, settings_at(chosen.levels, level, share)


def mean_value(candidates: Sequence[Candidate], best: Candidate) -> float:
    """Return what a search expects for the player to move, if `best` is what it would play."""
    visits = sum(each.visits for each in candidates)
    if best.proven in (0, 1) or not visits or all(each.proven is not None for each in candidates):
        return best.value if best.proven is None else best.proven
    return sum(each.visits * each.value for each in candidates) / visits


@cache
def load_weights(game: str) -> Weights | None:
    """Return the weights of a game, or None if the kernel does not play it."""
    try:
        return Weights.load(game)
    except FileNotFoundError:
        return None
