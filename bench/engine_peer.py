"""The peers' side of the engine bench: python-chess, and OpenSpiel's games where they are installed.

Runs in an interpreter of its own. For every line on standard input it plays one round and answers with one
line of JSON: for each peer the microseconds of a legal list, of a move read and played, and of a turn of a
random game.
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
    """Return the microseconds that each of the items took of which `action` says the number."""
    start = time.perf_counter()
    count = action()
    return (time.perf_counter() - start) / count * 1e6


class Chess:
    """python-chess: real games of chess, listed, replayed from their text, and played at random."""

    def __init__(self) -> None:
        self.chess = importlib.import_module("chess")
        self.records: list[list[str]] = []
        self.boards: list[Any] = []
        for seed in range(GAME_COUNT):
            self.play(random.Random(seed), self.boards, self.records)

    def play(self, rng: random.Random, boards: list[Any] | None, records: list[list[str]] | None) -> int:
        """Play one game at random; give its length."""
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
        """Read and play every recorded move."""
        for record in self.records:
            board = self.chess.Board()
            for text in record:
                board.push(board.parse_uci(text))
        return sum(map(len, self.records))

    def play_random_games(self) -> int:
        """Play as many games at random."""
        return sum(self.play(random.Random(seed), None, None) for seed in range(GAME_COUNT))


class OpenSpiel:
    """One game of OpenSpiel (C++ underneath), through its Python interface."""

    def __init__(self, name: str) -> None:
        self.game = importlib.import_module("pyspiel").load_game(name)
        self.records: list[list[str]] = []
        self.states: list[Any] = []
        for seed in range(GAME_COUNT):
            self.play(random.Random(seed), self.states, self.records)

    def play(self, rng: random.Random, states: list[Any] | None, records: list[list[str]] | None) -> int:
        """Play one game at random; give its length."""
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
        """Read and play every recorded action."""
        for record in self.records:
            state = self.game.new_initial_state()
            for text in record:
                state.apply_action(state.string_to_action(text))
        return sum(map(len, self.records))

    def play_random_games(self) -> int:
        """Play as many games at random."""
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
    """Play a round for every line of standard input."""
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
