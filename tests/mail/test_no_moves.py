"""No line of a mail is by itself a move or a command, whatever a mail program does to it.

Somebody may answer a mail without typing anything, and their mail program quotes it without a mark.
"""

from __future__ import annotations

import itertools
from contextlib import suppress
from dataclasses import replace
from importlib.resources import files
from typing import TYPE_CHECKING

import pytest

import render
from engine.game import OptionError, Position
from i18n.match_texts import describe_pieces
from i18n.translations import list_languages, load_file, load_folder
from mail.commands.values import Answer
from mail.message import Board, Content, Part, format_text
from mail.possible_answers import describe_match_answers
from mail.reading.values import Unclear
from mail.reading.vocabulary import Vocabulary
from mail.reading.words import read_words
from matches import FollowMode, MatchState, OfferKind, Person
from matches.platforms import WEBSITE
from matches.posting.letters import LetterKind
from matches.values import Seat
from tests.games import GAMES, READER_TEXTS, TEXTS
from tests.mail.rewrapping import lines_of, texts_of
from tests.mail.scenario import (
    ANN,
    BEN,
    DUE,
    REPLIES,
    address_of,
    give_mail,
    sending,
    start_quietly,
    write,
    write_answer,
)
from tests.mail.smtp_server import running_smtp
from tests.matches.scenario import FISTS, NOON, later, make_challenge, play_move, start_match

if TYPE_CHECKING:
    from collections.abc import Iterator

    from engine.game import Game, OptionValue
    from matches import Matches
    from storage import Database

LANGUAGES = list_languages()
EVE = Person(f"web:{'e' * 24}", "Eve")
VOCABULARY = Vocabulary.load(TEXTS, GAMES.values())

# Every game and every language in one pair at least; the other pairs take long.
EVERY_PAIR = pytest.mark.parametrize(
    ("game", "language"),
    [
        pytest.param(game, language, marks=() if number == place % len(LANGUAGES) else pytest.mark.long)
        for place, game in enumerate(sorted(GAMES))
        for number, language in enumerate(LANGUAGES)
    ],
)


def says_something(position: Position | None, line: str) -> bool:
    """Return whether a line would be carried out if somebody had typed it alone."""
    return not isinstance(read_words(((line,),), position, VOCABULARY), Unclear)


def find_dangers(position: Position | None, texts: list[str]) -> list[str]:
    """Return the lines of texts that say something by themselves, also when they are broken anew."""
    lines = {line for text in texts for line in lines_of(text)}
    return sorted(line for line in lines if says_something(position, line))


# Of other front ends.
ELSEWHERE = {"puzzle.solution", "puzzle_post.solution"}


def texts_of_catalogue(language: str) -> list[str]:
    replies = load_file(files("i18n").joinpath("en", "mail_replies.toml"))  # refusals too
    catalogue = load_folder(files("i18n").joinpath(language))
    return [
        text
        for key, template in catalogue.items()
        if key.startswith(("mail.", "notice.", "puzzle.", "puzzle_mail.", "puzzle_post.", "refused."))
        or key in replies
        if key not in ELSEWHERE
        for text in ([template] if isinstance(template, str) else template.values())
    ]


@pytest.mark.long
@EVERY_PAIR
def test_no_text_of_the_catalogue_is_a_move_or_a_command(game: str, language: str) -> None:
    position = GAMES[game].initial_position()
    texts = texts_of_catalogue(language)
    assert len(texts) > 50
    assert find_dangers(position, texts) == []
    move = str(position.legal_moves()[0])
    assert find_dangers(position, [f"Hello\n\n{move}", "Draw, please!", "board 7"]) == sorted(
        [move, "Draw, please!", "board 7"]
    )


MOVES = 16  # that are played for positions
KEPT_EVERY = 5
MAX_VALUES = 3  # of each option


