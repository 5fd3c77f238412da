"""What is announced about matches and challenges, in sentences for every front end.

`describe_announcement` knows every kind of announcement about a match; challenges, reminders, digests and
conditional moves have functions of their own. A follower of a match gets its outline
(:func:`i18n.match_texts.format_outline`). Where a front end wants them, it shows the clocks
(:mod:`i18n.clocks`) and the board besides. `now` is the time from which a front end counts that does not
count by itself; `place` says in its words where a match is played.
"""

from __future__ import annotations

from datetime import UTC, datetime, timedelta
from typing import TYPE_CHECKING

from i18n import clocks, formatting, match_texts
from i18n.match_names import format_game_and_number, format_match_name, format_short_match_name
from i18n.match_texts import format_played_turn
from i18n.writing import Mention, Moment, MomentStyle, Url, describe_duration
from matches.computer.accounts import is_computer
from matches.platforms import DISCORD, platform_of
from matches.updates import AnnouncementKind
from matches.values import ChallengeState, MatchState

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Mapping, Sequence

    from engine.game import Game
    from i18n.catalogue import Texts
    from matches.match_view import MatchView
    from matches.updates import Announcement
    from matches.values import Challenge, MatchId, Person, Reveal

    Describe = Callable[[Texts, Announcement, MatchView, Game], list[str]]

Kind = AnnouncementKind
VOID = "none"  # stands for no result
HAS_LEFT = "left"  # the detail of FLAGGED, added by a front end, that the player is no longer on the server

# The sentences of these kinds say all about the time that there is to say.
TIME_IN_SENTENCE = frozenset({Kind.FLAGGED, Kind.PAUSED, Kind.AWAY, Kind.BACK, Kind.UNREACHED})


def describe_announcement(texts: Texts, announcement: Announcement, view: MatchView, game: Game) -> list[str]:
    """Return the sentences of an announcement about a match, one a line.

    `view` is the match as it was then. Raises ValueError for a kind that is not about one match.
    """
    describe = _DESCRIPTIONS.get(announcement.kind)
    if describe is None:
        raise ValueError(f"no sentence for an announcement of the kind {announcement.kind}")
    return [line for line in describe(texts, announcement, view, game) if line]


def describe_time(
    texts: Texts, announcement: Announcement, view: MatchView, now: datetime | None = None
) -> str:
    """Return the deadlines after an announcement; empty if its sentences say them.

    `now` is when it is sent, by default when it was made. After time was given to a player who is not to move
    it is that player's time.
    """
    if announcement.kind in TIME_IN_SENTENCE:
        return ""
    is_gift = announcement.kind is Kind.TIME_GIVEN and announcement.recipients
    if is_gift and view.time is not None and not view.time.paused:
        seat = view.time.for_account(announcement.recipients[0])
        if seat is not None and not seat.must_act:
            left = describe_duration(texts, seat.remaining)
            return texts("extra_time.next_turn", name=seat.person, left=left)
    reader = announcement.to if announcement.is_direct else None
    return clocks.describe_match_time(texts, view, now or announcement.made_at, reader or "")


def describe_challenge(
    texts: Texts,
    challenge: Challenge,
    game: Game,
    accepted_by: Person | None = None,
    now: datetime | None = None,
) -> list[str]:
    """Return a challenge in any state with its options and terms, one sentence or value a line.

    `accepted_by` is who accepted it. The match that the computer plays has other terms, so they are left out.
    """
    by, to = challenge.by, challenge.to
    settings = formatting.format_options(texts, game, challenge.options)
    values = {"by": by, "to": "" if to is None else Mention.of(to), "taker": accepted_by or ""}
    opening = {**values, "game": texts(f"game.{challenge.game}.name")}
    if accepted_by is not None and is_computer(accepted_by.account):
        return [line for line in (texts("challenge.played", **opening), settings) if line]
    if challenge.rematch_of is not None:
        name = format_game_and_number(texts, challenge.game, challenge.rematch_of)
        title = texts("challenge.rematch", match_name=name, **opening)
    else:
        title = texts("challenge.anyone" if to is None else "challenge.posted", **opening)
    side = challenge.colour
    colour = texts("colour.drawn") if side is None else formatting.format_side(texts, side)
    lines = [
        title,
        settings,
        texts("challenge.details", terms=clocks.describe_terms(texts, challenge.terms), colour=colour, by=by),
        "" if challenge.record is None else texts("challenge.record", record=challenge.record),
    ]
    if challenge.state is ChallengeState.OPEN:
        lines += clocks.describe_vacations(texts, challenge.away)
    expiry = Moment(challenge.expires_at, MomentStyle.RELATIVE, now)
    lines.append(texts(f"challenge.{challenge.state}", when=expiry, **values))
    return [line for line in lines if line]


