"""Validation of requests and responses against Discord's OpenAPI description of its HTTP API."""

from __future__ import annotations

import functools
import json
import os
from pathlib import Path
from typing import TYPE_CHECKING, Any

import jsonschema_rs
from jsonschema import Draft202012Validator, ValidationError, validators
from jsonschema.exceptions import best_match

from tests.discord_server.schema_amendments import (
    AMENDED_OPERATIONS,
    AMENDED_REQUESTS,
    AMENDED_RESPONSES,
    UNDESCRIBED_QUERY,
)

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from jsonschema.protocols import Validator

    from tests.discord_server.errors import Json

    Schemas = Mapping[str, Json]

ROOT = Path(__file__).resolve().parents[2]
_DIALECT = "https://json-schema.org/draft/2020-12/schema"
_SCHEMAS = "#/components/schemas/"


def description_file() -> Path | None:
    """Return the path of Discord's description (DISCORD_OPENAPI or the default location), None if missing."""
    path = Path(os.environ.get("DISCORD_OPENAPI") or ROOT.parent / "shared" / "discord-openapi.json")
    return path if path.is_file() else None


@functools.cache
def checker() -> Checker | None:
    """Return this process's checker, None without a description; the description is read once."""
    path = description_file()
    return Checker(json.loads(path.read_text())) if path is not None else None


class Checker:
    """Compiles the validators of an operation on first use and caches them."""

    def __init__(self, description: Json) -> None:
        self._description = description
        schemas = description["components"]["schemas"]
        self._request_schemas: Schemas = {**schemas, **AMENDED_REQUESTS}
        self._response_schemas: Schemas = {**schemas, **AMENDED_RESPONSES}
        self._compiled: dict[tuple[str, ...], CompiledSchema] = {}

    def check_request(self, method: str, path: str, query: Mapping[str, str], body: Any) -> list[str]:
        """Return the violations in a request to an operation; `path` is as in the description."""
        operation = self._operation(method, path)
        if operation is None:
            return ["the description has no such operation"]
        found = self._query(operation, method, path, query)
        content = operation.get("requestBody", {}).get("content", {})
        described = content.get("application/json") or content.get("application/x-www-form-urlencoded")
        if described is not None and body is not None:
            schema = described["schema"]
            found += self._validate(("request", method, path), self._request_schemas, schema, body)
        elif operation.get("requestBody", {}).get("required"):
            found.append("a body is required")
        return found

    def check_response(self, method: str, path: str, status: int, body: Any) -> list[str]:
        """Return the violations in a response."""
        operation = self._operation(method, path)
        if operation is None or status >= 500:
            return []
        responses = operation["responses"]
        response = responses.get(str(status), responses.get(f"{status // 100}XX"))
        if response is None:
            return [f"the description has no response {status}"]
        if "$ref" in response:
            response = self._description["components"]["responses"][response["$ref"].rsplit("/", 1)[1]]
        content = response.get("content", {}).get("application/json")
        if content is None:
            return [] if body is None else [f"{status} has no content"]
        return self._validate(
            ("response", method, path, str(status)), self._response_schemas, content["schema"], body
        )

    def _operation(self, method: str, path: str) -> Json | None:
        described = self._description["paths"].get(path) or AMENDED_OPERATIONS.get(path, {})
        found: Json | None = described.get(method.lower())
        return found

    def _query(self, operation: Json, method: str, path: str, query: Mapping[str, str]) -> list[str]:
        known = {
            one["name"]: one["schema"] for one in operation.get("parameters", ()) if one["in"] == "query"
        }
        found = []
        for name, text in query.items():
            if name in UNDESCRIBED_QUERY:
                continue
            if name not in known:
                found.append(f"the query has no parameter {name}")
                continue
            key = ("query", method, path, name)
            found += self._validate(key, self._request_schemas, known[name], _coerce(known[name], text))
        return found

    def _validate(self, key: tuple[str, ...], schemas: Schemas, schema: Json, value: Any) -> list[str]:
        if key not in self._compiled:
            self._compiled[key] = CompiledSchema(schema, schemas)
        return self._compiled[key].problems(value)


class CompiledSchema:
    """A schema compiled twice: for a fast check and, when that fails, for good error messages.

    Nearly all values are valid, and the fast validator takes a hundredth of the time. If it rejects a value
    the thorough one decides: it selects the branch of a union by `type`, as Discord does.
    """

    def __init__(self, schema: Json, schemas: Schemas) -> None:
        self._schema, self._schemas = schema, schemas
        components = {"schemas": _referenced_schemas(schema, schemas)}
        self._quick = jsonschema_rs.validator_for({**schema, "$schema": _DIALECT, "components": components})

    @functools.cached_property
    def _thorough(self) -> Validator:
        return _validator_class(self._schemas)(self._schema)

    def problems(self, value: Any) -> list[str]:
        """Return the violations; empty for a valid value."""
        if self._quick.is_valid(value):
            return []
        error = best_match(self._thorough.iter_errors(value))
        return [] if error is None else [f"{error.json_path}: {error.message[:300]}"]


def _referenced_schemas(schema: Json, schemas: Schemas) -> dict[str, Json]:
    """Return those of `schemas` that a schema refers to, directly or not: few of more than five hundred."""
    found: dict[str, Json] = {}
    parts: list[Any] = [schema]
    while parts:
        part = parts.pop()
        if isinstance(part, dict):
            reference = part.get("$ref")
            if isinstance(reference, str):
                name = reference.removeprefix(_SCHEMAS)
                if name not in found:
                    found[name] = schemas[name]
                    parts.append(schemas[name])
            parts += part.values()
        elif isinstance(part, list):
            parts += part
    return found


def _coerce(schema: Json, text: str) -> Any:
    """Convert a query parameter to the type of its schema, as servers do."""
    if schema.get("type") == "integer" and text.lstrip("-").isdecimal():
        return int(text)
    if schema.get("type") == "boolean" and text.lower() in ("0", "1", "true", "false"):
        return text.lower() in ("1", "true")
    return text


def _validator_class(schemas: Schemas) -> type[Validator]:
    """Return a validator class that resolves references and selects union branches by `type`."""

    def reference(validator: Any, name: str, value: Any, _: Json) -> Iterator[ValidationError]:
        yield from validator.descend(value, schemas[name.removeprefix(_SCHEMAS)])

    def union(keyword: str) -> Any:
        plain = Draft202012Validator.VALIDATORS[keyword]

        def check(
            validator: Any, branches: list[Json], value: Any, schema: Json
        ) -> Iterator[ValidationError]:
            branch = _by_type(schemas, branches, value)
            if branch is None:
                yield from plain(validator, branches, value, schema)
            else:
                yield from validator.descend(value, branch)

        return check

    extended = {"$ref": reference, "oneOf": union("oneOf"), "anyOf": union("anyOf")}
    made: type[Validator] = validators.extend(Draft202012Validator, extended)  # type: ignore[no-untyped-call]
    return made


def _by_type(schemas: Mapping[str, Json], branches: list[Json], value: Any) -> Json | None:
    """Return the one branch of a union whose `type` is the value's, None if that is not unique."""
    if not isinstance(value, dict) or not isinstance(value.get("type"), int):
        return None
    fitting = [branch for branch in branches if value["type"] in _types(schemas, branch)]
    return fitting[0] if len(fitting) == 1 else None


def _types(schemas: Mapping[str, Json], branch: Json) -> list[int]:
    if "$ref" in branch:
        branch = schemas[branch["$ref"].removeprefix(_SCHEMAS)]
    found: list[int] = branch.get("properties", {}).get("type", {}).get("enum", [])
    return found
