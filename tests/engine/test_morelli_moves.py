"""Morelli: sliding, capturing, earning the Centre and the end, clause by clause."""

from __future__ import annotations

import pytest

from engine import Cell, EventKind, Outcome, Side
from tests.engine.morelli_diagrams import event_cells, from_diagram, from_stones, move_texts, slide_targets

BOTH = pytest.mark.parametrize("edition", ["nestor", "2015", "mindsports"])
CAPTURE, OCCUPY = EventKind.CONVERT, EventKind.OCCUPY


def span(first: str, last: str, files: int, ranks: int) -> set[str]:
    """Return the cells from `first` to `last` by steps of `files` and `ranks`."""
    file, rank, names = ord(first[0]), int(first[1:]), {first}
    while f"{chr(file)}{rank}" != last:
        file, rank = file + files, rank + ranks
        names.add(f"{chr(file)}{rank}")
    return names


@BOTH
def test_a_stone_slides_to_any_band_nearer_the_centre(edition: str) -> None:
    """Rules of 2015, Fig 2."""
    position = from_stones("", "A5", edition=edition, turn="w")
    along_rank, rising, falling = span("B5", "L5", 1, 0), span("B6", "H12", 1, 1), span("B4", "D2", 1, -1)
    assert slide_targets(position, "A5") == along_rank | rising | falling


@BOTH
@pytest.mark.parametrize("corner", ["A1", "A13", "M1", "M13"])
def test_a_corner_stone_moves_along_the_diagonal_alone(edition: str, corner: str) -> None:
    position = from_stones(corner, "", edition=edition)
    far = {"A1": "M13", "A13": "M1", "M1": "A13", "M13": "A1"}[corner]
    steps = {"A": 1, "M": -1}[corner[0]], 1 if corner[1:] == "1" else -1
    assert slide_targets(position, corner) == span(corner, far, *steps) - {corner, "G7", far}


def test_a_stone_next_to_the_centre_cannot_move() -> None:
    assert move_texts(from_stones("G6 F6 H8", "")) == set()


@BOTH
def test_stones_of_either_colour_block_a_slide(edition: str) -> None:
    """§4.2.2."""
    position = from_stones("A5 E5", "D8", edition=edition)
    assert slide_targets(position, "A5") == {"B5", "C5", "D5"} | {"B6", "C7"} | span("B4", "D2", 1, -1)


def test_a_stone_may_cross_the_empty_centre() -> None:
    """§4.2.3."""
    assert slide_targets(from_stones("A7", ""), "A7") >= {"F7", "H7", "L7"}
    assert "G7" not in slide_targets(from_stones("A7", ""), "A7")


@pytest.mark.parametrize("tower", ["B", "W"])
def test_a_stone_cannot_cross_the_occupied_centre(tower: str) -> None:
    """§4.2.3."""
    assert slide_targets(from_stones("A7", "", tower=tower), "A7") & span("F7", "L7", 1, 0) == {"F7"}


def test_smaller_boards_have_the_same_rules() -> None:
    """§8.1."""
    assert slide_targets(from_stones("A3", "", size=9), "A3") == span("B3", "H3", 1, 0) | span(
        "B4", "F8", 1, 1
    ) | {"B2"}


FIG_3 = """
    . . . . . . . . . . . . .
    . . . . . . . . . . . . .
    . . . . . . . . . . . . .
    . . . b . b . . . . . . .
    . . . . . . . . . . . . .
    . . . . . . b . b . b . .
    . . . . . . . w w w . . .
    . . . . . . b w . w b . .
    . b . . . . . . w . . . .
    . w . . . b . . b . . . .
    . . . . w . . . . . . . .
    . . . . . . . . . . . . .
    . . . b . . . . . . . . .
"""


@BOTH
@pytest.mark.parametrize(
    ("move", "captured"),
    [
        ("D1-B3", {"B4"}),
        ("D1-D2", {"E3"}),
        ("D1-C2", set()),
        ("D1-I6", {"H7", "I7", "J7", "H6", "J6", "I5"}),
    ],
)
def test_a_stone_captures_stones_between_itself_and_another(
    edition: str, move: str, captured: set[str]
) -> None:
    """§6.1, §6.2, §6.4; rules of 2015 Fig 3."""
    position = from_diagram(FIG_3, edition=edition)
    assert event_cells(position, move, CAPTURE) == captured
    after = position.play(position.parse(move)).stones
    white = {name for name, side in position.stones.items() if side is Side.WHITE}
    assert {name for name in white if after[name] is Side.BLACK} == captured


@BOTH
def test_a_stone_may_move_between_two_enemy_stones(edition: str) -> None:
    """§6.3.4; rules of 2015 §5.3.2, Fig 3."""
    position = from_diagram(FIG_3, edition=edition, turn="w")
    after = position.play(position.parse("E3-E10"))
    assert after.stones[Cell("E10")] is Side.WHITE


