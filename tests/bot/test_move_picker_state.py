"""The move picker without Discord: questions, answers, completed turns and custom ids."""

import re

import pytest

from bot.features.move_picker.state import PICK_ID_PATTERN, PickState
from bot.ui.cell_groups import MAX_OPTIONS, cells_in_group, direction, group_cells
from bot.ui.move_menu import PickMenuBuilder
from engine import GAMES
from engine.game import EventKind, IllegalMove, MoveChoice, Position, SelectionKind
from matches import MatchId
from move_builder import (
    add_forced_answers,
    apply_answers,
    encode_answer,
    find_implied_move,
    parse_turn,
    preview_board,
    undo_last_choice,
)
from tests.games import READER_TEXTS

# D1-D4 can capture C5, D5 and E4; A2-B3 captures C4 and thereby surrounds the Centre.
THREE = "morelli nestor 9/9/9/1b1b2w2/2ww5/4wb1w1/9/9/3b5 b -"
FOUR = "morelli nestor 9/5w3/3b5/6b2/3b3w1/2w6/5b3/b8/9 b -"
# One black stone that can reach a single cell.
LAST = "morelli nestor 9/9/9/9/4W4/9/2b6/9/9 b -"
RUN = "morelli nestor 6b6/13/13/13/13/12b/13/13/12w/b12/13/13/3w9 w free"
COMPULSORY = THREE.replace("nestor", "2015")

# Of the free points, only A8 is on file A.
OTHER_FILES = GAMES["morphos"].load(
    "morphos - bwbw1wb2/1wbwbw2b/bwwb2wbb/wwbb1b2w/bwwwwb2w/b1bwwwb2/bw2wb1ww/b1w1bbbww/b3b3b w 55 -"
)


def load(line: str) -> Position:
    """Return the position of a position line."""
    return GAMES["morelli"].load(line)


def state_before_choice(line: str, *answers: str) -> MoveChoice:
    """Return the open question after these answers."""
    choice = apply_answers(load(line), answers).choice
    assert choice is not None
    return choice


def state_of_turn(line: str, *answers: str) -> list[str]:
    """Return the moves of the turn that these answers complete."""
    state = apply_answers(load(line), answers)
    assert state.choice is None
    return [str(move) for move in state.moves]


@pytest.mark.parametrize(
    ("line", "answers", "ask"),
    [
        (THREE, (), SelectionKind.STONE),
        (THREE, ("D1",), SelectionKind.TARGET),
        (THREE, ("D1", "D4"), SelectionKind.CONVERSIONS),
        (FOUR, ("A2", "B3", "*"), SelectionKind.OCCUPY),
        (RUN, (), SelectionKind.PLACE),
        (RUN, ("A13",), SelectionKind.PLACE),
    ],
)
def test_next_question(line: str, answers: tuple[str, ...], ask: SelectionKind) -> None:
    assert state_before_choice(line, *answers).kind is ask


@pytest.mark.parametrize(
    ("line", "answers", "moves"),
    [
        (THREE, ("D1", "D2"), ["D1-D2"]),
        (THREE, ("D1", "D4", "*"), ["D1-D4"]),
        (THREE, ("D1", "D4", "C5,E4"), ["D1-D4~D5"]),
        (THREE, ("D1", "D4", "-"), ["D1-D4~C5,D5,E4"]),
        (COMPULSORY, ("D1", "D4"), ["D1-D4"]),
        (FOUR, ("A2", "B3", "*", "yes"), ["A2-B3"]),
        (FOUR, ("A2", "B3", "*", "no"), ["A2-B3~E5"]),
        (FOUR, ("A2", "B3", "-"), ["A2-B3~C4"]),
        (RUN, ("A13", "M1"), ["A13", "M1"]),
    ],
)
def test_answers_complete_the_turn(line: str, answers: tuple[str, ...], moves: list[str]) -> None:
    assert state_of_turn(line, *answers) == moves


@pytest.mark.parametrize(
    ("line", "answers"),
    [(THREE, ("D2",)), (THREE, ("D1", "D1")), (THREE, ("D1", "D4", "E5")), (RUN, ("A13", "A13"))],
)
def test_invalid_answer_is_refused(line: str, answers: tuple[str, ...]) -> None:
    with pytest.raises(IllegalMove):
        apply_answers(load(line), answers)


