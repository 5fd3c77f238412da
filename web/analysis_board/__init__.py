"""The analysis board."""
