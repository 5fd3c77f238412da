"""No mail keeps the process busy: the work for each attack is counted, and its processor time measured.

The number of calls does not depend on the machine. The time does, so the limit grows with that of a known
piece of work on this machine.
"""

from __future__ import annotations

import sys
import time
from typing import TYPE_CHECKING

import pytest

from tests.mail.attacks import make_attacks
from tests.mail.reading.test_parsing import read_all

if TYPE_CHECKING:
    from collections.abc import Callable
    from types import FrameType

MOST_CALLS = 150_000  # of functions; on the machine on which this was written 50 ms are some 300,000
LIMIT = 0.050  # seconds of processor time for a mail on a machine on which the known work takes KNOWN
KNOWN = 0.010
ATTEMPTS = 3  # the least of so many times counts: other processes slow one down, never up
ATTACKS = make_attacks()


def known_work() -> None:
    total = 0
    for number in range(100_000):
        total += number % 7


def measure(work: Callable[[], object]) -> float:
    times = []
    for _ in range(ATTEMPTS):
        start = time.process_time()
        work()
        times.append(time.process_time() - start)
    return min(times)


def count_calls(work: Callable[[], object]) -> int:
    """Return how many functions are called, those in C too."""
    calls = 0

    def count(_frame: FrameType, event: str, _argument: object) -> None:
        nonlocal calls
        calls += event in {"call", "c_call"}

    before = sys.getprofile()
    sys.setprofile(count)
    try:
        work()
    finally:
        sys.setprofile(before)
    return calls


@pytest.mark.parametrize("name", sorted(ATTACKS))
def test_attack_takes_little_work(name: str) -> None:
    raw = ATTACKS[name]
    assert count_calls(lambda: read_all(raw)) < MOST_CALLS
    limit = LIMIT * max(1.0, measure(known_work) / KNOWN)
    assert measure(lambda: read_all(raw)) < limit
