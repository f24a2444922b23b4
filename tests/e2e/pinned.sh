#!/usr/bin/env bash
# What a program learns of the system and the time is the same in every run of it, or the verdict names it.
. "$(dirname "$0")/../lib.sh"
here=$(cd "$(dirname "$0")/run" && pwd)
cd "$SCRATCH" || exit 1
"$RADDLE" cc -g -w -o pinned "$here/pinned.c" 2>/dev/null || exit 1
mkdir old && cd old || exit 1
touch -d '2020-01-02' .
told() { "$RADDLE" run -q --count-only --engine dfs --show-output ../pinned </dev/null | grep -v ^/tmp; } # names have a number of the run
told >../first
sleep 0.1 # for the clocks
told >../second
check "it tells everything" test "$(wc -l <../first)" -ge 12
check "two runs tell the same" cmp ../first ../second
check_output "^free 1 1 1$" "half of the room is free" cat ../first
check_output "^folder 1$" "times of before are those of the file" cat ../first
check_output "^safe" "…and nothing of it leaves doubts" "$RADDLE" run ../pinned
for file in /proc/self/stat /proc/meminfo /proc/sys/kernel/random/uuid; do
    check_output "incomplete: .*reads $file, which is not the same in every run" "$file is named" "$RADDLE" run ../pinned "$file"
done
check_output "incomplete: .*/dev/urandom through freopen" "so is a stream that is opened anew" "$RADDLE" run ../pinned /dev/urandom x
check_output "^safe" "settings of the kernel stay" "$RADDLE" run ../pinned /proc/sys/kernel/pid_max
finish
