"""Morabaraba: placing, moving, flying, mills, what is removed, and how the game ends."""

from __future__ import annotations

import pytest

from engine import Event, EventKind, OptionError, Outcome, Side
from engine.morabaraba import MORABARABA
from engine.morabaraba.board import get_board
from tests.engine.morabaraba_diagrams import cells, events_of_kind, from_men, move_texts, play_moves
from tests.engine.morabaraba_oracle import LINES, NEXT, POINTS


def test_the_board_has_twenty_lines_of_three() -> None:
    assert {frozenset(line) for line in get_board().lines} == {frozenset(line) for line in LINES}
    assert len(LINES) == 20


@pytest.mark.parametrize("point", POINTS)
def test_neighbours_are_one_step_along_a_line(point: str) -> None:
    on = get_board()
    assert set(on.to_cells(on.neighbours[on.bit[cells(point)[0]]])) == NEXT[point]


@pytest.mark.parametrize("men", [12, 11])
def test_white_begins_with_all_men_in_hand(men: int) -> None:
    start = MORABARABA.initial_position(men=men)
    assert str(start) == f"morabaraba {men} 3/3/3/6/3/3/3 w {men},{men} -"
    assert start.to_move is Side.WHITE
    assert len(move_texts(start)) == 24


def test_other_numbers_of_men_are_refused() -> None:
    with pytest.raises(OptionError, match="men cannot be 10; it is one of 12, 11"):
        MORABARABA.initial_position(men=10)


class TestPlacing:
    def test_a_man_goes_from_the_hand_to_any_empty_point(self) -> None:
        placing = play_moves(MORABARABA.initial_position(), "D2")
        assert str(placing) == "morabaraba 12 3/3/3/6/3/1w1/3 r 11,12 -"
        assert "D2" not in move_texts(placing)

    def test_no_man_moves_while_men_are_in_hand(self) -> None:
        assert all("-" not in text for text in move_texts(from_men("A1 A4", "G7", hands=(1, 2))))

    def test_moving_begins_when_the_last_man_is_placed(self) -> None:
        last = from_men("A1 A4 D2", "G7 G4", side="r", hands=(0, 1))
        assert all("-" in text for text in move_texts(play_moves(last, "D3")))

    def test_a_mill_removes_a_man_or_declines_to(self) -> None:
        closing = from_men("A1 A4", "G7 D2 C5", hands=(3, 3))
        assert move_texts(closing, "A7") == ["A7xC5", "A7xD2", "A7xG7", "A7~"]
        assert str(play_moves(closing, "A7xC5")) == "morabaraba 12 w1r/3/3/w5/3/1r1/w2 r 2,3 -"
        assert str(play_moves(closing, "A7~")) == "morabaraba 12 w1r/3/r2/w5/3/1r1/w2 r 2,3 -"

    def test_the_four_diagonals_are_lines(self) -> None:
        for first, second, third in (
            ("A1", "B2", "C3"),
            ("A7", "B6", "C5"),
            ("E3", "F2", "G1"),
            ("E5", "F6", "G7"),
        ):
            assert f"{third}~" in move_texts(from_men(f"{first} {second}", "D7", hands=(3, 3)))

    def test_two_mills_at_once_remove_one_man(self) -> None:
        closing = from_men("A1 A4 D7 G7", "C3 D3", hands=(3, 3))
        assert move_texts(closing, "A7") == ["A7xC3", "A7xD3", "A7~"]
        assert events_of_kind(closing, "A7xC3", EventKind.MILL) == [
            Event(EventKind.MILL, Side.WHITE, cells("A1", "A4", "A7")),
            Event(EventKind.MILL, Side.WHITE, cells("A7", "D7", "G7")),
        ]