def describe_challenge_copy(texts: Texts, challenge: Challenge) -> str:
    """Return why an open challenge whose place was lost comes to its challenger and addressee in private."""
    return texts(f"place.challenge.{'open' if challenge.to is None else 'direct'}")


def describe_closed_challenge(texts: Texts, challenge: Challenge, recipient: str) -> str:
    """Return the sentence that tells `recipient`, an account, that a challenge is closed."""
    is_challenger = recipient == challenge.by.account
    other, called = (challenge.to, challenge.by) if is_challenger else (challenge.by, challenge.to)
    is_unanswered = challenge.state is ChallengeState.EXPIRED and other is not None
    prefix = "" if challenge.rematch_of is None else "rematch_"
    return texts(
        f"challenge.closed.{prefix}{challenge.state}{'_named' if is_unanswered else ''}",
        mention=Mention.of(called) if called is not None else Mention(recipient),
        match_name=format_game_and_number(texts, challenge.game, challenge.rematch_of or 0),
        name="" if other is None else other,
        game=texts(f"game.{challenge.game}.name"),
    )


def describe_turn_to_move(texts: Texts, view: MatchView) -> str:
    """Return a sentence that calls the player to move; empty on an old board and if nobody is to move."""
    seat = view.to_move
    if seat is None or view.position is None or not view.is_current:
        return ""
    if is_computer(seat.person.account):
        call = texts("computer.thinking", name=seat.person)
    else:
        call = texts.for_game(
            view.position.vocabulary,
            f"your_turn.{formatting.action_key_for(view.position)}",
            mention=Mention.of(seat.person),
            side=formatting.format_side(texts, seat.side),
            count=view.moves_due,
        )
    return match_texts.add_turns_to_draw(texts, call, view.position)


def describe_reminder(
    texts: Texts, announcement: Announcement, view: MatchView, game: Game, place: str
) -> list[str]:
    """Return the lines that remind a player in private; the match waits for them."""
    name = format_match_name(texts, view, announcement.to or "")
    return [
        texts("reminder.direct", match_name=name, channel=place),
        *match_texts.format_outline(texts, view, game),
    ]


def describe_public_reminder(
    texts: Texts, announcement: Announcement, view: MatchView, now: datetime | None = None
) -> str:
    """Return the lines that call a player where the match is played."""
    return texts.for_game(
        view.game,
        "reminder.public_choice" if view.state is MatchState.CHOOSING else "reminder.public",
        mention=_mention(view, announcement.to or ""),
        match_name=format_match_name(texts, view, announcement.to or ""),
        time=clocks.describe_match_time(texts, view, now or announcement.made_at),
    )


def describe_mention_instead(texts: Texts, account: str) -> str:
    """Return the line that calls somebody in a channel who wanted a direct message, but accepts none."""
    return texts("reminder.instead", mention=Mention(account))


