"""Matches that onlookers follow: told of each turn, once a day, or of the end alone."""
