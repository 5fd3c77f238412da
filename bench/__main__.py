"""``python -m bench [PART ...]``: run all benchmarks, or some parts of them.

The part `before` compares with an earlier commit and runs only if it is named.

RAYUELA_PEERS is the path of a Python with the peers, the software to compare with; `make bench` installs it.
"""

from __future__ import annotations

import asyncio
import os
import sys
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import TYPE_CHECKING

from bench import (
    ai_speed,
    ai_strength,
    analysis_speed,
    before,
    computer_speed,
    copy_speed,
    correction_speed,
    engine_speed,
    growth,
    listening_speed,
    metrics_cost,
    outbox_speed,
    render_speed,
    replay_speed,
    steps,
    storage_turn,
    turn,
    web_speed,
)
from bench.table import format_table

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable

    from bench.table import Row

Section = tuple[str, "Callable[[], Iterable[Row]]"]


def measure_replays() -> list[Row]:
    """Measure replays on a new database."""
    with TemporaryDirectory() as folder:
        return asyncio.run(replay_speed.measure(Path(folder)))


def sections(python: str | None) -> dict[str, Section]:
    """Return the parts by name."""
    return {
        "games": ("Games", lambda: engine_speed.rows(python)),
        "pictures": ("Pictures", lambda: render_speed.rows(python)),
        "storage": ("Committing a turn", storage_turn.rows),
        "steps": ("What a turn passes through", lambda: asyncio.run(steps.measure())),
        "turn": ("A turn at the loopback Discord", lambda: asyncio.run(turn.rows())),
        "metrics": ("The figures for operators", metrics_cost.rows),
        "listening": ("Turns of other processes", listening_speed.rows),
        "growth": (f"With {growth.MANY} finished matches", growth.rows),
        "bytes": ("Bytes of a finished match of 60 moves", growth.size_rows),
        "copy": ("Replaying all matches after a copy", copy_speed.rows),
        "outbox": ("Direct messages at the loopback Discord", lambda: asyncio.run(outbox_speed.rows())),
        "replay": ("A replay at the loopback Discord", measure_replays),
        "correction": ("Correcting an old result", correction_speed.rows),
        "ai_speed": ("Speed of the computer opponent", lambda: ai_speed.rows(python)),
        "ai": ("Strength of the computer opponent, with 95 % intervals", ai_strength.rows),
        "computer": (
            "Twenty people against the computer at the loopback Discord",
            lambda: asyncio.run(computer_speed.rows()),
        ),
        "analysis": ("Analysis of a game: processor time", analysis_speed.rows),
        "before": ("Side by side with an earlier commit (BEFORE=COMMIT)", before.rows),
        "web": ("The web client", lambda: asyncio.run(web_speed.rows())),
    }


def main() -> None:
    """Measure the parts and print each as soon as it is done."""
    available = sections(os.environ.get("RAYUELA_PEERS"))
    names = sys.argv[1:] or [name for name in available if name != "before"]
    if unknown := [name for name in names if name not in available]:
        sys.exit(f"There is no part named {unknown[0]}. The parts are: {', '.join(available)}.")
    for name in names:
        title, measure = available[name]
        print(format_table(title, measure()), end="\n\n", flush=True)


if __name__ == "__main__":
    main()
