"""Creating, editing and deleting messages: the common part of channels, webhooks and interactions."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from tests.discord_server import components, mentions
from tests.discord_server.attachments import Attachment
from tests.discord_server.errors import EMPTY_MESSAGE, TOO_LARGE, ApiError, ValidationProblems
from tests.discord_server.guilds import ChannelKind
from tests.discord_server.limits import check_message
from tests.discord_server.messages import Message, MessageFlag, embed_urls
from tests.discord_server.permissions import Permission

if TYPE_CHECKING:
    from collections.abc import Mapping

    from tests.discord_server.attachments import Upload
    from tests.discord_server.errors import Json
    from tests.discord_server.guilds import ChannelState
    from tests.discord_server.users import User
    from tests.discord_server.world import World

GUILD_MESSAGES = 1 << 9
DIRECT_MESSAGES = 1 << 12
REPLY = 19

_SETTABLE = (
    MessageFlag.SUPPRESS_EMBEDS
    | MessageFlag.EPHEMERAL
    | MessageFlag.SUPPRESS_NOTIFICATIONS
    | MessageFlag.COMPONENTS_V2
)


def create(
    world: World,
    channel: ChannelState,
    author: User,
    body: Json,
    uploads: Mapping[int, Upload],
    *,
    kind: int = 0,
    addressee: User | None = None,
    metadata: Json | None = None,
    reference: Message | None = None,
) -> Message:
    """Create a message from a validated request body and dispatch its events."""
    check_message(body)
    flags = MessageFlag(body.get("flags") or 0) & _SETTABLE
    if addressee is None:
        flags &= ~MessageFlag.EPHEMERAL
    message = Message(
        world.clock.snowflake(),
        channel,
        author,
        world.clock.timestamp(),
        flags=flags,
        type=kind,
        addressee=addressee if MessageFlag.EPHEMERAL in flags else None,
        metadata=metadata,
        reference=reference,
        nonce=body.get("nonce"),
        application_id=world.application_id if metadata is not None else None,
    )
    _fill(world, message, body, uploads)
    if not (message.content or message.embeds or message.files or message.components):
        raise ApiError(400, EMPTY_MESSAGE, "Cannot send an empty message")
    publish(world, message, body.get("allowed_mentions"))
    return message


def publish(world: World, message: Message, allowed: Json | None) -> None:
    """Add a new message to its channel, ping the mentioned users and send MESSAGE_CREATE."""
    for file in message.files:
        world.attachments[file.id] = file
    message.channel.messages.append(message)
    _ping(world, message, allowed)
    _dispatch(world, "MESSAGE_CREATE", message.channel, event(world, message))


def edit(world: World, message: Message, body: Json, uploads: Mapping[int, Upload]) -> None:
    """Change the parts of a message that the request contains; an edit pings nobody."""
    v2 = MessageFlag.COMPONENTS_V2 in message.flags
    check_message(body, already_v2=v2)
    if body.get("flags") is not None:
        kept = message.flags & ~(MessageFlag.SUPPRESS_EMBEDS)
        message.flags = kept | (
            MessageFlag(body["flags"]) & (MessageFlag.SUPPRESS_EMBEDS | MessageFlag.COMPONENTS_V2)
        )
    _fill(world, message, body, uploads)
    if not (message.content or message.embeds or message.files or message.components):
        raise ApiError(400, EMPTY_MESSAGE, "Cannot send an empty message")
    message.flags &= ~MessageFlag.LOADING
    message.edited = world.clock.timestamp()
    message.revision += 1
    for file in message.files:
        world.attachments[file.id] = file
    _read_mentions(world, message, body.get("allowed_mentions"))
    _dispatch(world, "MESSAGE_UPDATE", message.channel, event(world, message))


def delete(world: World, message: Message) -> None:
    message.deleted = True
    data: Json = {"id": str(message.id), "channel_id": str(message.channel.id)}
    if message.channel.guild is not None:
        data["guild_id"] = str(message.channel.guild.id)
    _dispatch(world, "MESSAGE_DELETE", message.channel, data)


def event(world: World, message: Message) -> Json:
    """Return a message as in gateway events, with its guild and the author's membership."""
    found = world.visible_to_bot(message)
    guild = message.channel.guild
    if guild is None:
        return found
    found["guild_id"] = str(guild.id)
    if message.author.id in guild.members and message.application_id is None:
        member = guild.members[message.author.id].json()
        member.pop("user")
        found["member"] = member
    return found


def _dispatch(world: World, name: str, channel: ChannelState, data: Json) -> None:
    """Send an event of a channel to the bot, if it can view it, and wake waiting tests in any case."""
    if Permission.VIEW_CHANNEL in channel.permissions(world.bot):
        world.dispatch(name, data, DIRECT_MESSAGES if channel.kind is ChannelKind.DM else GUILD_MESSAGES)
    world.changed.notify()


