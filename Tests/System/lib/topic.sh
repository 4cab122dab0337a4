# shellcheck shell=bash
# What the topics that are shell scripts share. Each check prints one line; the topic fails if one did.
set -u
export SYSTEMD_PAGER= SYSTEMD_COLORS=0 LC_ALL=C.UTF-8
passed=0 failed=0
repository=$(cd "${BASH_SOURCE[0]%/*}/../../.." && pwd)

ok() { passed=$((passed + 1)); echo "ok - $1"; }
bad() { failed=$((failed + 1)); echo "not ok - $1"; shift; [ $# = 0 ] || printf '%s\n' "$@" | sed 's/^/    /'; }

check() { # WHAT COMMAND…: the command succeeds
  local what=$1 output status=0; shift
  output=$("$@" 2>&1) || status=$?
  if [ $status = 0 ]; then ok "$what"; else bad "$what" "exit status $status: $*" "$output"; fi
}

exits() { # STATUS WHAT COMMAND…: the command exits with just this status
  local want=$1 what=$2 output status=0; shift 2
  output=$("$@" 2>&1) || status=$?
  if [ $status = "$want" ]; then ok "$what"; else bad "$what" "exit status $status, not $want: $*" "$output"; fi
}

is() { # WHAT EXPECTED ACTUAL
  if [ "$2" = "$3" ]; then ok "$1"; else bad "$1" "expected: $2" "but was:  $3"; fi
}

like() { # WHAT PATTERN TEXT: the text matches an extended regular expression
  if grep -Eq -- "$2" <<< "$3"; then ok "$1"; else bad "$1" "does not match: $2" "$3"; fi
}

unlike() { # WHAT PATTERN TEXT
  if grep -Eq -- "$2" <<< "$3"; then bad "$1" "matches: $2" "$3"; else ok "$1"; fi
}

within() { # SECONDS COMMAND…: the command succeeds within this time; tried every 50 ms
  local end=$((${EPOCHREALTIME/[.,]/} + $1 * 1000000)); shift
  until "$@" > /dev/null 2>&1; do
    [ "${EPOCHREALTIME/[.,]/}" -lt $end ] || return 1
    sleep 0.05
  done
}

property() { systemctl show -P "$2" "$1"; }  # UNIT PROPERTY
is_property() { [ "$(property "$1" "$2")" = "$3" ]; }  # UNIT PROPERTY VALUE

install_lasched() { # as an administrator would
  local output
  output=$(BUILD=/programs /src/units/install 2>&1) || { bad "units/install" "$output"; exit 1; }
}

new_user() { # NAME UID: an ordinary user with a user manager
  useradd -m -u "$2" -s /bin/bash "$1"
  loginctl enable-linger "$1"
  within 20 test -S "/run/user/$2/bus"
}

as() { # USER COMMAND…: in an environment like a session's
  local user=$1; shift
  runuser -u "$user" -- env -i HOME="$(getent passwd "$user" | cut -d: -f6)" USER="$user" LANG=C.UTF-8 \
    PATH=/usr/local/bin:/usr/bin:/bin XDG_RUNTIME_DIR="/run/user/$(id -u "$user")" "$@"
}

message() { awk -v kind="$1" '$1 == "#" && $2 == kind { print $3 }' "$repository/units/lasched.catalog"; }  # KIND: its MESSAGE_ID
journal() { journalctl --sync; journalctl --no-pager "$@"; }

boot=$(cat /out/boot 2> /dev/null || echo 1)
boot_again() { # the topic is run again after it, with boot one higher
  echo "$passed $failed" > /out/counts
  trap - EXIT
  systemctl reboot
  sleep 60
}

finish() {
  local status=$?
  echo "$((passed + failed)) checks, $failed failed"
  # Without a number it would exit with the status from before the trap.
  if [ $failed = 0 ] && [ $status = 0 ] && [ $passed -gt 0 ]; then exit 0; else exit 1; fi
}
trap finish EXIT
if [ "$boot" -gt 1 ]; then read -r passed failed < /out/counts; fi
[ ! -d /run/systemd/system ] || [ ! -d /src ] || systemctl is-system-running --wait > /dev/null || true
