"""Morphos: turns, the win, the pie rule, passing, and what each mutator changes."""

from __future__ import annotations

import pytest

from engine import (
    GAMES,
    Event,
    EventKind,
    MoveChoice,
    OptionError,
    Outcome,
    SelectionKind,
    Side,
    UnknownGameError,
    get_game,
)
from engine.morphos import MORPHOS, MORPHOS_VERSIONS
from tests.engine.morphos_diagrams import cells, flip_texts, from_diagram, move_texts, play_moves

BLACK_TO_WIN = """
    . . . . .
    . . b . .
    . . b . .
    . . b . .
    . . b . .
    """
WHITE_COUNTS_C4 = """
    . . . . . . .
    . . . . . . .
    . . w . . . .
    . . b b . . .
    . . . w . . .
    . . . . . . .
    . . . . . . .
    """


def test_the_default_board_has_thirteen_points_a_side() -> None:
    assert str(MORPHOS.initial_position()) == "morphos - " + "/".join(["13"] * 13) + " b 0 -"


def test_black_begins_and_sides_alternate() -> None:
    position = MORPHOS.initial_position(size=5)
    assert position.to_move is Side.BLACK
    assert play_moves(position, "C3").to_move is Side.WHITE
    assert play_moves(position, "C3", "C4").to_move is Side.BLACK


def test_a_flip_changes_the_owner_of_the_stone() -> None:
    position = from_diagram(
        """
        . . . . .
        w . . . .
        b . . . .
        w . . . .
        . . . . .
        """,
        mover="w",
    )
    assert str(play_moves(position, "xA3")) == "morphos - 5/w4/w4/w4/5 b 11 -"


def test_a_chain_from_edge_to_edge_wins_when_the_turn_ends() -> None:
    position = from_diagram(BLACK_TO_WIN)
    assert position.outcome is None
    won = play_moves(position, "C5")
    assert won.outcome is Outcome.BLACK
    assert won.to_move is None
    assert won.legal_moves() == ()


def test_white_joins_left_and_right() -> None:
    position = from_diagram(
        """
        . . . . .
        . . . . .
        w w w w .
        . . . . .
        . . . . .
        """,
        mover="w",
    )
    assert play_moves(position, "E3").outcome is Outcome.WHITE


def test_diagonal_neighbours_do_not_join() -> None:
    position = from_diagram(
        """
        . . . . .
        . . b . .
        . . b . .
        . . b . .
        . b . . .
        """
    )
    assert play_moves(position, "C5").outcome is None


def test_a_flip_can_join_the_edges() -> None:
    position = from_diagram(
        """
        . . b . .
        . . b . .
        . b w b .
        . . b . .
        . . b . .
        """
    )
    assert flip_texts(position) == set()
    position = from_diagram(
        """
        . . b . .
        . . b . .
        . b w b .
        . . b b .
        . . b . .
        """
    )
    assert play_moves(position, "xC3").outcome is Outcome.BLACK


def test_the_winning_chain_is_a_shortest_one() -> None:
    position = from_diagram(
        """
        . . b b .
        . b b . .
        . b . . .
        . b b b .
        . b . b .
        """,
        mover="w",
    )
    assert position.winning_chain == ("B1", "B2", "B3", "B4", "C4", "C5")
    assert from_diagram(BLACK_TO_WIN).winning_chain == ()


def test_vulnerable_lists_stones() -> None:
    position = from_diagram(
        WHITE_COUNTS_C4.replace("b b", "w b").replace("w . . . .", "w w . . ."), mover="w"
    )
    assert position.vulnerable == ("D4",)


class TestPieRule:
    def test_white_may_swap_on_the_first_turn(self) -> None:
        assert "swap" in move_texts(play_moves(MORPHOS.initial_position(size=5), "C3"))

    def test_a_swap_uses_the_turn_and_changes_no_stone(self) -> None:
        swapped = play_moves(MORPHOS.initial_position(size=5), "C3", "swap")
        assert str(swapped) == "morphos - 5/5/2b2/5/5 w 2 swapped"

    def test_there_is_no_second_swap(self) -> None:
        swapped = play_moves(MORPHOS.initial_position(size=5), "C3", "swap")
        assert "swap" not in move_texts(swapped)
        assert "swap" not in move_texts(play_moves(swapped, "A1"))

    def test_only_white_may_swap_and_only_on_the_first_turn(self) -> None:
        assert "swap" not in move_texts(MORPHOS.initial_position(size=5))
        assert "swap" not in move_texts(play_moves(MORPHOS.initial_position(size=5), "C3", "A1"))
        assert "swap" not in move_texts(play_moves(MORPHOS.initial_position(size=5), "C3", "A1", "A2"))

    def test_a_swap_is_remembered(self) -> None:
        assert str(play_moves(MORPHOS.initial_position(size=5), "C3", "swap", "A1", "B1")).endswith(
            " w 4 swapped"
        )

    def test_a_stone_flipped_before_the_swap_still_counts_after_it(self) -> None:
        swapped = play_moves(MORPHOS.initial_position(size=5, mutators="abe"), "xA2", "swap")
        assert str(swapped).endswith(" w 2 swapped,xA2")

    def test_a_swap_is_one_event(self) -> None:
        position = play_moves(MORPHOS.initial_position(size=5), "C3")
        assert position.events(position.parse("Swap")) == (Event(EventKind.SWAP, Side.WHITE),)


