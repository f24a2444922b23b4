#!/usr/bin/env bash
# Random programs over mutexes of every type, attempts, timeouts, reader-writer locks, semaphores, conditions,
# ports and atomic variables: what every thread is told, and every deadlock, as an enumerator has it that was
# written from POSIX; also with the reductions. RADDLE_LONG: more.
. "$(dirname "$0")/../lib.sh"
cd "$TOP" || exit 1
count=150
[ -n "${RADDLE_LONG:-}" ] && count=5000
"$RADDLE" cc -O1 -o "$SCRATCH/locks" tests/native/locks.c || exit 1
compare() { # compare COUNT FIRST ENGINE…
    timeout 7000 tests/native/locks.py "$RADDLE" "$SCRATCH/locks" "$@" >>"$SCRATCH/said.$2" 2>&1
}
compare $count 1 "reach --reduce=pv" "reach --reduce=messages" "reach --reduce=all" &
compare $((count * 2)) 1001 reach
compare $((count / 3)) 1001 dfs optimal
compare $count 1001 "reach --reduce=symmetry"
wait
sed 's/^/# /' "$SCRATCH"/said.*
same() { ! grep -h "^$1:" "$SCRATCH"/said.*; }
for engine in reach "reach --reduce=pv" "reach --reduce=messages" "reach --reduce=symmetry" "reach --reduce=all" dfs optimal; do
    check "$engine sees all outcomes of random programs, and no others" same "$engine"
done
compared() { awk '/^compared/ { n += $2 } END { print n }' "$SCRATCH"/said.*; }
check "enough programs were compared" test "$(compared)" -gt $((count * 3))

# The smallest that the reductions of the paper lose a behaviour of.
found() { # found REDUCTION ANSWER WORDS…
    timeout 20 "$RADDLE" run -q -k --count-only --show-output --races off --seed 2 --engine reach --reduce="$1" \
        "$SCRATCH/locks" "${@:3}" | tr '\n' ' ' | grep -q "$2"
}
check "pv: the deadlock is found" found pv "verdict bug" 3pv1v 1pv3p1v
check "pv as in the paper misses it, and does not say safe" found paper-pv "verdict incomplete" 3pv1v 1pv3p1v
check "symmetry: both zeros can be received first" found symmetry "0 0 0 0 0 1 0 1" -s eeee ss ss
lost() { ! found "$@"; }
check "symmetry as in the paper misses that" lost paper-symmetry "0 0 0 0 0 1 0 1" -s eeee ss ss
finish
