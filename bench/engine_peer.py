"""The peers of the engine benchmark: python-chess, and games of OpenSpiel where it is installed.

Runs in an interpreter of its own. For every line on standard input it times one round and answers with one
line of JSON: for each peer the microseconds for a list of legal moves, for a move parsed and played, and for
a turn of a random game.
"""

import importlib
import json
import random
import sys
import time
from collections.abc import Callable
from functools import partial
from typing import Any

GAME_COUNT = 3
OPEN_SPIEL = ("nine_mens_morris", "hex(board_size=13)")


def time_per_item(action: Callable[[], int]) -> float:
    """Return the microseconds for each item; `action` returns the number of items."""
    start = time.perf_counter()
    count = action()
    return (time.perf_counter() - start) / count * 1e6


class Chess:
    """Random games of chess with python-chess: moves listed, parsed and played."""

    def __init__(self) -> None:
        self.chess = importlib.import_module("chess")
        self.records: list[list[str]] = []
        self.boards: list[Any] = []
        for seed in range(GAME_COUNT):
            self.play(random.Random(seed), self.boards, self.records)

    def play(self, rng: random.Random, boards: list[Any] | None, records: list[list[str]] | None) -> int:
        """Play one random game; return the number of its moves."""
        board = self.chess.Board()
        while not board.is_game_over():
            if boards is not None:
                boards.append(board.copy(stack=False))
            board.push(rng.choice(list(board.legal_moves)))
        if records is not None:
            records.append([move.uci() for move in board.move_stack])
        return len(board.move_stack)

    def list_moves(self) -> int:
        """List the moves of every board."""
        for board in self.boards:
            list(board.legal_moves)
        return len(self.boards)

    def replay_games(self) -> int:
        """Parse and play every recorded move."""
        for record in self.records:
            board = self.chess.Board()
            for text in record:
                board.push(board.parse_uci(text))
        return sum(map(len, self.records))

    def play_random_games(self) -> int:
        """Play as many random games."""
        return sum(self.play(random.Random(seed), None, None) for seed in range(GAME_COUNT))


class OpenSpiel:
    """Random games of one OpenSpiel game, written in C++, through its Python interface."""

    def __init__(self, name: str) -> None:
        self.game = importlib.import_module("pyspiel").load_game(name)
        self.records: list[list[str]] = []
        self.states: list[Any] = []
        for seed in range(GAME_COUNT):
            self.play(random.Random(seed), self.states, self.records)

    def play(self, rng: random.Random, states: list[Any] | None, records: list[list[str]] | None) -> int:
        """Play one random game; return the number of its moves."""
        state, texts = self.game.new_initial_state(), []
        while not state.is_terminal():
            action = rng.choice(state.legal_actions())
            if states is not None:
                states.append(state.clone())
                texts.append(state.action_to_string(action))
            state.apply_action(action)
        if records is not None:
            records.append(texts)
        return len(state.history())

    def list_moves(self) -> int:
        """List the actions of every state."""
        for state in self.states:
            state.legal_actions()
        return len(self.states)

    def replay_games(self) -> int:
        """Parse and play every recorded action."""
        for record in self.records:
            state = self.game.new_initial_state()
            for text in record:
                state.apply_action(state.string_to_action(text))
        return sum(map(len, self.records))

    def play_random_games(self) -> int:
        """Play as many random games."""
        return sum(self.play(random.Random(seed), None, None) for seed in range(GAME_COUNT))


def load_peers() -> dict[str, Chess | OpenSpiel]:
    """Return the peers that can be imported."""
    factories: dict[str, Callable[[], Chess | OpenSpiel]] = {"python-chess": Chess}
    factories |= {f"OpenSpiel {name}": partial(OpenSpiel, name) for name in OPEN_SPIEL}
    loaded: dict[str, Chess | OpenSpiel] = {}
    for name, factory in factories.items():
        try:
            loaded[name] = factory()
        except ImportError as error:
            print(f"peer left out: {name}: {error}", file=sys.stderr)
    return loaded


def main() -> None:
    """Time a round for every line of standard input."""
    peers = load_peers()
    for _ in sys.stdin:
        figures = {
            name: [
                time_per_item(action)
                for action in (peer.list_moves, peer.replay_games, peer.play_random_games)
            ]
            for name, peer in peers.items()
        }
        print(json.dumps(figures), flush=True)


if __name__ == "__main__":
    main()
