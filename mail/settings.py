"""Settings of a process that sends and receives mail and does nothing else."""

from __future__ import annotations

from dataclasses import dataclass

from runtime.heartbeat import HeartbeatSettings
from runtime.mail_settings import check_mail_settings
from runtime.role import Role, role_parser
from runtime.settings import DatabaseSettings, SettingsError, load_settings, setting
from web.settings import WebSettings, require_secret


@dataclass(frozen=True, kw_only=True)
class MailProcessSettings(WebSettings, HeartbeatSettings, DatabaseSettings):
    """The settings of ``python -m mail``; those of the website are for the links in mails."""

    role: Role = setting(role_parser(Role.MAIL), Role.MAIL)


def load_mail_settings() -> MailProcessSettings:
    """Return the settings. Raises SettingsError."""
    settings = load_settings(MailProcessSettings)
    require_secret(settings)
    for name in ("mail_in", "public_url"):
        if getattr(settings, name) is None:
            raise SettingsError(((f"settings.{name}.missing", name.upper()),))
    check_mail_settings(settings)
    return settings
