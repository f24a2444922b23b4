#!/usr/bin/env bash
# The promises on speed and memory that users feel, with all checkers on: executions per CPU second
# of a small program, memory that does not grow with the number of executions, start-up.
. "$(dirname "$0")/../lib.sh"
cd "$SCRATCH" || exit 1
"$RADDLE" cc -O2 -w -DN=2 -DK=10 -o steps "$TOP/bench/programs/steps.c" || exit 1

# measure EXECUTIONS: CPU seconds and peak KiB of host and worker
measure() {
    python3 - "$RADDLE" "$1" <<'PY'
import os, resource, subprocess, sys
subprocess.run([sys.argv[1], "run", "-q", "--engine", "random", "-n", sys.argv[2], "--out", "out", "./steps"],
               stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
u = resource.getrusage(resource.RUSAGE_CHILDREN)
print("%.3f %d" % (u.ru_utime + u.ru_stime, u.ru_maxrss))
PY
}
read -r few_s few_k < <(measure 1000)
read -r many_s many_k < <(measure 1000000)
rate=$(awk "BEGIN { printf \"%d\", 999000 / ($many_s - $few_s) }")
tap "$(test "$rate" -ge 200000; echo $?)" \
    "random: at least 200,000 executions of 29 events per CPU second ($rate)"
tap "$(test $((many_k - few_k)) -le 2048; echo $?)" \
    "memory after a million executions is that of a thousand ($few_k and $many_k KiB)"
start=$(date +%s%N)
for _ in 1 2 3 4 5 6 7 8 9 10; do "$RADDLE" run -q -n 1 --engine random --out out ./steps >/dev/null 2>&1; done
each=$((($(date +%s%N) - start) / 10000000))
tap "$(test "$each" -lt 50; echo $?)" "raddle run starts and ends within 50 ms ($each ms)"
finish
