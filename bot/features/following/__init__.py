"""Following matches: begun, listed and ended."""