class TestRemoving:
    def test_a_man_in_a_mill_is_safe_while_others_are_not(self) -> None:
        closing = from_men("A1 A4", "C3 D3 E3 G7", hands=(3, 3))
        assert move_texts(closing, "A7") == ["A7xG7", "A7~"]

    def test_if_all_men_are_in_mills_any_may_be_removed(self) -> None:
        closing = from_men("A1 A4", "C3 D3 E3", hands=(3, 3))
        assert move_texts(closing, "A7") == ["A7xC3", "A7xD3", "A7xE3", "A7~"]

    def test_a_man_moved_within_its_own_lines_closes_only_what_it_completes(self) -> None:
        moving = from_men("A1 A4 B6 D5", "C3 G7 G1 F2")
        assert move_texts(moving, "B6") == [
            "B6-A7xC3",
            "B6-A7xF2",
            "B6-A7xG1",
            "B6-A7xG7",
            "B6-A7~",
            "B6-B4",
            "B6-C5",
            "B6-D6",
        ]

    def test_a_removal_names_the_owner_of_the_man(self) -> None:
        closing = from_men("A1 A4", "G7 D2 C5", hands=(3, 3))
        assert events_of_kind(closing, "A7xC5", EventKind.CAPTURE) == [
            Event(EventKind.CAPTURE, Side.RED, cells("C5"))
        ]
        assert events_of_kind(closing, "A7~", EventKind.DECLINE_CAPTURE) == [
            Event(EventKind.DECLINE_CAPTURE, Side.WHITE)
        ]

    def test_a_mill_without_men_to_remove_is_a_plain_placement(self) -> None:
        closing = from_men("A1 A4", "", hands=(3, 3))
        assert move_texts(closing, "A7") == ["A7"]

    def test_mills_lists_closed_mills(self) -> None:
        assert from_men("A1 A4 A7 D7", "C3 D3 E3").mills == (
            cells("A1", "A4", "A7"),
            cells("C3", "D3", "E3"),
        )


class TestMoving:
    def test_a_man_steps_to_an_empty_neighbour(self) -> None:
        assert move_texts(from_men("B2 G7 D7 G1", "A1 D2 C4 C5"), "B2") == ["B2-B4", "B2-C3"]

    def test_movable_lists_men_that_can_move(self) -> None:
        assert from_men("A1 G7 D7 G1", "A4 B2 D1 C5").movable == cells("D7", "G1", "G7")

    def test_a_step_is_one_event(self) -> None:
        moving = from_men("B2 G7 D7 G1", "A1 D2 C4 C5")
        assert moving.events(moving.parse("B2-C3")) == (Event(EventKind.MOVE, Side.WHITE, cells("B2", "C3")),)

    def test_a_step_is_built_from_man_target_and_man_to_remove(self) -> None:
        moving = from_men("A1 A4 D7 D5", "G7 G1 F2 C3")
        step = moving.next_choice(("D7", "A7"))
        assert moving.next_choice(("D7", "A7", "-")) == moving.parse("D7-A7~")
        assert moving.next_choice(("D7", "A7", "G7")) == moving.parse("D7-A7xG7")
        assert getattr(step, "options", ()) == ("C3", "F2", "G1", "G7", "-")


class TestFlying:
    def test_three_men_fly_to_any_empty_point(self) -> None:
        flying = from_men("A1 D2 G7", "A4 B4 C4 E4")
        assert len(move_texts(flying)) == 3 * 17

    def test_the_other_side_still_steps(self) -> None:
        stepping = from_men("A1 D2 G7", "A4 B2 F2 E4", side="r")
        assert move_texts(stepping, "A4") == ["A4-A7", "A4-B4"]

    def test_three_men_with_one_in_hand_are_placed(self) -> None:
        assert all("-" not in text for text in move_texts(from_men("A1 D2", "A4 B4 C4 E4", hands=(1, 1))))

    def test_men_in_hand_count_before_flying(self) -> None:
        assert move_texts(from_men("A1 D2", "A4 B4 C4", hands=(2, 1)), "A1") == []


class TestStraightBack:
    SWINGING = ("A1 A4 A7 B2 B6 D1", "C3 C5 E5 F2")

    def test_a_man_from_mill_to_mill_may_not_go_straight_back(self) -> None:
        swung = play_moves(from_men(*self.SWINGING), "A4-B4xC3")
        assert str(swung).endswith(" r 0,0 w:B4-A4")
        assert "B4-A4~" not in move_texts(play_moves(swung, "E5-E4"))
        assert "B4-C4" in move_texts(play_moves(swung, "E5-E4"))

    def test_it_may_go_back_one_turn_later(self) -> None:
        later = play_moves(from_men(*self.SWINGING), "A4-B4xC3", "E5-E4", "D1-G1", "E4-E5")
        assert str(later).endswith(" w 0,0 quiet=3")
        assert "B4-A4~" in move_texts(later)

    def test_declining_to_remove_also_forbids_the_step_back(self) -> None:
        assert str(play_moves(from_men(*self.SWINGING), "A4-B4~")).endswith(" w:B4-A4,quiet=1")

    def test_another_man_may_go_the_same_way(self) -> None:
        flown = from_men("A1 A4 A7", "C3 C5 E5 F2", extra="w:A4-B4")
        assert "A4-B4" not in move_texts(flown)
        assert "A1-B4" in move_texts(flown)

    def test_a_man_from_no_mill_may_go_back(self) -> None:
        closing = from_men("A4 B2 B6 D1", "C3 C5 E5 F2")
        assert str(play_moves(closing, "A4-B4xC3")).endswith(" r 0,0 -")

    def test_a_man_that_closes_no_mill_may_go_back(self) -> None:
        opening = from_men("A1 A4 A7 B2 D1", "C3 C5 E5 F2")
        assert str(play_moves(opening, "A4-B4")).endswith(" r 0,0 quiet=1")

    def test_both_sides_can_have_a_forbidden_step(self) -> None:
        both = from_men("A1 A4 A7 B2", "C5 D5 E5 F6", extra="w:A4-B4,r:D5-D6")
        assert both.forbidden_steps == {Side.WHITE: cells("A4", "B4"), Side.RED: cells("D5", "D6")}
        assert str(play_moves(both, "B2-C3")).endswith(" r 0,0 r:D5-D6,quiet=1")

    def test_a_side_with_only_the_forbidden_step_has_lost(self) -> None:
        men = ("A1 A4 A7 D7", "D1 B2 B6 B4 G7")
        assert move_texts(from_men(*men)) == ["D7-D6"]
        assert from_men(*men, extra="w:D7-D6").outcome is Outcome.RED


