"""The animated GIF: every frame shows its scene and contains only what changed."""

import random
from io import BytesIO

import pytest
from PIL import Image, ImageChops

from render import RenderOptions, Scene, build_scene, to_gif, to_png
from tests.games import GAMES
from tests.render.pixel_probe import load_rgb


def match(game: str, turns: int, width: int = 260) -> list[Scene]:
    """Return the scenes of the first turns of a random game, the start included."""
    chance, position = random.Random(5), GAMES[game].initial_position()
    made = [build_scene(position, RenderOptions(width=width))]
    while len(made) <= turns and (moves := position.legal_moves()):
        move = chance.choice(moves)
        last = position.events(move)
        position = position.play(move)
        made.append(build_scene(position, RenderOptions(width=width, last_turn=last)))
    return made


def frames(film: bytes) -> list[Image.Image]:
    opened = Image.open(BytesIO(film))
    shown = []
    for number in range(getattr(opened, "n_frames", 1)):
        opened.seek(number)
        shown.append(opened.convert("RGB"))
    return shown


@pytest.mark.parametrize("game", GAMES)
def test_every_frame_is_its_scene_pixel_by_pixel(game: str) -> None:
    scenes = match(game, 24)
    shown = frames(to_gif(scenes))
    assert len(shown) == len(scenes)
    for frame, scene in zip(shown, scenes, strict=True):
        assert ImageChops.difference(frame, load_rgb(to_png(scene))).getbbox() is None


def test_animation_runs_for_ever_and_rests_on_the_last_frame() -> None:
    film = Image.open(BytesIO(to_gif(match("morabaraba", 3), pause=400, final_pause=2000)))
    waits = []
    for number in range(4):
        film.seek(number)
        waits.append(film.info["duration"])
    assert waits == [400, 400, 400, 2000]
    assert (film.format, film.info["loop"]) == ("GIF", 0)


def test_turn_that_changes_nothing_is_a_frame_all_the_same() -> None:
    before, after = match("morabaraba", 1)
    assert len(frames(to_gif([before, after, after]))) == 3


def test_later_frames_cost_far_less_than_whole_pictures() -> None:
    scenes = match("morelli", 40, width=500)
    whole = len(to_gif(scenes[:1]))
    assert (len(to_gif(scenes)) - whole) / 40 < whole / 3


def test_hundred_turns_keep_within_their_bytes() -> None:
    assert len(to_gif(match("morelli", 100, width=500))) <= 400_000


def test_single_scene_is_an_animation_of_one_frame() -> None:
    assert len(frames(to_gif(match("morphos", 0)))) == 1


def test_no_scene_is_refused() -> None:
    with pytest.raises(ValueError, match="needs a scene"):
        to_gif([])


def test_scenes_of_two_backgrounds_are_refused() -> None:
    one, other = (match("morphos", 0, width=width)[0] for width in (300, 301))
    with pytest.raises(ValueError, match="share one background"):
        to_gif([one, other])
