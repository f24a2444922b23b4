#!/usr/bin/env bash
# What main does before its first thread is performed once if it takes long (rt/core/halfway.h): the same counts and
# findings as when every execution begins with main, in a fraction of the time.
. "$(dirname "$0")/../lib.sh"
here=$(cd "$(dirname "$0")/run" && pwd)
cd "$SCRATCH" || exit 1
"$RADDLE" cc -g -o beginning "$here/beginning.c" -pthread
echo abcdefg >letters
never=1000000000

told() { # told ENGINE MICROSECONDS WORD: verdict, executions, kinds of findings, and of what was not seen again
    timeout 120 "$RADDLE" run -q -k --engine "$1" --set beginning="$2" --max-executions 700 --hang 500ms --json r.json \
        ./beginning "$3" <letters >/dev/null 2>&1
    python3 -c 'import json
r = json.load(open("r.json"))
print(r["verdict"], r["executions"], sorted(f["kind"] for f in r["findings"]),
      [w for w in r["warnings"] if "not reproduced" in str(w)])'
}
same() { # same ENGINE WORD
    local once each
    once=$(told "$1" 0 "$2")
    each=$(told "$1" $never "$2")
    [ "$once" = "$each" ] && [ -n "$once" ]
    tap $? "$1 $2: $each" "begun once: $once; each time: $each"
}
for engine in optimal source dpor dpor-cr dfs icb idb reach; do
    same $engine plain
done
for word in shared open stream write folder stdin late closed choice locks assert crash deadlock; do
    same optimal "$word"
done
same dfs late
same dfs locks
same random assert
same auto locks
same optimal hang

# Of three runs the one that takes least; the time of the processor, whatever else the machine does.
cpu() { # cpu MICROSECONDS: milliseconds
    python3 - "$RADDLE" "$1" <<'PY'
import os, sys
words = [sys.argv[1], "run", "-q", "--engine", "dfs", "--set", "beginning=" + sys.argv[2], "--max-executions", "60",
         "./beginning", "plain", "32"]
quiet = [(os.POSIX_SPAWN_OPEN, fd, os.devnull, os.O_RDWR, 0) for fd in (1, 2)]
def run():
    _, _, u = os.wait4(os.posix_spawn(words[0], words, os.environ, file_actions=quiet), 0)
    return u.ru_utime + u.ru_stime
print("%d" % (1000 * min(run() for _ in range(3))))
PY
}
each=$(cpu $never)
once=$(cpu 2000)
[ "$once" -gt 0 ] && [ $((each / once)) -ge 2 ]
tap $? "32 MiB begun once take less than half of the time ($once ms for $each)" "$once ms, otherwise $each"

# Nothing is left behind, whatever ends it.
left() { pgrep -f "$SCRATCH/./beginning|^./beginning" | wc -l; }
left_after() { # left_after SIGNAL: of the tool
    timeout 60 "$RADDLE" run -q --engine random --set beginning=0 --time 50s ./beginning plain >/dev/null 2>&1 &
    local tool=$!
    sleep 1
    pkill -"$1" -P $tool -x raddle
    wait $tool
    sleep 0.5
    [ "$(left)" -eq 0 ]
    tap $? "no process is left after SIG$1" "$(pgrep -af beginning)"
}
left_after INT
left_after KILL
finish
