"""Names that look alike fold to the same; different honest names do not."""

from __future__ import annotations

import pytest

from matches.names import fold_name


@pytest.mark.parametrize(
    ("first", "second"),
    [
        *(("Bob", "B\u00f6b"), ("Bob", "Вов"), ("Николай", "НИКОЛАЙ")),
        *(("Ole", "Øle"), ("gina", "\u0261ina"), ("anna", "\u0251nna"), ("zoe", "\u1d22oe"), ("tom", "ŧom")),
        *(("coco", "c\u0e50c\u0966"), ("morgan", "rnorgan"), ("will", "vvill"), ("محمد", "مح\u0640مد")),
    ],
)
def test_names_that_look_alike_are_the_same(first: str, second: str) -> None:
    assert fold_name(first) == fold_name(second)


@pytest.mark.parametrize(("first", "second"), [("かき", "がき"), ("राम", "रोम"), ("กิน", "กัน")])
def test_marks_that_spell_another_syllable_tell_names_apart(first: str, second: str) -> None:
    assert fold_name(first) != fold_name(second)
