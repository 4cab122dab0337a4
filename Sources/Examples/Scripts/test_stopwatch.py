"""Tests of stopwatch.py in mocked time: `pytest test_stopwatch.py`, or `python3 test_stopwatch.py`."""

from lasched_testing import PrivateDaemon
from stopwatch import Daemon, Refused, Stopwatch

try:
    from lasched_testing import lasched  # noqa: F401: the fixture
except ImportError:
    pass


def test_it_runs_and_stops(lasched):
    stopwatch = Stopwatch(Daemon(lasched.socket))
    assert stopwatch.start()
    stopwatch.tick(7)
    assert stopwatch.elapsed() == ("active", 7)
    assert not stopwatch.start(8)
    assert stopwatch.elapsed() == ("active", 8)
    stopwatch.stop()
    assert lasched.state("stopwatch") == "dismissed"


def test_it_ends_by_itself_after_eight_hours(lasched):
    stopwatch = Stopwatch(Daemon(lasched.socket))
    stopwatch.start()
    lasched.advance(hours=8)
    assert lasched.show("stopwatch")["reason"] == "timeLimit"
    try:
        stopwatch.tick(1)
    except Refused as refused:
        assert refused.args[0].endswith(".ActivityOver")
    else:
        raise AssertionError("an ended activity took an update")


if __name__ == "__main__":
    for name, test in list(globals().items()):
        if name.startswith("test_"):
            with PrivateDaemon() as daemon:
                test(daemon)
            print("passed", name)
