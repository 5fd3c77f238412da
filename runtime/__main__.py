"""``python -m runtime``: the bot with its website or, without a token, the website alone (``make run``).

With ROLE=mail it is the process of ``python -m mail``.
"""

from __future__ import annotations

import sys
from dataclasses import dataclass

from i18n import Texts
from runtime.role import Role
from runtime.settings import EnvSettings, SettingsError, load_settings, report_settings_error, setting


@dataclass(frozen=True, kw_only=True)
class StartSettings(EnvSettings):
    """What decides between the bot, the website and mail; each checks the form of its settings."""

    discord_token: str | None = setting(str, None, is_secret=True)
    role: str = setting(str, "")


def main() -> int:
    """Run the bot, the website or mail, say which if there is no token, and return the exit code."""
    texts = Texts.load()
    try:
        settings = load_settings(StartSettings)
    except SettingsError as error:
        return report_settings_error(texts, error)
    # Only what is run is imported.
    if settings.role.strip().lower() == Role.MAIL.value:
        from mail.__main__ import main as run_mail  # noqa: PLC0415

        return run_mail()
    if settings.discord_token is not None:
        from bot.__main__ import main as run_bot  # noqa: PLC0415

        return run_bot()
    from web.__main__ import main as run_website  # noqa: PLC0415

    sys.stdout.write(f"{texts('starting.website_only')}\n")
    sys.stdout.flush()
    return run_website()


if __name__ == "__main__":
    sys.exit(main())
