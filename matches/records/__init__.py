"""Whole games, of a match or an imported record: replays and text records."""
