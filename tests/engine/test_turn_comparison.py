"""Which facts about two turns are reasons for the better one."""

from __future__ import annotations

import pytest

from engine.game import Cell, Fact, IllegalMove
from engine.turn_comparison import choose_facts, compare_turns
from tests.engine.morabaraba_diagrams import from_men

PLACING = (5, 5)


@pytest.mark.parametrize(
    ("white", "red", "played", "better", "gains", "drawbacks"),
    [
        # Red can close a mill on C5.
        ("A1 G4", "C3 C4", "D7", "C5", ["prevents mills: C5"], ["allows mills: C5"]),
        # Both leave Red a mill on C5: that is no reason.
        ("A1", "C3 C4", "D7", "A4", ["threatens mills: A7"], []),
        # Both threaten a mill, but only one of them can be stopped.
        ("A1 G7", "D7 F6", "A4", "G1", ["forces mills: D1, G4", "takes lines: G1"], []),
        ("A1 G7", "D7 F6", "G1", "A4", [], []),
        # Both close two mills; both let Red make one unstoppable, but the better one on fewer points.
        ("A1 A4 D7 G7", "F6 C3 E4", "A7~", "A7xC3", [], ["allows forced mills: E3, F4"]),
        ("A1 A4 D7 G7", "F6 C3 E4", "A7xC3", "A7~", [], []),
    ],
)
def test_only_what_differs_is_a_reason(
    white: str, red: str, played: str, better: str, gains: list[str], drawbacks: list[str]
) -> None:
    comparison = compare_turns(from_men(white, red, hands=PLACING), (played,), (better,))
    assert list(map(str, comparison.gains)) == gains
    assert list(map(str, comparison.drawbacks)) == drawbacks


def test_a_change_is_compared_by_its_size() -> None:
    assert Fact("lengthens_connection", count=5, before=3).extent == 2
    assert Fact("shortens_connection", count=2, before=3).extent == 1
    assert Fact("captures", (Cell("A1"), Cell("B2"))).extent == 2


def test_at_most_two_facts_that_speak_for_a_turn_are_chosen() -> None:
    facts = [Fact("one"), Fact("allows_two", is_drawback=True), Fact("three"), Fact("four")]
    assert [fact.key for fact in choose_facts(facts)] == ["one", "three"]


def test_an_illegal_turn_is_refused() -> None:
    with pytest.raises(IllegalMove):
        compare_turns(from_men("A1", "C3", hands=PLACING), ("A1",), ("D7",))
