"""The place of a match in Discord: its channel or, once that cannot be used, its players' direct messages."""
