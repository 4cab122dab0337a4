#!/bin/sh
# A test of a tea timer in mocked time: it takes milliseconds, and four minutes pass.
#
#   laschedctl test -- sh mocked-time.sh
set -e
laschedctl -q schedule tea --at 4min --for 1h --title Tea --body "It is ready"
laschedctl clock advance 3min
test "$(laschedctl show tea -p state --value)" = pending
laschedctl clock next
laschedctl is-active tea
laschedctl cancel tea
test "$(laschedctl show tea -p reason --value)" = cancelled
echo "the tea timer works"
