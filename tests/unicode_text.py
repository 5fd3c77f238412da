"""Texts of any characters, for tests by Hypothesis."""

from __future__ import annotations

from typing import TYPE_CHECKING

from hypothesis import strategies as st

if TYPE_CHECKING:
    from hypothesis.strategies import SearchStrategy

# All but surrogates, as in the texts that `st.text` makes by itself. For those Hypothesis first tries out how
# each character is encoded, which takes seconds in each process of a fresh clone.
ANY_CHARACTER = st.characters(exclude_categories=["Cs"])


def unicode_text(max_size: int | None = None) -> SearchStrategy[str]:
    """Return texts of at most so many characters."""
    return st.text(ANY_CHARACTER, max_size=max_size)
