"""The golden pictures: positions with their render options, rating charts, and tables of tournaments."""

from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from math import sin
from pathlib import Path

import engine
from engine.game import Cell, Event, Position, Side
from render import (
    Drawing,
    Mark,
    MarkKind,
    RatingPoint,
    RatingSeries,
    RenderOptions,
    Scene,
    ThemeName,
    build_rating_chart,
    build_scene,
)
from render.tables import Bracket, CrossTable, CrossTableRow, Duel, Ranking, RankingRow, Result
from render.tables.bracket import build_bracket_drawing
from render.tables.cross_table import build_cross_table
from render.tables.ranking import build_ranking
from tests.games import TEXTS

GOLDEN = Path(__file__).parent / "golden"

CROWDED = (
    "morelli nestor 13/5b3bb2/3w2b2b3/3wbwb2ww2/3wwbbw4w/4wbww2w1w/3wbw1wb4/3b1wwbw4/2w1bw2w3w/"
    "3b1w2wb3/6b6/w1b8w1/2b10 b -"
)
"""Black's G3-G5 captures two stones and takes the Centre."""


def play_turn(line: str, *moves: str) -> tuple[Position, tuple[Event, ...]]:
    """Return the position after `moves` from a position line, and the events of all moves."""
    position = engine.GAMES[line.split(" ", 1)[0]].load(line)
    events: list[Event] = []
    for text in moves:
        move = position.parse(text)
        events += position.events(move)
        position = position.play(move)
    return position, tuple(events)


@dataclass(frozen=True, slots=True)
class GoldenImage:
    """One golden picture; `moves` are the last turn, played from the position line `line`."""

    line: str
    moves: tuple[str, ...] = ()
    side: Side | None = None
    theme: ThemeName = ThemeName.RAINBOW
    width: int = 350
    marks: tuple[Mark, ...] = ()
    large: bool = False

    def scene(self) -> Scene:
        """Return the scene of the picture."""
        position, last = play_turn(self.line, *self.moves)
        return build_scene(
            position, RenderOptions(TEXTS, self.side, self.theme, self.width, last, self.marks, self.large)
        )


def _selectable(*cells: str) -> tuple[Mark, ...]:
    return tuple(Mark(MarkKind.SELECTABLE, Cell(cell), str(number)) for number, cell in enumerate(cells, 1))


ALMOST_CHAIN = "morphos - 9/4bbw2/4bw3/3bb4/1w1b5/3bb1w2/4b4/2w1b4/4bw3 b 20 -"
"""Black's F9 joins bottom and top."""

ALMOST_MILL = "morabaraba 12 2w/r1w/1w1/r3ww/2w/r2/r1r w 0,0 -"
"""White's D5-E5 closes a mill on file E."""

EMPTY_9 = "morelli nestor 9/9/9/9/9/9/9/9/9 b free"

BOARDS = {
    "morelli-facing": GoldenImage("morelli nestor wbbbbbbbb/w7w/w7w/w7w/w7w/w7w/w7w/w7w/bbbbbbbbw b -"),
    "morelli-occupied": GoldenImage(CROWDED, ("G3-G5",), width=700),
    "morelli-clear-white": GoldenImage(CROWDED, ("G3-G5",), side=Side.WHITE, theme=ThemeName.CLEAR),
    "morelli-large": GoldenImage(CROWDED, ("G3-G5",), large=True),
    "morelli-declined": GoldenImage(CROWDED, ("G3-G5~F6,G7",)),
    "morelli-free": GoldenImage(EMPTY_9, ("A4", "I5", "B9"), theme=ThemeName.CLEAR),
    "morelli-pick": GoldenImage(
        CROWDED, marks=(Mark(MarkKind.SELECTED, Cell("G3")), *_selectable("G4", "G5", "H4", "D6", "F12"))
    ),
    "morelli-preview": GoldenImage(
        CROWDED,
        ("G3-G5~F5,F6,G7",),
        marks=(Mark(MarkKind.TO_CAPTURE, Cell("F5")), Mark(MarkKind.DECLINED, Cell("F6"))),
        theme=ThemeName.CLEAR,
    ),
    "morelli-king": GoldenImage(
        "morelli 2015 11/11/11/11/5b5/4bBb4/5b5/11/11/11/10w w -", theme=ThemeName.CLEAR
    ),
    "morphos-flip": GoldenImage("morphos - 5/5/ww3/wb3/1w3 w 5 -", ("xB2",)),
    "morphos-weak": GoldenImage(
        "morphos - 5/5/ww3/wb3/1w3 w 5 -",
        theme=ThemeName.CLEAR,
        side=Side.WHITE,
        marks=_selectable("B2", "E5"),
    ),
    "morphos-won": GoldenImage(ALMOST_CHAIN, ("F9",)),
    "morphos-labels": GoldenImage(ALMOST_CHAIN, ("F9",), theme=ThemeName.CLEAR, large=True),
    "morphos-large": GoldenImage(
        f"morphos - {'/'.join(['19'] * 18)}/b18 w 1 -", ("S19",), theme=ThemeName.CLEAR
    ),
    "morabaraba-hands": GoldenImage("morabaraba 12 3/3/1w1/2w2r/3/3/3 w 10,11 -", ("A1",)),
    "morabaraba-labels": GoldenImage("morabaraba 12 3/3/1w1/2w2r/3/3/3 w 10,11 -", ("A1",), large=True),
    "morabaraba-mill": GoldenImage(ALMOST_MILL, ("D5-E5xA1",), width=500),
    "morabaraba-red": GoldenImage(ALMOST_MILL, side=Side.RED, theme=ThemeName.CLEAR),
}

