"""The Discord front end: commands, buttons and posts."""