def describe_digest(
    texts: Texts, news: Iterable[tuple[MatchView, int, str]], hidden: Sequence[MatchId] = ()
) -> list[str]:
    """Return the heading of a digest and a line for each followed match.

    `news` are the matches, each with the number of new moves and the address of its board. `hidden` are
    matches that the follower may not see any more: the last line says that following them ended.
    """
    lines = [
        texts(
            "digest.line",
            match_name=format_match_name(texts, view),
            url=Url(address),
            moves=texts("digest.moves", count=count) if count > 0 else "",
            status=match_texts.format_standing(texts, view),
        )
        for view, count, address in news
    ]
    return [texts("digest.heading"), *lines, *([describe_unfollowed(texts, hidden)] if hidden else [])]


def describe_unfollowed(texts: Texts, hidden: Sequence[MatchId]) -> str:
    """Return the sentence that following these matches has ended, which tells nothing about them."""
    numbers = texts.join([texts("watch.hidden_match", match=match) for match in hidden])
    return texts("watch.hidden", matches=numbers, count=len(hidden))


def describe_lost_lines(texts: Texts, view: MatchView, account: str, reason: str, place: str) -> str:
    """Return the message that conditional moves of `account` in a match were deleted, and why."""
    return texts(
        "conditional.notice",
        match_name=format_match_name(texts, view, account),
        reason=texts(f"conditional.lost.{reason}"),
        channel=place,
    )


def describe_reveal(texts: Texts, game: Game, reveal: Reveal) -> str:
    """Return both picks, the option value that follows, and why."""
    first, second = (
        texts.for_game(
            game.name, "choice.one", person=pick.person, **match_texts.describe_pick(texts, game, pick.pick)
        )
        for pick in reveal.picks
    )
    value = formatting.format_option(texts, game.name, reveal.option, reveal.value)
    reason = texts.for_game(game.name, f"choice.{'agreed' if reveal.agreed else 'differ'}", value=value)
    return texts.for_game(game.name, "choice.revealed", first=first, second=second, reason=reason)


def describe_outcomes(texts: Texts, view: MatchView) -> dict[str, str]:
    """Return each possible result of a match in words, by the value of its outcome or VOID."""
    wins = {
        seat.side.value: texts(
            "correction.won", side=formatting.format_side(texts, seat.side), name=seat.person
        )
        for seat in view.seats
    }
    return {**wins, "draw": texts("correction.draw"), VOID: texts("correction.none")}


def _call(texts: Texts, announcement: Announcement, view: MatchView, key: str, **values: object) -> str:
    """Return the text of `key`, which calls the recipients of an announcement as `mentions`.

    Where the other player is the computer, there may be none: then the text of ``KEY_to_computer``, which
    calls nobody.
    """
    if not announcement.recipients:
        return texts(f"{key}_to_computer", **values)
    mentions = texts.join([_mention(view, account) for account in announcement.recipients])
    return texts(key, mentions=mentions, **values)


def _mention(view: MatchView, account: str) -> Mention:
    seat = view.seat(account)
    correction = None if view.result is None else view.result.correction
    if seat is None and correction is not None and correction.by.account == account:
        return Mention.of(correction.by)
    return Mention(account) if seat is None else Mention.of(seat.person)


def _values(texts: Texts, announcement: Announcement, view: MatchView) -> dict[str, object]:
    """Return who acted, `by`, and the name of the match."""
    by = view.seat(announcement.by)
    return {"by": "" if by is None else by.person, "match_name": format_short_match_name(texts, view)}


def _describe_choosing(texts: Texts, _announcement: Announcement, view: MatchView, game: Game) -> list[str]:
    first, second = (Mention.of(seat.person) if view.is_current else seat.person for seat in view.seats)
    option = "" if game.simultaneous_choice is None else game.simultaneous_choice.option
    return [
        texts.for_game(
            game.name,
            "choice.post",
            first=first,
            second=second,
            option=formatting.format_option_name(texts, option),
            details=formatting.format_options(texts, game, view.options),
        )
    ]


