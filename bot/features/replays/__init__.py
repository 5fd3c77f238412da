"""Whole games paged through in one message, animated, written down, and gone on from."""
