from __future__ import annotations

import pytest

from ai.kernel import Kernel
from ai.search import load_weights
from tests.matches.conftest import matches

__all__ = ["matches"]


@pytest.fixture(scope="module")
def kernel() -> Kernel:
    """Return a kernel with the weights of Morabaraba, whose endings it knows."""
    weights = load_weights("morabaraba")
    assert weights is not None
    kernel = Kernel()
    kernel.set_weights(weights.pack())
    return kernel
