"""What a check is, and the list of all of them."""

import fnmatch
from dataclasses import dataclass
from typing import Callable, Optional

PROTOCOL = "protocol"
STRICT = "strict"


class Skip(Exception):
    """The server lacks what the check needs, or the machine does."""


class Mismatch(Exception):
    """The server did not answer as it should."""


@dataclass(frozen=True)
class Check:
    """One promise of the protocol, or with a case one of a kind."""

    name: str
    group: str
    needs: tuple
    case: Optional[str]
    function: Callable

    @property
    def stands_for(self):
        return " ".join(self.function.__doc__.split())

    def run(self, target):
        """Returns a detail worth showing, or None."""
        for model in self.needs:
            target.require_model(model)
        if self.case is None:
            return self.function(target)
        return self.function(target, self.case)

    def matches(self, patterns):
        return not patterns or any(
            pattern in self.name or fnmatch.fnmatchcase(self.name, pattern) for pattern in patterns
        )


CHECKS = []
LABEL = 48


def label(case):
    """A case as part of a name: printable, and not too long for a table."""
    text = "".join(c if c.isprintable() else repr(c)[1:-1] for c in case)
    return text if len(text) <= LABEL else f"{text[: LABEL // 2]}… {len(text)} characters"


def check(group, needs=(), each=None):
    """Registers a function of the target, or of the target and each of some cases.

    The models named in `needs` must be there; `{}` in such a name is the case in lower case.
    """
    models = (needs,) if isinstance(needs, str) else tuple(needs)

    def register(function):
        if not function.__doc__:
            raise TypeError(f"{function.__name__}: no docstring (expected: what it stands for)")
        concern = function.__module__.rsplit(".", 1)[-1]
        for case in [None] if each is None else each:
            suffix = "" if case is None else f"[{label(str(case))}]"
            CHECKS.append(
                Check(
                    name=f"{concern}.{function.__name__}{suffix}",
                    group=group,
                    needs=tuple(model.format(str(case).lower()) for model in models),
                    case=case,
                    function=function,
                )
            )
        return function

    return register
