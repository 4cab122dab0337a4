#!/usr/bin/env python3
"""A stopwatch with Python's standard library alone.

    laschedctl test -- python3 stopwatch.py 3
"""

import json
import os
import socket
import sys


class Refused(Exception):
    """The daemon refused a call; its name of the error and what explains it."""


class Daemon:
    """A connection to lasched: one JSON object and a NUL byte a message (https://varlink.org)."""

    def __init__(self, path=None):
        self.socket = socket.socket(socket.AF_UNIX)
        self.socket.connect(
            path or os.environ.get("LASCHED_SOCKET", "/run/lasched/io.lasched.LiveActivities"))
        self.waiting = b""

    def call(self, method, **parameters):
        message = {"method": "io.lasched.LiveActivities." + method, "parameters": parameters}
        self.socket.sendall(json.dumps(message).encode() + b"\0")
        while b"\0" not in self.waiting:
            received = self.socket.recv(65536)
            if not received:
                raise ConnectionError("the daemon closed the connection")
            self.waiting += received
        text, self.waiting = self.waiting.split(b"\0", 1)
        reply = json.loads(text)
        if "error" in reply:
            raise Refused(reply["error"], reply.get("parameters", {}))
        return reply["parameters"]


class Stopwatch:
    """Start, tick and stop; starting while it runs goes on from there."""

    def __init__(self, daemon, activity_id="stopwatch"):
        self.daemon = daemon
        self.id = activity_id

    def start(self, elapsed=0):
        reply = self.daemon.call(
            "Request", id=self.id, attributesType="Stopwatch", ifExists="update",
            content={"state": {"elapsedSeconds": elapsed}})
        return reply["created"]

    def tick(self, elapsed):
        self.daemon.call("Update", id=self.id, patch={"elapsedSeconds": elapsed})

    def stop(self):
        self.daemon.call("End", id=self.id, dismissal={"policy": "immediate"})

    def elapsed(self):
        activity = self.daemon.call("Get", id=self.id)["activity"]
        return activity["state"], activity["content"]["state"]["elapsedSeconds"]


def main():
    ticks = int(sys.argv[1]) if len(sys.argv) > 1 else 3
    stopwatch = Stopwatch(Daemon())
    print("created", stopwatch.start())
    for elapsed in range(1, ticks + 1):
        # A real one waits for a second here.
        stopwatch.tick(elapsed)
        print(*stopwatch.elapsed())
    print("created", stopwatch.start(ticks))
    stopwatch.stop()
    print(*stopwatch.elapsed())


if __name__ == "__main__":
    main()
