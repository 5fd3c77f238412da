"""Conditional moves: the list, the editor, the notices."""
