"""Private notes: one for each match and person."""

import pytest

from matches import Matches
from matches.people.notes import MAX_NOTE_LENGTH
from tests.matches.scenario import ALICE, BOB, CAROL, NOON, UNKNOWN_MATCH, play_to_end, start_match
from tests.refusals import refused


async def test_only_its_author_reads_a_note(matches: Matches, other_matches: Matches) -> None:
    view = await start_match(matches)
    assert (
        await matches.people.notes.save(view.id, ALICE, "  Hold the corner.\n", now=NOON)
        == "Hold the corner."
    )
    assert await other_matches.people.notes.get(view.id, ALICE) == "Hold the corner."
    assert await matches.people.notes.get(view.id, BOB) == ""


async def test_note_belongs_to_one_match(matches: Matches) -> None:
    first, second = await start_match(matches), await start_match(matches)
    await matches.people.notes.save(first.id, ALICE, "first", now=NOON)
    assert await matches.people.notes.get(second.id, ALICE) == ""


async def test_new_note_replaces_the_old(matches: Matches) -> None:
    view = await start_match(matches)
    for text in ("first", "second"):
        await matches.people.notes.save(view.id, ALICE, text, now=NOON)
    assert await matches.people.notes.get(view.id, ALICE) == "second"


async def test_empty_note_deletes(matches: Matches) -> None:
    view = await start_match(matches)
    await matches.people.notes.save(view.id, ALICE, "first", now=NOON)
    assert await matches.people.notes.save(view.id, ALICE, " \n", now=NOON) == ""
    assert await matches.people.notes.get(view.id, ALICE) == ""


@pytest.mark.long
async def test_spectators_can_write_notes_even_after_the_end(matches: Matches) -> None:
    view = (await play_to_end(matches, await start_match(matches))).match
    await matches.people.notes.save(view.id, CAROL, "well played", now=NOON)
    assert await matches.people.notes.get(view.id, CAROL) == "well played"


async def test_note_length_is_limited(matches: Matches) -> None:
    view = await start_match(matches)
    await matches.people.notes.save(view.id, ALICE, "x" * MAX_NOTE_LENGTH, now=NOON)
    with refused("note_too_long") as caught:
        await matches.people.notes.save(view.id, ALICE, "x" * (MAX_NOTE_LENGTH + 1), now=NOON)
    assert caught.value.values["limit"] == MAX_NOTE_LENGTH
    assert await matches.people.notes.get(view.id, ALICE) == "x" * MAX_NOTE_LENGTH


async def test_note_needs_a_match(matches: Matches) -> None:
    with refused("match_unknown"):
        await matches.people.notes.get(UNKNOWN_MATCH, ALICE)
    with refused("match_unknown"):
        await matches.people.notes.save(UNKNOWN_MATCH, ALICE, "x", now=NOON)


async def test_note_does_not_change_the_match(matches: Matches) -> None:
    view = await start_match(matches)
    await matches.people.notes.save(view.id, ALICE, "Hold the corner.", now=NOON)
    assert await matches.view(view.id, now=NOON) == view
    assert "corner" not in await matches.export_record(view.id, now=NOON)
