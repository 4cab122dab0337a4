"""Clocks of a virtual machine, for topics that run in one: they may be read, set, and stopped by suspend."""

import os
import shutil
import subprocess
import threading
import time

from client import Closed, Connection, posix

SOCKET = "/run/lasched/io.lasched.LiveActivities"
ZONES = "/usr/share/zoneinfo"


def wall():
    """CLOCK_REALTIME in microseconds."""
    return time.clock_gettime_ns(time.CLOCK_REALTIME) // 1000


def boottime():
    """CLOCK_BOOTTIME in microseconds."""
    return time.clock_gettime_ns(time.CLOCK_BOOTTIME) // 1000


def step(microseconds):
    """Sets the wall clock; what it was set to."""
    # A container shares the clock of its machine, which is none of ours.
    detected = subprocess.run(["systemd-detect-virt"], capture_output=True, text=True).stdout.strip()
    assert detected == "qemu", f"not in a virtual machine but {detected}"
    target = wall() + microseconds
    time.clock_settime_ns(time.CLOCK_REALTIME, target * 1000)
    return target


def suspend(seconds=None):
    """Suspends to memory (S3); by `seconds` the hardware clock wakes the machine. The date right after."""
    alarm = "/sys/class/rtc/rtc0/wakealarm"
    if seconds is not None:
        for text in ("0", f"+{seconds}"):
            with open(alarm, "w") as file:
                file.write(text)
    with open("/sys/power/state", "w") as state:
        state.write("mem")
    return wall()


class Watcher(threading.Thread):
    """Follows all events, the daemon's own too; each with the elapsed time at which it came."""

    def __init__(self):
        super().__init__(daemon=True)
        self.connection = Connection(SOCKET, timeout=None)
        self.events = []
        self.changed = threading.Condition()
        self.ready = threading.Event()

    def run(self):
        try:
            for reply in self.connection.stream("Monitor", everyOwner=True):
                if "ready" in reply:
                    self.ready.set()
                if "event" in reply:
                    with self.changed:
                        self.events.append((boottime(), reply["event"]))
                        self.changed.notify_all()
        except Closed:
            pass

    def of(self, kind, identifier=None):
        """The events of a kind, of one activity or all: (elapsed time, event)."""
        with self.changed:
            return [(came, event) for came, event in self.events
                    if event["kind"] == kind and identifier in (None, event.get("id"))]

    def wait(self, kind, identifier=None, count=1, seconds=20):
        """The last of so many; None if they do not come."""
        end = time.monotonic() + seconds
        with self.changed:
            while True:
                found = [(came, event) for came, event in self.events
                         if event["kind"] == kind and identifier in (None, event.get("id"))]
                if len(found) >= count:
                    return found[-1]
                if not self.changed.wait(max(0, end - time.monotonic())) and time.monotonic() >= end:
                    return None


def late(event):
    """How much later than due it happened, in microseconds."""
    return posix(event["date"]) - posix(event["dueDate"])


def replace(path, make):
    """Puts another file in a file's place in one step, as dpkg and timedatectl do."""
    make(f"{path}.dpkg-new")
    os.rename(f"{path}.dpkg-new", path)


def set_zone(name):
    """As `timedatectl set-timezone`."""
    replace("/etc/localtime", lambda new: os.symlink(f"{ZONES}/{name}", new))


def set_rules(name, like):
    """A new tzdata, by which a zone has the rules of another from now on."""
    replace(f"{ZONES}/{name}", lambda new: shutil.copyfile(f"{ZONES}/{like}", new))
