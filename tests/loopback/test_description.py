"""Validation against Discord's OpenAPI description."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import discord
import pytest
from discord.http import Route

from tests.discord_server import DiscordServer, SchemaViolations
from tests.discord_server.schema import Checker, checker, description_file
from tests.loopback.bot import running_bot

if TYPE_CHECKING:
    from pathlib import Path

DESCRIPTION: dict[str, Any] = {
    "paths": {
        "/things/{thing_id}": {
            "post": {
                "parameters": [
                    {"name": "limit", "in": "query", "schema": {"type": "integer", "maximum": 100}},
                    {"name": "wait", "in": "query", "schema": {"type": "boolean"}},
                ],
                "requestBody": {
                    "required": True,
                    "content": {"application/json": {"schema": {"$ref": "#/components/schemas/Thing"}}},
                },
                "responses": {
                    "200": {
                        "content": {"application/json": {"schema": {"$ref": "#/components/schemas/Thing"}}}
                    },
                    "204": {},
                    "4XX": {"$ref": "#/components/responses/Bad"},
                },
            }
        }
    },
    "components": {
        "responses": {"Bad": {"content": {"application/json": {"schema": {"required": ["code"]}}}}},
        "schemas": {
            "SnowflakeType": {"type": "string"},
            "Row": {"properties": {"type": {"enum": [1]}, "parts": {"maxItems": 1}}},
            "Text": {"properties": {"type": {"enum": [10]}, "content": {"type": "string"}}},
            "Thing": {
                "type": "object",
                "required": ["id"],
                "properties": {
                    "id": {"$ref": "#/components/schemas/SnowflakeType"},
                    "part": {
                        "oneOf": [{"$ref": "#/components/schemas/Row"}, {"$ref": "#/components/schemas/Text"}]
                    },
                },
            },
        },
    },
}


@pytest.mark.parametrize(
    ("query", "body", "found"),
    [
        ({}, {"id": "1"}, []),
        ({}, {"id": 1}, []),
        ({"limit": "5", "wait": "1"}, {"id": "1"}, []),
        ({"limit": "500"}, {"id": "1"}, ["$: 500 is greater than the maximum of 100"]),
        ({"wait": "maybe"}, {"id": "1"}, ["$: 'maybe' is not of type 'boolean'"]),
        ({"colour": "red"}, {"id": "1"}, ["the query has no parameter colour"]),
        ({}, None, ["a body is required"]),
        ({}, {}, ["$: 'id' is a required property"]),
        ({}, {"id": "1", "part": {"type": 10, "content": 3}}, ["$.part.content: 3 is not of type 'string'"]),
        ({}, {"id": "1", "part": {"type": 1, "parts": [1, 2]}}, ["$.part.parts: [1, 2] is too long"]),
    ],
)
def test_request_violations_are_listed(query: dict[str, str], body: Any, found: list[str]) -> None:
    assert Checker(DESCRIPTION).check_request("POST", "/things/{thing_id}", query, body) == found


@pytest.mark.parametrize(
    ("status", "body", "found"),
    [
        (200, {"id": "1"}, []),
        (200, {"id": 1}, ["$.id: 1 is not of type 'string'"]),
        (204, None, []),
        (204, {}, ["204 has no content"]),
        (301, None, ["the description has no response 301"]),
        (404, {"code": 1}, []),
        (404, {}, ["$: 'code' is a required property"]),
        (500, {"anything": 1}, []),
    ],
)
def test_response_violations_are_listed(status: int, body: Any, found: list[str]) -> None:
    assert Checker(DESCRIPTION).check_response("POST", "/things/{thing_id}", status, body) == found


def test_undescribed_operation_is_a_violation() -> None:
    assert Checker(DESCRIPTION).check_request("GET", "/nothing", {}, None) == [
        "the description has no such operation"
    ]


def test_description_file_can_be_set_by_variable(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setenv("DISCORD_OPENAPI", str(tmp_path / "absent.json"))
    assert description_file() is None
    (tmp_path / "absent.json").write_text("{}")
    assert description_file() == tmp_path / "absent.json"


@pytest.mark.skipif(description_file() is None, reason="Discord's description is not available")
async def test_violation_fails_the_context() -> None:
    server = await DiscordServer().__aenter__()
    channel = server.guild("Salon").channel("games")
    async with running_bot(server) as bot:
        body = {"content": "a", "flags": "ephemeral"}
        with pytest.raises(discord.HTTPException):
            await bot.http.request(Route("POST", f"/channels/{channel.id}/messages"), json=body)
    with pytest.raises(SchemaViolations, match="the bot's POST"):
        await server.__aexit__(None, None, None)


async def test_error_in_the_test_is_not_hidden_by_violations() -> None:
    server = await DiscordServer().__aenter__()
    server.violations.append("something")
    await server.__aexit__(KeyError, KeyError(), None)


async def test_disabled_check_finds_nothing() -> None:
    async with DiscordServer(check=False) as server:
        channel = server.guild("Salon").channel("games")
        async with running_bot(server) as bot:
            body = {"content": "a", "tts": "loudly"}
            await bot.http.request(Route("POST", f"/channels/{channel.id}/messages"), json=body)
        assert server.violations == []


@pytest.mark.skipif(description_file() is None, reason="Discord's description is not available")
def test_description_is_read_once() -> None:
    assert checker() is checker()
