"""A small Varlink client of its own, so that tests can also send what a good client never would."""

import contextlib
import datetime
import json
import os
import socket

INTERFACE = "io.lasched.LiveActivities"


class Refused(Exception):
    """An error reply. `name` is without the interface where that is lasched's own."""

    def __init__(self, reply):
        self.name = reply["error"].removeprefix(INTERFACE + ".")
        self.parameters = reply.get("parameters") or {}
        super().__init__(f"{self.name} {json.dumps(self.parameters)}")


class Closed(Exception):
    """The other side closed the connection."""


def no_duplicates(pairs):
    keys = [key for key, _ in pairs]
    if len(keys) != len(set(keys)):
        raise ValueError(f"a key twice: {keys}")
    return dict(pairs)


@contextlib.contextmanager
def as_user(uid, groups=()):
    """As root: who connects within is seen as this user. The kernel notes it at connect()."""
    before = os.getgroups()
    os.setgroups(list(groups))
    os.setegid(uid)
    os.seteuid(uid)
    try:
        yield
    finally:
        os.seteuid(0)
        os.setegid(0)
        os.setgroups(before)


class Connection:
    """One connection; as root, `uid` and `groups` make the daemon see another user."""

    def __init__(self, path, uid=None, groups=(), timeout=60):
        self.socket = socket.socket(socket.AF_UNIX, socket.SOCK_STREAM)
        self.socket.settimeout(timeout)
        self.waiting = b""
        with contextlib.nullcontext() if uid is None else as_user(uid, groups):
            self.socket.connect(path)

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.close()

    def close(self):
        self.socket.close()

    def send_raw(self, data):
        self.socket.sendall(data)

    def send(self, method, parameters=None, more=False, oneway=False):
        if "." not in method:
            method = f"{INTERFACE}.{method}"
        message = {"method": method, "parameters": parameters or {}}
        if more:
            message["more"] = True
        if oneway:
            message["oneway"] = True
        self.send_raw(json.dumps(message).encode() + b"\0")

    def receive_raw(self):
        while b"\0" not in self.waiting:
            try:
                data = self.socket.recv(1 << 16)
            except (ConnectionResetError, BrokenPipeError):
                data = b""
            if not data:
                raise Closed()
            self.waiting += data
        message, _, self.waiting = self.waiting.partition(b"\0")
        return message

    def receive(self):
        """The next reply; anything but strict JSON in UTF-8 is an error of the test."""
        reply = json.loads(self.receive_raw().decode("utf-8"), object_pairs_hook=no_duplicates)
        if reply.get("error"):
            raise Refused(reply)
        return reply

    def call(self, method, **parameters):
        self.send(method, parameters)
        return self.receive().get("parameters") or {}

    def stream(self, method, **parameters):
        """The replies of a method called with `more`, until the last."""
        self.send(method, parameters, more=True)
        while True:
            reply = self.receive()
            yield reply.get("parameters") or {}
            if not reply.get("continues"):
                return

    def refusal(self, method, **parameters):
        """The name of the error that this call ends in; None if it succeeds."""
        try:
            self.call(method, **parameters)
        except Refused as refused:
            return refused.name
        return None

    def history(self, **parameters):
        return [event for reply in self.stream("History", **parameters) for event in reply["events"]]

    def list(self, **parameters):
        return [a for reply in self.stream("List", **parameters) for a in reply["activities"]]


def rfc3339(seconds):
    """A POSIX time as a date with milliseconds."""
    date = datetime.datetime.fromtimestamp(round(seconds * 1000) / 1000, datetime.timezone.utc)
    return date.strftime("%Y-%m-%dT%H:%M:%S.%f")[:-3] + "Z"


def posix(date):
    """Microseconds since 1970 of a date as the daemon writes it; exact."""
    moment = datetime.datetime.strptime(date, "%Y-%m-%dT%H:%M:%S.%fZ")
    return (moment - datetime.datetime(1970, 1, 1)) // datetime.timedelta(microseconds=1)
