"""Whole games: of a match or of an imported record, to be written down and to be paged through."""
