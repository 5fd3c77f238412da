"""Private notes about a match, shown and edited in a modal."""

from __future__ import annotations

from typing import TYPE_CHECKING, Self

from bot.feature import Feature
from bot.posts.post import Post
from bot.posts.replies import send_private
from bot.ui import ids, modals, replay_argument
from bot.ui.buttons import PersistentButton
from bot.ui.commands import define_command
from bot.ui.interactions import bind_match, send_modal
from bot.ui.replay_argument import load_replay
from bot.ui.replay_state import ReplaySource, ReplayState
from i18n.match_names import format_game_and_number, format_match_name
from matches import MatchId
from matches.people.notes import MAX_NOTE_LENGTH

if TYPE_CHECKING:
    from bot.context import Interaction
    from i18n import Texts
    from matches import MatchView, Replay

MODAL_ID = "noted1"


class NoteButton(PersistentButton, template=r"note1:(?P<match>\d{1,12})"):
    """Opens the user's note about a match."""

    @classmethod
    def of(cls, texts: Texts, view: MatchView, _account: str) -> Self | None:
        """Create the button for a board post."""
        if view.position is None:
            return None
        return cls.create(texts("button.note"), f"note1:{view.id}")

    async def on_click(self, interaction: Interaction) -> None:
        """Open the modal."""
        await _show_modal(interaction, self.match)


async def _show_from_command(interaction: Interaction, match: str | None) -> None:
    await _show_modal(interaction, await replay_argument.resolve_match(interaction, match))


async def _show_modal(interaction: Interaction, match_id: MatchId) -> None:
    """Open the modal with the user's note."""
    client = interaction.client
    replay = await _load_visible(interaction, match_id)
    texts = client.texts.plain
    note = await client.matches.people.notes.get(match_id, ids.to_person(interaction.user))
    modal = modals.create_modal(
        texts("note.title", match_name=format_game_and_number(texts, replay.game, match_id)),
        f"{MODAL_ID}:{match_id}",
        modals.text_area("note", texts("note.label"), note, MAX_NOTE_LENGTH),
        short_title=texts("note.label"),
    )
    await send_modal(interaction, modal)


async def _save_submitted(interaction: Interaction) -> None:
    """Save the submitted note and confirm it."""
    client = interaction.client
    match_id = bind_match(MatchId(int(modals.id_values(interaction)[0])))
    text = modals.submitted_text(interaction, "note", MAX_NOTE_LENGTH)
    who = ids.to_person(interaction.user)
    saved = await client.matches.people.notes.save(match_id, who, text, now=client.now())
    texts = client.texts
    key = "note.saved" if saved else "note.gone"
    name = format_match_name(texts, await client.matches.views.summary(match_id), who.account)
    post = Post(texts(key, match_name=name, note=saved))
    await send_private(interaction, post)


async def _load_visible(interaction: Interaction, match: MatchId) -> Replay:
    """Return a match. Raises Refusal if the user cannot see it here."""
    return await load_replay(interaction, ReplayState(ReplaySource.MATCH, match))


FEATURE = Feature(
    commands=(define_command("note", _show_from_command, replay_argument.match_field("note"), direct=True),),
    items=(NoteButton,),
    modal_handlers={MODAL_ID: _save_submitted},
    private_buttons=(NoteButton.of,),
)
