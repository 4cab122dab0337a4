"""A daemon of a test's own in mocked time, for pytest and without it.

    # conftest.py
    from lasched_testing import lasched

    # test_tea.py
    def test_tea_is_ready_after_four_minutes(lasched):
        lasched.ctl("schedule", "tea", "--at", "4min", "--title", "Tea")
        lasched.advance(minutes=4)
        assert lasched.state("tea") == "active"

Needs the programs laschedctl and lasched in $PATH, and nothing but the standard library.
"""

import json
import os
import subprocess
from datetime import datetime, timedelta, timezone


class PrivateDaemon:
    """Runs for as long as its `with` block; nothing stays behind, even where the test is killed."""

    def __init__(self, clock=None):
        self.clock = clock or datetime.now(timezone.utc).replace(microsecond=0)

    def __enter__(self):
        self.process = subprocess.Popen(
            ["laschedctl", "test", "--clock", self.clock.isoformat(), "--",
             "sh", "-c", 'echo "$LASCHED_SOCKET"; exec cat'],
            stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)
        self.socket = self.process.stdout.readline().strip()
        if not self.socket:
            raise RuntimeError(f"laschedctl test ended with {self.process.wait()}")
        return self

    def __exit__(self, *_):
        self.process.stdin.close()
        self.process.wait()
        self.process.stdout.close()

    @property
    def environment(self):
        """For programs that are tested: they find this daemon by it."""
        return os.environ | {"LASCHED_SOCKET": self.socket}

    def ctl(self, *words):
        """Runs laschedctl; returns what it prints, raises where it fails."""
        return subprocess.run(
            ["laschedctl", *words], env=self.environment, check=True, text=True,
            stdout=subprocess.PIPE).stdout

    def advance(self, **span):
        """Moves time on, deadline by deadline; the keywords are timedelta's."""
        microseconds = timedelta(**span) // timedelta(microseconds=1)
        self.ctl("clock", "advance", f"{microseconds}us")

    def advance_to_next(self):
        """Moves time on to the next deadline."""
        self.ctl("clock", "next")

    def show(self, activity_id):
        """An activity, as the interface has it."""
        return json.loads(self.ctl("--json=short", "show", activity_id))

    def state(self, activity_id):
        return self.show(activity_id)["state"]


try:
    import pytest
except ImportError:
    pass
else:
    @pytest.fixture
    def lasched():
        """A daemon of the test's own."""
        with PrivateDaemon() as daemon:
            yield daemon
