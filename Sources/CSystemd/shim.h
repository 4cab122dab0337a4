// libsystemd, and what the Glibc module lacks: some kernel headers, and declarations that glibc
// hides without _GNU_SOURCE.
#include <sys/epoll.h>
#include <sys/eventfd.h>
#include <sys/inotify.h>
#include <sys/signalfd.h>
#include <sys/socket.h>
#include <sys/timerfd.h>
#include <sys/timex.h>
#include <sys/vfs.h>
#include <systemd/sd-bus.h>
#include <systemd/sd-daemon.h>
#include <systemd/sd-event.h>
#include <systemd/sd-id128.h>
#include <systemd/sd-journal.h>
#include <systemd/sd-login.h>

int accept4(int, struct sockaddr *, socklen_t *, int);

// The kernel's struct ucred, unix(7).
struct peer_credentials {
  pid_t pid;
  uid_t uid;
  gid_t gid;
};
