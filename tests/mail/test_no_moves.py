"""No line of a mail is by itself a move: somebody may answer it one day, and mail programs quote lines."""

from __future__ import annotations

from importlib.resources import files
from typing import TYPE_CHECKING

import pytest

from engine.game import GameError, Position
from i18n.translations import load_folder
from matches.platforms import WEBSITE
from matches.posting.letters import LetterKind
from tests.games import GAMES
from tests.mail.scenario import BEN, DUE, address_of, sending, start_quietly, write
from tests.mail.smtp_server import running_smtp
from tests.matches.scenario import NOON, make_challenge, play_move

if TYPE_CHECKING:
    from matches import Matches
    from storage import Database

COMMANDS = {"resign", "draw", "accept", "decline", "takeback", "board", "games", "stop", "help"}


def is_move(position: Position, line: str) -> bool:
    """Return whether a line is read as a move that can be played now."""
    try:
        for text in (words := position.resolve_words(line.split())):
            position = position.play(position.parse(text))
    except GameError:
        return False
    return bool(words)


def is_command(line: str) -> bool:
    return line.strip().strip(".!:").casefold() in COMMANDS


def texts_of_mails() -> list[str]:
    catalogue = load_folder(files("i18n").joinpath("en"))
    return [
        text
        for key, template in catalogue.items()
        if key.startswith(("mail.", "notice."))
        for text in ([template] if isinstance(template, str) else template.values())
    ]


@pytest.mark.parametrize("game", sorted(GAMES))
def test_no_text_of_the_catalogue_is_a_move_or_a_command(game: str) -> None:
    position = GAMES[game].initial_position()
    found = [text for text in texts_of_mails() if is_move(position, text) or is_command(text)]
    assert found == []
    assert is_move(position, str(position.legal_moves()[0]))


@pytest.mark.parametrize("game", sorted(GAMES))
async def test_no_line_of_a_mail_is_a_move_or_a_command(
    matches: Matches, database: Database, game: str
) -> None:
    update = await play_move(matches, await start_quietly(matches, game=game))
    position = update.match.position
    assert position is not None
    challenge = await make_challenge(matches, BEN, channel=WEBSITE)
    await write(database, LetterKind.CODE, address_of(BEN), code="question")
    await write(database, LetterKind.INVITATION, address_of(BEN), challenge=challenge.id)
    async with running_smtp() as server:
        for now in (NOON, DUE):  # the letters expire before the notices are due
            async with sending(database, server.port, lambda now=now: now) as sender:  # type: ignore[misc]
                await sender.send_due()
    assert len(server.mails) == 3
    bodies = [body for mail in server.mails if (body := mail.get_body(("plain",))) is not None]
    lines = [line for body in bodies for line in body.get_content().splitlines() if line.strip()]
    assert [line for line in lines if is_move(position, line) or is_command(line)] == []
