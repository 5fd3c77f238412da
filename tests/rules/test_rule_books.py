"""The claims of the rule books are compared with the engine, and docs/ is compared with the rule books."""

import re
import shutil
from collections.abc import Iterator
from contextlib import suppress
from importlib.resources import files
from pathlib import Path

import pytest

import engine
from engine.game import (
    AmbiguousMove,
    Event,
    EventKind,
    Game,
    GameError,
    IllegalMove,
    MoveChoice,
    NotationError,
    OptionError,
    Position,
)
from i18n.option_values import option_letters
from i18n.translations import list_languages
from render import RenderOptions
from rules.content import Example, RuleBook, RuleBooks, RulePage
from rules.pictures import render_example
from tests.examples import for_each
from tests.games import GAMES, RULE_BOOKS, TEXTS
from tools import rules as rules_tool
from tools.picture_files import same_pixels

ROOT = Path(__file__).resolve().parents[2]
LIBRARY = RULE_BOOKS
PUBLISHED = RuleBooks.load()
BOOK_PAGES = [(book, page) for book in LIBRARY for page in book.pages]
PAGES = [page for _, page in BOOK_PAGES]
SLIDES = {EventKind.MOVE}
MAX_PAGE_LENGTH = 1700


EXAMPLES = [(book, page.example) for book, page in BOOK_PAGES]


def claims(name: str) -> list[tuple[RuleBook, Example]]:
    """Return the examples that have a value in this field."""
    return [
        (book, example) for book, example in EXAMPLES if getattr(example, name) not in ("", 0, (), {}, None)
    ]


def named(value: object) -> str:
    """Return the id of a test parameter."""
    if isinstance(value, RuleBook):
        return value.vocabulary
    if isinstance(value, RulePage):
        return value.key
    return value.caption[:40] if isinstance(value, Example) else str(value)


def test_every_value_that_is_explained_in_words_has_one_picture() -> None:
    missing, pages = set[str](), [(book.game, value) for book, page in BOOK_PAGES for value in page.explains]
    for game in GAMES.values():
        choice, prefix = game.simultaneous_choice, f"setting_about.{game.name}."
        for option in game.options:
            letters = option_letters(option)
            for value in letters or (() if option.is_random else game.option_values(option)):
                is_undecided = choice is not None and (option.name, value) == (choice.option, choice.value)
                if (
                    TEXTS.has(f"{prefix}{option.name}.{value}")
                    and not is_undecided
                    and value != option.default
                ):
                    missing.add(f"{game.name} {option.name}={value}")
    assert sorted(f"{game} {value}" for game, value in pages) == sorted(missing)


def load(book: RuleBook, example: Example) -> Position:
    """Return the position of an example."""
    return GAMES[book.game].load(example.position)


def event_claim(event: Event) -> str:
    """Return an event in the form of a claim."""
    return " ".join([event.kind, *event.cells])


def sorted_cells(text: str) -> tuple[str, list[str]]:
    """Return a claim with its cells sorted."""
    kind, *cells = text.split()
    return kind, sorted(cells)


@for_each("book,example", EXAMPLES, named)
def test_position_line_is_canonical_and_has_the_vocabulary_of_the_book(
    book: RuleBook, example: Example
) -> None:
    position = load(book, example)
    assert str(position) == example.position
    assert position.vocabulary == book.vocabulary


@for_each("book,example", claims("moves"), named)
def test_moves_have_the_claimed_effects(book: RuleBook, example: Example) -> None:
    position = load(book, example)
    done = {
        text: [
            sorted_cells(event_claim(event))
            for event in position.events(position.parse(text))
            if event.kind not in SLIDES
        ]
        for text in example.moves
    }
    assert done == {text: list(map(sorted_cells, claimed)) for text, claimed in example.moves.items()}


@for_each("book,example", claims("illegal"), named)
def test_illegal_moves_are_refused(book: RuleBook, example: Example) -> None:
    position = load(book, example)
    for text in example.illegal:
        with pytest.raises(IllegalMove):
            position.parse(text)


@for_each("example", [example for _, example in claims("show")], named)
def test_shown_move_is_among_the_claims(example: Example) -> None:
    assert example.show in example.moves


@for_each("book,example", claims("path"), named)
def test_marked_answers_lead_to_a_question(book: RuleBook, example: Example) -> None:
    assert isinstance(load(book, example).next_choice(tuple(example.path or ())), MoveChoice)


@for_each("book,example", claims("ends"), named)
def test_moves_end_the_game_as_claimed(book: RuleBook, example: Example) -> None:
    position = load(book, example)
    outcomes = {text: position.play(position.parse(text)).outcome for text in example.ends}
    assert {text: outcome or "" for text, outcome in outcomes.items()} == example.ends


@for_each("book,example", claims("ambiguous"), named)
def test_ambiguous_moves_are_refused_as_ambiguous(book: RuleBook, example: Example) -> None:
    position = load(book, example)
    for text in example.ambiguous:
        with pytest.raises(AmbiguousMove):
            position.parse(text)


@for_each("book,example", claims("start"), named)
def test_start_position_is_that_of_the_engine(book: RuleBook, example: Example) -> None:
    assert GAMES[book.game].initial_position(**example.start) == load(book, example)


@for_each("book,example", claims("picks"), named)
def test_picks_are_resolved_as_claimed(book: RuleBook, example: Example) -> None:
    game = GAMES[book.game]
    assert {picks: game.resolve_picks(*picks.split()) for picks in example.picks} == example.picks


@for_each("book,example", claims("outcome"), named)
def test_outcome_is_as_claimed(book: RuleBook, example: Example) -> None:
    assert load(book, example).outcome == example.outcome


