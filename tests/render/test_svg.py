"""The SVG painter: well-formed, self-contained, silent, and legible to screen readers."""

from dataclasses import replace
from xml.etree import ElementTree as ET

import pytest

from engine.game import Side
from render import ThemeName, svg, text
from render.scene import Text
from tests.render.gallery import PIECES

SPACE = "{http://www.w3.org/2000/svg}"
TAGS = ("svg", "title", "desc", "defs", "g", "use", "rect", "ellipse", "polygon", "polyline", "text")
KNOWN = {SPACE + name for name in TAGS}


@pytest.fixture(params=list(PIECES))
def root(request: pytest.FixtureRequest) -> ET.Element:
    return ET.fromstring(svg(PIECES[request.param].scene()))  # noqa: S314 - our own text


def test_only_known_elements_and_nothing_from_elsewhere(root: ET.Element) -> None:
    assert {element.tag for element in root.iter()} <= KNOWN
    for element in root.iter():
        for name, value in element.attrib.items():
            assert not name.startswith("on")
            assert ":" not in value
            assert name != "href" or value.startswith("#")


def test_every_stamp_used_is_defined(root: ET.Element) -> None:
    defined = {group.get("id") for group in root.findall(f"{SPACE}defs/{SPACE}g")}
    used = {str(use.get("href")).removeprefix("#") for use in root.iter(f"{SPACE}use")}
    assert used == defined


def test_title_and_description_tell_the_board() -> None:
    made = PIECES["morelli-occupied"].scene()
    root = ET.fromstring(svg(made))  # noqa: S314 - our own text
    title, desc = root.find(f"{SPACE}title"), root.find(f"{SPACE}desc")
    assert title is not None
    assert desc is not None
    assert title.text == "Morelli 13 \u00d7 13"
    assert desc.text == text(made)
    assert root.get("role") == "img"


def test_words_are_escaped() -> None:
    made = PIECES["morelli-free"].scene()
    words = Text(9, 9, "<b>&", 9, made.ground.palette[0])
    root = ET.fromstring(  # noqa: S314 - our own text
        svg(replace(made, title="a < b & c", ground=replace(made.ground, shapes=(words,))))
    )
    found = [element.text for element in root.iter() if element.tag in {f"{SPACE}title", f"{SPACE}text"}]
    assert {"a < b & c", "<b>&"} <= set(found)


def test_size_is_the_pictures() -> None:
    made = PIECES["morelli-facing"].scene()
    root = ET.fromstring(svg(made))  # noqa: S314 - our own text
    assert root.get("viewBox") == f"0 0 {made.ground.width} {made.ground.height}"


@pytest.mark.parametrize("theme", ThemeName)
def test_see_through_colours_are_plain_colours_with_an_opacity(theme: ThemeName) -> None:
    made = replace(PIECES["morelli-facing"], theme=theme, side=Side.WHITE).scene()
    for element in ET.fromstring(svg(made)).iter():  # noqa: S314 - our own text
        for name in ("fill", "stroke"):
            value = element.get(name, "none")
            assert value == "none" or len(value) == len("#rrggbb")