class TestPassing:
    STUCK = "morphos e wbbbb/wbbbb/bwwwb/wbwww/wbbww b 10 -"

    def test_a_side_that_can_neither_place_nor_flip_must_pass(self) -> None:
        position = MORPHOS.load(self.STUCK)
        assert (position.outcome, move_texts(position)) == (None, ["pass"])

    def test_passing_is_remembered_for_one_turn(self) -> None:
        passed = play_moves(MORPHOS.load(self.STUCK), "pass")
        assert str(passed).endswith(" w 11 passed")
        assert str(play_moves(passed, move_texts(passed)[0])).endswith(" b 12 -")

    def test_a_pass_is_one_event_and_needs_no_answer(self) -> None:
        position = MORPHOS.load(self.STUCK)
        assert position.next_choice() == position.parse("pass")
        assert position.events(position.parse("pass")) == (Event(EventKind.PASS, Side.BLACK),)

    def test_a_pass_that_only_a_pass_could_answer_ends_in_a_draw(self) -> None:
        position = MORPHOS.load(self.STUCK.replace(" b 10 -", " b 10 passed"))
        assert position.outcome is Outcome.DRAW
        assert position.legal_moves() == ()


class TestCounting:
    """Mutator b."""

    def test_a_stone_just_flipped_still_counts_for_its_owner(self) -> None:
        assert flip_texts(from_diagram(WHITE_COUNTS_C4, mutators="ab", mover="w", extra="xC4")) == set()
        picture = WHITE_COUNTS_C4.replace("w . . . .", "w w . . .", 1)
        assert flip_texts(from_diagram(picture, mutators="b", mover="w", extra="xC4")) == {"xD4"}
        assert flip_texts(from_diagram(picture, mutators="b", mover="w")) == set()

    def test_a_stone_is_not_flipped_where_the_enemy_could_flip_it_back(self) -> None:
        picture = """
            . . . . . . .
            . . w . . . .
            . . w b b . .
            . . b b b . .
            . . . w w . .
            . . . . . . .
            . . . . . . .
            """
        assert flip_texts(from_diagram(picture, mutators="b", mover="w", extra="xC4")) == set()
        kinder = picture.replace("w b b", "w b .")
        assert flip_texts(from_diagram(kinder, mutators="b", mover="w", extra="xC4")) == {"xD4"}

    def test_the_flipped_stone_is_recorded_for_one_turn(self) -> None:
        start = MORPHOS.initial_position(size=5, mutators="abe")
        assert str(play_moves(start, "xA2")).endswith(" w 1 xA2")
        assert str(play_moves(start, "xA2", "xA1")).endswith(" b 2 xA1")

    def test_the_win_waits_for_the_start_of_the_next_turn(self) -> None:
        joined = play_moves(from_diagram(BLACK_TO_WIN, mutators="b"), "C5")
        assert joined.outcome is None
        assert play_moves(joined, "A1").outcome is Outcome.BLACK

    def test_a_chain_that_is_cut_in_time_does_not_win(self) -> None:
        joined = MORPHOS.load("morphos be bbbbb/wwbbw/wwbww/wbbww/bbbbw w 11 xC4")
        assert joined.board_stones.black.is_connected
        cut = play_moves(joined, "xC3")
        assert cut.outcome is None
        assert cut == MORPHOS.load(str(cut))

    def test_after_a_swap_nobody_has_won(self) -> None:
        assert play_moves(MORPHOS.initial_position(size=5, mutators="abe"), "xA2", "swap").outcome is None


