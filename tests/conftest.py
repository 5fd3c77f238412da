"""What all tests share."""

import warnings

from tests.discord_server.schema import description_file

# discord.py imports a module of the standard library that later versions drop; warnings are errors here.
with warnings.catch_warnings():
    warnings.filterwarnings("ignore", message="'audioop' is deprecated", category=DeprecationWarning)
    import discord  # noqa: F401 - imported once here, and from then on without a warning


def pytest_report_header() -> str:
    """Tell whether this run checks the bot's requests against Discord's own description of its API."""
    if description_file() is None:
        return "discord: its API description is not at hand, so requests and answers go unchecked against it"
    return "discord: requests and answers are checked against its API description"
