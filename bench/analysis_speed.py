"""The analysis of one match of each game, played by two levels: processor time."""

from __future__ import annotations

import time
from typing import TYPE_CHECKING

from ai.analysis import PASSES, AnalysedGame, Assessment, assess, next_search
from ai.levels import Level
from ai.search import Opponent, load_weights
from bench.table import Row
from engine import GAMES

if TYPE_CHECKING:
    from collections.abc import Iterator

    from engine.game import Position

TURNS = 60
LEVELS = (Level.CLUB, Level.CASUAL)


def rows() -> Iterator[Row]:
    """Measure one game after the other."""
    opponent = Opponent.start()
    for name, rules in GAMES.items():
        if load_weights(name) is not None:
            yield from _measure(opponent, name, _play(opponent, rules.initial_position()))


def _play(opponent: Opponent, start: Position) -> AnalysedGame:
    position, turns = start, list[tuple[str]]()
    while position.to_move is not None and len(turns) < TURNS:
        text = opponent.choose_move(position, LEVELS[len(turns) % 2], seed=len(turns))
        turns.append((text,))
        position = position.play(position.parse(text))
    return AnalysedGame.from_turns(start, turns)


def _measure(opponent: Opponent, name: str, game: AnalysedGame) -> Iterator[Row]:
    known, first, longest, began = dict[int, Assessment](), 0.0, 0.0, time.process_time()
    while (search := next_search(game, known)) is not None:
        number, simulations = search
        if simulations > PASSES[0] and not first:
            first = time.process_time() - began
        before = time.process_time()
        known[number] = assess(opponent, game, number, simulations)
        longest = max(longest, time.process_time() - before)
    total = time.process_time() - began
    label = f"{name}, {len(game.turns)} turns"
    yield Row(f"{label}: first result", first, "s", goal="20 s")
    yield Row(f"{label}: complete", total, "s")
    yield Row(f"{label}: longest search", longest, "s", goal="1 s")
