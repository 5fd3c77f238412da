"""The gateway of the test server: resumable sessions over WebSocket, and failures that a test can cause.

A session belongs to a shard and gets the events of its servers; direct messages belong to shard 0. Several
sessions of one shard get the same events.
"""

from __future__ import annotations

import asyncio
import contextlib
import json
import secrets
from collections import deque
from dataclasses import dataclass, field
from enum import IntEnum
from typing import TYPE_CHECKING, Any

from aiohttp import WSMsgType, web

if TYPE_CHECKING:
    from tests.discord_server.errors import Json
    from tests.discord_server.world import World

GUILD_MEMBERS = 1 << 1
PRIVILEGED = GUILD_MEMBERS | 1 << 8 | 1 << 15
MAX_REPLAY_EVENTS = 5000
NORMAL_CLOSURES = (1000, 1001)


class Op(IntEnum):
    """Gateway opcodes."""

    DISPATCH = 0
    HEARTBEAT = 1
    IDENTIFY = 2
    PRESENCE = 3
    VOICE_STATE = 4
    RESUME = 6
    RECONNECT = 7
    REQUEST_MEMBERS = 8
    INVALID_SESSION = 9
    HELLO = 10
    ACK = 11


class CloseCode(IntEnum):
    """Gateway close codes."""

    UNKNOWN_ERROR = 4000
    UNKNOWN_OPCODE = 4001
    DECODE_ERROR = 4002
    NOT_AUTHENTICATED = 4003
    AUTHENTICATION_FAILED = 4004
    ALREADY_AUTHENTICATED = 4005
    INVALID_SEQ = 4007
    INVALID_SHARD = 4010
    SHARDING_REQUIRED = 4011
    DISALLOWED_INTENTS = 4014


@dataclass(frozen=True, slots=True)
class Shard:
    """One of `count` shards, counted from 0."""

    id: int = 0
    count: int = 1

    def has(self, guild: int | None) -> bool:
        """Return whether the events of a guild, or with None those of direct messages, belong here."""
        return self.id == (0 if guild is None else (guild >> 22) % self.count)


def guild_of(event: str, data: Json) -> int | None:
    """Return the guild of an event, None outside one."""
    guild = data.get("id" if event in {"GUILD_CREATE", "GUILD_UPDATE", "GUILD_DELETE"} else "guild_id")
    return None if guild is None else int(guild)


@dataclass(eq=False, slots=True)
class GatewaySession:
    """A session; its events are stored so that they can be replayed on resume."""

    id: str
    intents: int
    shard: Shard
    connection: Connection | None = None
    seq: int = 0
    events: deque[tuple[int, str]] = field(default_factory=lambda: deque(maxlen=MAX_REPLAY_EVENTS))

    def dispatch(self, event: str, data: Json) -> None:
        self.seq += 1
        frame = json.dumps({"op": Op.DISPATCH, "t": event, "s": self.seq, "d": data})
        self.events.append((self.seq, frame))
        if self.connection is not None:
            self.connection.push(frame)

    def replay(self, seq: int) -> None:
        for number, frame in self.events:
            if number > seq and self.connection is not None:
                self.connection.push(frame)


class Connection:
    """One WebSocket. A separate task sends the frames in order, so that `push` does not block."""

    def __init__(self, request: web.Request, socket: web.WebSocketResponse) -> None:
        self.socket = socket
        self._request = request
        self.session: GatewaySession | None = None
        self.closed_with: int | None = None
        self._frames: asyncio.Queue[str] = asyncio.Queue()
        self._writer = asyncio.create_task(self._write())

    def push(self, frame: str) -> None:
        self._frames.put_nowait(frame)

    def push_op(self, op: Op, data: Any = None) -> None:
        self.push(json.dumps({"op": op, "d": data, "s": None, "t": None}))

    async def _write(self) -> None:
        with contextlib.suppress(ConnectionError):
            while True:
                await self.socket.send_str(await self._frames.get())
                self._frames.task_done()

    async def close(self, code: int = CloseCode.UNKNOWN_ERROR, reason: str = "") -> None:
        if not self._writer.done():
            with contextlib.suppress(TimeoutError):
                async with asyncio.timeout(1):
                    await self._frames.join()
        self.closed_with = code
        await self.stop()
        await self.socket.close(code=code, message=reason.encode())

    def abort(self) -> None:
        if self._request.transport is not None:
            self._request.transport.abort()

    async def stop(self) -> None:
        self._writer.cancel()
        with contextlib.suppress(asyncio.CancelledError):
            await self._writer


