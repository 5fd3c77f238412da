"""Work that processes share, and how much of it waits."""
