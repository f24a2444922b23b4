#!/usr/bin/env bash
# The text of findings of every kind, as somebody reads it who has just met the bug: tests/golden/findings/NAME.txt is what
# is told of NAME.c, looked at by a person. RADDLE_UPDATE=1 writes them anew: look at the difference. A program says in
# its first lines how it is run ("run: OPTIONS") and built ("cc: OPTIONS"); a line with CHANGE is the one that has to
# change, and the why names it.
. "$(dirname "$0")/../lib.sh"
here=$(cd "$(dirname "$0")/../golden/findings" && pwd)
cd "$SCRATCH" || exit 1

told() { # without what depends on time and on how the search went
    sed -E '/^(auto|icb|random|dfs): [0-9,]+ execution/d; /^finding [0-9]+ of [0-9]+, /d; /^  1$/d; /^the search is not complete/d; /point of no return is not/,/^ /d
        s/^raddle replay .*/raddle replay …/; s/^  raddle replay .*/  raddle replay …/'
}

why() { sed -n '/^why$/,/^schedule/p'; }

for source in "$here"/*.c "$here"/*.cpp; do
    file=$(basename "$source")
    name=${file%.*}
    cp "$source" .
    case $file in *.cpp) compiler=g++ ;; *) compiler= ;; esac
    flags=$(sed -n 's|^/\* cc: \(.*\) \*/|\1|p' "$source")
    # shellcheck disable=SC2086
    RADDLE_CC=$compiler "$RADDLE" cc $flags -g -o "$name" "$file" -pthread 2>"$name.build" || cat "$name.build"
    eval "options=($(sed -n 's|^/\* run: \(.*\) \*/|\1|p' "$source"))"
    [ ${#options[@]} -gt 0 ] || options=(--engine icb)
    "$RADDLE" run "${options[@]}" --max-executions 20000 -o "out/$name" "./$name" >"$name.full" 2>&1
    told <"$name.full" >"$name.txt"
    [ -n "${RADDLE_UPDATE:-}" ] && cp "$name.txt" "$here/$name.txt"
    check "$name: the story is the one that was looked at" diff "$here/$name.txt" "$name.txt"
    lines=$(grep -n CHANGE "$source" | cut -d: -f1)
    [ -z "$lines" ] && continue
    found=1
    for line in $lines; do why <"$name.full" | grep -q "$file:$line\b" && found=0; done
    tap $found "$name: the why names the line that has to change" "$(why <"$name.full")"
done

check_output "^   *[0-9]* *long.c:20 worker .*writes turn" "--all folds nothing" "$RADDLE" report --all out/long
check "--all: every step" bash -c "[ \$('$RADDLE' report --all out/long | grep -c 'long.c:19 worker') -ge 700 ]"
check "no step is folded with --all" bash -c "! '$RADDLE' report --all out/long | grep -q ⋮"
check_output "⋮ .* more steps" "without it steps are folded" "$RADDLE" report out/long
check_output "1 preemption" "of hundreds of preemptions one is left" "$RADDLE" report out/long
check_output "prints “FAIL: turn is" "what the program printed is part of the story" "$RADDLE" report out/long

check "C++: no mangled name with --all" bash -c "! '$RADDLE' report --all out/channel | grep _Z"

check_output "schedule  [0-9]* steps, 1 preemption" "auto leaves as few preemptions as icb" "$RADDLE" run -o out/channel-auto ./channel

# Optimised code: the operand of the assertion lives in a register.
cat >register.c <<'C'
#include <assert.h>
#include <pthread.h>
#include <stdlib.h>
static int total;
static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
static int get(void)
{
    pthread_mutex_lock(&m);
    int v = total;
    pthread_mutex_unlock(&m);
    return v;
}
static void *add(void *p)
{
    int v = get();
    pthread_mutex_lock(&m);
    total = v + 1;
    pthread_mutex_unlock(&m);
    return p;
}
int main(void)
{
    pthread_t t;
    pthread_create(&t, 0, add, 0);
    add(0);
    pthread_join(t, 0);
    int n = get();
    char *block = malloc((size_t)n);
    assert(n == 2);
    free(block);
}
C
sed 's/(size_t)n/16/' register.c >register16.c
for how in 'gcc -O1' 'gcc -O2' 'clang -O1' 'clang -O2'; do
    # shellcheck disable=SC2086
    RADDLE_CC=${how% *} "$RADDLE" cc ${how#* } -g -o register register16.c
    check_output "^  n is 1" "an operand that lives in a register ($how)" "$RADDLE" run --engine icb -o out/register ./register
done
for how in gcc clang; do # clang has no place for what it keeps only in a wider form
    RADDLE_CC=$how "$RADDLE" cc -O2 -g -o register register.c
    check_output "^  n is (1|not known: the compiler optimised it away)" "…or that the compiler lost ($how)" \
        "$RADDLE" run --engine icb -o out/register ./register
done

# 16,000 steps with half a million plain accesses: the whole run, with search and story, in CPU seconds.
"$RADDLE" cc -O1 -g -DN=2667 -o long16 long.c -pthread
"$RADDLE" cc -O1 -g -DN=834 -o long5 long.c -pthread
cost() { # cost PROGRAM: milliseconds and MiB of a run with its story; what it says meanwhile is in PROGRAM.progress
    TERM=xterm CI= python3 - "$RADDLE" "$1" <<'END'
import os, pty, resource, subprocess, sys
tool, program = sys.argv[1:]
here, terminal = pty.openpty()
run = subprocess.Popen([tool, "run", "--engine", "random", "--max-steps", "40000", "-o", "out/" + program,
                        "./" + program], stdout=open(program + ".txt", "w"), stderr=terminal)
os.close(terminal)
with open(program + ".progress", "wb") as said:
    try:
        while more := os.read(here, 65536):
            said.write(more)
    except OSError:
        pass
run.wait()
used = resource.getrusage(resource.RUSAGE_CHILDREN)
print(round(1000 * (used.ru_utime + used.ru_stime)), used.ru_maxrss // 1024)
END
}
read -r took mebibytes < <(cost long5)
tap $((took > 3000 || mebibytes > 200)) "5,000 steps are told in 2 s, or 3 on a loaded machine" "$took ms, $mebibytes MiB"
read -r took mebibytes < <(cost long16)
tap $((took > 10000)) "16,000 steps with half a million plain accesses are told in 10 s" "$took ms"
tap $((mebibytes > 200)) "and in less than 200 MiB" "$mebibytes MiB"
check_output "finding 1 of 1, shrinking its schedule: [0-9,]+ executions, [0-9]+ preemptions? left" \
    "how far shrinking is can be seen meanwhile" cat long16.progress
check_output "schedule  160.. steps, 1 preemption$" "and shrunk to the one preemption that matters" cat long16.txt

json() { python3 -c "import json,sys; r=json.load(open('$1')); f=r['findings'][0]; sys.exit(not ($2))"; }
"$RADDLE" report --json - out/queue >queue.json
check "JSON: the same numbers, and why" json queue.json "f['story'][-1]['does'].startswith('assertion') and
    [s['step'] for s in f['story']] == sorted(s['step'] for s in f['story']) and any('is lost' in w['text'] for w in f['why'])
    and 0 < f['doomed_after'] == f['avoidable_before']"
"$RADDLE" report --json - out/many_races >races.json
check "one entry for each memory that is raced for" json races.json "len(r['findings']) == 3 and
    len({x['message'].split(':')[0] for x in r['findings']}) == 3 and any(len(x['pairs']) > 2 for x in r['findings'])"
finish
