"""The fields of position lines: their number and the name of the game."""

from __future__ import annotations

import pytest

from engine import NotationError
from engine.notation_text import MAX_LINE_LENGTH
from engine.position_text import split_fields

FORM = "morphos MUTATORS ROWS SIDE"


def test_split_fields_returns_the_fields_after_the_name() -> None:
    assert split_fields("  morphos -\t5/5  b ", FORM) == ["-", "5/5", "b"]


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        ("", f"A position line reads: {FORM}. It has 4 fields, and this one has 0."),
        ("morphos - 5/5", f"A position line reads: {FORM}. It has 4 fields, and this one has 3."),
        ("morphos - 5/5 b -", f"A position line reads: {FORM}. It has 4 fields, and this one has 5."),
        ("Morphos - 5/5 b", "A position line of this game begins with morphos, not Morphos."),
        (" " * (MAX_LINE_LENGTH + 1), f"A position line is at most {MAX_LINE_LENGTH} characters long."),
    ],
)
def test_other_lines_are_refused(text: str, reason: str) -> None:
    with pytest.raises(NotationError) as caught:
        split_fields(text, FORM)
    assert (caught.value.reason, caught.value.text) == (reason, text)
