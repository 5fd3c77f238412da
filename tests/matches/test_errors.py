import inspect

import matches
from matches import MatchError, MatchOver, NotYourTurn, errors


def all_errors() -> list[type[MatchError]]:
    return [
        value
        for _, value in inspect.getmembers(errors, inspect.isclass)
        if issubclass(value, MatchError) and value is not MatchError
    ]


def test_every_refusal_has_a_key_of_its_own() -> None:
    keys = [refusal.key for refusal in all_errors()]
    assert sorted(set(keys)) == sorted(keys)
    assert MatchError.key not in keys


def test_every_refusal_is_exported() -> None:
    assert [each.__name__ for each in all_errors() if each.__name__ not in matches.__all__] == []


def test_values_of_a_refusal_are_read_only() -> None:
    refusal = MatchOver(match=7)
    assert (refusal.key, dict(refusal.values)) == ("match_over", {"match": 7})
    assert str(refusal) == "match_over match=7"
    assert not hasattr(refusal.values, "update")


def test_message_of_a_refusal_names_nobody() -> None:
    assert str(NotYourTurn(match=7, name="Zoë")) == "not_your_turn match=7"
