"""The SVG writer: well-formed, self-contained, without scripts, readable for screen readers."""

from dataclasses import replace
from xml.etree import ElementTree as ET

import pytest

from engine.game import Side
from render import ClickTarget, ThemeName, to_svg, to_text
from render.scene import Text
from tests.render.golden_images import BOARDS

SPACE = "{http://www.w3.org/2000/svg}"
TAGS = ("svg", "title", "desc", "defs", "g", "use", "rect", "ellipse", "polygon", "polyline", "text")
KNOWN_ELEMENTS = {SPACE + name for name in TAGS}


@pytest.fixture(params=list(BOARDS))
def root(request: pytest.FixtureRequest) -> ET.Element:
    return ET.fromstring(to_svg(BOARDS[request.param].scene()))  # noqa: S314 - our own document


def test_only_known_elements_and_nothing_from_elsewhere(root: ET.Element) -> None:
    assert {element.tag for element in root.iter()} <= KNOWN_ELEMENTS
    for element in root.iter():
        for name, value in element.attrib.items():
            assert not name.startswith("on")
            assert ":" not in value
            assert name != "href" or value.startswith("#")


def test_every_sprite_used_is_defined(root: ET.Element) -> None:
    defined = {group.get("id") for group in root.findall(f"{SPACE}defs/{SPACE}g")}
    used = {str(use.get("href")).removeprefix("#") for use in root.iter(f"{SPACE}use")}
    assert used == defined


def test_no_two_boards_share_an_id() -> None:
    boards = [to_svg(replace(BOARDS["morelli-facing"], theme=theme).scene()) for theme in ThemeName]
    boards += [
        to_svg(BOARDS[name].scene()) for name in ("morelli-facing", "morelli-occupied", "morabaraba-mill")
    ]
    distinct = list(dict.fromkeys(boards))
    ids = [one.get("id") for board in distinct for one in ET.fromstring(board).iter() if one.get("id")]  # noqa: S314
    assert len(distinct) > 3
    assert len(ids) == len(set(ids))
    for board in distinct:
        document = ET.fromstring(board)  # noqa: S314 - our own document
        named = str(document.get("aria-labelledby")).split()
        assert named == [document.find(f"{SPACE}{tag}").get("id") for tag in ("title", "desc")]  # type: ignore[union-attr]


def test_title_and_description_describe_the_board() -> None:
    scene = BOARDS["morelli-occupied"].scene()
    root = ET.fromstring(to_svg(scene))  # noqa: S314 - our own document
    title, desc = root.find(f"{SPACE}title"), root.find(f"{SPACE}desc")
    assert title is not None
    assert desc is not None
    assert title.text == "Morelli 13 \u00d7 13"
    assert desc.text == to_text(scene)
    assert root.get("role") == "img"


def test_texts_are_escaped() -> None:
    scene = BOARDS["morelli-free"].scene()
    texts = Text(9, 9, "<b>&", 9, scene.background.palette[0])
    root = ET.fromstring(  # noqa: S314 - our own document
        to_svg(replace(scene, title="a < b & c", background=replace(scene.background, shapes=(texts,))))
    )
    found = [element.text for element in root.iter() if element.tag in {f"{SPACE}title", f"{SPACE}text"}]
    assert {"a < b & c", "<b>&"} <= set(found)


def test_size_is_that_of_the_scene() -> None:
    scene = BOARDS["morelli-facing"].scene()
    root = ET.fromstring(to_svg(scene))  # noqa: S314 - our own document
    assert root.get("viewBox") == f"0 0 {scene.background.width} {scene.background.height}"


@pytest.mark.parametrize("theme", ThemeName)
def test_transparent_colours_are_plain_colours_with_an_opacity(theme: ThemeName) -> None:
    scene = replace(BOARDS["morelli-facing"], theme=theme, side=Side.WHITE).scene()
    for element in ET.fromstring(to_svg(scene)).iter():  # noqa: S314 - our own document
        for name in ("fill", "stroke"):
            value = element.get(name, "none")
            assert value == "none" or len(value) == len("#rrggbb")


def test_picture_has_no_squares_to_click_on() -> None:
    assert "data-cell" not in to_svg(BOARDS["morelli-facing"].scene())


@pytest.mark.parametrize(
    ("piece", "cells"), [("morelli-facing", 81), ("morphos-large", 361), ("morabaraba-mill", 24)]
)
def test_every_cell_of_a_board_in_play_can_be_told_apart(piece: str, cells: int) -> None:
    found = overlay(to_svg(BOARDS[piece].scene(), {}))
    names = [element.get("data-cell") for element in found]
    assert len(names) == len(set(names)) == cells
    assert {element.tag for element in found} == {f"{SPACE}rect"}


@pytest.mark.parametrize(
    ("side", "at"), [(Side.BLACK, ("lowest", "leftmost")), (Side.WHITE, ("highest", "rightmost"))]
)
def test_squares_are_where_their_cells_are(side: Side, at: tuple[str, str]) -> None:
    squares = {
        str(element.get("data-cell")): (float(element.get("x", "")), float(element.get("y", "")))
        for element in overlay(to_svg(replace(BOARDS["morelli-facing"], side=side).scene(), {}))
    }
    xs, ys = zip(*squares.values(), strict=True)
    assert squares["A1"][1] == (max(ys) if at[0] == "lowest" else min(ys))
    assert squares["A1"][0] == (min(xs) if at[1] == "leftmost" else max(xs))


def test_targets_are_links_and_toggles_with_a_name() -> None:
    targets = {
        "A1": ClickTarget("A1, <b>&", "open", "?answers=A1&ply=3"),
        "B2": ClickTarget("B2", "open ringed", is_checked=True),
    }
    found = {
        str(one.get("data-cell")): one for one in overlay(to_svg(BOARDS["morelli-facing"].scene(), targets))
    }
    link, switch = found["A1"], found["B2"]
    assert (link.tag, link.get("href"), link.get("aria-label")) == (
        f"{SPACE}a",
        "?answers=A1&ply=3",
        "A1, <b>&",
    )
    assert (switch.get("role"), switch.get("aria-checked"), switch.get("class")) == (
        "checkbox",
        "true",
        "open ringed",
    )
    assert {link.get("tabindex"), switch.get("tabindex")} == {"-1"}


def test_targets_are_marked_and_name_the_pieces_that_change() -> None:
    targets = {
        "A1": ClickTarget("A1", "open", "?answers=A1", mark="dot"),
        "B2": ClickTarget("B2", "open", "?answers=B2", changes=("C3", "D4")),
    }
    document = to_svg(BOARDS["morelli-facing"].scene(), targets)
    found = {str(one.get("data-cell")): one for one in overlay(document)}
    fills = {cell: one[0].get("fill") for cell, one in found.items() if cell in targets}
    gradients = ET.fromstring(document).findall(f"{SPACE}radialGradient")  # noqa: S314 - our own document
    assert fills == {"A1": f"url(#{gradients[0].get('id')})", "B2": None}
    assert len(gradients) == 1
    assert [found[cell].get("data-changes") for cell in ("A1", "B2")] == [None, "C3 D4"]


def overlay(document: str) -> list[ET.Element]:
    """Return the squares over the cells."""
    group = ET.fromstring(document).find(f"{SPACE}g[@class='cells']")  # noqa: S314 - our own document
    assert group is not None
    return list(group)
