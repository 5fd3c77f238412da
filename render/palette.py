"""Which few colours a picture may use."""

from __future__ import annotations

from typing import TYPE_CHECKING

from render.themes import mix

if TYPE_CHECKING:
    from collections.abc import Iterable

    from render.scene import Colour
    from render.themes import Theme

_EDGE = (0.45,)
_WORDS = (0.3, 0.6)
"""Steps between two colours that meet; one is enough for an edge, letters need two."""


def blends(
    plain: Iterable[Colour], look: Theme, meetings: Iterable[tuple[Colour, Colour]]
) -> tuple[Colour, ...]:
    """Give the `plain` colours and those in between where `meetings`, or words and their ground, touch."""
    words = ((look.backdrop, look.label), (look.light, look.ink), (look.panel, look.label))
    steps = (mix(one, other, share) for one, other in words for share in _WORDS)
    edges = (mix(one, other, share) for one, other in meetings for share in _EDGE)
    return tuple(dict.fromkeys((*plain, *steps, *edges)))
