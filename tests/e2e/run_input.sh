#!/usr/bin/env bash
# Bad input of raddle run, replay and report: each ends in a clear message and the right status.
. "$(dirname "$0")/../lib.sh"
here=$(cd "$(dirname "$0")/run" && pwd)
cd "$SCRATCH" || exit 1
"$RADDLE" cc -g -o race "$here/race.c" -pthread
"$RADDLE" cc -g -o safe "$here/safe.c" -pthread

refuse() { # STATUS REGEX NAME COMMAND…
    local status=$1 want=$2 name=$3
    shift 3
    check_status "$status" "$name: status $status" "$@"
    check_output "$want" "$name: message" "$@"
}

refuse 64 "no program given" "run without a program" "$RADDLE" run
refuse 64 "unknown option --frobnicate" "unknown option" "$RADDLE" run --frobnicate ./race
refuse 64 "no engine 'nonsense'" "unknown engine" "$RADDLE" run --engine nonsense ./race
refuse 64 "no engine 'replay'" "an engine that is not for searching" "$RADDLE" run --engine replay ./race
refuse 64 "max-steps must be" "max-steps out of range" "$RADDLE" run --max-steps 0 ./race
refuse 64 "max-threads must be" "max-threads out of range" "$RADDLE" run --max-threads 1000 ./race
refuse 64 "status must be" "status out of range" "$RADDLE" run --status -1 ./race
refuse 64 "set wants NAME=VALUE" "bad engine option" "$RADDLE" run --set nonsense ./race
refuse 64 "engine dfs knows no 'pv', only split_after" "unknown engine option" \
    "$RADDLE" run --engine dfs --set pv=on ./race
refuse 64 "engine reach knows no 'vp', only split_after fail_at scramble beginning save pv symmetry messages paper-pv paper-symmetry paper-messages history" \
    "misspelt engine option" "$RADDLE" run --engine reach --set vp=on ./race
refuse 3 "No such file.*" "missing program" "$RADDLE" run ./nothing
refuse 3 "give the path" "program named without a path" "$RADDLE" run nothing
refuse 3 "is a directory" "a directory" "$RADDLE" run /tmp
echo 'int main(void){return 0;}' >plain.c
cc -o plain plain.c
refuse 3 "was not built with raddle cc" "plain program" "$RADDLE" run ./plain
cc -static -o static plain.c
refuse 3 "statically linked" "static program" "$RADDLE" run ./static
cc -c -o object.o plain.c && chmod +x object.o
refuse 3 "not a linked program" "object file" "$RADDLE" run ./object.o
printf '#!/bin/sh\n' >script && chmod +x script
refuse 3 "not an ELF program" "script" "$RADDLE" run ./script
cp race noexec && chmod -x noexec
refuse 3 "is not executable" "not executable" "$RADDLE" run ./noexec
: >empty && chmod +x empty
refuse 3 "not an ELF program" "empty file" "$RADDLE" run ./empty
head -c 3000 race >cut && chmod +x cut
check_status 3 "truncated program" "$RADDLE" run ./cut
"$RADDLE" cc -g -shared -fPIC -o libgone.so plain.c
echo 'int gone(void);int main(void){return gone();}' >uses.c
echo 'int gone(void){return 0;}' >gone.c
"$RADDLE" cc -g -shared -fPIC -o libgone.so gone.c
"$RADDLE" cc -g -o uses uses.c -L. -lgone
refuse 3 "libgone.so" "missing shared library" "$RADDLE" run ./uses

refuse 64 "cannot make the output folder" "output folder under a file" "$RADDLE" run --out plain.c/x ./race
refuse 64 "cannot make the output folder" "output folder in /proc" "$RADDLE" run --out /proc/x ./race
mkdir closed && chmod a-w closed
if [ "$(id -u)" != 0 ]; then
    refuse 64 "cannot make the output folder.*denied" "unwritable folder" "$RADDLE" run --out closed/x ./race
fi
refuse 64 "cannot write /nonexistent/x.json" "unwritable json file" "$RADDLE" run --json /nonexistent/x.json ./race
if [ -w /dev/full ]; then
    check_output "bug: assertion" "full disk: the result is still shown" "$RADDLE" run --json /dev/full ./race
    check_output "No space left" "full disk is told" "$RADDLE" run --json /dev/full ./race
    for format in json html sarif junit lcov; do
        refuse 74 "cannot write .*No space left" "no bug, but --$format has no room" "$RADDLE" run -q "--$format" /dev/full ./safe
    done
    check_status 1 "a bug stays a bug" "$RADDLE" run -q --json /dev/full ./race
    check_status 74 "incomplete, and no file" "$RADDLE" run -q -n 1 --json /dev/full ./safe
    refuse 74 "cannot write" "traces without room" "$RADDLE" run -q --all-traces /dev/full ./safe
    safe_to_full() { "$RADDLE" run --json - ./safe 2>/dev/null >/dev/full; }
    check_status 74 "no bug, and --json - goes nowhere" safe_to_full
    printf 'i: 1\n' >one.pict
    refuse 74 "cannot write" "--inputs: no room" "$RADDLE" run -q --inputs one.pict --json /dev/full ./safe
    to_full() { "$RADDLE" run ./race 2>&1 >/dev/full; }
    check_output "cannot write to the standard output" "so is a standard output that takes nothing" to_full
fi

"$RADDLE" run -q --out good ./race >/dev/null </dev/null
refuse 64 "cannot read nowhere" "replay of nothing" "$RADDLE" replay nowhere
refuse 64 "is not a schedule" "replay of another file" "$RADDLE" replay plain.c
sed 's/raddle schedule 1/raddle schedule 9/' good/schedule >newer
refuse 64 "version 9; this raddle reads version 1" "schedule of another version" "$RADDLE" replay newer
sed 's/^[0-9]*x.*/0xq/' good/schedule >corrupt
refuse 64 "corrupt:[0-9]*: cannot read the step" "corrupt schedule" "$RADDLE" replay corrupt
head -n -1 good/schedule >short
refuse 64 "ends too early" "truncated schedule" "$RADDLE" replay short
sed "s|^program .*|program $SCRATCH/safe|" good/schedule >other
refuse 64 "schedule of another build" "schedule of another program" "$RADDLE" replay other
sed "s|^program .*|program $SCRATCH/gone|" good/schedule >lost
refuse 3 "cannot run .*gone" "schedule of a program that is gone" "$RADDLE" replay lost
check_status 2 "--force replays it, and tells that the bug did not show" "$RADDLE" replay --force other
refuse 64 "need --gdb" "--until without --gdb" "$RADDLE" replay --until 3 good
refuse 64 "not an output folder" "report of nothing" "$RADDLE" report plain.c
refuse 64 "there is no finding 9" "report of a finding that is not there" "$RADDLE" report --finding 9 good
cp race "my race"
quoted() { eval "$("$RADDLE" run "./my race" | tail -n 1 | sed "s|^raddle|'$RADDLE'|")"; }
check_output "reproduced:" "the command that replays a program with a space in its name is one for the shell" quoted
finish