class Gateway:
    """All sessions, and methods that cause failures. `ignores_heartbeats` disables the acknowledgement.

    `hasty` counts sessions that were refused because they were opened too soon after another.
    """

    def __init__(self, world: World) -> None:
        self._world = world
        self._sessions: dict[str, GatewaySession] = {}
        self._connections: set[Connection] = set()
        self.identified = 0
        self.resumed = 0
        self.hasty = 0
        self._identified_at: dict[int, float] = {}  # by bucket
        self.ignores_heartbeats = False

    @property
    def is_connected(self) -> bool:
        """Whether a bot is connected and past READY or RESUMED."""
        return bool(self.connected_shards)

    @property
    def connected_shards(self) -> list[Shard]:
        """The shards of the sessions with a connected client."""
        return [one.shard for one in self._sessions.values() if one.connection is not None]

    @property
    def is_reachable(self) -> bool:
        """Whether any session will receive events, now or when it resumes."""
        return bool(self._sessions)

    def dispatch(self, event: str, data: Json, intent: int = 0) -> None:
        """Send an event to the sessions with its shard and this intent.

        Disconnected ones get it when they resume.
        """
        guild = guild_of(event, data)
        for session in self._sessions.values():
            if session.shard.has(guild) and (not intent or session.intents & intent):
                session.dispatch(event, data)

    async def reconnect(self) -> None:
        """Ask every client to reconnect (op 7)."""
        for connection in tuple(self._connections):
            connection.push_op(Op.RECONNECT)

    async def invalidate(self, *, resumable: bool = False, shard: int | None = None) -> None:
        """Tell every client, or those of a shard, that its session is invalid (op 9)."""
        for connection in tuple(self._connections):
            session = connection.session
            if shard is not None and (session is None or session.shard.id != shard):
                continue
            if not resumable and session is not None:
                self._sessions.pop(session.id, None)
                connection.session = None
            connection.push_op(Op.INVALID_SESSION, resumable)
        if shard is None and not resumable:
            self._sessions.clear()

    async def close(self, code: int = CloseCode.UNKNOWN_ERROR, *, shard: int | None = None) -> None:
        """Close the WebSockets of a shard, or of all, with this code."""
        for connection in tuple(self._connections):
            if shard is None or (connection.session is not None and connection.session.shard.id == shard):
                await connection.close(code)

    def drop_connections(self) -> None:
        """Close every connection without a close frame, like a network failure."""
        for connection in tuple(self._connections):
            connection.abort()

    def delete_disconnected(self) -> None:
        """Delete every session without a connected client; it cannot be resumed any more."""
        self._sessions = {id_: one for id_, one in self._sessions.items() if one.connection is not None}

    async def stop(self) -> None:
        for connection in tuple(self._connections):
            await connection.close(1001)
        self._sessions.clear()

    async def handle(self, request: web.Request) -> web.WebSocketResponse:
        """Serve one WebSocket from HELLO to its end."""
        socket = web.WebSocketResponse(timeout=1.0, max_msg_size=0)
        await socket.prepare(request)
        connection = Connection(request, socket)
        self._connections.add(connection)
        connection.push_op(
            Op.HELLO, {"heartbeat_interval": int(self._world.settings.heartbeat_seconds * 1000)}
        )
        try:
            async for message in socket:
                if message.type is WSMsgType.TEXT:
                    await self._receive(connection, message.data)
        finally:
            await connection.stop()
            self._detach(connection)
        return socket

    def _detach(self, connection: Connection) -> None:
        self._connections.discard(connection)
        session = connection.session
        if session is not None and session.connection is connection:
            session.connection = None
            if connection.closed_with is None and connection.socket.close_code in NORMAL_CLOSURES:
                self._sessions.pop(session.id, None)
        self._world.changed.notify()

    async def _receive(self, connection: Connection, text: str) -> None:
        try:
            frame = json.loads(text)
            op, data = frame["op"], frame.get("d")
        except (ValueError, KeyError, TypeError):
            await connection.close(CloseCode.DECODE_ERROR, "Error while decoding payload.")
            return
        if op == Op.HEARTBEAT:
            if not self.ignores_heartbeats:
                connection.push_op(Op.ACK)
        elif op == Op.IDENTIFY:
            await self._identify(connection, data)
        elif op == Op.RESUME:
            await self._resume(connection, data)
        elif connection.session is None:
            await connection.close(CloseCode.NOT_AUTHENTICATED, "Not authenticated.")
        elif op == Op.REQUEST_MEMBERS:
            self._send_members(connection.session, data)
        elif op not in (Op.PRESENCE, Op.VOICE_STATE):
            await connection.close(CloseCode.UNKNOWN_OPCODE, "Unknown opcode.")
        self._world.changed.notify()

    async def _identify(self, connection: Connection, data: Json) -> None:
        shard = Shard(*data.get("shard", (0, 1)))
        if connection.session is not None:
            await connection.close(CloseCode.ALREADY_AUTHENTICATED, "Already authenticated.")
        elif data.get("token") != self._world.settings.token:
            await connection.close(CloseCode.AUTHENTICATION_FAILED, "Authentication failed.")
        elif not shard.id < shard.count:
            await connection.close(CloseCode.INVALID_SHARD, "Invalid shard.")
        elif shard.count < self._world.settings.shards:
            await connection.close(CloseCode.SHARDING_REQUIRED, "Sharding required.")
        elif data.get("intents", 0) & PRIVILEGED and not self._world.settings.privileged_intents:
            await connection.close(CloseCode.DISALLOWED_INTENTS, "Disallowed intent(s).")
        elif self._is_too_soon(shard):
            self.hasty += 1
            connection.push_op(Op.INVALID_SESSION, data=False)
        else:
            self._start_session(connection, data, shard)

    def _is_too_soon(self, shard: Shard) -> bool:
        """Return whether a session of the same bucket was opened a moment ago; note the time of this one."""
        settings, now = self._world.settings, asyncio.get_running_loop().time()
        bucket = shard.id % settings.max_concurrency
        last = self._identified_at.get(bucket)
        self._identified_at[bucket] = now
        return last is not None and now - last < settings.identify_seconds

    def _start_session(self, connection: Connection, data: Json, shard: Shard) -> None:
        session = GatewaySession(secrets.token_hex(16), data.get("intents", 0), shard, connection)
        self._sessions[session.id] = connection.session = session
        self.identified += 1
        world = self._world
        guilds = [guild for guild in world.guilds_of(world.bot) if shard.has(guild.id)]
        ready = {
            "v": 10,
            "user": world.bot.json() | {"verified": True, "mfa_enabled": False, "email": None},
            "guilds": [{"id": str(guild.id), "unavailable": True} for guild in guilds],
            "session_id": session.id,
            "resume_gateway_url": "wss://gateway.discord.gg",
            "session_type": "normal",
            "private_channels": [],
            "shard": [shard.id, shard.count],
            "application": {"id": str(world.application_id), "flags": 0},
        }
        session.dispatch("READY", ready)
        for guild in guilds:
            session.dispatch("GUILD_CREATE", guild.create_event(world.bot))

    async def _resume(self, connection: Connection, data: Json) -> None:
        session = self._sessions.get(data.get("session_id", ""))
        if data.get("token") != self._world.settings.token:
            await connection.close(CloseCode.AUTHENTICATION_FAILED, "Authentication failed.")
        elif session is None:
            connection.push_op(Op.INVALID_SESSION, data=False)
        elif data.get("seq") is None or data["seq"] > session.seq:
            await connection.close(CloseCode.INVALID_SEQ, "Invalid seq.")
        else:
            self.resumed += 1
            connection.session, session.connection = session, connection
            session.replay(data["seq"])
            session.dispatch("RESUMED", {"_trace": []})

    def _send_members(self, session: GatewaySession, data: Json) -> None:
        guild = self._world.guilds.get(int(data["guild_id"]))
        if guild is None:
            return
        requested = {int(one) for one in data.get("user_ids") or ()}
        query = data.get("query")
        found = [
            one.json()
            for one in guild.members.values()
            if one.user.id in requested
            or (query is not None and one.user.name.lower().startswith(query.lower()))
        ]
        chunk: Json = {
            "guild_id": str(guild.id),
            "members": found[: data.get("limit") or None],
            "chunk_index": 0,
            "chunk_count": 1,
            "not_found": [str(one) for one in requested if one not in guild.members],
        }
        if data.get("nonce"):
            chunk["nonce"] = data["nonce"]
        session.dispatch("GUILD_MEMBERS_CHUNK", chunk)