def test_a_flank_must_be_directly_behind() -> None:
    assert event_cells(from_stones("A5 E8", "E6"), "A5-E5", CAPTURE) == set()


def test_a_capture_ends_at_the_edge() -> None:
    """§6.3.3: nothing stands behind a stone on the outermost band."""
    position = from_stones("A5 C6 C4", "A4 A6")
    assert event_cells(position, "A5-B5", CAPTURE) == set()


@pytest.mark.parametrize("tower", ["B", "W"])
def test_a_tower_neither_flanks_nor_is_captured(tower: str) -> None:
    """§6.1: a stone, not a tower."""
    position = from_stones("A5 H8", "F6 H7", tower=tower)
    assert event_cells(position, "A5-E5", CAPTURE) == set()
    assert event_cells(from_stones("F1 H8", "", tower="W"), "F1-F6", CAPTURE) == set()


def test_captures_do_not_ripple() -> None:
    """§6.7; rules of 2015 Fig 4."""
    position = from_stones("J7 K8", "G11 J6 L9", edition="2015", turn="w")
    assert event_cells(position, "G11-J8", CAPTURE) == {"J7"}
    assert position.play(position.parse("G11-J8")).stones[Cell("K8")] is Side.BLACK


def test_the_stone_that_moves_is_not_its_own_flank() -> None:
    position = from_stones("D4", "E4")
    assert event_cells(position, "D4-E5", CAPTURE) == set()


GREEN = "J4 J10 D10"


@BOTH
def test_the_moving_stone_completes_a_frame(edition: str) -> None:
    """§5.1; rules of 2015 Fig 5, E3-D4."""
    position = from_stones(f"E3 {GREEN}", "", edition=edition)
    assert event_cells(position, "E3-D4", OCCUPY) == {"G7", "D4", "D10", "J10", "J4"}
    assert position.play(position.parse("E3-D4")).tower is Side.BLACK


def test_a_captured_stone_completes_a_frame() -> None:
    """§6.6; rules of 2015 Fig 5, E3-E4: the frame D5 E10 J9 I4 through the capture on D5."""
    position = from_stones("E3 C6 E10 J9 I4", "D5", edition="2015")
    assert event_cells(position, "E3-E4", CAPTURE) == {"D5"}
    assert event_cells(position, "E3-E4", OCCUPY) == {"G7", "D5", "E10", "J9", "I4"}


def test_one_move_completes_three_corners() -> None:
    """Rules of 2015 Fig 5, B7-F7: the frame F7 G8 H7 G6."""
    position = from_stones("G8 G6", "B7 H7 H9 H5", edition="2015", turn="w")
    assert event_cells(position, "B7-F7", CAPTURE) == {"G8", "G6"}
    assert event_cells(position, "B7-F7", OCCUPY) == {"G7", "F7", "G8", "H7", "G6"}


def test_an_existing_frame_earns_nothing() -> None:
    """§5.2: the opportunity expires at the end of the turn."""
    position = from_stones(f"D4 {GREEN} A2", "", edition="2015")
    assert event_cells(position, "A2-B2", OCCUPY) == set()


def test_the_cell_that_the_mover_leaves_is_not_a_corner() -> None:
    """Capturing D5 would complete D5 E10 J9 I4, had the stone not come from E10."""
    position = from_stones("E10 C5 J9 I4", "D5")
    ways = {text for text in move_texts(position, "E10") if text.startswith("E10-E5")}
    assert ways == {"E10-E5", "E10-E5~D5"}


@BOTH
def test_a_tilted_square_is_a_frame(edition: str) -> None:
    """§5.1: fourth-order rotational symmetry."""
    position = from_stones("A4 E12 L9 I2", "", edition=edition)
    assert event_cells(position, "A4-B5", OCCUPY) == {"G7", "B5", "E12", "L9", "I2"}


def test_a_square_around_another_cell_is_not_a_frame() -> None:
    assert event_cells(from_stones("A4 C5 C7 E7", "", edition="2015"), "A4-B5", OCCUPY) == set()


def test_an_occupation_replaces_the_enemy_tower() -> None:
    position = from_stones(f"E3 {GREEN}", "", tower="W", edition="2015")
    assert position.play(position.parse("E3-D4")).tower is Side.BLACK


def test_a_frame_with_the_own_tower_in_place_has_no_effect() -> None:
    """Rules of 2015 §7.2."""
    position = from_stones(f"E3 {GREEN}", "", tower="B")
    assert event_cells(position, "E3-D4", OCCUPY) == set()
    assert move_texts(position, "E3") >= {"E3-D4"}
    assert "E3-D4~G7" not in move_texts(position, "E3")


def test_every_set_of_captures_may_be_declined() -> None:
    """§6.8."""
    position = from_stones("A5 G5 E7", "F5 E6")
    ways = {text for text in move_texts(position, "A5") if text.startswith("A5-E5")}
    assert ways == {"A5-E5", "A5-E5~E6", "A5-E5~E6,F5", "A5-E5~F5"}


