"""Studies on the website."""
