#!/usr/bin/env bash
# Objects as automata: the state of every object, computed again from the events of random executions, agrees with
# what the runtime did (explore/sample/states.c): results of all operations, and who can go on. Programs over all
# kinds of objects; and if some events are left out of the computation, that is noticed.
. "$(dirname "$0")/../lib.sh"
cd "$SCRATCH" || exit 1
ln -s "$TOP" top # so that sources of cases are found

build() { # build CASE: the program ./case
    local case=top/tests/cases/$1 sources
    sources=$(sed -n 's,^source: *,top/,p' "$case/expect")
    # shellcheck disable=SC2046,SC2086
    "$RADDLE" cc -O1 -w $(sed -n 's/^cc://p' "$case/expect") -o case ${sources:-$case/prog.c} -lpthread -lrt
}
witness() { # witness EXECUTIONS OPTION…: what it says of ./case
    "$RADDLE" run --engine states -n "$1" "${@:2}" --keep-going --out out ./case 2>&1
}
agrees() { # agrees CASE
    build "$1" || return 1
    witness 60 >said
    grep -q 'stopped after 60 executions' said && ! grep -E 'differs|room for' said
}
notices() { # …what is left out: in at least one of these programs each kind of object has such events
    build "$1" && witness 60 --set skip=5 | grep -q 'state computed from the events differs'
}

for case in mutex/recursive mutex/robust cond/recursive cond/timedwait sem/hand-over sem/timedwait rwlock/prefer-writer barrier/phases mqueue/two-senders \
    futex/timeout-requeue futex/mutex signals/sigwait cancel/cond-or-signal descriptors/socketpair \
    descriptors/pipe-two-writers thread/tryjoin thread/once sync/which-message sync/order-async \
    sync/example-monitor_urgent sync/example-monitor_continue sync/binary; do
    check "$case: computed states are those of the runtime" agrees $case
done
for case in mutex/recursive sem/hand-over mqueue/two-senders futex/mutex sync/which-message; do
    check "$case: events that are left out are missed" notices $case
done
finish
