"""The checks of a topic written in Python; each prints one line, as those of topic.sh do."""

import os
import sys
import traceback

REPOSITORY = os.path.dirname(os.path.dirname(os.path.dirname(os.path.dirname(os.path.realpath(__file__)))))


def message_id(kind):
    """The MESSAGE_ID of a kind of journal entry, from the head of the catalog."""
    with open(f"{REPOSITORY}/units/lasched.catalog") as catalog:
        return next(line.split()[2] for line in catalog if line.startswith(f"#   {kind} "))


class Checks:
    """Used as a context: leaving it ends the program, with 1 if a check failed."""

    def __init__(self):
        self.passed = 0
        self.failed = 0

    def check(self, what, holds, detail=""):
        if holds:
            self.passed += 1
            print(f"ok - {what}", flush=True)
        else:
            self.failed += 1
            print(f"not ok - {what}", flush=True)
            for line in str(detail).splitlines():
                print(f"    {line}", flush=True)
        return bool(holds)

    def equal(self, what, expected, actual):
        return self.check(what, expected == actual, f"expected: {expected!r}\nbut was:  {actual!r}")

    def figure(self, text):
        print(f"figure: {text}", flush=True)

    def __enter__(self):
        return self

    def __exit__(self, kind, error, trace):
        if error is not None:
            self.check("the topic runs to its end", False, "".join(traceback.format_exception(kind, error, trace)))
        print(f"{self.passed + self.failed} checks, {self.failed} failed", flush=True)
        sys.exit(0 if self.failed == 0 and self.passed > 0 else 1)
