"""Texts that are too long for a message."""

from __future__ import annotations

import pytest

from bot.ui.markdown import cut_text


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("short", "short"),
        ("x" * 40, "x" * 40),
        ("one line\nanother line\nand one more that is left out", "one line\nanother line\n…"),
        ("Bob, <@157445402829> and <@157445402830> went", "Bob, <@157445402829> and…"),
        (
            "the board:\n```\n1 b w b\n2 w b w\n3 b w b\n4 w b w\n```",
            "the board:\n```\n1 b w b\n2 w b w\n```\n…",
        ),
    ],
)
def test_text_ends_after_a_whole_line_or_word(text: str, expected: str) -> None:
    assert cut_text(text, 40) == expected


@pytest.mark.parametrize("text", ["x" * 5000, "a b " * 2000, "```\n" * 900, "\n" * 3000])
def test_nothing_is_longer_than_a_message(text: str) -> None:
    assert 0 < len(cut_text(text)) <= 2000
