import pytest

from bot.client import RESPONSE_TIMEOUT
from storage import Database, StorageUrlError
from storage.connections.url import parse_url, parse_write_timeout


@pytest.mark.parametrize(
    ("text", "completed"),
    [
        ("sqlite:///data/rayuela.db", "sqlite+aiosqlite:///data/rayuela.db"),
        ("sqlite+aiosqlite:////var/rayuela.db", "sqlite+aiosqlite:////var/rayuela.db"),
        ("postgresql://ada@db:5433/games", "postgresql+asyncpg://ada@db:5433/games"),
        ("postgres://ada@db/games", "postgresql+asyncpg://ada@db/games"),
        ("postgresql+asyncpg://ada@db/games", "postgresql+asyncpg://ada@db/games"),
    ],
)
def test_driver_is_completed(text: str, completed: str) -> None:
    assert parse_url(text).render_as_string(hide_password=False) == completed


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("", "cannot be read as a URL"),
        ("rayuela.db", "cannot be read as a URL"),
        ("mysql://ada:secret@db/games", "must begin with sqlite: or postgresql:, not mysql:"),
        ("postgresql+psycopg2://ada:secret@db/games", "must begin with sqlite: or postgresql:"),
        ("sqlite://", "must name a file"),
        ("sqlite:///:memory:", "must name a file"),
    ],
)
def test_invalid_url_is_refused_without_its_secret(text: str, said: str) -> None:
    with pytest.raises(StorageUrlError, match=said) as caught:
        parse_url(text)
    assert "secret" not in str(caught.value)


def test_waiting_ends_before_the_interaction_deadline() -> None:
    assert parse_write_timeout(parse_url("sqlite:///a.db")) < RESPONSE_TIMEOUT


@pytest.mark.parametrize("query", ["timeout=soon", "timeout=-1", "timeout=61", "mode=ro"])
async def test_invalid_option_is_refused(query: str) -> None:
    with pytest.raises(StorageUrlError):
        await Database.open(f"sqlite:///a.db?{query}")
