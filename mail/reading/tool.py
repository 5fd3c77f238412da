"""``python -m mail read --index INDEX.json FOLDER``: say what would be done with the mails of a folder.

Each line is the name of a file, a tab and the action: ``play MOVE``, ``command NAME``, ``refuse`` (ask, and
change nothing), ``ignore``, ``bounce hard``, ``bounce soft`` or ``reject sender``. Nothing is sent or stored.

The index is a JSON object with the `position` of the match. Who we are and who may play is taken from the
mails: our address is the one that most of them went to, the player's the one that most of them came from.
"""

from __future__ import annotations

import argparse
import json
import sys
from collections import Counter
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from engine import GAMES, GameError
from i18n import Texts
from mail.reading.addresses import domain_of, parse_mailboxes
from mail.reading.machines import find_machine
from mail.reading.parsing import MAX_BYTES, parse_mail
from mail.reading.senders import HEADER, check_sender, parse_results
from mail.reading.typed import find_typed
from mail.reading.values import BounceReport, Command, IncomingMail, OwnMail, Play, Sender
from mail.reading.vocabulary import Vocabulary
from mail.reading.words import read_words

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping, Sequence

    from engine.game import Game, Position

MARK = ">"
MIN_QUOTED = 2  # mails in which a marked line stands if we sent it
_WENT_TO = ("delivered-to", "x-original-to", "to")


@dataclass(frozen=True, slots=True)
class Situation:
    """The match, and who writes to whom."""

    position: Position
    own: OwnMail
    player: str
    authserv_id: str | None


def main(arguments: Sequence[str], games: Mapping[str, Game] = GAMES) -> None:
    """Print the action of every mail. Exits with a sentence if the index or the folder cannot be read."""
    parser = argparse.ArgumentParser(prog="python -m mail read", description=__doc__)
    parser.add_argument("--index", required=True, type=Path, help="a JSON object with the position")
    parser.add_argument("folder", type=Path, help="a folder of mails, *.eml")
    options = parser.parse_args(arguments)
    try:
        position = load_position(options.index, games)
        files = sorted(options.folder.glob("*.eml"), key=lambda path: path.name)
        mails = {path.name: parse_mail(_read_file(path)) for path in files}
    except (OSError, ValueError) as error:
        parser.error(str(error))
    if not mails:
        parser.error(f"{options.folder} has no files *.eml.")
    vocabulary = Vocabulary.load(Texts.load(), games.values())
    situation = find_situation(list(mails.values()), position, vocabulary)
    for name, mail in mails.items():
        sys.stdout.write(f"{name}\t{find_action(mail, situation, vocabulary)}\n")


def load_position(index: Path, games: Mapping[str, Game]) -> Position:
    """Return the position of an index. Raises OSError or ValueError, which say what is wrong."""
    try:
        found = json.loads(index.read_text(encoding="utf-8"))
    except ValueError as error:
        raise ValueError(f"{index} is not JSON: {error}") from None
    line = found.get("position") if isinstance(found, dict) else None
    if not isinstance(line, str) or line.split(" ")[0] not in games:
        raise ValueError(
            f"{index} has no `position` that begins with the name of a game: {', '.join(games)}."
        )
    try:
        return games[line.split(" ")[0]].load(line)
    except GameError as error:
        raise ValueError(f"{index}: {error}") from None


def find_situation(mails: Sequence[IncomingMail], position: Position, vocabulary: Vocabulary) -> Situation:
    """Return who we are and who may play, as most of the mails say."""
    mailboxes = [
        box
        for mail in mails
        for name in _WENT_TO
        for value in mail.headers.get(name, ())
        for box in parse_mailboxes(value)
    ]
    tokens = [box for box in mailboxes if "+" in box.address] or mailboxes
    domain = _most_frequent(domain_of(box.address) for box in tokens)
    own_boxes = [box for box in tokens if domain and domain_of(box.address) == domain]
    own = OwnMail(
        addresses=tuple(sorted({box.address for box in own_boxes})),
        names=tuple(sorted({box.name for box in own_boxes if box.name})),
    )
    people = [mail for mail in mails if find_machine(mail, own) is None]
    player = _most_frequent(
        mail.from_address
        for mail in people
        for _ in range(1 + _is_vouched_for(mail))
        if mail.from_address not in own.addresses
    )
    stamps = [parse_results(mail.headers[HEADER][0])[0] for mail in mails if mail.headers.get(HEADER)]
    sent = tuple(_find_sent_lines(mails, own, position, vocabulary))
    own = OwnMail(own.addresses, own.names, sent)
    return Situation(position, own, player, _most_frequent(stamps) or None)


def find_action(mail: IncomingMail, situation: Situation, vocabulary: Vocabulary) -> str:
    """Return what would be done with a mail."""
    machine = find_machine(mail, situation.own)
    if isinstance(machine, BounceReport):
        return "bounce hard" if machine.is_hard else "bounce soft"
    if machine is not None:
        return "ignore"
    if check_sender(mail, {situation.player}, situation.authserv_id) is not Sender.CONFIRMED:
        return "reject sender"
    words = read_words(find_typed(mail, situation.own), situation.position, vocabulary)
    if isinstance(words, Play):
        return f"play {' '.join(words.words)}"
    return f"command {words.name}" if isinstance(words, Command) else "refuse"


def _most_frequent(values: Iterable[str]) -> str:
    """Return the value that occurs most often, of several the first in the alphabet; empty if none does."""
    counts = Counter(value for value in values if value)
    return min(counts, key=lambda value: (-counts[value], value), default="")


def _is_vouched_for(mail: IncomingMail) -> bool:
    """Return whether the topmost check is about the domain of From."""
    stamps = mail.headers.get(HEADER, ())
    results = parse_results(stamps[0])[1] if stamps else ()
    domain = domain_of(mail.from_address)
    return any(one.properties.get("header.from") == domain for one in results)


def _find_sent_lines(
    mails: Sequence[IncomingMail], own: OwnMail, position: Position, vocabulary: Vocabulary
) -> Iterator[str]:
    """Yield the lines of mails that we sent: of mails that came back, or marked in several mails."""
    ours = [
        one for mail in mails for one in (mail, mail.returned) if one and one.from_address in own.addresses
    ]
    for mail in ours:
        yield from mail.text.split("\n")
    marked = [dict.fromkeys(_marked_lines(mail.text)) for mail in mails]
    counts = Counter(line for lines in marked for line in lines)
    for line, count in counts.items():
        is_typed = isinstance(read_words(((line,),), position, vocabulary), Play | Command)
        if count >= MIN_QUOTED and not is_typed:
            yield line


def _marked_lines(text: str) -> Iterator[str]:
    for line in text.split("\n"):
        if line.lstrip().startswith(MARK) and (content := line.lstrip("> \t").strip()):
            yield content


def _read_file(path: Path) -> bytes:
    with path.open("rb") as file:
        return file.read(MAX_BYTES)
