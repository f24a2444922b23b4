#!/usr/bin/env bash
# SARIF of every kind of finding, of several, of known ones, of inputs, of hostile text: by our own check, by the classes
# that Debian has, and by the official schema. That is not ours to distribute: the test installs an npm package that has it
# (under MIT), by name, into build/; RADDLE_SARIF_SCHEMA names another copy. Without either this part is skipped.
. "$(dirname "$0")/../lib.sh"
cd "$SCRATCH" || exit 1
here=$TOP/tests/e2e
package=@microsoft/jest-sarif@1.0.0-beta.0
inside=package/lib/schemas/sarif-2.1.0-rtm.5.json
sum=2d99159ae54a3eea97f81781cff48780548657c35949f4b7f25e99a2ba4de4f8

# The schema's file; empty, and the reason in $why, if it cannot be had.
find_schema() {
    schema=${RADDLE_SARIF_SCHEMA:-$TOP/build/sarif/schema.json}
    [ -f "$schema" ] && return
    schema=
    why="no npm to install $package with"
    command -v npm >/dev/null || return
    why="npm could not install $package"
    timeout 120 npm pack --silent "$package" >/dev/null 2>err && tar xzf microsoft-jest-sarif-*.tgz "$inside" || return
    echo "$sum  $inside" | sha256sum --quiet -c >err 2>&1
    tap $? "the package has the schema that it had" "$(cat err)"
    mkdir -p "$TOP/build/sarif" && mv "$inside" "$TOP/build/sarif/schema.json" && schema=$TOP/build/sarif/schema.json
}

# all FILE…: the three checks of these files.
all() {
    for f in "$@"; do
        python3 "$here/sarif_check.py" "$f" || return 1
    done
    "$here/sarif_om_check.py" "$@"
}

# A case of tests/cases that has such a finding, built and run as its first such line says.
one_of() { # KIND FAMILY/CASE
    local at=$TOP/tests/cases/$2 options cc driver=cc
    options=$(grep -m1 "kind=$1" "$at/expect") && options=${options%%=>*}
    cc=$(sed -n 's/^cc: *//p' "$at/expect")
    [ -f "$at/prog.cc" ] && driver=c++
    "$RADDLE" $driver -g $cc -o "$1" "$at"/prog.c* -pthread &&
        "$RADDLE" run -q --engine $options --sarif "$1.sarif" "./$1" >/dev/null
    python3 -c "import json, sys; r = json.load(open('$1.sarif'))['runs'][0]['results']; sys.exit('$1' not in [f['ruleId'] for f in r])"
    tap $? "SARIF of a finding: $1"
}
while read -r kind case; do
    one_of $kind $case </dev/null
done <<'END'
crash crash/null
heap heap/use-after-free
stack memory/stack-ended
bounds symbolic/bounds-global
overflow symbolic/overflow-check
assert descriptors/close-twice
property unfold/property
deadlock barrier/one-missing
livelock match-states/polite
lock cond/destroyed-waiting
race cxx/static_race
exit crash/exit-status
END
for kind in $(sed -n 's/^FINDING([A-Z]*, "\([a-z]*\)".*/\1/p' "$TOP/src/trace/finding.def"); do
    [ $kind = leak ] || [ -f $kind.sarif ] # leaks are warnings, which are no results
    tap $? "no kind of finding is forgotten: $kind"
done

cat >several.c <<'C'
#include <assert.h>
#include <pthread.h>
static pthread_mutex_t a = PTHREAD_MUTEX_INITIALIZER, b = PTHREAD_MUTEX_INITIALIZER;
static int x, y;
static void both(pthread_mutex_t *one, pthread_mutex_t *other)
{
    x++;
    pthread_mutex_lock(one);
    pthread_mutex_lock(other);
    y++;
    pthread_mutex_unlock(other);
    pthread_mutex_unlock(one);
}
static void *there(void *p)
{
    both(&a, &b);
    return p;
}
int main(void)
{
    pthread_t t;
    pthread_create(&t, 0, there, 0);
    both(&b, &a);
    assert(y == 2);
    pthread_join(t, 0);
}
C
"$RADDLE" cc -g -o several several.c -pthread
"$RADDLE" run -q -k --engine dfs --sarif several.sarif --save-baseline known.txt ./several >/dev/null 2>&1
check "several findings" python3 -c "import json
assert len({r['ruleId'] for r in json.load(open('several.sarif'))['runs'][0]['results']}) >= 3"
"$RADDLE" run -q -k --engine dfs --sarif known.sarif --baseline known.txt ./several >/dev/null
check "known findings are no results" python3 -c "import json
assert json.load(open('known.sarif'))['runs'][0]['results'] == []"
"$RADDLE" run -q -n 1 --engine random --races off --sarif incomplete.sarif ./several >/dev/null
cp "$TOP/examples/inputs/queue.c" "$TOP/examples/inputs/queue.pict" . && "$RADDLE" cc -g -o queue queue.c -pthread
"$RADDLE" run -q --inputs queue.pict -o rows ./queue >/dev/null; "$RADDLE" report --sarif inputs.sarif rows/row-4 >/dev/null
check "a row of inputs" python3 -c "import json; assert json.load(open('inputs.sarif'))['runs'][0]['results']"
evil=$(printf 'a<script>alert(1)<\033[31m\xff\xe2\x80\xae"&\x27 %%41\n#?')
mkdir "$evil" && sed 's/y == 2/!"<\\033[1m\\xff]]>"/' several.c >"$evil/p.c"
"$RADDLE" cc -g -w -o "$evil/p" "$evil/p.c" -pthread && "$RADDLE" run -q --races off --sarif hostile.sarif "$evil/p" >/dev/null
check "hostile names and output" grep -q '"uri":"a%3Cscript%3E' hostile.sarif

check "all of them follow the standard" all *.sarif
find_schema
if [ -n "$schema" ]; then
    check "$(ls *.sarif | wc -l) files are valid by the official schema, and 17 wrong ones of each are not" \
        "$here/sarif_schema_check.py" "$schema" *.sarif
else
    tap 0 "SARIF by its official schema # SKIP $why"
fi
finish
