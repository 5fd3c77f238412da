"""What a further language costs: the memory of its texts and formats, and the words of a turn in it.

Memory is what a new process holds resident more after a language was used, its rules and lessons too; the
order of the languages alternates. The words of a turn are those of its board post, with the clock and the
terms; English and the others alternate.
"""

from __future__ import annotations

import subprocess
import sys
from datetime import UTC, datetime, timedelta
from statistics import median
from typing import TYPE_CHECKING

from bench.table import Row, timed
from engine.game import Side
from i18n import formatting
from i18n.clocks import describe_terms
from i18n.plurals import ENGLISH
from i18n.readers import ReaderTexts, reading_in
from i18n.translations import list_languages
from i18n.writing import Moment, MomentStyle
from matches import Person
from matches.terms import Terms, parse_time_control

if TYPE_CHECKING:
    from collections.abc import Iterator

MEMORY_GOAL = "< 3 MiB"
# Prints how much resident memory, in MiB, each of the languages in its arguments adds.
MEASURE_MEMORY = """
import gc, os, sys
from i18n.readers import ReaderTexts, reading_in
from lessons.content import default_lessons
from rules.content import RuleBooks

def memory():
    gc.collect()
    return int(open("/proc/self/statm").read().split()[1]) * os.sysconf("SC_PAGE_SIZE") / 2**20

texts, lessons, books = ReaderTexts.of_folders(), default_lessons(), []
for language in sys.argv[1:]:
    before = memory()
    with reading_in(language):
        texts("side.black"), texts.join("abc"), lessons.lessons
        books.append(RuleBooks.load(language=language))
    print(memory() - before)
"""


def rows(processes: int = 5, rounds: int = 300) -> Iterator[Row]:
    """Measure memory in new processes, and the words of a turn in this one."""
    others = list_languages()[1:]
    used: dict[str, list[float]] = {one: [] for one in others}
    for number in range(processes):
        order = others[number % len(others) :] + others[: number % len(others)]
        found = subprocess.run(  # noqa: S603 - this project's own code
            [sys.executable, "-c", MEASURE_MEMORY, ENGLISH, *order],
            capture_output=True,
            check=True,
            text=True,
        )
        for language, text in zip(order, found.stdout.split()[1:], strict=True):
            used[language].append(float(text))
    for language, values in used.items():
        yield Row.from_values(f"memory of {language}", values, "MiB", goal=MEMORY_GOAL)
    times: dict[str, list[float]] = {one: [] for one in (ENGLISH, *others)}
    texts = ReaderTexts.of_folders()
    for language in times:
        _write_turn(texts, language)
    for _ in range(rounds):
        for language, took in times.items():
            with timed(took):
                _write_turn(texts, language)
    for language in others:
        comparison = f"{ENGLISH}: {median(times[ENGLISH]):.3f} ms"
        yield Row.from_values(f"words of a turn in {language}", times[language], "ms", comparison=comparison)


def _write_turn(texts: ReaderTexts, language: str) -> None:
    now = datetime(2026, 11, 26, tzinfo=UTC)
    with reading_in(language):
        people = [Person("discord:1", "Ada"), Person("computer:club", "Rayuela (club)")]
        moment = Moment(now + timedelta(days=2), MomentStyle.RELATIVE, now)
        lines = [
            texts("board.to_move", name=people[0], side=formatting.format_side(texts, Side.WHITE)),
            describe_terms(texts, Terms(parse_time_control("14d + 1d per move"))),
            texts("time.until", name=people[1], when=Moment(now), left=moment),
            texts.join(people),
        ]
        texts.join(lines, "list.lines")
