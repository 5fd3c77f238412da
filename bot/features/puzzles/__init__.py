"""Puzzles in Discord: ``/puzzle``, solved in a private message with menus."""
