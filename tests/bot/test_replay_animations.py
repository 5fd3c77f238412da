"""Animations of whole games: one frame a turn, fewer for very long games, within the size limit."""

import asyncio
from io import BytesIO

import pytest
from PIL import Image

import render
from bot.features.replays.animations import render_animation, render_frames
from engine import GAMES
from engine.game import Side
from matches import MatchId, Person, Replay, ReplayTurn, Seat
from render import RenderOptions, build_scene, to_png
from render.gif import GIF_WIDTHS, MAX_FRAMES, TURNS_PER_FRAME
from tests.games import TEXTS

SEATS = (Seat(Side.WHITE, Person("test:1", "Ann")), Seat(Side.RED, Person("test:2", "Ben")))


def replay_turns(turns: int) -> tuple[ReplayTurn, ...]:
    """Return a game of Morabaraba that alternates between two positions and ends in a third."""
    start = GAMES["morabaraba"].initial_position()
    move = start.parse("A1")
    boards = (start, start.play(move))
    last = start.play(start.parse("G7"))
    going = [ReplayTurn(turn, boards[turn % 2], SEATS) for turn in range(turns)]
    return (*going, ReplayTurn(turns, last, SEATS))


def frame_images(gif: bytes) -> list[bytes]:
    """Return the frames of a GIF."""
    opened = Image.open(BytesIO(gif))
    found = []
    for number in range(getattr(opened, "n_frames", 1)):
        opened.seek(number)
        found.append(opened.convert("RGB").tobytes())
    return found


def board(page: ReplayTurn, width: int) -> bytes:
    """Return the rendered board of a turn."""
    return (
        Image.open(BytesIO(to_png(build_scene(page.position, RenderOptions(TEXTS, width=width)))))
        .convert("RGB")
        .tobytes()
    )


def test_every_turn_has_a_frame() -> None:
    made = render_frames(TEXTS, replay_turns(9), None, 10**7)
    assert made is not None
    assert (made.width, made.turns_per_frame) == (GIF_WIDTHS[0], 1)
    assert frame_images(made.gif) == [board(page, GIF_WIDTHS[0]) for page in replay_turns(9)]


@pytest.mark.parametrize(
    ("turns", "share"),
    [
        pytest.param(MAX_FRAMES - 1, 1, marks=pytest.mark.long),
        (MAX_FRAMES, 2),
        pytest.param(3 * MAX_FRAMES, 4, marks=pytest.mark.long),
    ],
)
def test_long_game_skips_turns_but_shows_the_last(turns: int, share: int) -> None:
    made = render_frames(TEXTS, replay_turns(turns), None, 10**7)
    assert made is not None
    assert made.turns_per_frame == share
    frames = frame_images(made.gif)
    assert len(frames) == len(range(0, turns + 1, share)) + (turns % share > 0)
    assert frames[-1] == board(replay_turns(turns)[-1], GIF_WIDTHS[0])


@pytest.mark.long
def test_animation_is_scaled_down_before_turns_are_skipped() -> None:
    least = render_frames(TEXTS, replay_turns(60), None, 10**7)
    assert least is not None
    smaller = render_frames(TEXTS, replay_turns(60), None, len(least.gif) - 1)
    assert smaller is not None
    assert (smaller.width < least.width, smaller.turns_per_frame) == (True, 1)


@pytest.mark.long
def test_animation_skips_turns_if_necessary() -> None:
    whole = render_frames(TEXTS, replay_turns(200), None, 10**7)
    assert whole is not None
    made = render_frames(TEXTS, replay_turns(200), None, len(whole.gif) // 6)
    assert made is not None
    assert made.turns_per_frame in TURNS_PER_FRAME[1:]
    assert len(made.gif) <= len(whole.gif) // 6


def test_animation_that_cannot_fit_is_none() -> None:
    assert render_frames(TEXTS, replay_turns(3), None, 100) is None


async def test_animation_does_not_block_the_event_loop() -> None:
    game = Replay(MatchId(1), None, "", "morabaraba", 1, {}, "", replay_turns(3))
    assert await render_animation(TEXTS, game, Side.RED, 10**7, account="discord:1") == render_frames(
        TEXTS, replay_turns(3), Side.RED, 10**7
    )


async def test_those_who_ask_for_animations_take_turns(monkeypatch: pytest.MonkeyPatch) -> None:
    game = Replay(MatchId(1), None, "", "morabaraba", 1, {}, "", replay_turns(3))
    rendered: list[int] = []

    def record_limit(_boards: object, limit: int, _options: object) -> None:
        rendered.append(limit)

    monkeypatch.setattr(render, "animate_game", record_limit)
    asked = [("discord:1", 1), ("discord:1", 2), ("discord:1", 3), ("discord:2", 4)]
    await asyncio.gather(
        *(render_animation(TEXTS, game, None, limit, account=account) for account, limit in asked)
    )
    assert rendered == [1, 2, 4, 3]