def test_complete_turn_has_all_its_moves_and_the_final_position() -> None:
    state = apply_answers(load(RUN), ("A13", "M1"))
    assert [event.cells for event in state.events] == [("A13",), ("M1",)]
    assert state.position == load(RUN).play(load(RUN).parse("A13")).play(state.moves[1])


def test_single_answer_is_given_automatically() -> None:
    assert add_forced_answers(load(LAST), ()) == ("C3", "D4")


def test_nothing_is_answered_automatically_if_there_is_a_choice() -> None:
    assert add_forced_answers(load(THREE), ()) == ()


def test_optional_single_capture_is_still_asked() -> None:
    assert add_forced_answers(load(FOUR), ("A2", "B3")) == ("A2", "B3")


@pytest.mark.parametrize(
    ("taken", "answer"), [(("C5", "D5", "E4"), "*"), ((), "-"), (("E4", "C5"), "C5,E4"), (("D5",), "D5")]
)
def test_subsets_are_encoded_short_and_in_order(taken: tuple[str, ...], answer: str) -> None:
    assert encode_answer(state_before_choice(THREE, "D1", "D4"), taken) == answer


def test_target_preview_includes_all_possible_effects() -> None:
    move = find_implied_move(apply_answers(load(FOUR), ("A2",)), "B3")
    assert str(move) == "A2-B3"


def test_selected_stone_alone_has_no_preview() -> None:
    assert find_implied_move(apply_answers(load(FOUR), ()), "A2") is None


@pytest.mark.parametrize(
    ("answers", "kinds"),
    [
        (("D1",), []),
        (("D1", "D4"), [EventKind.MOVE]),
        (("D1", "D4", "C5"), [EventKind.MOVE, EventKind.CONVERT, EventKind.DECLINE_CONVERT]),
    ],
)
def test_board_preview_shows_only_the_answered_effects(
    answers: tuple[str, ...], kinds: list[EventKind]
) -> None:
    position, events = preview_board(apply_answers(load(THREE), answers))
    assert [event.kind for event in events] == kinds
    assert ("D4" in position.stones) is bool(kinds)  # type: ignore[attr-defined]


def test_centre_is_empty_until_the_occupation_is_answered() -> None:
    position, events = preview_board(apply_answers(load(FOUR), ("A2", "B3", "*")))
    assert [event.kind for event in events] == [EventKind.MOVE, EventKind.CONVERT]
    assert position.tower is None  # type: ignore[attr-defined]


@pytest.mark.parametrize(
    "state",
    [
        PickState(MatchId(7), 12),
        PickState(MatchId(7), 12, ("D1", "D4", "C5,E4", "no"), is_flipped=True),
        PickState(MatchId(7), 0, ("A13",), group="M"),
        PickState(MatchId(7), 3, ("D1",), group="ne", is_flipped=True),
        PickState(MatchId(7), 3, ("D1", "D4", "*")),
        PickState(MatchId(7), 3, ("D1", "D4", "-", "yes")),
    ],
    ids=str,
)
def test_pick_state_round_trips(state: PickState) -> None:
    match = re.fullmatch(PICK_ID_PATTERN, str(state))
    assert match is not None
    assert PickState.from_values(match.groupdict()) == state


def test_longest_pick_state_fits_a_custom_id() -> None:
    captures = "I11,J10,J11,J12,K10,K11,K12"
    state = PickState(MatchId(10**12 - 1), 10**6 - 1, ("M13", "J11", captures, "yes"), is_flipped=True)
    assert len(f"confirm1:{state}") <= 100


@pytest.mark.parametrize(
    ("state", "earlier"),
    [
        (PickState(MatchId(1), 0), None),
        (PickState(MatchId(1), 0, ("D1",)), PickState(MatchId(1), 0)),
        (PickState(MatchId(1), 0, ("D1",), group="n"), PickState(MatchId(1), 0, ("D1",))),
        (
            PickState(MatchId(1), 0, ("A13", "M1"), is_flipped=True),
            PickState(MatchId(1), 0, ("A13",), is_flipped=True),
        ),
    ],
    ids=str,
)
def test_back_removes_one_step(state: PickState, earlier: PickState | None) -> None:
    assert state.back() == earlier


ALL_CELLS = tuple(f"{file}{rank}" for file in "ABCDEFGHI" for rank in range(1, 10))
CELLS_IN_LINE = tuple(
    cell for cell in ALL_CELLS if direction("E5", cell)
)  # the 32 cells that a queen reaches from the centre of an empty 9 x 9 board


