"""A lasched of the test's own, with its own state directory, socket and configuration."""

import ctypes
import os
import shutil
import signal
import socket
import subprocess
import tempfile
import time

from client import Connection

PROGRAMS = os.environ.get("PROGRAMS", "")
PR_SET_PDEATHSIG = 1
libc = ctypes.CDLL(None)


def end_with_parent():
    libc.prctl(PR_SET_PDEATHSIG, signal.SIGKILL)


class Daemon:
    """As a context it is started; leaving it kills it and removes what it kept."""

    def __init__(self, *arguments, configuration="", uid=None):
        self.directory = tempfile.mkdtemp(prefix="lasched-")
        self.state = os.path.join(self.directory, "state")
        self.path = os.path.join(self.directory, "socket")
        self.configuration = os.path.join(self.directory, "lasched.conf")
        self.log = os.path.join(self.directory, "log")
        self.arguments = arguments
        self.uid = uid
        self.process = None
        self.status = ""
        os.mkdir(self.state, 0o700)
        with open(self.configuration, "w") as file:
            file.write(configuration)
        if uid is not None:
            os.chmod(self.directory, 0o755)
            os.chown(self.directory, uid, uid)
            os.chown(self.state, uid, uid)

    def __enter__(self):
        try:
            self.start()
        except BaseException:
            self.remove()
            raise
        return self

    def __exit__(self, *_):
        self.kill()
        self.remove()

    def remove(self):
        shutil.rmtree(self.directory, ignore_errors=True)

    def start(self, seconds=60):
        """Starts it and returns once it has said READY=1; the seconds that this took."""
        notify = os.path.join(self.directory, "notify")
        if os.path.exists(notify):
            os.unlink(notify)
        begin = time.monotonic()
        with socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM) as ready, open(self.log, "ab") as log:
            ready.bind(notify)
            os.chmod(notify, 0o666)
            ready.settimeout(0.1)
            self.process = subprocess.Popen(
                [os.path.join(PROGRAMS, "lasched"), "--user", f"--state-directory={self.state}",
                 f"--socket={self.path}", f"--config={self.configuration}", *self.arguments],
                env={"NOTIFY_SOCKET": notify, "LANG": "C.UTF-8", "PATH": "/usr/bin:/bin", "HOME": self.directory},
                stdin=subprocess.DEVNULL, stdout=log, stderr=log, preexec_fn=end_with_parent,
                user=self.uid, group=self.uid, extra_groups=None if self.uid is None else [])
            while time.monotonic() - begin < seconds:
                try:
                    lines = ready.recv(4096).decode().splitlines()
                except TimeoutError:
                    if self.process.poll() is not None:
                        break
                    continue
                if "READY=1" in lines:
                    return time.monotonic() - begin
        raise RuntimeError(f"lasched is not ready (exit status {self.process.poll()}):\n{self.last_lines()}")

    def last_lines(self, count=20):
        with open(self.log, errors="replace") as log:
            return "".join(log.readlines()[-count:])

    def connect(self, **options):
        return Connection(self.path, **options)

    def kill(self):
        """kill -9, and gone."""
        if self.process and self.process.poll() is None:
            self.process.kill()
            self.process.wait()

    def stop(self, seconds=30):
        """SIGTERM; the exit status."""
        self.process.terminate()
        return self.process.wait(seconds)
