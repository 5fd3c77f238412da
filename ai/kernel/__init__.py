"""The compiled kernel: the rules and the search of all games in C, as one WebAssembly module.

`kernel.wasm` is made from the C files in this folder by ``make kernel``, always with the same bytes. The
`wasmtime` package runs it in a sandbox: an error in the kernel raises :class:`KernelError` and can touch
nothing else. Positions go in as position lines, turns come out as canonical texts. The kernel never decides
what is legal in a match: :meth:`engine.game.Position.parse` does.
"""

from __future__ import annotations

import atexit
import struct
import weakref
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING

from ai.levels import Candidate
from engine.game import Outcome

if TYPE_CHECKING:
    from collections.abc import Callable

    from wasmtime import Engine, Module

    from engine.game import Position

MODULE = Path(__file__).with_name("kernel.wasm")
NETWORKS = range(3)
"""Numbers of the networks: SMALL, LARGE and MILLS of kernel.h."""
DRAW = 2
"""How the kernel writes a draw; a win is the index of the side in the order of the first move."""

EXAMPLE_AT = 1024
"""Where the numbers to learn from follow the position line."""

PROVEN = {"-": None, "0": 0.0, "1": 1.0, "draw": 0.5}


@cache
def _compile(file: Path) -> tuple[Engine, Module]:
    """Return the compiled module, which all kernels of a process share; each has a memory of its own."""
    from wasmtime import Engine, Module  # noqa: PLC0415 - may be missing

    engine = Engine()
    module = Module.from_file(engine, str(file))
    for each in (engine, module):  # before wasmtime is gone, at the end of the process
        atexit.register(each.close)
    return engine, module


class KernelError(Exception):
    """The kernel does not know the position or the turn, or it has stopped."""


