from tests.matches.conftest import matches, other_matches

__all__ = ["matches", "other_matches"]
