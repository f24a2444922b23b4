#!/usr/bin/env bash
# Signals at random moments to raddle and its workers, in every phase (search, replay, shrink, record, tell): no
# process and no file is left, and what is told is true. 20 runs; 100 in make check-long. Ctrl-C ends a search within
# half a second, and twice that where an execution has to be cut off.
. "$(dirname "$0")/../lib.sh"
here=$(cd "$(dirname "$0")/run" && pwd)
"$RADDLE" cc -g -o "$SCRATCH/locks" "$here/locks.c" -pthread
"$RADDLE" cc -g -o "$SCRATCH/map" "$here/map.c" -pthread
"$RADDLE" cc -g -O1 -o "$SCRATCH/endless" "$here/endless.c" -pthread
"$RADDLE" cc -g -O1 -o "$SCRATCH/compute" "$here/compute.c" -pthread
runs=20
[ -n "${RADDLE_LONG:-}" ] && runs=100
seed=${RADDLE_SEED:-$RANDOM}
echo "# RADDLE_SEED=$seed"
python3 "$here/ends.py" "$RADDLE" "$SCRATCH" $runs "$seed"
