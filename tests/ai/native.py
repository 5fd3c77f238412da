"""The kernel compiled for this machine instead of for the sandbox, to run it under sanitizers."""

from __future__ import annotations

import ctypes
from typing import TYPE_CHECKING

from ai.kernel import Kernel

if TYPE_CHECKING:
    from pathlib import Path

ADDRESSES = ("text_address", "weights_address", "network_address")


class Memory:
    """The memory of the process, with the methods of a module's memory."""

    def read(self, _store: object, start: int, end: int) -> bytes:
        """Return the bytes from one address to another."""
        return ctypes.string_at(start, end - start)

    def write(self, _store: object, data: bytes, start: int) -> None:
        """Write bytes to an address."""
        ctypes.memmove(start, data, len(data))


class NativeKernel(Kernel):
    """The kernel in a shared library; an error ends the process."""

    def __init__(self, library: Path) -> None:  # the module of the base class is not loaded
        self._library = ctypes.CDLL(str(library))
        for name in ADDRESSES:
            getattr(self._library, name).restype = ctypes.c_void_p
        self._library.perft.restype = ctypes.c_double
        self._memory = Memory()  # type: ignore[assignment]
        self._store = None  # type: ignore[assignment]
        self._text_address = self._call("text_address")
        self._position = None

    def _call(self, name: str, *arguments: int) -> int:
        return getattr(self._library, name)(*arguments)  # type: ignore[no-any-return]
