"""The analysis of a finished game by the computer, and the button that requests it."""