def _describe_start(texts: Texts, announcement: Announcement, view: MatchView, _game: Game) -> list[str]:
    opening = texts(
        "start.post",
        game=texts(f"game.{view.game}.name"),
        **match_texts.seat_values(texts, view.seats),
    )
    return [
        opening,
        _describe_tournament(texts, announcement),
        "" if "tournament" in announcement.details else _describe_acceptance(texts, announcement, view),
        _turn(texts, announcement, view),
    ]


def _describe_tournament(texts: Texts, announcement: Announcement) -> str:
    """Return to which tournament a match that starts belongs; empty for others."""
    name = announcement.details.get("name") if "tournament" in announcement.details else None
    return texts("tournament.game", tournament=str(name)) if name else ""


def _describe_acceptance(texts: Texts, announcement: Announcement, view: MatchView) -> str:
    """Return the sentence that calls a challenger who does not move first; empty on an old board."""
    mover = None if view.to_move is None else view.to_move.person.account
    called = [account for account in announcement.recipients if account != mover]
    by = view.seat(announcement.by)
    if is_computer(announcement.by) or not view.is_current or not called or by is None:
        return ""
    return texts("start.accepted", mention=_mention(view, called[0]), by=by.person)


def _describe_reveal(texts: Texts, announcement: Announcement, view: MatchView, game: Game) -> list[str]:
    if view.reveal is None:
        raise ValueError(f"match {view.id} has no picks to show")
    return [describe_reveal(texts, game, view.reveal), _turn(texts, announcement, view)]


def _describe_turns(texts: Texts, announcement: Announcement, view: MatchView, game: Game) -> list[str]:
    """Return one line for each turn: a turn, then replies by conditional moves; and what comes next."""
    first, *replies = (*view.preceding_turns, view.last_turn)
    lines = [texts("turn.post", name=first[-1].person, turn=format_played_turn(texts, first))]
    for reply in replies:
        turn = format_played_turn(texts, reply)
        lines.append(texts("turn.replied", name=reply[-1].person, turn=turn))
    result = view.result
    if "resigned" in announcement.details and result is not None and result.loser is not None:
        lines.append(texts("turn.replied_resigned", name=result.loser.person))
    return [*lines, *_describe_end(texts, announcement, view, game)]


def _describe_end(texts: Texts, announcement: Announcement, view: MatchView, _game: Game) -> list[str]:
    """Return the result, or whose turn it is."""
    if view.result is None:
        return [_turn(texts, announcement, view)]
    result = match_texts.format_corrected_result(texts, view, view.result)
    return [_call(texts, announcement, view, "result.post", result=result)]


def _turn(texts: Texts, announcement: Announcement, view: MatchView) -> str:
    """Return a sentence that calls the player to move; in the opponent's own copy, who that is."""
    seat = view.to_move
    is_own = seat is not None and seat.person.account == announcement.to
    if not announcement.is_direct or is_own or seat is None or not view.is_current:
        return describe_turn_to_move(texts, view)
    return match_texts.format_state(texts, view)


def _describe_offer(texts: Texts, announcement: Announcement, view: MatchView, _game: Game) -> list[str]:
    kind, values = str(announcement.details["what"]), _values(texts, announcement, view)
    if announcement.kind is Kind.OFFER_WITHDRAWN:
        return [texts(f"offer.{kind}.withdrawn", **values)]
    if announcement.kind is Kind.OFFER_DECLINED:
        return [_call(texts, announcement, view, f"offer.{kind}.refused", **values)]
    if view.position is not None:
        values["result"] = formatting.format_agreed_end(texts, view.position)
    if "undoes" not in announcement.details:
        by = view.seat(announcement.by)
        why = "" if by is None else match_texts.explain_offer(texts, view, by.person)
        post = _call(texts, announcement, view, f"offer.{kind}.post", **values)
        return [why, post] if why else [post]
    undone = [
        texts("offer.takeback.turn", name=turn[-1].person, turn=format_played_turn(texts, turn))
        for turn in (*view.preceding_turns, view.last_turn)
    ]
    return [_call(texts, announcement, view, "offer.takeback.named", undone=texts.join(undone), **values)]


