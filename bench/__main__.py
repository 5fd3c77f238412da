"""``python -m bench [--smallest] [--limit SECONDS] [PART ...]``: run all benchmarks, or some parts of them.

The part `before` compares with an earlier commit and runs only if it is named. With ``--smallest`` every part
measures as little as it can: that shows that it works, not how fast anything is. A part that gives no figures
or takes too long ends the program with an error.
"""

from __future__ import annotations

import argparse
import math
import signal
import sys
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from ai.levels import Level
from bench import (
    adjudication,
    ai_speed,
    ai_strength,
    commits,
    explorer,
    games,
    growth,
    languages,
    mail,
    mail_latency,
    notices,
    pairing,
    steps,
    turn,
    versions,
    web,
)
from bench.table import Row, format_table

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Mapping

LIMIT = 600  # seconds of a part
LONG_LIMIT = 3600  # of one with games of master
GRACE = 30  # seconds until a part that does not end is interrupted again


@dataclass(frozen=True, slots=True)
class Part:
    """A part: its title, what measures it, the arguments with which that is least, and its seconds."""

    title: str
    measure: Callable[..., Iterable[Row]]
    smallest: Mapping[str, Any]
    limit: float = LIMIT


_FEW_TURNS = {"rounds": 1, "matches": 2, "idle_seconds": 0}
PARTS = {
    "games": Part("Games", games.rows, {"rounds": 1}),
    "pictures": Part("Pictures: processor time", versions.rows, {"rounds": 1, "games": 1}),
    "storage": Part("Committing a turn", commits.rows, {"rounds": 1, "concurrent": 2}),
    "steps": Part("What a turn passes through", steps.rows, {"turns": 1}),
    "turn": Part("A turn at the loopback Discord", turn.rows, _FEW_TURNS),
    "growth": Part("Costs with many finished matches", growth.rows, {"few": 500, "many": 1000, "rounds": 1}),
    "bytes": Part(
        "Bytes of a finished match", growth.size_rows, {"packed": 500, "unpacked": 500, "games": 1}
    ),
    "ai_speed": Part(
        "Speed of the computer opponent", ai_speed.rows, {"rounds": 1, "random_moves": 1000, "turns": 2}
    ),
    "ai": Part(
        "Strength of the computer opponent, with 95 % intervals",
        ai_strength.rows,
        {"level": Level.BEGINNER, "games": ("morabaraba",), "only": "men", "most_plies": 2},
        limit=LONG_LIMIT,
    ),
    "web": Part(
        "The website",
        web.rows,
        {
            "spectators": 20,
            "rounds": 1,
            "turns": 2,
            "pause": 0,
            "clicks": 2,
            "challenges": 50,
            "entrants": 10,
        },
    ),
    "mail": Part("Reading mails: processor time", mail.rows, {"rounds": 1}),
    "mail_latency": Part("Mails that arrive", mail_latency.rows, {"mails": 2}),
    "notices": Part("Turns while notices are sent", notices.rows, {"notices": 4, "rounds": 1}),
    "adjudication": Part("Assessments that decide games of tournaments", adjudication.rows, {"positions": 1}),
    "pairing": Part("Pairing Swiss rounds of tournaments", pairing.rows, {"players": (16,)}),
    "explorer": Part("The opening explorer", explorer.rows, {"games": 100, "finished": 500, "rounds": 5}),
    "languages": Part("A further language", languages.rows, {"processes": 1, "rounds": 2, "matches": 1}),
    "before": Part(
        "Side by side with an earlier commit (BEFORE=COMMIT)",
        turn.before_rows,
        {**_FEW_TURNS, "picture_rounds": 1, "games": 1},
    ),
}


def measure(name: str, part: Part, *, smallest: bool, limit: float) -> list[Row]:
    """Return the figures of a part. Exits with an error if there are none within `limit` seconds."""

    def stop(*_: object) -> None:
        sys.exit(f"{name}: no figures within {limit:g} seconds.")

    signal.signal(signal.SIGALRM, stop)
    signal.setitimer(signal.ITIMER_REAL, limit, GRACE)
    try:
        rows = [*part.measure(**(part.smallest if smallest else {}))]
    finally:
        signal.setitimer(signal.ITIMER_REAL, 0)
    if not rows or not all(math.isfinite(row.middle) for row in rows):
        sys.exit(f"{name}: figures are missing.")
    return rows


def main() -> None:
    """Measure the parts and print each as soon as it is done."""
    parser = argparse.ArgumentParser(prog="python -m bench", description=__doc__)
    parser.add_argument("--smallest", action="store_true", help="measure as little as each part can")
    parser.add_argument(
        "--limit", type=float, help=f"seconds that each part may take (ai: {LONG_LIMIT}, others: {LIMIT})"
    )
    parser.add_argument("parts", nargs="*", metavar="PART", help=", ".join(PARTS))
    arguments = parser.parse_args()
    if unknown := [name for name in arguments.parts if name not in PARTS]:
        parser.error(f"There is no part named {unknown[0]}. The parts are: {', '.join(PARTS)}.")
    for name in arguments.parts or [name for name in PARTS if name != "before"]:
        limit = PARTS[name].limit if arguments.limit is None else arguments.limit
        rows = measure(name, PARTS[name], smallest=arguments.smallest, limit=limit)
        print(format_table(PARTS[name].title, rows), end="\n\n", flush=True)


if __name__ == "__main__":
    main()
