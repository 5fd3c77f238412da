"""The two kinds of refusal: to the bot (`ApiError`) and to a person (`ActionNotPossible`)."""

from __future__ import annotations

from typing import Any

Json = dict[str, Any]


class ActionNotPossible(Exception):  # noqa: N818 - not an error of the server
    """Discord's app would not allow this action: no such command, a disabled button, ..."""


class ApiError(Exception):
    """An error response of the HTTP API: status, Discord's error code and message, and details by field."""

    def __init__(self, status: int, code: int, message: str, errors: Json | None = None) -> None:
        super().__init__(message)
        self.status = status
        self.code = code
        self.message = message
        self.errors = errors

    def body(self) -> Json:
        body: Json = {"message": self.message, "code": self.code}
        if self.errors:
            body["errors"] = self.errors
        return body


class ValidationProblems:
    """Collects validation errors by path, to return them together as Discord does (50035)."""

    def __init__(self) -> None:
        self._errors: Json = {}
        self.found: list[str] = []

    def add(self, path: str, code: str, message: str) -> None:
        """Add an error; `path` joins keys and indices with dots, e.g. `components.0.label`."""
        node = self._errors
        for step in path.split("."):
            node = node.setdefault(step, {})
        node.setdefault("_errors", []).append({"code": code, "message": message})
        self.found.append(f"{path}: {message}")

    def length(self, path: str, value: Any, low: int, high: int) -> None:
        """Check that a text or list has between `low` and `high` characters or items; None is valid."""
        if value is None:
            return
        if len(value) > high:
            self.add(path, "BASE_TYPE_MAX_LENGTH", f"Must be {high} or fewer in length.")
        elif len(value) < low:
            self.add(path, "BASE_TYPE_MIN_LENGTH", f"Must be {low} or more in length.")

    def required(self, path: str, value: Any) -> None:
        if value is None or value == "":
            self.add(path, "BASE_TYPE_REQUIRED", "This field is required")

    def raise_if_any(self) -> None:
        """Raise the collected errors as one `ApiError`, if there are any."""
        if self._errors:
            raise ApiError(400, MALFORMED, "Invalid Form Body", self._errors)


def unknown_error(what: str, code: int) -> ApiError:
    return ApiError(404, code, f"Unknown {what}")


UNKNOWN_CHANNEL = 10003
UNKNOWN_GUILD = 10004
UNKNOWN_MEMBER = 10007
UNKNOWN_MESSAGE = 10008
UNKNOWN_USER = 10013
UNKNOWN_WEBHOOK = 10015
UNKNOWN_INTERACTION = 10062
UNKNOWN_COMMAND = 10063

INTERACTION_ACKNOWLEDGED = 40060
MISSING_ACCESS = 50001
CANNOT_EDIT_OTHERS = 50005
EMPTY_MESSAGE = 50006
CANNOT_MESSAGE_USER = 50007
MISSING_PERMISSIONS = 50013
NO_MUTUAL_GUILDS = 50278
INVALID_WEBHOOK_TOKEN = 50027
THREAD_EXISTS = 160004
TOO_LARGE = 40005
MALFORMED = 50035


def missing_access() -> ApiError:
    return ApiError(403, MISSING_ACCESS, "Missing Access")


def missing_permissions() -> ApiError:
    return ApiError(403, MISSING_PERMISSIONS, "Missing Permissions")