class Kernel:
    """One instance of the module, with one position; not for use in several threads at once."""

    def __init__(self) -> None:
        from wasmtime import Func, Instance, Memory, Store, WasmtimeError  # noqa: PLC0415 - may be missing

        try:
            engine, module = _compile(MODULE)
            self._store = Store(engine)
            weakref.finalize(self, self._store.close)
            instance = Instance(self._store, module, [])
        except WasmtimeError as error:
            raise KernelError("The module cannot be started.") from error
        exports = instance.exports(self._store)
        memory = exports["memory"]
        if not isinstance(memory, Memory):
            raise KernelError("The module has no memory.")
        self._memory = memory
        self._functions = {name: value for name, value in exports.items() if isinstance(value, Func)}
        self._text_address = self._call("text_address")
        self._position: Position | None = None

    def load(self, position: Position) -> None:
        """Set the position. Raise KernelError if the kernel does not know the game."""
        length = self._write_text(str(position))
        if not self._call("load", length, position.game.rules_version):
            raise KernelError(f"The kernel does not know the position {position}.")
        self._position = position

    def set_weights(self, data: bytes) -> None:
        """Set the numbers of the search, in the layout of :mod:`ai.weights`. Raise KernelError."""
        if len(data) != self._call("weights_size"):
            raise KernelError(f"{len(data)} bytes are not the weights of this kernel.")
        self._memory.write(self._store, data, self._call("weights_address"))

    def set_network(self, data: bytes) -> None:
        """Set the numbers of a network, in the layout of network.h. Raise KernelError.

        Its size says which one it is.
        """
        for network in NETWORKS:
            if len(data) == self._call("network_size", network):
                self._memory.write(self._store, data, self._call("network_address", network))
                return
        raise KernelError(f"{len(data)} bytes are not a network of this kernel.")

    def read_network(self, network: int) -> bytes:
        """Return the numbers of a network of `NETWORKS`, as it has learned."""
        address = self._call("network_address", network)
        return bytes(self._memory.read(self._store, address, address + self._call("network_size", network)))

    def learn(
        self,
        position: bytes,
        version: int,
        result: int,
        value: float,
        shares: bytes,
        symmetry: int,
        rate: float,
    ) -> None:
        """Let a network learn from a position turned or mirrored in one of 8 ways, in steps of `rate`.

        `position` is a position line under a `version` of the rules. For the player to move, `result` is how
        the game ended (0 lost, 1 drawn, 2 won), and `value` is what a search expected, from 0 to 1. `shares`
        of its visits are floats of four bytes, one for each candidate in its order; or nothing, to learn no
        priors. Raise KernelError if no network knows such positions.
        """
        numbers = struct.pack(
            "<5i2f", len(position), version, result, len(shares) // 4, symmetry, value, rate
        )
        data = position.ljust(EXAMPLE_AT, b"\0") + numbers + shares
        self._memory.write(self._store, data, self._text_address)
        if not self._call("learn_position"):
            raise KernelError(f"No network knows the position {position.decode()}.")

    @property
    def chances(self) -> tuple[float, float] | None:
        """The chances of a win and of a draw for the player to move by a network; None if none can tell."""
        if not self._call("position_chances"):
            return None
        win, draw = struct.unpack(
            "<2f", self._memory.read(self._store, self._text_address, self._text_address + 8)
        )
        return win, draw

    @property
    def position_line(self) -> str:
        """The position as a position line."""
        return self._read_text(self._call("position"))

    @property
    def outcome(self) -> Outcome | None:
        """The result of the position; None during the game."""
        found = self._call("outcome")
        if found < 0 or self._position is None:
            return None
        return Outcome.DRAW if found == DRAW else Outcome(self._position.game.sides[found].value)

    @property
    def phase(self) -> int:
        """The phase of the position, which chooses the weights."""
        return self._call("position_phase")

    @property
    def memory_size(self) -> int:
        """The memory of the module in bytes; it is fixed, and what is not used costs nothing."""
        return self._memory.data_len(self._store)

    @property
    def data_address(self) -> int:
        """An address of the module's data, which lies above the whole stack."""
        return self._text_address

    def moves(self) -> list[str]:
        """Return the texts of all legal turns, sorted. Raise KernelError if they are too many."""
        length = self._call("moves")
        if length < 0:
            raise KernelError("There are too many turns to list.")
        return sorted(self._read_text(length).split())

    def play(self, text: str) -> None:
        """Play a turn by its canonical text. Raise KernelError if it is not legal."""
        if not self._call("play", self._write_text(text)):
            raise KernelError(f"The kernel does not know the turn {text}.")

    def perft(self, depth: int) -> int:
        """Return the number of sequences of `depth` turns."""
        return int(self._call("perft", depth))

    def think(
        self,
        simulations: int,
        seed: int,
        *,
        step_limit: int = 0,
        plain: bool = False,
        excluded: int | None = None,
        proof: int = 0,
    ) -> list[Candidate]:
        """Search and return the candidates in the order of the kernel; none when the game is over.

        The search ends after `simulations` or, if `step_limit` is not 0, once its playouts have that many
        steps. A `plain` search is UCT with random playouts, without any knowledge: the yardstick of strength.
        The candidate number `excluded` is left out of the search and called proven lost.
        Forced wins and losses of up to three turns are looked for beside the simulations, each in so many
        positions (`proof`).
        """
        number = 0 if excluded is None else excluded + 1
        length = self._call("think", simulations, step_limit, seed & 0x7FFFFFFF, int(plain), number, proof)
        candidates = []
        for line in self._read_text(length).splitlines():
            text, visits, value, prior, proven = line.split()
            candidates.append(
                Candidate(text, int(visits), int(value) / 1e6, int(prior) / 1e6, PROVEN[proven])
            )
        return candidates

    def turns_to_win(self, turns: int, proof: int | None = None) -> int:
        """Return in how many of its turns, at most `turns`, the side to move wins by force; 0 if it does not.

        All turns and replies are tried out, or, as in a search, those that can matter, in at most `proof`
        positions.
        """
        if proof is None:
            return self._call("turns_to_win", turns)
        return self._call("turns_to_forced_win", turns, proof)

    @property
    def steps_searched(self) -> int:
        """How many steps the playouts of the last search had."""
        return self._call("steps_searched") & 0xFFFFFFFF

    def line(self, index: int, limit: int = 8) -> list[str]:
        """Return the best line after the candidate number `index` of the last search, which it begins with.

        It ends where the search has not looked further, after `limit` turns (at most 64), or with the game.
        """
        return self._read_text(self._call("line", index, limit)).split()

    def features(self, index: int) -> int:
        """Return the features of the candidate number `index` of the last search, as bits."""
        return self._call("step_features", index) & 0xFFFFFFFF

    def values(self) -> tuple[int, tuple[float, ...]]:
        """Return the phase of the position and its numbers for the value function."""
        self._call("position_values")
        data = self._memory.read(self._store, self._text_address, self._text_address + 128)
        return self.phase, struct.unpack("<32f", data)

    def _call(self, name: str, *arguments: int) -> int:
        from wasmtime import Trap, WasmtimeError  # noqa: PLC0415

        try:
            function: Callable[..., int] = self._functions[name]
            return function(self._store, *arguments)
        except (Trap, WasmtimeError) as error:
            raise KernelError(f"The kernel stopped in {name}.") from error

    def _write_text(self, text: str) -> int:
        data = text.encode("ascii")
        if len(data) >= self._call("text_size"):
            raise KernelError("The text is too long for the kernel.")
        self._memory.write(self._store, data, self._text_address)
        return len(data)

    def _read_text(self, length: int) -> str:
        data = self._memory.read(self._store, self._text_address, self._text_address + length)
        return bytes(data).decode("ascii")
