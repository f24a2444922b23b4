#!/usr/bin/env bash
# The command line as a whole: every engine, option and default in --help, man page and completion; options from
# raddle.conf and RADDLE_OPTIONS; raddle version; raddle env; the folders of raddle run --inputs.
. "$(dirname "$0")/../lib.sh"
cd "$SCRATCH" || exit 1
unset RADDLE_OPTIONS RADDLE_CONF RADDLE_CC RADDLE_CXX

# --- one table ---
engines=$(sed -n 's/^ENGINE([a-z_]*, "\([a-z-]*\)", USER).*/\1/p' "$TOP/src/explore/engines.def")
"$RADDLE" run --help | tr -s ' \n' ' ' >help.txt
"$RADDLE" run --help-man >man.txt
"$RADDLE" completion bash >bash.txt
missing=""
for e in $engines; do
    for f in help man bash; do grep -q -- "[ '\"]$(sed 's/-/[\\\\]*-/g' <<<"$e")" $f.txt || missing+="$f: $e "; done
done
[ -n "$engines" ] && [ -z "$missing" ]
tap $? "--help, man page and completion name every engine, reach among them" "$missing"
missing=""
for c in $("$RADDLE" --help | sed -n 's/^  \([a-z+-][a-z+-]*\)  *[a-z].*/\1/p'); do
    for o in $("$RADDLE" "$c" --help | sed -n 's/^  \(-., \)\{0,1\}--\([a-z-]*\).*/\2/p'); do
        "$RADDLE" "$c" --help-man | grep -q -- "\\\\-\\\\-$(sed 's/-/\\\\-/g' <<<"$o")" || missing+="man $c --$o "
        grep -q -- "--$o" bash.txt || missing+="completion $c --$o "
    done
done
[ -z "$missing" ]
tap $? "every option of --help is in man page and completion" "$missing"
no_default=$("$RADDLE" run --help | tr -s ' \n' ' ' | grep -oE -- '--(engine|sleep|time|max-executions|seed|exit|races|isolate|granularity|max-steps|max-threads|max-heap|memory|hang|jobs|por|out) [^-].{0,400}' |
    grep -ciE 'default' )
[ "$no_default" -ge 1 ]
tap $? "defaults stand in --help" "$no_default"
check_output '^raddle [0-9.]+$' "raddle version" "$RADDLE" version

# --- raddle.conf and RADDLE_OPTIONS ---
cat >two.c <<'C'
#include <pthread.h>
static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
static void *work(void *unused)
{
    for (int i = 0; i < 3; i++) {
        pthread_mutex_lock(&m);
        pthread_mutex_unlock(&m);
    }
    return unused;
}
int main(void)
{
    pthread_t t[2];
    for (int i = 0; i < 2; i++)
        pthread_create(&t[i], 0, work, 0);
    for (int i = 0; i < 2; i++)
        pthread_join(t[i], 0);
}
C
"$RADDLE" cc -g -o two two.c || exit 1
executions() { "$RADDLE" run "$@" --json - ./two 2>/dev/null | python3 -c 'import json, sys; print(json.load(sys.stdin)["executions"])'; }
printf '# for this project\nengine = random\n  max-executions 7\n\n' >raddle.conf
check_output '^7$' "raddle.conf" executions
check_output '^3$' "RADDLE_OPTIONS overrule it" env RADDLE_OPTIONS="-n 3" bash -c "$(declare -f executions); RADDLE='$RADDLE' executions"
check_output '^2$' "the command line overrules both" env RADDLE_OPTIONS="-n 3" bash -c "$(declare -f executions); RADDLE='$RADDLE' executions -n 2"
check_output 'options of raddle.conf:2: --engine=random; raddle.conf:3: --max-executions=7; RADDLE_OPTIONS: --seed 5' \
    "what came from them is told" env RADDLE_OPTIONS="--seed '5'" "$RADDLE" run ./two
echo 'max-execution = 7' >>raddle.conf
check_output 'raddle.conf:5: .*unknown option --max-execution=7' "a wrong line is named" "$RADDLE" run ./two
check_status 64 "…and refused" "$RADDLE" run ./two
check_status 64 "a wrong word of RADDLE_OPTIONS is refused" env RADDLE_CONF= RADDLE_OPTIONS=nonsense "$RADDLE" run ./two
check_status 64 "a file that RADDLE_CONF names and is not there" env RADDLE_CONF=nowhere "$RADDLE" run ./two
rm raddle.conf

# --- raddle env, and the compiler's name ---
mkdir project && cp two.c project/
printf 'all: two\ntwo: two.o\n\tgcc -o two two.o -lpthread\ntwo.o: two.c\n\tgcc -O1 -c two.c\nplus: plus.cc\n\tg++ -o plus plus.cc\n' >project/Makefile
echo 'int main() { return 0; }' >project/plus.cc
check "raddle env make: a Makefile that names gcc" "$RADDLE" env make -C project all plus
check_output 'libraddle-rt' "…is built for raddle" readelf -d project/two
check_output 'GCC|GNU C' "…with gcc underneath" readelf -p .comment project/two
check "…and can be explored" "$RADDLE" run -q project/two
check_output 'libraddle-rt' "…C++ too" readelf -d project/plus
check_status 7 "raddle env hands on the exit status" "$RADDLE" env sh -c 'exit 7'
check_status 64 "raddle env wants a command" "$RADDLE" env
check_status 3 "…that exists" "$RADDLE" env ./nothing-here
check_output '^none$' "…and leaves no folder behind" sh -c "ls -d \${TMPDIR:-/tmp}/raddle-env-* 2>/dev/null | while read d; do [ \$(stat -c %Y \$d) -lt $(($(date +%s) - 600)) ] || echo \$d; done | grep $$ || echo none"
echo 'int main(void) { int nested(void) { return 0; } return nested(); }' >nested.c
check_output 'try RADDLE_CC=gcc' "a failed build with clang says to try gcc" "$RADDLE" cc -o nested nested.c
check "…which helps" env RADDLE_CC=gcc "$RADDLE" cc -o nested nested.c
RADDLE_CC=clang "$RADDLE" cc -o nested nested.c 2>&1 | grep -q 'try RADDLE_CC'
tap $((1 - $?)) "…and is not said when the compiler was named"

# --- the rows of --inputs ---
cat >rows.c <<'C'
#include <assert.h>
#include <raddle.h>
#include <stdlib.h>
int main(void) { assert(atoi(raddle_param("size")) != 2); }
C
printf 'size: 1, 2\n' >rows.pict
"$RADDLE" cc -g -o rows rows.c && "$RADDLE" run --inputs rows.pict --out rows.out ./rows >rows.txt 2>&1
row=$(grep -oE 'rows.out/row-[0-9]+' rows.txt | head -1)
[ -n "$row" ] && [ -f "$row/schedule" ]
tap $? "raddle run --inputs names the folder of the row that failed" "$(cat rows.txt)"
check_output '^reproduced: ' "raddle replay of that folder" "$RADDLE" replay "$row"
check_output '^reproduced: ' "…and of the whole" "$RADDLE" replay rows.out
check_output 'bug: assertion failed' "raddle report of the whole" "$RADDLE" report rows.out
check_output 'bug: assertion failed' "…and of the row" "$RADDLE" report "$row"
finish
