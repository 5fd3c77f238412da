"""The commands and components of the bot: one module or package for each feature."""
