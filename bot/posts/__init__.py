"""Messages about a match: text, picture, buttons and mentions."""
