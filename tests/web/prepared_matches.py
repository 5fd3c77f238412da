"""Matches in every state, for what goes through all pages: accessibility tests and screenshots."""

from __future__ import annotations

import tomllib
from dataclasses import replace
from datetime import timedelta
from typing import TYPE_CHECKING, Any

from engine.puzzle import Puzzle
from matches import WEBSITE, Audience, MatchId, OfferKind, Terms, TimeControl
from matches.people.mail_commands import MailDraft
from matches.posting.letters import LetterKind
from matches.studies.values import StudyAudience, StudyKey
from tests.analyses import store_analysis
from tests.games import GAMES
from tests.matches.puzzles.puzzles import puzzle_of, store_puzzles, wrong_turn
from tests.web.environment import ALICE, BOB, CAROL, FISTS, SERVER, UNRATED
from web.analysis_board.board_link import AnalysisBoard, match_board
from web.pages.example_games import FOLDER
from web.play.local_games import LOCAL_SERVER
from web.studies.saving import chapter_board

if TYPE_CHECKING:
    from matches import MatchView, Person
    from tests.web.environment import WebEnvironment

PUZZLE = (
    "2 | win 2 | 1400 | forces_connection threatens_flips"
    " | xA2 A4 xC3 | morphos - 1b3/1b1ww/bwbwb/bwwb1/wb3 w 15 -"
)
CLOCKED = Terms(rated=False, time_control=TimeControl.per_move(timedelta(hours=5)))


async def prepare_matches(env: WebEnvironment) -> dict[str, Any]:
    """Start matches in which Alice plays; return their numbers by what they show.

    `running`: a clock runs, and Alice is to move. `finished`: over, and analysed
    with a mistake of Alice. `choosing`: both players
    pick a start. `offered`: Bob offers to end. `offering`: Alice does, has a conditional move, and waits.
    `challenge` is one of Bob to Alice. `thinking`: the computer is to move. `lost`: it has won. `puzzle` is
    the key of a puzzle, `tried_puzzle` of one that Alice has not solved; both have two turns. `study` is the
    key of a public one of Alice, whose first chapter is the finished match.
    """
    running = await _play_example(env, "morelli", 10, (ALICE, BOB), CLOCKED)
    finished = await _play_example(env, "morphos", 40, (CAROL, ALICE))
    await env.matches.resign(finished.id, ALICE, now=env.clock())
    losses, better = {21: 0.12, 32: 0.31, 39: 0.24}, {21: ("B1",), 32: ("A4",), 39: ("A4", "F3", "A6")}
    await store_analysis(
        env.matches, finished.id, ALICE, losses=losses, better=better, has_tasks=True, now=env.clock()
    )
    await _play_example(env, "morabaraba", 26, (BOB, CAROL))
    choosing = await env.start_match(FISTS)
    offered = await _play_example(env, "morelli", 12, (ALICE, BOB))
    await env.matches.offers.make(offered.id, BOB, OfferKind.END, now=env.clock())
    offering = await _play_example(env, "morelli", 7, (ALICE, BOB))
    line = (("B5-C5",), ("D9-F7",))
    await env.matches.conditionals.add_line(
        offering.id, ALICE, line, seen_revision=offering.revision, now=env.clock()
    )
    await env.matches.offers.make(offering.id, ALICE, OfferKind.END, now=env.clock())
    challenge = await env.matches.challenges.create(
        BOB, to=ALICE, server=WEBSITE, channel=WEBSITE, game="morelli", note="Again?", now=env.clock()
    )
    thinking, lost = [await _play_computer(env) for _ in range(2)]
    await env.matches.resign(lost, ALICE, now=env.clock())
    await _lead_public_life(env)
    await _fill_explorer(env)
    puzzle, tried = await _try_puzzles(env)
    return {
        "study": await _store_study(env, finished.id),
        "puzzle": puzzle,
        "tried_puzzle": tried,
        "running": running.id,
        "challenge": MatchId(challenge.challenge.id),  # of a challenge, for the same pattern
        "finished": finished.id,
        "choosing": choosing.id,
        "offered": offered.id,
        "offering": offering.id,
        "thinking": thinking,
        "lost": lost,
        "confirm_mail": await _ask_for_confirmation(env, running.id),
        "stop_mail": env.context.token_signer.sign_mail_stop(ALICE.account, "ada@example.org"),
    }


