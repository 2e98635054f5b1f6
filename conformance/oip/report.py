"""Results, and how they are printed."""

import json
import sys
import time
from collections import Counter
from dataclasses import dataclass

from oip.registry import Check, Mismatch, Skip

PASS, FAIL, SKIP = "pass", "fail", "skip"
COLOURS = {PASS: "\33[32m", FAIL: "\33[31m", SKIP: "\33[33m"}


@dataclass(frozen=True)
class Result:
    check: Check
    outcome: str
    detail: str
    seconds: float


def judge(check, target):
    """Runs one check. Whatever it raises is a result, never the end of the run."""
    started = time.monotonic()
    try:
        outcome, detail = PASS, check.run(target) or ""
    except Skip as skip:
        outcome, detail = SKIP, str(skip)
    except Mismatch as mismatch:
        outcome, detail = FAIL, str(mismatch)
    except Exception as error:  # a dropped connection, a timeout, a fault of the check itself
        outcome, detail = FAIL, described(error)
    return Result(check, outcome, detail, time.monotonic() - started)


def described(error):
    """An error in one line; gRPC's own text repeats itself over ten."""
    if callable(getattr(error, "code", None)) and callable(getattr(error, "details", None)):
        return f"gRPC {error.code().name}: {error.details()}"
    return f"{type(error).__name__}: {error}"


def summary(results):
    counts = Counter(result.outcome for result in results)
    return f"{counts[PASS]} passed, {counts[FAIL]} failed, {counts[SKIP]} skipped"


def one_line(text):
    return " ".join("".join(c if c.isprintable() else " " for c in text).split())


class Table:
    """check, result and detail in columns, a line as soon as it is known; the summary last."""

    def __init__(self, checks, out=sys.stdout):
        self.width = max(len(check.name) for check in checks)
        self.out = out

    def start(self):
        self._line("check", "result", "detail")

    def add(self, result):
        outcome = f"{result.outcome:6}"
        if self.out.isatty():
            outcome = COLOURS[result.outcome] + outcome + "\33[0m"
        self._line(result.check.name, outcome, one_line(result.detail))

    def end(self, results):
        failed = [result for result in results if result.outcome == FAIL]
        if failed:
            print("\nfailed:", file=self.out)
        for result in failed:
            print(f"  {result.check.name} ({result.check.group})", file=self.out)
            print(f"    stands for: {result.check.stands_for}", file=self.out)
            print(f"    {one_line(result.detail)}", file=self.out)
        print("", summary(results), sep="\n", file=self.out, flush=True)

    def _line(self, name, outcome, detail):
        print(f"{name:{self.width}}  {outcome:6}  {detail}".rstrip(), file=self.out, flush=True)


class JsonLines:
    """One object per line on standard output; the summary goes to standard error."""

    def start(self):
        pass

    def add(self, result):
        line = {
            "check": result.check.name,
            "group": result.check.group,
            "result": result.outcome,
            "detail": result.detail,
            "stands_for": result.check.stands_for,
            "seconds": round(result.seconds, 3),
        }
        print(json.dumps(line), flush=True)

    def end(self, results):
        print(summary(results), file=sys.stderr, flush=True)
