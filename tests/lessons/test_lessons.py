"""The lessons agree with the engine: solutions solve, wrong turns do not, and no goal is met by accident."""

from __future__ import annotations

import re
from functools import cache

import pytest

import engine
import render
from engine.game import EventKind, Outcome
from lessons.content import Lesson, Lessons, Task
from lessons.goals import WIN
from rules.content import RuleBooks
from tests.games import TEXTS

LESSONS = Lessons.load()
RULE_BOOKS = RuleBooks.load()
TASKS = [
    pytest.param(lesson, task, id=f"{lesson.game}-{task.key}") for lesson in LESSONS for task in lesson.tasks
]
MAX_SOLVING_SHARE = 0.4
MAX_TEXT_LENGTH = 300  # of each text, for a phone
KINDS = {*map(str, EventKind), WIN}


@cache
def solving_moves(game: str, task_key: str) -> frozenset[str]:
    """Return the legal moves that solve a task."""
    lesson = LESSONS.find(game)
    assert lesson is not None
    task = next(one for one in lesson.tasks if one.key == task_key)
    start = engine.GAMES[game].load(task.position)
    return frozenset(str(move) for move in start.legal_moves() if task.judge(start, [move]).is_solved)


@pytest.mark.parametrize("lesson", LESSONS.lessons, ids=lambda lesson: lesson.game)
def test_lesson_has_eight_to_fifteen_tasks_with_keys_of_their_own(lesson: Lesson) -> None:
    keys = [task.key for task in lesson.tasks]
    assert 8 <= len(set(keys)) == len(keys) <= 15
    assert all(re.fullmatch("[a-z-]{1,20}", key) for key in keys)


@pytest.mark.parametrize("lesson", LESSONS.lessons, ids=lambda lesson: lesson.game)
def test_first_match_is_possible(lesson: Lesson) -> None:
    assert engine.GAMES[lesson.game].initial_position(**lesson.options).legal_moves()


@pytest.mark.parametrize(("lesson", "task"), TASKS)
def test_solution_solves_and_wrong_turn_is_explained(lesson: Lesson, task: Task) -> None:
    start = engine.GAMES[lesson.game].load(task.position)
    assert str(start) == task.position
    solved = task.judge(start, [start.parse(task.solution)])
    assert (solved.is_solved, solved.text, solved.refutation) == (True, task.success, None)
    wrong = task.judge(start, [start.parse(task.wrong)])
    assert not wrong.is_solved
    assert wrong.text in {task.failure, *(mistake.text for mistake in task.mistakes)}
    assert (wrong.refutation is not None) == bool(task.goal.prevents)


@pytest.mark.parametrize(("lesson", "task"), TASKS)
def test_goal_is_met_by_few_of_the_legal_moves(lesson: Lesson, task: Task) -> None:
    legal = engine.GAMES[lesson.game].load(task.position).legal_moves()
    solving = solving_moves(lesson.game, task.key)
    assert 0 < len(solving) <= MAX_SOLVING_SHARE * len(legal)


@pytest.mark.parametrize(("lesson", "task"), TASKS)
def test_every_mistake_can_be_made(lesson: Lesson, task: Task) -> None:
    start = engine.GAMES[lesson.game].load(task.position)
    explained = {task.judge(start, [move]).text for move in start.legal_moves()}
    assert {mistake.text for mistake in task.mistakes} <= explained


@pytest.mark.parametrize("lesson", LESSONS.lessons, ids=lambda lesson: lesson.game)
def test_goals_name_kinds_and_results_that_exist(lesson: Lesson) -> None:
    mistakes = [mistake.goal for task in lesson.tasks for mistake in task.mistakes]
    for goal in (*mistakes, *(task.goal for task in lesson.tasks)):
        assert {*goal.events, *goal.least, *goal.cells, *goal.prevents, *goal.prepares} <= KINDS
        assert goal.outcome in {"", *map(str, Outcome)}


@pytest.mark.parametrize(("lesson", "task"), TASKS)
def test_texts_are_short_and_the_rule_exists(lesson: Lesson, task: Task) -> None:
    texts = (task.text, task.hint, task.success, task.failure, *(mistake.text for mistake in task.mistakes))
    assert max(map(len, texts)) <= MAX_TEXT_LENGTH
    book = RULE_BOOKS.find(lesson.game)
    assert book is not None
    assert book.find_page(task.rule) is not None


@pytest.mark.parametrize(("lesson", "task"), TASKS)
def test_cells_that_a_text_names_are_on_the_board(lesson: Lesson, task: Task) -> None:
    scene = render.build_scene(engine.GAMES[lesson.game].load(task.position), render.RenderOptions(TEXTS))
    cells = {cell for cell, _, _ in scene.cell_positions()}
    assert set(re.findall(r"\b[A-M]\d+\b", f"{task.text} {task.hint} {task.success} {task.failure}")) <= cells
