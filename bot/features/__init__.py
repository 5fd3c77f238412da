"""The commands and buttons of the bot, one module or package for each feature."""
