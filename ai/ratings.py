"""The ratings of the levels, as they were fitted from their games among themselves.

They are the table ``[ratings]`` of a game's weights: a number for each level, on the scale of people's
ratings. A game without the table has no ratings. This module starts nothing of the search.
"""

from __future__ import annotations

import tomllib

from ai.levels import Level
from ai.weights import FOLDER


def load_ratings() -> dict[tuple[str, str], float]:
    """Return the ratings by game and level."""
    return {
        (path.stem, level.value): float(table[level.value])
        for path in sorted(FOLDER.glob("*.toml"))
        if (table := tomllib.loads(path.read_text(encoding="utf-8")).get("ratings", {}))
        for level in Level
        if level.value in table
    }
