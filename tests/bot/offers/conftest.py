from tests.bot.conftest import database_file, discord, env

__all__ = ["database_file", "discord", "env"]
