"""Facts about turns as sentences: what a turn does, threatens, prevents and allows."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Sequence

    from engine.game import Fact
    from i18n.catalogue import Texts

MAX_LISTED = 4
"""More cells than these, of which any would do, are counted."""


def format_facts(texts: Texts, vocabulary: str, facts: Sequence[Fact]) -> str:
    """Return one or two facts about a turn, such as ``It takes the Centre.``; empty without any."""
    phrases = [_format_fact(texts, vocabulary, fact) for fact in facts]
    if not phrases:
        return ""
    if len(phrases) == 1:
        return texts("fact.one", first=phrases[0])
    return texts("fact.two", first=phrases[0], second=phrases[1])


def _format_fact(texts: Texts, vocabulary: str, fact: Fact) -> str:
    either = (
        texts.join(fact.cells, "list.or")
        if len(fact.cells) <= MAX_LISTED
        else texts.for_game(vocabulary, "fact.places", count=len(fact.cells))
    )
    return texts.for_game(
        vocabulary,
        f"fact.{fact.key}",
        either=either,
        cell=fact.cells[-1] if fact.cells else "",
        count=fact.count,
        before=fact.before or 0,
    )