class TestDoubling:
    """Mutator c."""

    def test_a_turn_places_one_stone_or_two(self) -> None:
        position = MORPHOS.initial_position(size=5, mutators="c")
        assert len(move_texts(position)) == 25 + 300
        assert str(play_moves(position, "D4")) == "morphos c 5/3b1/5/5/5 w 1 -"
        assert str(play_moves(position, "D4,B2")) == "morphos c 5/3b1/5/1b3/5 w 1 -"

    def test_two_points_are_written_by_file_then_rank(self) -> None:
        position = MORPHOS.initial_position(size=12, mutators="c")
        for text in ("B10,B9", "b9, b10", "B 9 ,B10"):
            assert str(position.parse(text)) == "B9,B10"
        assert str(position.parse("C1,B12")) == "B12,C1"

    def test_a_flip_uses_the_whole_turn(self) -> None:
        position = from_diagram("..... w.... b.... w.... .....".replace(" ", "\n"), mutators="c", mover="w")
        assert [text for text in move_texts(position) if "x" in text] == ["xA3"]

    def test_two_placements_are_one_event(self) -> None:
        position = MORPHOS.initial_position(size=5, mutators="c")
        assert position.events(position.parse("D4,B2")) == (
            Event(EventKind.PLACE, Side.BLACK, cells("B2", "D4")),
        )


class TestRestoring:
    """Mutator d."""

    VULNERABLE = """
        . . . . .
        w . . . .
        b . . . .
        w . . . .
        . . . . .
        """

    def test_after_a_flip_the_captured_stone_is_owed(self) -> None:
        assert str(play_moves(from_diagram(self.VULNERABLE, mutators="d", mover="w"), "xA3")).endswith(
            " b 11 owed"
        )

    def test_the_next_turn_begins_with_the_captured_stone(self) -> None:
        owing = play_moves(from_diagram(self.VULNERABLE, mutators="d", mover="w"), "xA3")
        assert len(move_texts(owing)) == 22 * 21
        assert str(play_moves(owing, "C3+D4")) == "morphos d 5/w2b1/w1b2/w4/5 w 12 -"

    def test_the_restored_stone_can_make_an_enemy_stone_vulnerable(self) -> None:
        owing = from_diagram(
            """
            . . . . .
            . . b . .
            . . w b .
            . . b b .
            . . . . .
            """,
            mutators="d",
            extra="owed",
        )
        assert "B3+xC3" in move_texts(owing)
        assert "A1+xC3" in move_texts(owing)
        owing = from_diagram(
            """
            . . . . .
            . . b . .
            . . w b .
            . . b . .
            . . . . .
            """,
            mutators="d",
            extra="owed",
        )
        assert [text for text in move_texts(owing) if text.endswith("xC3")] == ["D2+xC3", "D4+xC3"]

    def test_nothing_is_owed_on_a_full_board(self) -> None:
        position = MORPHOS.initial_position(size=5, mutators="de")
        for text in move_texts(position):
            assert str(play_moves(position, text)).endswith(" w 1 -")

    def test_the_restored_stone_counts_for_the_win(self) -> None:
        owing = from_diagram(BLACK_TO_WIN, mutators="d", extra="owed")
        assert play_moves(owing, "C5+A1").outcome is Outcome.BLACK

    def test_a_restored_stone_on_the_last_point_may_leave_only_a_pass(self) -> None:
        owing = MORPHOS.load("morphos d wwbbb/w1www/wwbbw/wbbbb/wbbbb w 25 owed")
        assert move_texts(owing) == ["B4+pass"]
        assert owing.next_choice(("B4",)) == owing.parse("b4 + pass")
        assert str(play_moves(owing, "B4+pass")).endswith(" b 26 passed")

    def test_the_restored_stone_is_the_first_event(self) -> None:
        owing = play_moves(from_diagram(self.VULNERABLE, mutators="d", mover="w"), "xA3")
        assert owing.events(owing.parse("C3+D4")) == (
            Event(EventKind.RESTORE, Side.BLACK, cells("C3")),
            Event(EventKind.PLACE, Side.BLACK, cells("D4")),
        )


class TestFilled:
    """Mutator e."""

    def test_the_board_starts_chequered_with_a_black_a1(self) -> None:
        assert (
            str(MORPHOS.initial_position(size=5, mutators="e"))
            == "morphos e bwbwb/wbwbw/bwbwb/wbwbw/bwbwb b 0 -"
        )
        assert str(MORPHOS.initial_position(size=6, mutators="e")).startswith("morphos e wbwbwb/bwbwbw/")


