"""Films of whole games: one frame a turn, in steps where there are very many, no larger than may be."""

from io import BytesIO

import pytest
from PIL import Image

from bot.replays.films import film, make
from engine import GAMES
from engine.game import Side
from matches import MatchId, Page, Person, Replay, Seat
from render import View, png, scene
from render.reel import MOST_FRAMES, SHARES, WIDTHS

SEATS = (Seat(Side.WHITE, Person("test:1", "Ann")), Seat(Side.RED, Person("test:2", "Ben")))


def pages(turns: int) -> tuple[Page, ...]:
    """Give a game of Morabaraba that goes to and fro between two boards, and ends on a third."""
    start = GAMES["morabaraba"].start()
    move = start.parse("A1")
    boards = (start, start.play(move))
    last = start.play(start.parse("G7"))
    going = [Page(turn, boards[turn % 2], SEATS) for turn in range(turns)]
    return (*going, Page(turns, last, SEATS))


def shown(gif: bytes) -> list[bytes]:
    opened = Image.open(BytesIO(gif))
    found = []
    for number in range(getattr(opened, "n_frames", 1)):
        opened.seek(number)
        found.append(opened.convert("RGB").tobytes())
    return found


def board(page: Page, width: int) -> bytes:
    return Image.open(BytesIO(png(scene(page.position, View(width=width))))).convert("RGB").tobytes()


def test_every_turn_is_a_frame() -> None:
    made = make(pages(9), None, 10**7)
    assert made is not None
    assert (made.width, made.share) == (WIDTHS[0], 1)
    assert shown(made.gif) == [board(page, WIDTHS[0]) for page in pages(9)]


@pytest.mark.parametrize(("turns", "share"), [(MOST_FRAMES - 1, 1), (MOST_FRAMES, 2), (3 * MOST_FRAMES, 4)])
def test_long_game_is_shown_in_steps_and_to_its_end(turns: int, share: int) -> None:
    made = make(pages(turns), None, 10**7)
    assert made is not None
    assert made.share == share
    frames = shown(made.gif)
    assert len(frames) == len(range(0, turns + 1, share)) + (turns % share > 0)
    assert frames[-1] == board(pages(turns)[-1], WIDTHS[0])


def test_film_shrinks_before_it_leaves_turns_out() -> None:
    least = make(pages(60), None, 10**7)
    assert least is not None
    smaller = make(pages(60), None, len(least.gif) - 1)
    assert smaller is not None
    assert (smaller.width < least.width, smaller.share) == (True, 1)


def test_film_leaves_turns_out_where_it_must() -> None:
    whole = make(pages(200), None, 10**7)
    assert whole is not None
    made = make(pages(200), None, len(whole.gif) // 6)
    assert made is not None
    assert made.share in SHARES[1:]
    assert len(made.gif) <= len(whole.gif) // 6


def test_film_that_fits_nowhere_is_none() -> None:
    assert make(pages(3), None, 100) is None


async def test_film_is_made_beside_the_event_loop() -> None:
    game = Replay(MatchId(1), None, "", "morabaraba", 1, {}, "", pages(3))
    assert await film(game, Side.RED, 10**7) == make(pages(3), Side.RED, 10**7)