class TestEnds:
    def test_a_side_with_two_men_left_has_lost(self) -> None:
        won = play_moves(from_men("A1 A4 D7 D5", "G7 G1 F2"), "D7-A7xG7")
        assert (won.outcome, won.to_move, won.legal_moves()) == (Outcome.WHITE, None, ())
        assert won.outcome_cause == "too_few_men"

    def test_men_in_hand_are_men_left(self) -> None:
        assert from_men("A1 A4", "D7 D5", hands=(1, 1)).outcome is None
        assert from_men("A1 A4", "D7", hands=(2, 1)).outcome is Outcome.WHITE
        assert from_men("A1", "D7 D5 D6", hands=(1, 1)).outcome is Outcome.RED

    def test_a_side_that_cannot_move_has_lost(self) -> None:
        blocked = from_men("A1 A4 A7 D1", "B4 B2 B6 D7 D2 G1")
        assert (blocked.outcome, blocked.legal_moves()) == (Outcome.RED, ())
        assert blocked.outcome_cause == "no_move"

    def test_three_men_are_never_blocked(self) -> None:
        assert from_men("A1 A4 A7", "B4 B2 B6 D7 D1").outcome is None

    def test_a_full_board_is_a_draw(self) -> None:
        white = "A1 A4 D7 B2 B4 D6 C3 D5 C5 E4 F4 G1"
        red = " ".join(point for point in POINTS if point not in white.split() and point != "G7")
        last = from_men(white, red, side="r", hands=(0, 1))
        full = play_moves(last, next(text for text in move_texts(last) if text in {"G7", "G7~"}))
        assert (full.outcome, full.outcome_cause) == (Outcome.DRAW, "full_board")

    def test_a_removal_by_the_last_man_avoids_the_draw(self) -> None:
        white = "A1 A4 D7 B2 B4 D6 C3 D5 C5 E4 F4 G1"
        red = " ".join(point for point in POINTS if point not in white.split() and point != "G7")
        last = from_men(white, red, side="r", hands=(0, 1))
        assert play_moves(last, move_texts(last, "G7x")[0]).outcome is None

    def test_with_three_men_each_the_twentieth_turn_without_a_capture_is_a_draw(self) -> None:
        position = from_men("A1 A4 G7", "G1 C3 D6")
        for turn in range(19):
            move = move_texts(position, ("A1-A7", "G1-F2", "A7-A1", "F2-G1")[turn % 4])[0]
            position = play_moves(position, move.partition("x")[0])
            assert (position.outcome, position.no_capture_count) == (None, turn + 1)
        assert position.outcome_cause == ""
        last = play_moves(position, move_texts(position)[0])
        assert (last.outcome, last.outcome_cause) == (Outcome.DRAW, "no_capture")

    def test_a_capture_resets_the_count(self) -> None:
        quiet = from_men("A1 A4 D7", "G1 C3 D6", extra="quiet=19")
        assert play_moves(quiet, "D7-A7xG1").outcome is Outcome.WHITE
        assert play_moves(quiet, "D7-A7~").outcome is Outcome.DRAW

    @pytest.mark.parametrize("version", [1, 2])
    def test_with_three_men_each_every_version_counts(self, version: int) -> None:
        three_each = from_men("A1 A4 D7", "G1 C3 D6", version=version)
        assert str(play_moves(three_each, "A1-D1")).endswith(" r 0,0 quiet=1")
        last = from_men("A1 A4 D7", "G1 C3 D6", extra="quiet=19", version=version)
        assert play_moves(last, "A1-D1").outcome is Outcome.DRAW

    @pytest.mark.parametrize(("version", "extra"), [(1, "-"), (2, "quiet=1")])
    def test_with_more_men_turns_are_counted_from_version_2_on(self, version: int, extra: str) -> None:
        for red in ("G1 C3 D6", "G1 C3 D6 E4"):
            moving = from_men("A1 A4 D7 D5", red, version=version)
            assert str(play_moves(moving, "A1-D1")).endswith(f" r 0,0 {extra}")

    def test_the_hundredth_turn_in_a_row_without_a_capture_is_a_draw(self) -> None:
        position = from_men("A1 A4 G7 D5", "G1 C3 D6 E4")
        for turn in range(99):
            position = play_moves(position, ("A1-D1", "G1-G4", "D1-A1", "G4-G1")[turn % 4])
            assert (position.outcome, position.no_capture_count) == (None, turn + 1)
        drawn = play_moves(position, "G4-G1")
        assert str(drawn).endswith(" w 0,0 quiet=100")
        assert (drawn.outcome, drawn.outcome_cause) == (Outcome.DRAW, "no_capture_moving")
        assert (drawn.to_move, drawn.legal_moves()) == (None, ())

    def test_under_version_1_such_a_game_goes_on(self) -> None:
        position = from_men("A1 A4 G7 D5", "G1 C3 D6 E4", version=1)
        start = position
        for turn in range(200):
            position = play_moves(position, ("A1-D1", "G1-G4", "D1-A1", "G4-G1")[turn % 4])
        assert position == start
        assert position.outcome is None

    def test_the_hundredth_turn_can_capture_or_win(self) -> None:
        closing = from_men("A1 A4 D7 D5", "G1 C3 D6 E4", extra="quiet=99")
        captured = play_moves(closing, "D7-A7xG1")
        assert (captured.outcome, captured.no_capture_count) == (None, 0)
        assert play_moves(closing, "D7-A7~").outcome is Outcome.DRAW
        winning = from_men("A1 A4 D7 D5", "G1 C3 D6", extra="quiet=99")
        assert play_moves(winning, "D7-A7xG1").outcome is Outcome.WHITE

    def test_a_side_that_the_hundredth_turn_blocks_has_not_lost(self) -> None:
        men = ("A1 A4 A7 D1", "B4 B2 B6 D7 D2 G4")
        assert play_moves(from_men(*men, side="r", extra="quiet=98"), "G4-G1").outcome is Outcome.RED
        assert play_moves(from_men(*men, side="r", extra="quiet=99"), "G4-G1").outcome is Outcome.DRAW

    def test_placements_are_not_counted(self) -> None:
        placing = from_men("A1 A4", "G7 D2 C5", hands=(3, 3))
        assert str(play_moves(placing, "G1", "D6")).endswith(" w 2,2 -")
        moved = play_moves(from_men("A1 A4 D5 G1", "G7 D2 C5", hands=(0, 1)), "A1-D1")
        assert str(moved).endswith(" r 0,1 quiet=1")
        assert str(play_moves(moved, "A1")).endswith(" w 0,0 -")

    def test_the_capture_that_leaves_three_each_is_not_counted(self) -> None:
        assert str(play_moves(from_men("A1 A4 D7", "G1 C3 D6 E4"), "D7-A7xE4")).endswith(" r 0,0 -")

    @pytest.mark.parametrize(
        ("extra", "left", "version"),
        [
            ("-", None, 2),
            ("quiet=79", None, 2),
            ("quiet=80", 20, 2),
            ("quiet=99", 1, 2),
            ("quiet=100", None, 2),
            ("-", None, 1),
        ],
    )
    def test_the_last_twenty_turns_to_the_draw_are_counted_down(
        self, extra: str, left: int | None, version: int
    ) -> None:
        position = from_men("A1 A4 D7 D5", "G1 C3 D6 E4", extra=extra, version=version)
        assert position.turns_to_draw == left

    @pytest.mark.parametrize("version", [1, 2])
    @pytest.mark.parametrize(("extra", "left"), [("-", 20), ("quiet=19", 1), ("quiet=20", None)])
    def test_with_three_men_each_all_turns_are_counted_down(
        self, extra: str, left: int | None, version: int
    ) -> None:
        position = from_men("A1 A4 D7", "G1 C3 D6", extra=extra, version=version)
        assert position.turns_to_draw == left
