"""The examples in the docstrings of the engine are true."""

from __future__ import annotations

import doctest
from typing import TYPE_CHECKING

import pytest

import engine.game
import engine.protocol
import engine.puzzle
import engine.records

if TYPE_CHECKING:
    from types import ModuleType


@pytest.mark.parametrize(
    "module",
    [engine.game, engine.protocol, engine.puzzle, engine.records],
    ids=lambda module: module.__name__,
)
def test_examples_are_true(module: ModuleType) -> None:
    result = doctest.testmod(module)
    assert result.attempted > 0
    assert result.failed == 0
