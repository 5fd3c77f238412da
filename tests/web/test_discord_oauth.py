"""What is read of Discord's answers about an account."""

from __future__ import annotations

import pytest

from matches import Person
from web.accounts import discord_oauth
from web.accounts.discord_oauth import SignInRefused


@pytest.mark.parametrize(
    ("answer", "name"),
    [
        ('{"id": "7", "username": "ada", "global_name": "Ada", "flags": 0}', "Ada"),
        ('{"id": "7", "username": "ada", "global_name": null}', "ada"),
        ('{"id": "7", "username": "ada", "global_name": " "}', "ada"),
        ('{"id": "7", "username": "ada"}', "ada"),
    ],
)
def test_person_is_read(answer: str, name: str) -> None:
    assert discord_oauth._parse(discord_oauth._read_person, answer) == Person("discord:7", name)


@pytest.mark.parametrize(
    "answer",
    [
        *("", "<html>", "null", "[]", '"ada"', "{}", '{"id": "7"}', '{"username": "ada"}'),
        *('{"id": 7, "username": "ada"}', '{"id": "7x", "username": "ada"}', '{"id": "", "username": "ada"}'),
        *('{"id": "7", "username": 1}', '{"id": "7", "username": "ada", "global_name": ["Ada"]}'),
    ],
)
def test_answer_of_another_form_signs_nobody_in(answer: str) -> None:
    with pytest.raises(SignInRefused):
        discord_oauth._parse(discord_oauth._read_person, answer)


def test_servers_are_read() -> None:
    found = discord_oauth._parse(discord_oauth._read_servers, '[{"id": "1", "name": "A"}, {"id": "22"}]')
    assert found == {"discord:1", "discord:22"}


@pytest.mark.parametrize("answer", ["", "{}", "null", '["1"]', '[{"id": 1}]', '[{"name": "A"}]'])
def test_servers_of_another_form_are_refused(answer: str) -> None:
    with pytest.raises(SignInRefused):
        discord_oauth._parse(discord_oauth._read_servers, answer)
