"""Carries out what a mail says, and returns the answer to it."""
