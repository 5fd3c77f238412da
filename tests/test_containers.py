"""The files for containers: their settings exist, the image gets all that it copies, and versions agree."""

from __future__ import annotations

import re
from pathlib import Path
from typing import TYPE_CHECKING, Protocol

import pytest

from bot.settings import Settings, load_bot_settings
from mail.settings import MailProcessSettings, load_mail_settings
from runtime.role import Role
from runtime.settings import EnvSettings, setting_names
from web.server.connections import KEEPALIVE_SECONDS
from web.settings import StandaloneWebSettings, load_standalone_settings

if TYPE_CHECKING:
    from collections.abc import Callable


class HasRole(Protocol):
    """Settings of a process with a role."""

    @property
    def role(self) -> Role: ...


ROOT = Path(__file__).resolve().parent.parent
COMPOSITIONS = ("compose.yaml", "compose.cluster.yaml")
ENTRY = re.compile(r"^(?P<indent> *)(?P<name>[\w.-]+): ?(?P<value>.*)$")
MERGE = re.compile(r"^ *<<: \[?([^\]]+)\]?$")
VARIABLE = re.compile(r"\$\{(\w+)(?::-([^}]*)|:\?[^}]*)\}")
SHARED = {(1, "x-environment"), (1, "x-token")}
# What the image sets itself, or nobody needs to change in a container.
OF_THE_IMAGE = {"database_url", "backup_dir", "health_file", "web_port", "role"}
POSTGRESQL_OF_DEBIAN = {"bookworm": 15, "trixie": 17}
OTHER_IMAGES = {"postgres", "proxy"}
# What an operator must put into the file .env.
GIVEN = {
    "DISCORD_TOKEN": "MTAwMDAwMDAw.GloopB.a-made-up-token",
    "POSTGRES_PASSWORD": "made0up1password",
    "WEB_SECRET": "a made-up secret of 32 characters",
    "DOMAIN": "rayuela.example",
}

# And those who let people play by mail.
MAIL = {
    "MAIL_URL": "smtps://user:password@mail.example",
    "MAIL_FROM": "play@rayuela.example",
    "MAIL_IN": "lmtp://0.0.0.0:8025?public",
    "MAIL_REPLY_TO": "play@rayuela.example",
}
LOADED: dict[Role, tuple[type[EnvSettings], Callable[[], HasRole]]] = {
    Role.WEB: (StandaloneWebSettings, load_standalone_settings),
    Role.MAIL: (MailProcessSettings, load_mail_settings),
}


def read(name: str) -> str:
    """Return the text of a file of this project."""
    return (ROOT / name).read_text(encoding="utf-8")


def read_environments(name: str) -> dict[str, dict[str, str]]:
    """Return the environment of each service of our own image, with variables replaced as Compose would.

    This reads as much of YAML as these files use.
    """
    found: dict[str, dict[str, str]] = {}
    section = service = block = ""
    for line in read(name).splitlines():
        if block == "environment" and (merged := MERGE.match(line)) is not None:
            for anchor in merged[1].split(", "):
                found[service] |= found[anchor.removeprefix("*")]
        elif (entry := ENTRY.match(line)) is not None:
            depth, key, value = len(entry["indent"]) // 2, entry["name"], entry["value"]
            if depth == 0:
                section, service, block = key, key.removeprefix("x-"), ""
            elif depth == 1 and section == "services":
                service, block = key, ""
            elif depth == 2 and section == "services":
                block = key
            if (depth, section) in SHARED or (depth, block) == (3, "environment"):
                found.setdefault(service, {})[key] = VARIABLE.sub(
                    lambda variable: GIVEN.get(variable[1], variable[2] or ""), value
                )
            elif block == "environment":
                found.setdefault(service, {})
    return {one: found[one] for one in found if one not in OTHER_IMAGES | {"environment", "token"}}


