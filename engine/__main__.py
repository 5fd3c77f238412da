"""Run the text protocol of the engine on standard input and output: ``python -m engine``."""

from __future__ import annotations

import io
import os
import sys
from typing import TYPE_CHECKING, TextIO

from engine.notation_text import MAX_LINE_LENGTH
from engine.protocol import serve

if TYPE_CHECKING:
    from collections.abc import Iterator

    from engine.protocol import Session


def read_lines(stream: TextIO) -> Iterator[str]:
    """Yield the lines of `stream`; of a line that is too long, only its beginning (still too long)."""
    while line := stream.readline(MAX_LINE_LENGTH + 2):
        rest = line
        while len(rest) == MAX_LINE_LENGTH + 2 and not rest.endswith("\n"):
            rest = stream.readline(MAX_LINE_LENGTH + 2)
        yield line


def main(session: Session | None = None) -> int:
    """Answer every line of standard input until ``quit`` or the end of input; return the exit code.

    `session` may have further commands (see :func:`engine.protocol.serve`).
    Bytes that are not UTF-8 are read as replacement characters, so that such a line is answered too.
    """
    stream = io.TextIOWrapper(sys.stdin.buffer, encoding="utf-8", errors="replace")
    try:
        for answer in serve(read_lines(stream), session):
            sys.stdout.buffer.write(answer.encode("utf-8", errors="replace"))
            sys.stdout.buffer.flush()
    except BrokenPipeError:
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
    except KeyboardInterrupt:
        return 130
    return 0


if __name__ == "__main__":
    sys.exit(main())
