"""Following matches by direct message."""
