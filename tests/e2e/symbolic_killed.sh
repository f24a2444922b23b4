#!/usr/bin/env bash
# Workers that are killed in the middle of a search with inputs: another one goes on, with the same pairs of a trace and
# a path, each counted once.
. "$(dirname "$0")/../lib.sh"
cd "$SCRATCH" || exit 1

same() { [ "$1" = "$2" ] || { echo "'$1' instead of '$2'"; return 1; }; }
# killing TIMES PROGRAM OPTIONS…: "verdict executions blocked ", after so many workers were killed; fewer if the search
# has ended before, but one at least
killing() {
    local times=$1 program=$2
    shift 2
    timeout 200 "$RADDLE" run --set split_after=0 --count-only "$@" "./$program" >counts 2>/dev/null &
    kill_workers "$times" $!
    sed -n 's/^\(verdict\|executions\|blocked\) //p' counts | tr '\n' ' '
}
build() { "$RADDLE" cc --symbolic -O2 -w -DPAIRS="$2" -o "$1" "$TOP/tests/cases/symbolic/pairs/prog.c" -pthread || exit 1; }
build pairs5 5
build pairs6 6
check "optimal, one worker" same "$(killing 4 pairs6 --engine optimal)" "safe 262144 0 "
check "optimal, two workers" same "$(killing 4 pairs6 --engine optimal -j 2)" "safe 262144 0 "
check "reach, one worker" same "$(killing 3 pairs5 --engine reach | cut -d' ' -f1-2)" "safe 32768"
check "reach, two workers" same "$(killing 3 pairs5 --engine reach -j 2 | cut -d' ' -f1-2)" "safe 32768"
finish
