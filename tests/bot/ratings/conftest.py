from tests.bot.conftest import database, discord, stage

__all__ = ["database", "discord", "stage"]