def _fill(world: World, message: Message, body: Json, uploads: Mapping[int, Upload]) -> None:
    """Set content, files, embeds and components, as far as the request contains them."""
    files = _files(world, message, body, uploads)
    used_before = {url for embed in message.embeds for url in embed_urls(embed)}
    embeds = message.embeds
    if "embeds" in body:
        embeds = [_embed(world, files, embed, index) for index, embed in enumerate(body["embeds"] or ())]
    if "components" in body:

        def media(url: str) -> Json:
            return _media(world, files, url, "components")

        message.components = components.normalise(body["components"] or (), media)
    if "content" in body:
        message.content = (body["content"] or "").strip()
    if "attachments" in body:
        listed = _listed(body)
        shown = {url for embed in embeds for url in embed_urls(embed)}
        files = [
            file
            for file in files
            if file not in message.files
            or file.id in listed
            or (file.url in used_before and file.url in shown)
        ]
    message.embeds = [] if MessageFlag.SUPPRESS_EMBEDS in message.flags else embeds
    message.files = files


def _listed(body: Json) -> set[int]:
    return {int(one["id"]) for one in body.get("attachments") or ()}


def _files(world: World, message: Message, body: Json, uploads: Mapping[int, Upload]) -> list[Attachment]:
    """Return the message's existing files that are kept, followed by the new ones."""
    described = {int(one["id"]): one for one in body.get("attachments") or ()}
    for file in message.files:
        if file.id in described and "description" in described[file.id]:
            file.description = described[file.id]["description"]
    found = list(message.files)
    for index, upload in sorted(uploads.items()):
        if len(upload.data) > world.settings.attachment_limit:
            raise ApiError(413, TOO_LARGE, "Request entity too large")
        metadata = described.get(index, {})
        found.append(
            Attachment(
                world.clock.snowflake(),
                message.channel.id,
                metadata.get("filename") or upload.filename,
                upload.data,
                metadata.get("description"),
                message.ephemeral,
            )
        )
    return found


def _media(world: World, files: list[Attachment], url: str, path: str) -> Json:
    found = _resolved(files, url, path)
    return {"id": str(world.clock.snowflake()), "width": None, "height": None, **found}


def _resolved(files: list[Attachment], url: str, path: str) -> Json:
    name = url.removeprefix("attachment://")
    for file in files:
        if name != url and file.filename == name:
            return file.media() | {"attachment_id": str(file.id)}
        if file.url == url:
            return file.media() | {"attachment_id": str(file.id)}
    if name != url:
        problems = ValidationProblems()
        problems.add(path, "UNKNOWN_ATTACHMENT", f"No file of this message is called {name}")
        problems.raise_if_any()
    return {"url": url, "proxy_url": url}


def _embed(world: World, files: list[Attachment], embed: Json, index: int) -> Json:
    found = {key: value for key, value in embed.items() if value is not None}
    found["type"] = "rich"
    for key in ("image", "thumbnail"):
        if key in found:
            media = _media(world, files, found[key]["url"], f"embeds.{index}.{key}")
            found[key] = {one: media[one] for one in _IMAGE_KEYS if media.get(one) is not None}
            _describe(found[key], files, media)
    for key in ("author", "footer"):
        if key in found and found[key].get("icon_url"):
            media = _resolved(files, found[key]["icon_url"], f"embeds.{index}.{key}")
            found[key] = found[key] | {"icon_url": media["url"], "proxy_icon_url": media["proxy_url"]}
    if "fields" in found:
        found["fields"] = [{"inline": False} | entry for entry in found["fields"]]
    return found


_IMAGE_KEYS = ("url", "proxy_url", "width", "height", "content_type")


def _describe(image: Json, files: list[Attachment], media: Json) -> None:
    for file in files:
        if str(file.id) == media.get("attachment_id") and file.description is not None:
            image["description"] = file.description


def _read_mentions(world: World, message: Message, allowed: Any) -> mentions.Mentions:
    found = mentions.find_mentions([message.content, *message.displays()], allowed)
    message.mentioned = tuple(
        world.users[one] for one in found.users if one in found.allowed_users and one in world.users
    )
    message.mention_roles = found.roles
    may_ping_all = Permission.MENTION_EVERYONE in message.channel.permissions(message.author)
    message.mention_everyone = found.everyone and may_ping_all
    return found


def _ping(world: World, message: Message, allowed: Any) -> None:
    found = _read_mentions(world, message, allowed)
    target = message.reference
    if target is not None and message.type == REPLY and message.metadata is None and found.replied_user:
        message.mentioned = tuple(dict.fromkeys((*message.mentioned, target.author)))
    if message.channel.kind is ChannelKind.PUBLIC_THREAD:
        message.channel.thread_members.update(user.id for user in message.mentioned)
    if message.mention_everyone:
        called = tuple(user for user in world.users.values() if user is not message.author)
    else:
        called = message.mentioned
    message.pinged = tuple(user for user in called if _can_read(user, message))
    if MessageFlag.SUPPRESS_NOTIFICATIONS not in message.flags:
        for user in message.pinged:
            user.pings.append(message)


def _can_read(user: User, message: Message) -> bool:
    """Return whether a user can read the message."""
    if message.addressee is not None:
        return user is message.addressee
    return Permission.VIEW_CHANNEL in message.channel.permissions(user)
