"""What somebody can answer to a mail now, in a sentence or two.

No line may by itself be a move or a command, also where a mail program breaks it: examples and words stand in
the middle of a sentence.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from i18n.match_texts import describe_pick
from i18n.writing import Code
from matches import possible_offers
from matches.actions import Action, possible_actions
from matches.values import ChallengeState, MatchState, OfferKind

if TYPE_CHECKING:
    from collections.abc import Iterable

    from engine.game import Game, Position
    from i18n import Texts
    from matches import Challenge, MatchView

QUESTION = ("accept", "decline")
MISTAKES = "mistakes"
ALWAYS = ("board", "help")
WORDS = {
    Action.RESIGN: "resign",
    Action.ABORT: "abort",
    Action.CLAIM: "claim",
    Action.RESUME: "resume",
    Action.REMATCH: "rematch",
}
OFFER_WORDS = {OfferKind.END: "end", OfferKind.DRAW: "draw", OfferKind.TAKEBACK: "takeback"}
ASKING = frozenset({Action.ANSWER_OFFER, Action.ANSWER_PAUSE})


def describe_match_answers(texts: Texts, view: MatchView, game: Game, account: str) -> str:
    """Return what a player can answer to a mail about a match; empty for nobody's match and an old board."""
    possible = possible_actions(view, account)
    if not possible:
        return ""
    sentences = []
    if possible & ASKING:
        sentences.append(_say_words(texts, "question", QUESTION))
    offers = [OFFER_WORDS[kind] for kind in possible_offers(view)] if Action.OFFER in possible else []
    words = [*(word for action, word in WORDS.items() if action in possible), *offers]
    words += [MISTAKES, *ALWAYS] if view.state is MatchState.OVER and view.ply else ALWAYS
    if Action.PICK in possible:
        sentences.append(_say_picks(texts, game))
    if Action.PLAY in possible and view.position is not None:
        values = {"count": view.moves_due, "example": Code(_example_turn(view.position))}
        sentences.append(_say_words(texts, "move", words, **values))
    else:
        sentences.append(_say_words(texts, "words", words))
    return texts.join(sentences, "list.space")


def describe_challenge_answers(texts: Texts, challenge: Challenge, account: str) -> str:
    """Return what can be answered to a mail about a challenge; empty if it is not open to an account."""
    is_asked = challenge.state is ChallengeState.OPEN and challenge.by.account != account
    return _say_words(texts, "question", QUESTION) if is_asked else ""


def _say_picks(texts: Texts, game: Game) -> str:
    if game.simultaneous_choice is None:
        return ""
    picks = [
        texts("mail.answer.one_pick", pick=Code(pick), name=describe_pick(texts, game, pick)["name"])
        for pick in game.simultaneous_choice.picks
    ]
    return texts("mail.answer.pick", picks=texts.join(picks, "list.or"))


def _say_words(texts: Texts, key: str, words: Iterable[str], **values: object) -> str:
    named = [texts("mail.answer.word", word=Code(texts(f"answer_word.{word}"))) for word in words]
    return texts(f"mail.answer.{key}", words=texts.join(named, "list.or"), **values)


def _example_turn(position: Position) -> str:
    """Return a turn of which every move is legal, as one types it."""
    moves = list[str]()
    for _ in range(position.moves_due):
        if position.outcome is not None:
            break
        moves.append(position.example_move)
        position = position.play(position.parse(moves[-1]))
    return " ".join(moves)