def positions_of(game: Game) -> Iterator[Position]:
    """Yield positions of a game with different options, in which the first or the last moves are played."""
    values = [
        [(one.name, value) for value in one.choices[:MAX_VALUES]] for one in game.options if one.choices
    ]
    for chosen in itertools.product(*values):
        with suppress(OptionError):  # options can exclude each other
            yield from positions_with(game, dict(chosen))


def positions_with(game: Game, options: dict[str, OptionValue]) -> Iterator[Position]:
    for place in (0, -1):
        position = game.initial_position(**options)
        for number in range(MOVES):
            if number % KEPT_EVERY == 0:
                yield position
            if position.outcome is not None:
                break
            position = position.play(position.legal_moves()[place])


@pytest.mark.long
@EVERY_PAIR
async def test_no_line_about_a_position_is_a_move_or_a_command(
    matches: Matches, game: str, language: str
) -> None:
    texts = READER_TEXTS.in_language(language)
    view = await start_quietly(matches, game=game)
    dangers = set[str]()
    for position in positions_of(GAMES[game]):
        if position.to_move is None:
            continue
        seats = (Seat(position.to_move, BEN), replace(view.seats[1], person=ANN))
        shown = replace(view, position=position, seats=seats, state=MatchState.PLAYING)
        diagram = render.to_text(render.build_scene(position, render.RenderOptions(texts)))
        pieces = (*describe_pieces(texts, position), texts("mail.board.whole"))
        answers = describe_match_answers(texts, shown, GAMES[game], BEN.account)
        assert position.example_move in answers
        part = Part("Your turn", board=Board(b"", pieces, diagram), answers=answers)
        text = format_text(Content("Your turn", (part,), ()))
        dangers |= set(find_dangers(position, [text]))
    assert dangers == set()


@pytest.mark.long
@EVERY_PAIR
async def test_no_line_of_a_mail_is_a_move_or_a_command(
    matches: Matches, database: Database, game: str, language: str
) -> None:
    written = READER_TEXTS.in_language(language)
    update = await play_move(matches, await start_quietly(matches, game=game))
    position = update.match.position
    await matches.offers.make(update.match.id, ANN, OfferKind.TAKEBACK, now=NOON)
    over = await play_move(matches, await start_quietly(matches, game=game))
    await matches.resign(over.match.id, ANN, now=NOON)
    if GAMES[game].simultaneous_choice is not None:
        await start_match(matches, FISTS, by=ANN, to=BEN, game=game, channel=WEBSITE)
    await give_mail(database, EVE)
    for mode in (FollowMode.TURNS, FollowMode.DAILY):
        watched = await start_match(matches, {}, by=ANN, to=EVE, game=game, server=WEBSITE, channel=WEBSITE)
        await matches.people.following.follow(watched.id, BEN, mode, now=NOON)
        await play_move(matches, watched)
    await matches.people.following.announce_digests(now=later(days=1))
    challenge = await make_challenge(matches, ANN, BEN, channel=WEBSITE)
    await write(database, LetterKind.CODE, address_of(BEN), code="question")
    await write(database, LetterKind.INVITATION, "new@example.org", challenge=challenge.id)
    answer = Answer("That move is not possible", ("B2 holds a stone.",), match=update.match.id)
    await write_answer(database, answer, address_of(BEN), BEN.account)
    async with running_smtp() as server:
        for now in (NOON, DUE, later(days=1, hours=1)):  # when the letters, the notices, the digest are due
            async with sending(database, server.port, lambda now=now: now, REPLIES, written) as sender:  # type: ignore[misc]
                await sender.send_due()
    assert len(server.mails) == 10 + (GAMES[game].simultaneous_choice is not None)
    texts = [text for mail in server.mails for text in texts_of(mail)]
    assert any(written("mail.notices.choose") in text for text in texts)
    assert find_dangers(position, texts) == []
    assert find_dangers(None, texts) == []  # as in a match without a board, and at the plain address