class TestTogether:
    def test_the_flipped_stone_and_the_owed_stone_are_both_recorded(self) -> None:
        position = from_diagram(TestRestoring.VULNERABLE, mutators="bd", mover="w")
        assert str(play_moves(position, "xA3")).endswith(" b 11 xA3,owed")

    def test_the_win_is_checked_before_the_captured_stone_is_restored(self) -> None:
        joined = MORPHOS.load("morphos abd 1wwbw/wbbbb/wwb1w/2b1b/wbb2 w 19 xD4,owed")
        flipped = play_moves(joined, "B2+xE4")
        assert (flipped.must_restore, flipped.outcome) == (True, Outcome.BLACK)

    def test_a_pending_win_is_not_a_draw(self) -> None:
        position = MORPHOS.load("morphos abd wwwbb/www1w/wbbww/bbbbw/bbbbb w 25 xC1,owed")
        passed = play_moves(position, "D4+pass")
        assert (passed.outcome, move_texts(passed)) == (None, ["pass"])
        assert play_moves(passed, "pass").outcome is Outcome.WHITE

    def test_the_stone_just_flipped_may_be_flipped_back_with_the_help_of_the_restored_one(self) -> None:
        position = MORPHOS.load("morphos abd 2www/1bwwb/wwbbw/1wbbb/bbbww b 22 xC4,owed")
        assert "B5+xC4" in move_texts(position)
        assert "A2+xC4" not in move_texts(position)

    def test_a_restored_stone_that_joins_under_b_wins_only_a_turn_later(self) -> None:
        owing = from_diagram(BLACK_TO_WIN, mutators="bd", extra="owed")
        joined = play_moves(owing, "C5+A1")
        assert joined.outcome is None
        assert play_moves(joined, "E5").outcome is Outcome.BLACK

    def test_after_the_captured_stone_two_may_be_placed(self) -> None:
        position = from_diagram(TestRestoring.VULNERABLE, mutators="cd", mover="w")
        assert str(play_moves(position, "xA3", "C3+E5,D4")) == "morphos cd 4b/w2b1/w1b2/w4/5 w 12 -"


class TestFlipBackAfterRestoring:
    """Mutators b and d together: the enemy's next turn begins by putting the captured stone back."""

    PICTURE = """
        . . . . . . .
        . . . . . . .
        . . w w . . .
        . . b w w . .
        . . b b w . .
        . . . . b . .
        . . . . . . .
        """
    """White has just flipped D5 and could flip D4 back with one more stone on B5."""

    def flips(self, version: int, mutators: str = "bd", picture: str = PICTURE) -> list[str]:
        position = from_diagram(picture, mutators=mutators, extra="xD5,owed")
        moves = MORPHOS_VERSIONS[version].load(str(position)).legal_moves()
        return [text for text in map(str, moves) if text.endswith("xD4")]

    def test_version_1_looks_only_at_the_board_after_the_flip(self) -> None:
        assert len(self.flips(1)) == self.PICTURE.count(".")

    def test_version_2_forbids_the_flip_unless_the_restored_stone_takes_the_point(self) -> None:
        assert self.flips(2) == ["B5+xD4"]

    def test_version_2_forbids_the_flip_where_two_points_would_do(self) -> None:
        assert self.flips(2, picture=self.PICTURE.replace(". . . . b . .", ". . . . . . .")) == []

    def test_the_flip_is_offered_only_after_the_restored_stone_has_taken_the_point(self) -> None:
        position = from_diagram(self.PICTURE, mutators="bd", extra="xD5,owed")
        assert position.next_choice(("B5", "flip")) == MoveChoice(SelectionKind.FLIP, cells("D4"))
        without_flip = position.next_choice(("A1",))
        assert isinstance(without_flip, MoveChoice)
        assert without_flip.kind is SelectionKind.PLACE


class TestRulesVersions:
    def test_current_and_earlier_rules_are_found(self) -> None:
        assert get_game("morphos", 2) is MORPHOS is GAMES["morphos"]
        assert get_game("morphos", 1) is MORPHOS_VERSIONS[1]

    @pytest.mark.parametrize("version", [0, 3])
    def test_other_versions_are_unknown(self, version: int) -> None:
        with pytest.raises(UnknownGameError, match=f"morphos has no version {version} of its rules"):
            get_game("morphos", version)

    @pytest.mark.parametrize("version", MORPHOS_VERSIONS)
    def test_a_position_keeps_the_version_of_its_game(self, version: int) -> None:
        start = MORPHOS_VERSIONS[version].initial_position(size=5, mutators="bd")
        for position in (start, play_moves(start, "C3"), start.game.load(str(start))):
            assert position.game.rules_version == version

    def test_positions_under_different_versions_are_different(self) -> None:
        first, second = (game.initial_position(size=5) for game in MORPHOS_VERSIONS.values())
        assert str(first) == str(second)
        assert first != second


@pytest.mark.parametrize("given", ["edcba", "EDBCA", " abcde "])
def test_mutators_may_be_given_in_any_order(given: str) -> None:
    assert MORPHOS.complete_options(mutators=given)["mutators"] == "abcde"


@pytest.mark.parametrize("given", ["aa", "f", "abf", "a b", "", "a,b"])
def test_invalid_mutators_are_refused(given: str) -> None:
    with pytest.raises(OptionError, match="mutators cannot be"):
        MORPHOS.complete_options(mutators=given)


@pytest.mark.parametrize("size", [4, 20, "x"])
def test_sizes_are_bounded(size: int | str) -> None:
    with pytest.raises(OptionError, match="a whole number from 5 to 19"):
        MORPHOS.initial_position(size=size)