def _describe_takeback(texts: Texts, announcement: Announcement, view: MatchView, _game: Game) -> list[str]:
    values, opponent = _values(texts, announcement, view), view.opponent(announcement.by)
    if opponent is not None and is_computer(opponent.person.account):
        sentence = texts("takeback.from_computer", **values)
    else:
        sentence = texts("takeback.post", name="" if opponent is None else opponent.person, **values)
    return [sentence, describe_turn_to_move(texts, view)]


def _describe_out_of_time(
    texts: Texts, announcement: Announcement, view: MatchView, _game: Game
) -> list[str]:
    values, opponent = _values(texts, announcement, view), view.opponent(announcement.by)
    is_against_computer = any(is_computer(seat.person.account) for seat in view.seats)
    alone = "timeout.post_left" if HAS_LEFT in announcement.details else "timeout.post"
    return [
        texts(
            "timeout.post_to_computer" if is_against_computer else alone,
            match_name=values["match_name"],
            name=values["by"],
            mention=_mention(view, announcement.by),
            opponent="" if opponent is None else Mention.of(opponent.person),
        )
    ]


def _describe_call(texts: Texts, announcement: Announcement, view: MatchView, _game: Game) -> list[str]:
    times = {key: _date(announcement, key) for key in ("since", "claim_from")}
    values = _values(texts, announcement, view)
    return [_call(texts, announcement, view, "abandoned.post", **times, **values)]


def _describe_time_given(texts: Texts, announcement: Announcement, view: MatchView, _game: Game) -> list[str]:
    time = describe_duration(texts, timedelta(minutes=int(announcement.details["minutes"])))
    values = _values(texts, announcement, view)
    return [_call(texts, announcement, view, "extra_time.post", time=time, **values)]


def _describe_vacation(texts: Texts, announcement: Announcement, view: MatchView, _game: Game) -> list[str]:
    """Return the sentence about a vacation; it names one of the matches, and the others by their numbers."""
    values = _values(texts, announcement, view)
    others = [
        texts("match_name.number", match=number)
        for number in str(announcement.details["matches"]).split()
        if number != str(view.id)
    ]
    values["matches"] = texts.join([values["match_name"], *others])
    if announcement.kind is Kind.BACK:
        return [_call(texts, announcement, view, "vacation.back", **values)]
    until = _date(announcement, "until")
    return [_call(texts, announcement, view, "vacation.away", until=until, **values)]


def _describe_correction(texts: Texts, announcement: Announcement, view: MatchView, _game: Game) -> list[str]:
    outcome = str(announcement.details["outcome"])
    changed = "correction.post" if outcome else "correction.voided"
    return [
        texts(
            "correction.ended" if "ended" in announcement.details else changed,
            match_name=format_short_match_name(texts, view),
            by=_mention(view, announcement.by),
            mentions=texts.join([_mention(view, account) for account in announcement.recipients]),
            result=describe_outcomes(texts, view)[outcome or VOID],
            reason=str(announcement.details["why"]),
        )
    ]


def _describe_relocation(texts: Texts, announcement: Announcement, view: MatchView, _game: Game) -> list[str]:
    """Return why a match was moved and, in a private message, how it continues; then where it stands."""
    details = announcement.details
    reason, name = str(details["reason"]), str(details["name"])
    if announcement.is_direct:
        match_name = format_match_name(texts, view, announcement.to or "")
        key = f"place.moved.{reason}" if name else f"place.moved.{reason}_unnamed"
        how = "place.moved.how_removed" if reason == "removed" else "place.moved.how"
        lines = [texts(key, match_name=match_name, name=name), texts(how)]
    else:
        mentions = texts.join([_mention(view, account) for account in announcement.recipients])
        match_name, by = format_short_match_name(texts, view), _mention(view, announcement.by)
        lines = [texts(f"place.moved.{reason}", match_name=match_name, mentions=mentions, by=by)]
    if not (int(details["board"]) and view.is_current):
        return lines
    if view.state is MatchState.CHOOSING:
        return [*lines, match_texts.format_standing(texts, view)]
    return [*lines, match_texts.format_last_turn(texts, view), _turn(texts, announcement, view)]


