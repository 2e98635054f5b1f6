"""Assertions whose messages say what came and what was expected."""

import math
import re

from oip.registry import Mismatch

SHOWN = 300


def shown(value):
    text = value if isinstance(value, str) else repr(value)
    return text if len(text) <= SHOWN else text[:SHOWN] + "…"


def fail(what, came, expected):
    raise Mismatch(f"{what}: {shown(came)} (expected: {shown(expected)})")


def same(what, came, expected):
    """Equal, where True is not 1 and 1.0 is not 1."""
    if type(came) is not type(expected) or came != expected:
        fail(what, came, expected)


def one_of(what, came, allowed):
    if came not in allowed:
        fail(what, came, "one of " + ", ".join(map(str, allowed)))


def holds(what, came, condition, expected):
    if not condition:
        fail(what, came, expected)


def member(what, document, name, kind):
    """The member of that name and type of a JSON object."""
    holds(what, document, isinstance(document, dict), "an object")
    holds(f"{what}.{name}", document, name in document, "a member of that name")
    value = document[name]
    wrong_bool = isinstance(value, bool) and kind is not bool
    holds(f"{what}.{name}", value, isinstance(value, kind) and not wrong_bool, kind.__name__)
    return value


def close(what, came, expected, relative):
    """Numbers that agree element by element."""
    same(f"{what}: length", len(came), len(expected))
    for index, (one, other) in enumerate(zip(came, expected)):
        if not math.isclose(one, other, rel_tol=relative, abs_tol=relative):
            fail(f"{what}[{index}]", one, f"{other} within {relative}")


def message_at(message, path):
    """A message that names the field: `path: what came (expected: what was expected)`."""
    if not message.startswith(path) or not re.search(r": .*\(expected: .+\)", message, re.DOTALL):
        fail("error message", message, f"{path}…: what came (expected: …)")