@for_each("book,example", claims("agreed"), named)
def test_agreed_outcome_is_as_claimed(book: RuleBook, example: Example) -> None:
    position = load(book, example)
    assert (position.outcome, position.agreed_outcome) == (None, example.agreed)


@for_each("book,example", claims("moves_due"), named)
def test_number_of_moves_due_is_as_claimed(book: RuleBook, example: Example) -> None:
    assert load(book, example).moves_due == example.moves_due


@for_each("book,page", BOOK_PAGES, named)
def test_every_move_in_the_text_is_played_by_the_example(book: RuleBook, page: RulePage) -> None:
    position, example = load(book, page.example), page.example
    played = {*example.moves, *example.ends, *example.illegal, *example.ambiguous}
    quoted = {word for text in re.findall(r"`(?:/move )?([^`/~]\S*)`", page.text) for word in text.split()}
    assert {word for word in quoted if is_move(position, word)} <= played


def is_move(position: Position, text: str) -> bool:
    """Return whether a text is a move in this position, legal or not."""
    try:
        position.parse(text)
    except NotationError:
        return False
    except GameError:
        return True
    return True


@for_each("page", PAGES, named)
def test_page_fits_a_message(page: RulePage) -> None:
    assert len(page.text) + len(page.example.caption) <= MAX_PAGE_LENGTH


@pytest.mark.parametrize("book", LIBRARY.books, ids=named)
def test_pages_of_a_book_fit_one_select_and_have_unique_keys(book: RuleBook) -> None:
    keys = [page.key for page in book.pages]
    assert len(set(keys)) == len(keys) <= 25


@pytest.mark.parametrize("book", LIBRARY.books, ids=named)
def test_book_begins_with_a_summary(book: RuleBook) -> None:
    assert book.pages[0].key == "summary"


@pytest.mark.parametrize("book", LIBRARY.books, ids=named)
def test_pages_that_a_text_points_to_exist(book: RuleBook) -> None:
    titles = {page.title for page in book.pages}
    pointed = {title for page in book.pages for title in re.findall(r"page \*([^*]+)\*", page.text)}
    assert pointed <= titles


def vocabularies(game: Game) -> Iterator[str]:
    """Yield the vocabulary of a match under each value of each option."""
    yield game.initial_position().vocabulary
    for option in game.options:
        for value in option.choices:
            with suppress(OptionError):  # some values are valid only together with others
                yield game.initial_position(**{option.name: value}).vocabulary


def test_every_vocabulary_that_a_game_can_have_has_its_book() -> None:
    assert {vocabulary for game in GAMES.values() for vocabulary in vocabularies(game)} == {
        book.vocabulary for book in LIBRARY
    }


def test_every_book_file_is_in_the_contents() -> None:
    folder = files("rules").joinpath("en")
    names = {entry.name.removesuffix(".toml") for entry in folder.iterdir()}
    assert names == {book.vocabulary for book in PUBLISHED} | {"contents"}


@pytest.mark.parametrize("book", LIBRARY.books, ids=named)
def test_note_of_a_book_fits_a_select_option(book: RuleBook) -> None:
    assert len(book.note) <= 100


@pytest.mark.long
@for_each("page", PAGES, named)
def test_commands_that_a_text_names_exist(page: RulePage) -> None:
    names = {TEXTS(key) for key in TEXTS.templates if re.fullmatch(r"command\.\w+\.name", key)}
    assert set(re.findall(r"`/(\w+)", page.text)) <= names


@pytest.mark.parametrize("book", LIBRARY.books, ids=named)
def test_buttons_that_a_text_names_exist(book: RuleBook) -> None:
    text = book.pages[book.page_index("typing")].text
    assert set(re.findall(r"\*\*(\w+)\*\*", text)) == {TEXTS("button.pick"), TEXTS("button.move")}


@pytest.mark.long
@for_each("book,example", EXAMPLES, named)
def test_alt_text_fits_an_attachment(book: RuleBook, example: Example) -> None:
    alt = render_example(GAMES[book.game], example, RenderOptions(TEXTS, width=200)).alt
    assert alt.startswith(example.caption)
    assert len(alt) <= 1024


@pytest.mark.parametrize("language", list_languages())
def test_docs_hold_the_text_of_the_books(language: str) -> None:
    folder = rules_tool.texts_folder(language)
    there = {path.name: path.read_text(encoding="utf-8") for path in folder.iterdir()}
    assert there == dict(rules_tool.markdown_files(language)), "run `python -m tools.rules`"


@pytest.mark.long
def test_docs_hold_the_pictures_of_the_books() -> None:
    folder = ROOT / "docs" / "pictures" / "rules"
    made = dict(rules_tool.picture_files(PUBLISHED, engine.GAMES, TEXTS))
    assert {path.name for path in folder.iterdir()} == set(made), "run `python -m tools.rules`"
    stale = [name for name, png in made.items() if not same_pixels(png, (folder / name).read_bytes())]
    assert stale == [], "run `python -m tools.rules`"


@pytest.mark.long
def test_the_tool_leaves_files_without_a_change_as_they_are(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    docs = shutil.copytree(rules_tool.DOCS, tmp_path / "docs")
    monkeypatch.setattr(
        rules_tool, "PICTURES_FOLDER", docs / rules_tool.PICTURES_FOLDER.relative_to(rules_tool.DOCS)
    )
    before = {path: path.read_bytes() for path in docs.rglob("*") if path.is_file()}
    monkeypatch.setattr(rules_tool, "DOCS", docs)
    rules_tool.main()
    assert {path: path.read_bytes() for path in docs.rglob("*") if path.is_file()} == before