@pytest.fixture(autouse=True)
def clean_environment(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    """Remove all settings from the environment and work in a folder without a .env file."""
    for name in setting_names(Settings):
        monkeypatch.delenv(name.upper(), raising=False)
    monkeypatch.chdir(tmp_path)


@pytest.mark.parametrize("composition", COMPOSITIONS)
def test_settings_of_each_service_exist_and_are_well_formed(
    monkeypatch: pytest.MonkeyPatch, composition: str
) -> None:
    environments = read_environments(composition)
    assert environments
    for environment in environments.values():
        role = Role(environment.get("ROLE", "all"))
        kind, load = LOADED.get(role, (Settings, load_bot_settings))
        assert {name.lower() for name in environment} <= set(setting_names(kind))
        with monkeypatch.context() as set_here:
            for name, value in (GIVEN | environment | (MAIL if role is Role.MAIL else {})).items():
                set_here.setenv(name, value)
            assert load().role is role


@pytest.mark.parametrize("composition", COMPOSITIONS)
def test_every_setting_can_be_set(composition: str) -> None:
    environments = read_environments(composition).values()
    named = {name.lower() for environment in environments for name in environment}
    assert set(setting_names(Settings)) - named <= OF_THE_IMAGE


def test_backups_of_the_cluster_are_made_by_a_version_that_its_server_allows() -> None:
    releases = re.findall(r"^FROM python:[\d.]+-slim-(\w+)", read("Dockerfile"), re.MULTILINE)
    server = re.search(r"image: postgres:(\d+)", read("compose.cluster.yaml"))
    assert server is not None
    assert [POSTGRESQL_OF_DEBIAN[release] >= int(server[1]) for release in releases] == [True, True]


def test_proxy_of_the_cluster_suits_the_websites() -> None:
    """Personal links are in no log, and Caddy uses no connection that a website closes."""
    caddy = read("Caddyfile")
    assert "request delete" in caddy
    assert "exclude http.handlers.reverse_proxy" in caddy
    (kept,) = re.findall(r"keepalive (\d+)s", caddy)
    assert int(kept) < KEEPALIVE_SECONDS
    (port,) = re.findall(r"health_port (\d+)", caddy)
    environments = read_environments("compose.cluster.yaml").values()
    assert {one["METRICS"].rpartition(":")[2] for one in environments} == {port}
    assert not any("DISCORD_TOKEN" in one for one in environments if one["ROLE"] == "web")


def test_cluster_has_two_processes_of_each_role_and_all_shards(monkeypatch: pytest.MonkeyPatch) -> None:
    environments = list(read_environments("compose.cluster.yaml").values())
    roles = sorted(one["ROLE"] for one in environments)
    assert roles == ["bot", "bot", "mail", "web", "web", "worker", "worker"]
    shards = []
    for environment in environments:
        if environment["ROLE"] == "bot":
            with monkeypatch.context() as set_here:
                for name, value in environment.items():
                    set_here.setenv(name, value)
                shards.append(load_bot_settings().shards)
    assert [shard for one in shards if one is not None for shard in one.ids] == [0, 1]
    assert {one.count for one in shards if one is not None} == {2}
    assert ["BACKUP_EVERY" in one for one in environments].count(True) == 1


def test_image_gets_everything_that_it_copies() -> None:
    copied = re.findall(r"^COPY (?!--from)(\S+) ", read("Dockerfile"), re.MULTILINE)
    sent = {line[1:] for line in read(".dockerignore").splitlines() if line.startswith("!")}
    assert copied
    assert set(copied) == sent


@pytest.mark.parametrize("composition", COMPOSITIONS)
def test_log_of_each_service_is_limited(composition: str) -> None:
    before, _, after = read(composition).partition("\nservices:\n")
    services = re.findall(r"^  [\w-]+:\n((?:    .*\n|\n)+)", re.split(r"\n(?=\w)", after)[0], re.MULTILINE)
    has_shared = "logging: *logging" in before
    assert len(services) >= len(read_environments(composition))
    assert [one for one in services if "logging:" not in one and not (has_shared and "*process" in one)] == []
    assert re.findall(r"max-size: (\w+)\n *max-file: (.+)", read(composition)) == [("10m", '"5"')]
