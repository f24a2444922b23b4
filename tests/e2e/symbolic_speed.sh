#!/usr/bin/env bash
# What raddle cc --symbolic costs a program whose values depend on no input, in instructions, which do not depend on
# what else the machine does; and how many pairs of a trace and a path are explored in a second of CPU time.
. "$(dirname "$0")/../lib.sh"
cd "$SCRATCH" || exit 1

# instructions PROGRAM EXECUTIONS: of the worker; the least of two runs, as one that takes long also writes down
# where it is, once a second
instructions() {
    for _ in 1 2; do
        "$RADDLE" run -q --engine optimal -n "$2" --out out \
            --wrap "valgrind --tool=callgrind --callgrind-out-file=$PWD/callgrind" "./$1" >/dev/null 2>&1
        awk '/^(summary|totals):/ { n = $2 } END { print n }' callgrind
    done | sort -n | head -1
}
each() { # PROGRAM FEW MANY: of one execution
    echo $((($(instructions "$1" "$3") - $(instructions "$1" "$2")) / ($3 - $2)))
}
# costs NAME SOURCE PERCENT FEW MANY FLAGS…
costs() {
    local name=$1 source=$2 limit=$3 few=$4 many=$5 plain symbolic
    shift 5
    RADDLE_CC=clang "$RADDLE" cc -O2 -w "$@" -o plain "$source" -pthread || exit 1
    "$RADDLE" cc --symbolic -O2 -w "$@" -o symbolic "$source" -pthread || exit 1
    strip -g plain symbolic # valgrind does not read all of it
    plain=$(each plain "$few" "$many") symbolic=$(each symbolic "$few" "$many")
    tap "$(test "$plain" -gt 0 -a "$symbolic" -gt 0 -a $((100 * symbolic)) -le $((limit * plain)); echo $?)" \
        "$name: with --symbolic an execution takes at most $limit% of the instructions ($plain, $symbolic)"
}
costs "fib(4)" "$TOP/bench/programs/fib.c" 115 400 1200 -DN=4
costs "readers(13)" "$TOP/bench/programs/readers.c" 115 400 1200 -DN=13
costs "lockinc(6)" "$TOP/bench/programs/lockinc.c" 115 100 700 -DN=6
# Hardly anything but sorting and parsing in the threads: the checks themselves.
costs "two threads that compute" "$TOP/bench/programs/compute.c" 115 2 18

"$RADDLE" cc --symbolic -O2 -w -o pairs "$TOP/tests/cases/symbolic/pairs/prog.c" -DPAIRS=5 -pthread || exit 1
rate=$(python3 - "$RADDLE" <<'PY'
import os, sys
words = [sys.argv[1], "run", "-q", "--engine", "optimal", "--out", "out", "./pairs"]
quiet = [(os.POSIX_SPAWN_OPEN, fd, os.devnull, os.O_RDWR, 0) for fd in (1, 2)]
best = 0
for _ in range(2):
    _, status, u = os.wait4(os.posix_spawn(words[0], words, os.environ, file_actions=quiet), 0)
    best = max(best, 0 if status else 8 ** 5 / (u.ru_utime + u.ru_stime))
print(int(best))
PY
)
tap "$(test "$rate" -ge 50000; echo $?)" "at least 50,000 pairs of a trace and a path per CPU second ($rate)"
finish