def _describe_contact(texts: Texts, announcement: Announcement, view: MatchView, _game: Game) -> list[str]:
    """Return that the opponent cannot be told what happens, or has now been told."""
    by = view.seat(announcement.by)
    match_name = format_match_name(texts, view, announcement.to or "")
    values = {"match_name": match_name, "name": "" if by is None else by.person}
    if announcement.kind is Kind.REACHED:
        return [texts("place.reached.post", **values)]
    clock = texts("place.unreached.clock", **values) if view.time is not None else ""
    post = "post" if platform_of(announcement.by) == DISCORD else "post_elsewhere"
    return [texts(f"place.unreached.{post}", **values), clock, texts("place.unreached.how", **values)]


def _describe_end_date(texts: Texts, announcement: Announcement, view: MatchView, _game: Game) -> list[str]:
    match_name = format_match_name(texts, view, announcement.to or "")
    return [texts("tournament.ends_soon", match_name=match_name, ends=_date(announcement, "ends"))]


def _describe_lost_clock(texts: Texts, announcement: Announcement, view: MatchView, _game: Game) -> list[str]:
    return [texts("tournament.clock_lost", match_name=format_match_name(texts, view, announcement.to or ""))]


def _date(announcement: Announcement, key: str) -> Moment:
    """Return a detail that is in milliseconds since 1970 as a date."""
    return Moment(datetime.fromtimestamp(int(announcement.details[key]) / 1000, UTC), MomentStyle.DATE)


def _saying(key: str, *, calls: bool = True) -> Describe:
    """Return a description by one sentence; with `calls` it calls the recipients."""

    def describe(texts: Texts, announcement: Announcement, view: MatchView, _game: Game) -> list[str]:
        values = _values(texts, announcement, view)
        return [_call(texts, announcement, view, key, **values) if calls else texts(key, **values)]

    return describe


_DESCRIPTIONS: Mapping[AnnouncementKind, Describe] = {
    Kind.CHOOSING: _describe_choosing,
    Kind.STARTED: _describe_start,
    Kind.REVEALED: _describe_reveal,
    Kind.TURN: _describe_turns,
    Kind.AGREED: _describe_end,
    Kind.RESIGNED: _describe_end,
    Kind.CLAIMED: _describe_end,
    Kind.TIMED_OUT: _describe_end,
    Kind.ADJUDICATED: _describe_end,
    Kind.FORFEITED: _describe_end,
    Kind.ENDS_SOON: _describe_end_date,
    Kind.CLOCK_LOST: _describe_lost_clock,
    Kind.OFFERED: _describe_offer,
    Kind.OFFER_DECLINED: _describe_offer,
    Kind.OFFER_WITHDRAWN: _describe_offer,
    Kind.TAKEN_BACK: _describe_takeback,
    Kind.ABORTED: _saying("abort.post"),
    Kind.FLAGGED: _describe_out_of_time,
    Kind.NUDGED: _describe_call,
    Kind.TIME_GIVEN: _describe_time_given,
    Kind.PAUSE_OFFERED: _saying("pause.post"),
    Kind.PAUSE_DECLINED: _saying("pause.refused"),
    Kind.PAUSE_WITHDRAWN: _saying("pause.withdrawn", calls=False),
    Kind.PAUSED: _saying("pause.begun"),
    Kind.RESUMED: _saying("pause.ended"),
    Kind.AWAY: _describe_vacation,
    Kind.BACK: _describe_vacation,
    Kind.CORRECTED: _describe_correction,
    Kind.MOVED: _describe_relocation,
    Kind.UNREACHED: _describe_contact,
    Kind.REACHED: _describe_contact,
}

DESCRIBED_KINDS = frozenset(_DESCRIPTIONS)
