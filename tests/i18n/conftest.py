from tests.matches.conftest import matches

__all__ = ["matches"]
