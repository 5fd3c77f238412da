"""What a further language costs: the memory of its texts and formats, the words of a turn, and a whole turn.

Memory is what a new process holds resident more after a language was used, its rules and lessons too; the
order of the languages alternates. The words of a turn are those of its board post, with the clock and the
terms; English and the others alternate.

Whole turns are typed as commands at a loopback Discord (:mod:`bench.turn`), in a server of each language. The
same bot plays the same moves in all of them, each move in one language after the other, the first one by
turns. The ratio is the median of those of single moves, with its interval of 95 % by their order (sign test).
"""

from __future__ import annotations

import asyncio
import math
import subprocess
import sys
from datetime import UTC, datetime, timedelta
from pathlib import Path
from statistics import median
from tempfile import TemporaryDirectory
from typing import TYPE_CHECKING

from bench.table import Row, format_number, timed
from bench.turn import TURNS, begin_match, loopback_discord, run_bot
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
    from collections.abc import Iterator, Mapping, Sequence

MEMORY_GOAL, TURN_GOAL = "< 3 MiB", "not slower"
SURE = 1.96  # standard deviations to both sides, for an interval of 95 %
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


def rows(processes: int = 5, rounds: int = 300, matches: int = 20) -> Iterator[Row]:
    """Measure memory in new processes, the words of a turn in this one, and whole turns of a bot."""
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
    turns = asyncio.run(_measure_turns(list_languages(), matches))
    for language in others:
        comparison = _compare(turns[ENGLISH], turns[language])
        label = f"a whole turn in {language}"
        yield Row.from_values(label, turns[language], "ms", goal=TURN_GOAL, comparison=comparison)


async def _measure_turns(languages: Sequence[str], matches: int) -> Mapping[str, Sequence[float]]:
    """Play the same matches in each language; return the milliseconds of each turn, in the same order."""
    times: dict[str, list[float]] = {one: [] for one in languages}
    with TemporaryDirectory(prefix="rayuela-bench-") as folder:
        async with loopback_discord() as discord, run_bot(discord, Path(folder)):
            guilds = {one: discord.guild(one) for one in languages}
            for language in languages[1:]:
                guilds[language].state.locale = language
            for number in range(matches + 1):
                tables = {one: await begin_match(guild, number) for one, guild in guilds.items()}
                for turn in range(TURNS):
                    first = turn % len(languages)
                    for language in (*languages[first:], *languages[:first]):
                        took = await tables[language].play_turns(1)
                        times[language] += took if number else []  # the first match fills the caches
    return times


def _compare(english: Sequence[float], others: Sequence[float]) -> str:
    ratios = sorted(other / own for own, other in zip(english, others, strict=True))
    count = len(ratios)
    low = max(0, math.floor((count - SURE * math.sqrt(count)) / 2))
    interval = f"{ratios[low]:.3f} to {ratios[count - 1 - low]:.3f}"
    return f"{ENGLISH}: {format_number(median(english))} ms; {median(ratios):.3f} of it ({interval})"


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
