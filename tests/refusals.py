"""Refusals in tests, by their keys."""

from __future__ import annotations

from contextlib import contextmanager
from typing import TYPE_CHECKING

import pytest

from matches.errors import Refusal

if TYPE_CHECKING:
    from collections.abc import Iterator


@contextmanager
def refused(*keys: str) -> Iterator[pytest.ExceptionInfo[Refusal]]:
    """Pass if what is done is refused with one of the `keys`; the refusal is `value` of the result."""
    with pytest.raises(Refusal) as caught:
        yield caught
    assert caught.value.key in keys


def refusal_key(outcome: object) -> str:
    """Return the key of a refusal, "" for anything else."""
    return outcome.key if isinstance(outcome, Refusal) else ""