async def _store_study(env: WebEnvironment, match: MatchId) -> StudyKey:
    """Store a study of two chapters, with other lines and comments, and return its key."""
    key, studies = StudyKey("0123456789abcdef"), env.matches.studies
    game = match_board(await env.cached(match)).at(10).with_comment("Black has more stones on this side.")
    game = game.with_moves("G4", "D3", "F3").with_comment("This threatens the corner.\nWhite has to reply.")
    start = GAMES["morelli"].initial_position(size=9)
    opening = AnalysisBoard(start).with_comment("Which stone goes first?")
    for name, board in (("Round 3 against Carol", game), ("Openings", opening)):
        await studies.add_chapter(
            key, ALICE.account, name, chapter_board(board), new_study="Lost endings", now=env.clock()
        )
    await studies.change(key, ALICE.account, "Lost endings", StudyAudience.PUBLIC, now=env.clock())
    return key


async def _try_puzzles(env: WebEnvironment) -> tuple[str, str]:
    """Store puzzles, some of which Alice has tried; return the keys of a new one and of the last of those."""
    new = Puzzle.parse(PUZZLE, GAMES)
    tried = [replace(puzzle_of("morabaraba", seed, 3), themes=new.themes) for seed in range(5)]
    await store_puzzles(env.database, [new, *tried])
    for number, puzzle in enumerate(tried):
        turns = puzzle.line[::2] if number % 2 else [wrong_turn(puzzle)]
        await env.matches.puzzles.attempt(puzzle.key, ALICE, turns, now=env.clock())
    return new.key, tried[-1].key


async def _ask_for_confirmation(env: WebEnvironment, match: MatchId) -> str:
    """Store a mail in the name of Alice that nothing proves to be hers; return the token of its link."""
    draft = MailDraft(ALICE.account, "ada@example.org", "D9-F7", {}, request=-1, match=match)
    assert await env.matches.people.mail_commands.add(draft, now=env.clock())
    (letter,) = [
        one
        for one in await env.matches.posting.letters.claim_due(now=env.clock())
        if one.kind is LetterKind.CONFIRMATION
    ]
    return env.context.token_signer.sign_mail_command(int(letter.details["command"]))


async def _lead_public_life(env: WebEnvironment) -> None:
    """Give Alice a rating, a result on the website, and a page, `/@Alice`."""
    for server, audience in ((SERVER, Audience.PLAYERS), (WEBSITE, Audience.NAMES)):
        rated = await env.start_match(server=server, terms=Terms(rated=True), audience=audience)
        for _ in range(2):
            await env.play(rated.id)
        await env.matches.resign(rated.id, BOB, now=env.clock())
    await env.matches.people.handles.choose(ALICE.account, ALICE.name, now=env.clock())
    await env.matches.people.calendars.renew_key(ALICE.account)


async def _fill_explorer(env: WebEnvironment) -> None:
    """Play the beginnings of a few public games, and have them counted for the opening explorer."""
    for reply, loser in (("D2", BOB), ("D2", CAROL), ("A1", BOB)):
        match = await env.start_match({}, "morabaraba", people=(BOB, CAROL))
        await env.play(match.id, "D6", reply)
        await env.matches.resign(match.id, loser, now=env.clock())
    while await env.matches.explorer.counts.count():
        pass


async def _play_computer(env: WebEnvironment) -> MatchId:
    """Start a match of Alice against the computer, which is to answer her first turn."""
    update = await env.matches.computer.start(
        ALICE,
        level="club",
        server=LOCAL_SERVER,
        channel=LOCAL_SERVER,
        game="morabaraba",
        colour=GAMES["morabaraba"].sides[0],
        terms=UNRATED,
        audience=Audience.NAMES,
        now=env.clock(),
    )
    return (await env.play(update.match.id)).id


async def _play_example(
    env: WebEnvironment, game: str, plies: int, people: tuple[Person, Person], terms: Terms | None = None
) -> MatchView:
    """Play the first moves of the front page's example game."""
    example = tomllib.loads((FOLDER / f"{game}.toml").read_text("utf-8"))
    match = await env.start_match(example["options"], game, people=people, terms=terms or Terms(rated=False))
    return await env.play(match.id, *example["moves"][:plies])
