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
_GREYS = (0.2, 0.4, 0.6, 0.8)
"""Steps between two colours that meet: one is enough for an edge, words need two, black on white more."""


def blends(
    plain: Iterable[Colour], look: Theme, meetings: Iterable[tuple[Colour, Colour]]
) -> tuple[Colour, ...]:
    """Give the `plain` colours and those in between where `meetings`, or words and their ground, touch."""
    words = ((look.backdrop, look.label), (look.panel, look.label))
    steps = (
        *(mix(look.light, look.ink, share) for share in _GREYS),
        *(mix(one, other, share) for one, other in words for share in _WORDS),
        *(mix(one, other, share) for one, other in meetings for share in _EDGE),
    )
    return tuple(dict.fromkeys((*plain, *steps)))