def test_cells_that_fit_one_select_are_not_grouped() -> None:
    assert group_cells(ALL_CELLS[:MAX_OPTIONS]) == ()


def test_cells_are_grouped_by_file() -> None:
    groups = group_cells(ALL_CELLS)
    assert [group.key for group in groups] == list("ABCDEFGHI")
    assert {group.kind for group in groups} == {"file"}
    assert groups[1].cells == tuple(f"B{rank}" for rank in range(1, 10))


def test_targets_are_grouped_by_direction() -> None:
    groups = group_cells(CELLS_IN_LINE, "E5")
    assert [group.key for group in groups] == ["n", "ne", "e", "se", "s", "sw", "w", "nw"]
    assert {group.kind for group in groups} == {"direction"}
    assert groups[1].cells == ("F6", "G7", "H8", "I9")


def test_targets_off_the_queen_lines_are_grouped_by_file() -> None:
    assert group_cells((*CELLS_IN_LINE, "F7"), "E5")[0].kind == "file"


@pytest.mark.plain("it compares a description")
def test_group_of_one_cell_is_the_cell() -> None:
    assert OTHER_FILES.to_move is not None
    state = apply_answers(OTHER_FILES, ("place",))
    menu = PickMenuBuilder(READER_TEXTS, state, OTHER_FILES.to_move).build_menu()
    assert (menu.options[0].label, menu.options[0].description) == ("A8", "1 point")
    assert [one.value for one in menu.options] == ["A8", *(f"/{file}" for file in "BCDEFGHI")]


@pytest.mark.plain("it compares descriptions")
@pytest.mark.parametrize(
    ("position", "answers", "description"),
    [
        (OTHER_FILES, ("place",), "5 points"),
        (GAMES["morelli"].initial_position(size=9, setup="free"), (), "9 cells"),
    ],
)
def test_group_is_described_in_the_words_of_the_game(
    position: Position, answers: tuple[str, ...], description: str
) -> None:
    assert position.to_move is not None
    state = apply_answers(position, answers)
    menu = PickMenuBuilder(READER_TEXTS, state, position.to_move).build_menu()
    assert description in [one.description for one in menu.options]


def test_unknown_group_does_not_narrow_the_cells() -> None:
    assert cells_in_group(ALL_CELLS, "", "C") == tuple(f"C{rank}" for rank in range(1, 10))
    assert cells_in_group(ALL_CELLS, "", "") == ALL_CELLS


@pytest.mark.parametrize(
    ("origin", "cell", "key"),
    [("E5", "E9", "n"), ("E5", "A1", "sw"), ("E5", "F7", ""), ("E5", "E5", ""), ("J10", "H12", "nw")],
)
def test_direction_between_cells(origin: str, cell: str, key: str) -> None:
    assert direction(origin, cell) == key


@pytest.mark.parametrize(
    ("line", "answers", "before"),
    [
        (THREE, (), None),
        (THREE, ("D1",), ()),
        (THREE, ("D1", "D4", "*"), ("D1", "D4")),
        (LAST, ("C3", "D4"), None),
        (RUN, ("A13", "M2"), ("A13",)),
    ],
)
def test_undo_returns_to_the_last_real_question(
    line: str, answers: tuple[str, ...], before: tuple[str, ...] | None
) -> None:
    assert undo_last_choice(load(line), answers) == before


@pytest.mark.parametrize(
    ("line", "text", "moves"),
    [
        (THREE, "d1 - d4 ~ c5", ["D1-D4~C5"]),
        (RUN, "A13 M2", ["A13", "M2"]),
        (RUN, "a13", ["A13"]),
        (RUN, "", []),
    ],
)
def test_typed_turn_is_parsed(line: str, text: str, moves: list[str]) -> None:
    state = parse_turn(load(line), text)
    assert [str(move) for move in state.moves] == moves
    assert (state.choice, state.start) == (None, load(line))
    assert [event.kind for event in state.events if event.kind is EventKind.PLACE] == [EventKind.PLACE] * (
        len(moves) if line == RUN else 0
    )


def test_typed_turn_with_an_illegal_move_is_refused_as_a_whole() -> None:
    with pytest.raises(IllegalMove):
        parse_turn(load(RUN), "A13 A13")