@pytest.mark.parametrize(
    ("move", "black", "white"),
    [
        ("A5-E5", "E5 G5 E7 F5 E6", ""),
        ("A5-E5~F5", "E5 G5 E7 E6", "F5"),
        ("A5-E5~E6,F5", "E5 G5 E7", "F5 E6"),
    ],
)
def test_a_declined_stone_keeps_its_colour(move: str, black: str, white: str) -> None:
    position = from_stones("A5 G5 E7", "F5 E6")
    assert position.play(position.parse(move)) == from_stones(black, white, turn="w")


def test_declined_cells_are_parsed_in_any_order_and_written_by_file_then_rank() -> None:
    position = from_stones("A11 G11 E13 C9", "F11 E12 D10")
    assert str(position.parse("a11-e11 ~ f11, E12,d10")) == "A11-E11~D10,E12,F11"


def test_ranks_are_ordered_as_numbers_in_a_move_and_as_text_among_moves() -> None:
    position = from_stones("A9 E7 E11", "E8 E10")
    ways = [str(move) for move in position.legal_moves() if str(move).startswith("A9-E9")]
    assert ways == ["A9-E9", "A9-E9~E10", "A9-E9~E8", "A9-E9~E8,E10"]


def test_an_occupation_may_be_declined() -> None:
    """§5.4."""
    position = from_stones(f"E3 {GREEN}", "")
    assert move_texts(position, "E3") >= {"E3-D4", "E3-D4~G7"}
    after = position.play(position.parse("E3-D4~G7"))
    assert after.tower is None
    assert event_cells(position, "E3-D4~G7", EventKind.DECLINE_OCCUPY) == {"G7"}


def test_an_occupation_that_only_a_declined_capture_earns_is_not_offered() -> None:
    position = from_stones("E3 C6 E10 J9 I4", "D5")
    ways = {text for text in move_texts(position, "E3") if text.startswith("E3-E4")}
    assert ways == {"E3-E4", "E3-E4~D5", "E3-E4~G7"}
    assert position.play(position.parse("E3-E4~D5")).tower is None


def test_an_occupation_that_the_mover_earns_alone_is_offered_without_the_captures() -> None:
    position = from_stones(f"E3 {GREEN} D6", "D5")
    ways = {text for text in move_texts(position, "E3") if text.startswith("E3-D4")}
    assert ways == {"E3-D4", "E3-D4~D5", "E3-D4~D5,G7", "E3-D4~G7"}


def test_a_decline_names_the_owner_of_the_stone() -> None:
    position = from_stones("A5 G5 E7", "F5 E6")
    kinds = [(event.kind, event.side, event.cells) for event in position.events(position.parse("A5-E5~F5"))]
    assert kinds == [
        (EventKind.MOVE, Side.BLACK, ("A5", "E5")),
        (EventKind.CONVERT, Side.BLACK, ("E6",)),
        (EventKind.DECLINE_CONVERT, Side.WHITE, ("F5",)),
    ]


@pytest.mark.parametrize("edition", ["2015", "mindsports"])
def test_the_other_editions_decline_nothing(edition: str) -> None:
    """Rules of 2015 §5.5, §7.1."""
    position = from_stones(f"E3 {GREEN} D6", "D5", edition=edition)
    assert not [text for text in move_texts(position) if "~" in text]


@pytest.mark.parametrize(("tower", "outcome"), [("B", "black"), ("W", "white"), ("", "draw")])
@pytest.mark.parametrize("turn", ["b", "w"])
def test_the_tower_decides_when_a_side_cannot_move(tower: str, outcome: str, turn: str) -> None:
    """§3.1, §3.4, §7.1."""
    position = from_stones("G6", "G8", tower=tower, turn=turn)
    assert position.outcome == Outcome(outcome)
    assert position.to_move is None
    assert position.legal_moves() == ()


def test_the_game_continues_while_the_side_to_move_can_move() -> None:
    """§7.1: on his turn."""
    assert from_stones("A5", "G8").outcome is None
    assert from_stones("A5", "G8", turn="w").outcome is Outcome.DRAW


@pytest.mark.parametrize(("tower", "outcome"), [("B", "black"), ("W", "white"), ("", "draw")])
def test_by_agreement_the_tower_decides_at_any_time(tower: str, outcome: str) -> None:
    """§7.1."""
    assert from_stones("A5", "C6", tower=tower).agreed_outcome == Outcome(outcome)


@pytest.mark.parametrize(
    ("edition", "vocabulary"),
    [("nestor", "morelli.nestor"), ("2015", "morelli.throne"), ("mindsports", "morelli.throne")],
)
def test_the_vocabulary_follows_the_edition(edition: str, vocabulary: str) -> None:
    assert from_stones("A5", "", edition=edition).vocabulary == vocabulary
