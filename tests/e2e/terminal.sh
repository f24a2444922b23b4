#!/usr/bin/env bash
# The terminal: width respected down to 60 columns, links, progress with the time that is left, plain lines on CI.
. "$(dirname "$0")/../lib.sh"
cd "$SCRATCH" || exit 1
unset CI NO_COLOR RADDLE_LINKS
export TERM=xterm
on_terminal() { timeout 120 python3 "$TOP/tests/e2e/on_terminal.py" "$@"; }
plain() { sed 's/\x1b\[[0-9;]*[mK]//g'; }
wide() { # lines that are wider than $1, commands to be copied aside
    plain | grep -v 'raddle replay' | LC_ALL=C.UTF-8 grep -E "^.{$(($1 + 1)),}"
}
for p in three_locks lost_wakeup use_after_free race; do
    "$RADDLE" cc -g -o $p "$TOP/examples/reports/$p.c" -pthread || exit 1
    "$RADDLE" run -q -o out-$p ./$p >/dev/null
done
cp "$TOP/examples/philosophers/philosophers.c" . # a short path
"$RADDLE" cc -g -o philosophers philosophers.c || exit 1
"$RADDLE" run -q -o out-philosophers ./philosophers 6 >/dev/null
for columns in 60 80 120; do
    for p in three_locks lost_wakeup use_after_free race philosophers; do
        on_terminal $columns "$RADDLE" report out-$p >text
        ! wide $columns <text >too_wide
        tap $? "$columns columns are enough for $p" "$(cat too_wide)"
    done
done
for m in "$TOP"/examples/reports/forks.efsm "$TOP"/examples/models/leader-election.efsm "$TOP"/examples/models/figure-2-1.efsm; do
    cp "$m" .
    on_terminal 60 "$RADDLE" model "$(basename "$m")" | tr '\r' '\n' >text
    ! wide 60 <text >too_wide && grep -qE '^(.\[K)*(safe|bug)' text
    tap $? "60 columns are enough for raddle model $(basename "$m")" "$(cat too_wide)"
done
for m in calls.pict queue.pict disk.xml; do
    cp "$TOP/examples/pairs/$m" .
    on_terminal 60 "$RADDLE" pairs $m | tr '\r' '\n' >text
    ! wide 60 <text >too_wide && grep -q 'cover all' text
    tap $? "60 columns are enough for raddle pairs $m" "$(cat too_wide)"
done
on_terminal 60 "$RADDLE" report out-three_locks >text
! grep -q '…' text
tap $? "at 60 columns no step of a deadlock is cut" "$(cat text)"
for how in "dfs -n 50" "icb -n 50" "icb --bound 1" "optimal --races off"; do
    on_terminal 60 "$RADDLE" run -q --engine $how ./philosophers 2 >text
    ! wide 60 <text >too_wide && grep -qE '(safe|incomplete|bug)' text
    tap $? "60 columns are enough for a verdict of --engine $how" "$(cat too_wide)"
done
on_terminal 60 "$RADDLE" doctor | tr -d '\r' >text
! wide 60 <text >too_wide && grep -q '^ok    ptrace' text
tap $? "60 columns are enough for raddle doctor" "$(cat too_wide text)"
cp "$TOP/examples/unit/counter.c" . && "$RADDLE" cc -g -o counter counter.c -pthread || exit 1
on_terminal 60 "$RADDLE" test ./counter | tr -d '\r' >text
! grep '^#' text | wide 60 >too_wide && grep -q '^#   schedule' text
tap $? "60 columns are enough for what raddle test tells of a bug" "$(cat too_wide)"
on_terminal 60 "$RADDLE" doctor --help | tail -n +3 >text # the first line is the usage
! wide 60 <text >too_wide
tap $? "60 columns are enough for --help" "$(cat too_wide)"

# --- links ---
link=$(printf '\033]8;;file://%s%s#17\033\\' "$(hostname)" "$TOP/examples/reports/three_locks.c")
RADDLE_LINKS=1 "$RADDLE" report out-three_locks >linked
check "a location is a link to its line" grep -qF "$link" linked
"$RADDLE" report out-three_locks >bare
! grep -q "$(printf '\033')" bare
tap $? "no escapes where no terminal is"
sed 's/\x1b\]8;;[^\x1b]*\x1b\\//g' linked | cmp -s - bare
tap $? "links change nothing else"
TERM=xterm-kitty on_terminal 80 "$RADDLE" report out-three_locks | grep -qF "$link"
tap $? "a terminal that has links gets them"
on_terminal 80 "$RADDLE" report out-three_locks >text
! grep -qF "$(printf '\033]8')" text && grep -qF "$(printf '\033[')" text
tap $? "another one gets colours only"
cat >liar.c <<'C'
#include <assert.h>
#include <stdio.h>
int main(void)
{
    printf("\033]8;;http://example.org\033\\liar.c:1\033]8;;\033\\\n");
    fflush(stdout);
    assert(0);
}
C
"$RADDLE" cc -g -o liar liar.c && RADDLE_LINKS=1 "$RADDLE" run ./liar >text
! grep -qF "$(printf '\033]8;;http')" text && grep -q 'x1b' text
tap $? "a program cannot write a link" "$(cat -v text)"

# --- progress ---
cat >big.c <<'C'
#include <pthread.h>
#include <stdatomic.h>
static atomic_int x[4];
static void *work(void *p)
{
    for (int i = 0; i < 4; i++)
        for (int k = 0; k < 4; k++)
            x[k]++;
    return p;
}
int main(void)
{
    pthread_t t[3];
    for (int i = 0; i < 3; i++)
        pthread_create(&t[i], 0, work, 0);
    for (int i = 0; i < 3; i++)
        pthread_join(t[i], 0);
}
C
"$RADDLE" cc -g -o big big.c -pthread || exit 1
CI=true on_terminal 60 "$RADDLE" run --time 6 ./big >ci
check "progress tells how much time is left" grep -qE ', (about|at most) [0-9]+ (s|min|h) left' ci
! grep -q "$(printf '\033')" ci && grep -qE '^auto: .* left' ci
tap $? "on CI there are plain lines only, on a terminal too" "$(cat -v ci)"

# Progress stays on one line, however narrow the terminal is.
ALL_DRAWN=1 on_terminal 20 "$RADDLE" run --engine dfs -t 1s ./philosophers 5 | sed -n $'s/^\033\\[K\\(dfs: \\)/\\1/p' >text
[ -s text ] && ! grep -qE '^.{20,}' text
tap $? "progress fits on a terminal of 20 columns" "$(head -n 3 text)"
finish
