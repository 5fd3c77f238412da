"""The animated GIF: every frame shows its scene and contains only what changed."""

import random
from io import BytesIO

import pytest
from PIL import Image, ImageChops

from render import RenderOptions, Scene, build_scene, to_gif, to_png
from tests.games import GAMES, TEXTS
from tests.render.pixel_probe import load_rgb


def match_scenes(game: str, turns: int, width: int = 260) -> list[Scene]:
    """Return the scenes of the first turns of a random game, the initial position included."""
    rng, position = random.Random(5), GAMES[game].initial_position()
    scenes = [build_scene(position, RenderOptions(TEXTS, width=width))]
    while len(scenes) <= turns and (moves := position.legal_moves()):
        move = rng.choice(moves)
        last = position.events(move)
        position = position.play(move)
        scenes.append(build_scene(position, RenderOptions(TEXTS, width=width, last_turn=last)))
    return scenes


def frames(animation: bytes) -> list[Image.Image]:
    picture = Image.open(BytesIO(animation))
    found = []
    for number in range(getattr(picture, "n_frames", 1)):
        picture.seek(number)
        found.append(picture.convert("RGB"))
    return found


@pytest.mark.long
@pytest.mark.parametrize("game", GAMES)
def test_every_frame_is_its_scene_pixel_by_pixel(game: str) -> None:
    scenes = match_scenes(game, 24)
    shown = frames(to_gif(scenes))
    assert len(shown) == len(scenes)
    for frame, scene in zip(shown, scenes, strict=True):
        assert ImageChops.difference(frame, load_rgb(to_png(scene))).getbbox() is None


def test_animation_repeats_and_pauses_on_the_last_frame() -> None:
    animation = Image.open(BytesIO(to_gif(match_scenes("morabaraba", 3), pause=400, final_pause=2000)))
    durations = []
    for number in range(4):
        animation.seek(number)
        durations.append(animation.info["duration"])
    assert durations == [400, 400, 400, 2000]
    assert (animation.format, animation.info["loop"]) == ("GIF", 0)


def test_turn_without_a_change_is_also_a_frame() -> None:
    before, after = match_scenes("morabaraba", 1)
    assert len(frames(to_gif([before, after, after]))) == 3


@pytest.mark.long
def test_later_frames_cost_far_less_than_whole_pictures() -> None:
    scenes = match_scenes("morelli", 40, width=500)
    whole = len(to_gif(scenes[:1]))
    assert (len(to_gif(scenes)) - whole) / 40 < whole / 3


@pytest.mark.long
def test_hundred_turns_stay_within_the_size_limit() -> None:
    assert len(to_gif(match_scenes("morelli", 100, width=500))) <= 400_000


def test_single_scene_is_an_animation_of_one_frame() -> None:
    assert len(frames(to_gif(match_scenes("morphos", 0)))) == 1


def test_empty_animation_is_refused() -> None:
    with pytest.raises(ValueError, match="needs a scene"):
        to_gif([])


def test_scenes_of_two_backgrounds_are_refused() -> None:
    one, other = (match_scenes("morphos", 0, width=width)[0] for width in (300, 301))
    with pytest.raises(ValueError, match="share one background"):
        to_gif([one, other])
