"""Private notes: one for each match and person."""

import pytest

from matches import Matches, MatchUnknown, NoteTooLong
from matches.notes import LONGEST_NOTE
from tests.matches.story import ALICE, BOB, CAROL, NOON, NOWHERE, begin, play_out


async def test_note_is_kept_for_its_person_alone(matches: Matches, elsewhere: Matches) -> None:
    view = await begin(matches)
    assert await matches.notes.write(view.id, ALICE, "  Hold the corner.\n", now=NOON) == "Hold the corner."
    assert await elsewhere.notes.of(view.id, ALICE) == "Hold the corner."
    assert await matches.notes.of(view.id, BOB) == ""


async def test_note_belongs_to_one_match(matches: Matches) -> None:
    first, second = await begin(matches), await begin(matches)
    await matches.notes.write(first.id, ALICE, "first", now=NOON)
    assert await matches.notes.of(second.id, ALICE) == ""


async def test_later_note_takes_the_place_of_the_first(matches: Matches) -> None:
    view = await begin(matches)
    for text in ("first", "second"):
        await matches.notes.write(view.id, ALICE, text, now=NOON)
    assert await matches.notes.of(view.id, ALICE) == "second"


async def test_empty_note_is_none(matches: Matches) -> None:
    view = await begin(matches)
    await matches.notes.write(view.id, ALICE, "first", now=NOON)
    assert await matches.notes.write(view.id, ALICE, " \n", now=NOON) == ""
    assert await matches.notes.of(view.id, ALICE) == ""


async def test_onlookers_take_notes_too_and_after_the_end(matches: Matches) -> None:
    view = (await play_out(matches, await begin(matches))).match
    await matches.notes.write(view.id, CAROL, "well played", now=NOON)
    assert await matches.notes.of(view.id, CAROL) == "well played"


async def test_note_has_a_greatest_length(matches: Matches) -> None:
    view = await begin(matches)
    await matches.notes.write(view.id, ALICE, "x" * LONGEST_NOTE, now=NOON)
    with pytest.raises(NoteTooLong) as refused:
        await matches.notes.write(view.id, ALICE, "x" * (LONGEST_NOTE + 1), now=NOON)
    assert refused.value.values["limit"] == LONGEST_NOTE
    assert await matches.notes.of(view.id, ALICE) == "x" * LONGEST_NOTE


async def test_there_is_no_note_about_no_match(matches: Matches) -> None:
    with pytest.raises(MatchUnknown):
        await matches.notes.of(NOWHERE, ALICE)
    with pytest.raises(MatchUnknown):
        await matches.notes.write(NOWHERE, ALICE, "x", now=NOON)


async def test_note_changes_nothing_of_the_match(matches: Matches) -> None:
    view = await begin(matches)
    await matches.notes.write(view.id, ALICE, "Hold the corner.", now=NOON)
    assert await matches.view(view.id, now=NOON) == view
    assert "corner" not in await matches.record(view.id, now=NOON)
