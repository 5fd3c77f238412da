"""Text whose lines are to be joined: ``format=flowed`` of RFC 3676."""

from __future__ import annotations

SIGNATURE = "-- "


def join_flowed(text: str, *, deletes_space: bool) -> str:
    """Return the lines that the sender typed: a line that ends in a space continues in the next one."""
    joined: list[tuple[int, str]] = []
    is_open = False
    for line in text.split("\n"):
        content = line.lstrip(">")
        depth = len(line) - len(content)
        content = content.removeprefix(" ")
        if is_open and joined[-1][0] == depth and content != SIGNATURE:
            joined[-1] = (depth, joined[-1][1] + content)
        else:
            joined.append((depth, content))
        is_open = content.endswith(" ") and content != SIGNATURE
        if is_open and deletes_space:
            joined[-1] = (depth, joined[-1][1][:-1])
    return "\n".join(f"{'>' * depth} {content}" if depth else content for depth, content in joined)
