"""The opening explorer on the website."""
