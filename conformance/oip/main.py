"""The command line."""

import argparse
import importlib
import pkgutil

import checks
from oip import models
from oip.registry import CHECKS, PROTOCOL, STRICT
from oip.report import FAIL, JsonLines, Table, judge
from oip.target import Target

DESCRIPTION = "Judges an Open Inference Protocol v2 server from the outside."
EXAMPLE = """examples:
  conformance/run http://localhost:8080
  conformance/run http://triton:8000 --grpc triton:8001 --group protocol
  conformance/run http://localhost:8080 --only binary --only 'types.*[[]INT64]'
exit codes: 0 nothing failed, 1 something failed, 2 wrong use or no server"""


def arguments(argv):
    parser = argparse.ArgumentParser(
        prog="conformance/run",
        description=DESCRIPTION,
        epilog=EXAMPLE,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    parser.add_argument("url", nargs="?", help="base address, as http://localhost:8080")
    parser.add_argument("--grpc", metavar="HOST:PORT", help="default: the address of the URL")
    parser.add_argument(
        "--only",
        metavar="PATTERN",
        action="append",
        help="checks whose name contains it or matches it with * and ?; repeatable",
    )
    parser.add_argument("--group", choices=(PROTOCOL, STRICT), help="default: both; see README.md")
    parser.add_argument(
        "--expect",
        choices=sorted(models.SETS),
        action="append",
        default=[],
        help="models that must be there: a check fails, not skips, without them",
    )
    parser.add_argument("--json", action="store_true", help="one JSON object per line")
    parser.add_argument("--list", action="store_true", help="what each check stands for, no run")
    parsed = parser.parse_args(argv)
    if parsed.url is None and not parsed.list:
        parser.error("the following arguments are required: url")
    return parser, parsed


def chosen(only, group):
    for module in pkgutil.iter_modules(checks.__path__):
        importlib.import_module(f"checks.{module.name}")
    return [c for c in CHECKS if c.matches(only) and group in (None, c.group)]


def main(argv=None):
    parser, parsed = arguments(argv)
    selected = chosen(parsed.only, parsed.group)
    if not selected:
        parser.error(f"--only {parsed.only}: no check matches; --list names them")
    if parsed.list:
        for check in selected:
            print(f"{check.name} ({check.group}): {check.stands_for}")
        return 0
    target = Target(parsed.url, parsed.grpc, parsed.expect)
    try:
        target.rest.get("/v2/health/live")
    except OSError as error:
        parser.error(f"{parsed.url}: no answer ({error})")
    return judge_all(selected, target, JsonLines() if parsed.json else Table(selected))


def judge_all(selected, target, report):
    results = []
    report.start()
    for check in selected:
        results.append(judge(check, target))
        report.add(results[-1])
    report.end(results)
    target.close()
    return 1 if any(result.outcome == FAIL for result in results) else 0
