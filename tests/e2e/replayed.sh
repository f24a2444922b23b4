#!/usr/bin/env bash
# No finding is reported before a fresh process has shown it again; telling what was found is bounded
# in time and in size.
. "$(dirname "$0")/../lib.sh"
here=$(cd "$(dirname "$0")/run" && pwd)
cd "$SCRATCH" || exit 1
"$RADDLE" c++ -g -o registry "$here/registry.cc" -pthread
"$RADDLE" cc -g -o map "$here/map.c" -pthread
"$RADDLE" cc -g -o hostile "$here/hostile.c" -pthread

said() { # said STATUS REGEX NAME COMMAND…: the exit status and the words
    local status=$1 want=$2 name=$3 out
    shift 3
    out=$(timeout 120 "$@" 2>&1 </dev/null)
    [ $? -eq "$status" ] && printf '%s' "$out" | tr '\n' ' ' | grep -qE "$want"
    tap $? "$name" "$out"
}

# What only a used process shows is no bug of the program.
for options in "" "-k" "-k -j 2" "-t 20s" "--engine dfs -k --symmetry off"; do
    said 0 "raddle: .*--isolate fork.*safe: .*note: not reproduced: abort" \
        "a crash that does not replay makes it isolate executions: $options" \
        "$RADDLE" run $options ./registry
done
said 0 "^verdict safe .*findings 0" "neither is it counted" "$RADDLE" run --count-only -q ./registry
said 2 "^incomplete: .*could not be reproduced.*note: not reproduced: abort" \
    "what no process shows again is not told as a bug" \
    "$RADDLE" run --isolate fork --out once ./registry "$SCRATCH/shared"
check_output '"verdict":"incomplete"' "nor in JSON" cat once/report.json
check "and it leaves no schedule" test ! -e once/schedule
"$RADDLE" cc -g -O1 -o leftover "$here/leftover.c" -pthread
said 2 "^raddle: .*--isolate fork.*incomplete: .*1 finding could not be reproduced.*note: not reproduced: livelock" \
    "a livelock that does not appear again leaves the verdict open" "$RADDLE" run --symmetry off ./leftover
said 1 "bug: .*wild write" "a wild write that destroys its own schedule happens twice" \
    "$RADDLE" run --hang 500ms ./hostile overwrite

# Runs at the same time do not meet in temporary files, though all have the same seed.
"$RADDLE" cc -g -DORDER=1 -o lock-file "$TOP/tests/cases/files/lock-file/prog.c" -pthread
one_of_many() { # one_of_many NUMBER
    timeout 120 "$RADDLE" run -q --engine optimal --out "many-$1" ./lock-file
    timeout 120 "$RADDLE" replay "many-$1" --times 100
    [ $? -eq 1 ] || touch many-failed
}
for run in 1 2 3 4; do one_of_many $run >"many-$run.log" 2>&1 & done
wait
[ ! -e many-failed ]
tap $? "four runs at once of a program that has a file as its lock: each replays 100 times" "$(cat many-*.log)"

# Time and size.
took() { # took LIMIT_MS COMMAND…
    local limit=$1 start=${EPOCHREALTIME/./}
    shift
    "$@" >out 2>err
    [ $((${EPOCHREALTIME/./} - start)) -le $((limit * 1000)) ] ||
        { echo "$(((${EPOCHREALTIME/./} - start) / 1000)) ms"; cat err; return 1; }
}
check "many findings, long executions: telling ends soon after --time" took 7500 \
    "$RADDLE" run -k -t 2s --out told ./map
check_output "^bug: " "with what was found" cat out
big() { [ -z "$(find told -size +8300k)" ]; }
check "no file of it is longer than 8 MiB" big
said 1 "^reproduced" "and it replays" "$RADDLE" replay told
cat >long.c <<'END'
#include <assert.h>
int x;
int main(void)
{
    for (int i = 0; i < 400000; i++)
        x++;
    assert(x == 0);
}
END
"$RADDLE" cc -g -o long long.c -pthread
"$RADDLE" run --out hung ./long >out 2>&1
big() { [ -e hung/story ] && [ -z "$(find hung -size +25000k)" ]; }
check "the recording of a long execution is bounded" big
check_output "events before the last ones are not in the recording" "and says so" cat out

# A recording that takes longer than --hang allows is given up, which is said.
sed 's/400000/3000000/' long.c >longer.c
"$RADDLE" cc -g -o longer longer.c -pthread
"$RADDLE" run --hang 50ms --out longer.out ./longer >out 2>&1
recorded() { [ -e longer.out/story ] || grep -q "told without its steps" out; }
check "a finding whose recording was given up says so" recorded
check_output "^bug: assertion failed" "and is told" cat out
finish