START = datetime(2026, 1, 8, tzinfo=UTC)


def sample_ratings(matches: int, *, days: int = 11, rest: int = 40) -> RatingSeries:
    """Return a series of rated matches, `days` apart, that ends `rest` days after the last."""
    rated = tuple(
        RatingPoint(
            at=START + number * timedelta(days=days),
            rating=1500 + 12 * number + 90 * sin(1.7 * number),
            deviation=60 + 280 / (1 + number),
            score=(1, 0.5, 0)[number * number % 3],
        )
        for number in range(matches)
    )
    return RatingSeries(rated, rated[-1].at + timedelta(days=rest), rated[-1].deviation + rest / 8)


CHARTS = {
    "chart-season": (sample_ratings(18), RenderOptions(TEXTS)),
    "chart-clear": (sample_ratings(18), RenderOptions(TEXTS, theme=ThemeName.CLEAR, large_labels=True)),
    "chart-first": (sample_ratings(1, rest=9), RenderOptions(TEXTS, width=350)),
    "chart-years": (sample_ratings(120), RenderOptions(TEXTS, theme=ThemeName.CLEAR, width=350)),
}

_W, _D, _L, _O = ((result,) for result in (Result.WIN, Result.DRAW, Result.LOSS, Result.OPEN))
_P, _M, _T = ((result,) for result in (Result.WIN_BY_DEFAULT, Result.LOSS_BY_DEFAULT, Result.WAITING))

CROSS_TABLE = CrossTable(
    "Division 1",
    (
        CrossTableRow("Anna", 5, ((), _W, _D, _W, _O)),
        CrossTableRow("\u5c71\u7530\u592a\u90ce", 5, (_L, (), _W, _P, _D), handle="taro_k"),
        CrossTableRow("Maximilian von Mustermann", 2, (_D, _L, (), _T, _D)),
        CrossTableRow("Zo\u00eb \U0001f98a", 0, (_L, _M, _T, (), _O), is_withdrawn=True),
        CrossTableRow("Ren\u00e9", 2, (_O, _D, _D, _O, ())),
    ),
)
RANKING = Ranking(
    "Ladder",
    (
        RankingRow(1, "Anna", 15, "7-1-0"),
        RankingRow(9, "\u5c71\u7530\u592a\u90ce", 6),
        RankingRow(10, "Ren\u00e9", is_withdrawn=True),
    ),
)
BRACKET = Bracket(
    "Cup",
    (
        (
            Duel("Anna", "", (1, None), winner=0),
            Duel("Zo\u00eb", "\u5c71\u7530\u592a\u90ce", (4, 5), (1, 3), winner=1),
            Duel("Ren\u00e9", "Ida", (2, 7)),
            Duel("Bo", "Cy", (3, 6), (4, 2), winner=0),
        ),
        (
            Duel("Anna", "\u5c71\u7530\u592a\u90ce", (1, 5), handles=("anna", "taro_k")),
            Duel("", "Bo", (None, 3), winner=1),
        ),
    ),
)
TABLES = {
    "table-cross": build_cross_table(CROSS_TABLE, width=360),
    "table-cross-clear": build_cross_table(CROSS_TABLE, theme=ThemeName.CLEAR, width=360),
    "table-ranking": build_ranking(RANKING, theme=ThemeName.CLEAR, width=360),
    "table-bracket": build_bracket_drawing(BRACKET),
}


def golden_images() -> dict[str, Scene | Drawing]:
    """Return every golden picture by its name."""
    boards = {name: image.scene() for name, image in BOARDS.items()}
    charts = {name: build_rating_chart(*arguments) for name, arguments in CHARTS.items()}
    return boards | charts | TABLES
