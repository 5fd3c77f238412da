"""Who sent a mail, by the check that the operator's own mail server has stamped on it (RFC 8601).

Anybody can write `Authentication-Results` into a mail. The operator's mail server removes those that bear its
name, the authserv-id, and puts its own above all others; so only the topmost one with that name counts.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from mail.reading.addresses import domain_of, encode_domain
from mail.reading.parsing import MAX_HEADER
from mail.reading.values import Sender

if TYPE_CHECKING:
    from collections.abc import Collection, Mapping

    from mail.reading.values import IncomingMail

HEADER = "authentication-results"
_PASSED, _FAILED = "pass", "fail"


class CheckResult(NamedTuple):
    """What one check found, such as ``dkim`` and ``pass``, with its properties such as ``header.d``."""

    method: str
    result: str
    properties: Mapping[str, str]


def check_sender(mail: IncomingMail, addresses: Collection[str], authserv_id: str | None) -> Sender:
    """Return what is known about a mail that should come from one of `addresses`.

    `authserv_id` is the name with which the operator's mail server stamps its checks; None if it does not.
    """
    if not mail.from_address or mail.from_address not in {one.lower() for one in addresses}:
        return Sender.FORGED
    domain = domain_of(mail.from_address)
    results = find_results(mail, authserv_id)
    dmarc = [one for one in results if one.method == "dmarc"]
    if any(one.result == _FAILED for one in dmarc):
        return Sender.FORGED
    if any(one.result == _PASSED for one in dmarc):
        stated = {encode_domain(one.properties.get("header.from", "")) for one in dmarc}
        return Sender.CONFIRMED if domain and stated == {domain} else Sender.UNPROVEN
    may_use_others = all(one.result == "none" for one in dmarc)
    is_aligned = may_use_others and any(_is_aligned(one, domain) for one in results)
    return Sender.CONFIRMED if is_aligned else Sender.UNPROVEN


def find_results(mail: IncomingMail, authserv_id: str | None) -> tuple[CheckResult, ...]:
    """Return the results in the topmost header with this authserv-id; none if it is missing or unclear."""
    if authserv_id is None:
        return ()
    for value in mail.headers.get(HEADER, ()):
        name, results = parse_results(value)
        if name == authserv_id.strip().lower():
            return results if len(value) < MAX_HEADER else ()
    return ()


def parse_results(value: str) -> tuple[str, tuple[CheckResult, ...]]:
    """Return the authserv-id in lower case and the results of a header; no results if one is malformed."""
    sections = _split_sections(value)
    if not sections or not sections[0]:
        return "", ()
    results = [_parse_result(section) for section in sections[1:] if section and section != ["none"]]
    return sections[0][0].lower(), tuple(one for one in results if one) if all(results) else ()


def _split_sections(value: str) -> list[list[str]]:
    """Return the words and equals signs between semicolons, without comments; nothing if one does not end."""
    sections: list[list[str]] = [[]]
    word, depth, is_quoted, is_escaped = "", 0, False, False
    for sign in f"{value} ":
        if is_escaped:
            is_escaped = False
            word += "" if depth else sign
        elif sign == "\\" and (depth or is_quoted):
            is_escaped = True
        elif depth:
            depth += (sign == "(") - (sign == ")")
        elif sign == '"':
            is_quoted = not is_quoted
        elif is_quoted or not (sign.isspace() or sign in "(;="):
            word += sign
        else:
            sections[-1] += [word] if word else []
            sections[-1] += ["="] if sign == "=" else []
            sections += [[]] if sign == ";" else []
            word, depth = "", int(sign == "(")
    return [] if depth or is_quoted or is_escaped else sections


def _parse_result(section: list[str]) -> CheckResult | None:
    """Return the result of ``method=result reason=... type.property=value ...``; None if it is malformed.

    Properties that are malformed, or given twice, count as missing.
    """
    pairs = [section[at : at + 3] for at in range(0, len(section), 3)]
    if len(pairs[0]) < 3 or pairs[0][1] != "=":
        return None
    method, result = pairs[0][0].partition("/")[0].lower(), pairs[0][2].lower()
    properties = {pair[0].lower(): pair[-1].lower() for pair in pairs[1:]}
    is_clear = len(properties) == len(pairs) - 1 and all(len(pair) == 3 and pair[1] == "=" for pair in pairs)
    return CheckResult(method, result, properties if is_clear else {})


def _is_aligned(result: CheckResult, domain: str) -> bool:
    """Return whether a check other than DMARC passed for the domain of From or one above it."""
    if result.result != _PASSED:
        return False
    if result.method == "dkim":
        proven = result.properties.get("header.d") or result.properties.get("header.i", "")
    elif result.method == "spf":
        proven = result.properties.get("smtp.mailfrom", "")
    else:
        return False
    above = encode_domain(proven.rpartition("@")[2])
    return "." in above and (domain == above or domain.endswith(f".{above}"))
