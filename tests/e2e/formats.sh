#!/usr/bin/env bash
# Reports for other programs: SARIF, JUnit, TAP, code quality, Markdown, annotations, Perfetto, HTML. What comes
# from the tested program is text in all of them.
. "$(dirname "$0")/../lib.sh"
cd "$SCRATCH" || exit 1
export GITHUB_STEP_SUMMARY=$SCRATCH/summary.md
here=$TOP/tests/e2e
cp "$TOP/examples/pool/pool.c" pool.c && "$RADDLE" cc -g -o pool pool.c || exit 1
printf 'int main(void) { return 0; }\n' >safe.c && "$RADDLE" cc -g -o safe safe.c || exit 1
all="--sarif r.sarif --junit r.xml --tap r.tap --code-quality r.quality --markdown r.md --perfetto r.perfetto
    --html r.html --json r.json"
valid() { # JSON that parses and satisfies an expression over j
    python3 -c "import json, sys; j = json.load(open('$1')); sys.exit(not ($2))"
}
xml() { python3 -c "import sys, xml.etree.ElementTree as e; t = e.parse('$1').getroot(); sys.exit(not ($2))"; }

"$RADDLE" run $all --github ./pool >out 2>err
[ $? -eq 1 ]
tap $? "all formats at once, and the verdict as always" "$(cat err)"
check "SARIF follows the standard" python3 "$here/sarif_check.py" r.sarif
check "SARIF has the finding, its line and its threads" valid r.sarif \
    "(lambda f: f['ruleId'] == 'deadlock' and f['locations'][0]['physicalLocation'] == {'artifactLocation':
    {'uri': 'pool.c'}, 'region': {'startLine': 79}} and len(f['codeFlows'][0]['threadFlows']) == 3)(j['runs'][0]['results'][0])"
check "JUnit: a failure" xml r.xml "t.find('testsuite').get('failures') == '1' and t.find('.//failure') is not None"
check "TAP: not ok" grep -q '^not ok 1 - ' r.tap
check "code quality" valid r.quality "j[0]['location'] == {'path': 'pool.c', 'lines': {'begin': 79}}"
check "Perfetto: a track for each thread, arrows in pairs" valid r.perfetto "(lambda e:
    sum(x['name'] == 'thread_name' for x in e) == 3 and
    [x['id'] for x in e if x['ph'] == 's'] == [x['id'] for x in e if x['ph'] == 'f'] != [])(j['traceEvents'])"
check "an annotation for GitHub" grep -q '^::error file=pool.c,line=79,title=raddle%3A deadlock::' out
check "a summary for GitHub" grep -q '^### raddle: bug' summary.md
check "Markdown" grep -q 'pool.c:79' r.md
folder=raddle-out/$(readlink raddle-out/latest)
"$RADDLE" report --sarif again.sarif "$folder" && cmp -s r.sarif again.sarif
tap $? "raddle report writes the same again"
"$RADDLE" report --junit - "$folder" | cmp -s - r.xml
tap $? "- is standard output"
check_status 64 "two formats do not fit on standard output" "$RADDLE" run --json - --sarif - ./pool
check_status 64 "a file that cannot be written is known before the search" "$RADDLE" run --html /nowhere/x ./pool

# --- the page ---
check "the page allows nothing from outside" grep -q "default-src 'none'" r.html
! grep -qiE '(src|href)="?https?:|@import|url\(' r.html
tap $? "and asks for nothing"
check "steps can be linked to" grep -q '<tr id=s1-27 ' r.html
check "the diagram is there without scripts" grep -q 'class="dots s2" d="M' r.html

# In a browser, if there is one (make check-long installs it): the script runs, and a link leads to a step.
browser() { # the page as the browser has it after its scripts ran
    timeout 60 chromium --headless --no-sandbox --disable-gpu --no-first-run --disable-background-networking \
        --disable-component-update --disable-sync --user-data-dir="$SCRATCH/profile" --dump-dom "file://$SCRATCH/$1" 2>/dev/null
}
if [ -n "${RADDLE_LONG:-}" ] && ! command -v chromium >/dev/null; then
    apt-get install -y -qq --no-install-recommends chromium >/dev/null 2>&1
fi
if command -v chromium >/dev/null; then
    browser 'r.html#s1-10' >dom
    check "in the browser a link leads to its step" grep -q '<tr id="s1-10" class="now"' dom
    check "with what is held there" grep -q 'pool.lock' dom
    check "and the position of every thread in the source" grep -q '◀ 2 worker' dom
else
    tap 0 "the page in a browser # SKIP no chromium here"
fi

# --- no bug, and not complete ---
"$RADDLE" run -q --junit ok.xml --tap ok.tap --sarif ok.sarif --html ok.html ./safe >/dev/null
check "safe: JUnit passes" xml ok.xml "t.find('testsuite').get('failures') == t.find('testsuite').get('skipped') == '0'"
check "safe: TAP passes" grep -q '^ok 1 - [^#]*$' ok.tap
check "safe: SARIF without results" valid ok.sarif "j['runs'][0]['results'] == []"
check_output 'no second thread ran' "a program of one thread is told so" "$RADDLE" run ./safe
check "safe: a page" grep -q 'class="safe">safe' ok.html
"$RADDLE" run -q -n 1 --engine random --junit cut.xml --tap cut.tap ./safe >/dev/null
check "incomplete is skipped, not passed" xml cut.xml "t.find('testsuite').get('skipped') == '1'"
check "incomplete in TAP too" grep -q '# SKIP incomplete' cut.tap

# --- hostile text ---
evil=$(printf 'a<script>alert(1)<\033[31m\xff\xe2\x80\xae"&\x27')
mkdir "$evil" && cat >"$evil/p.c" <<'C'
#include <assert.h>
#include <raddle.h>
#include <stdio.h>
int main(void)
{
    raddle_note("</script><img src=x>\033]0;title\007 \xff \xe2\x80\xae``` | % : ,");
    printf("<b>\033[1m%s\n", "\xf0\x28\x8c\x28]]>");
    fflush(stdout);
    assert(!"</pre><script>x</script>");
}
C
"$RADDLE" cc -g -o "$evil/p" "$evil/p.c" 2>err
tap $? "a hostile name compiles" "$(cat err)"
"$RADDLE" run $all --github "$evil/p" >out 2>err
[ $? -eq 1 ]
tap $? "and is reported" "$(head -5 err)"
check "hostile text: SARIF" python3 "$here/sarif_check.py" r.sarif
check "hostile text: JUnit" xml r.xml "t.find('.//failure') is not None"
for f in r.sarif r.xml r.quality r.perfetto r.html r.json; do
    python3 - "$f" <<'P'
import sys
text = open(sys.argv[1], "rb").read().decode("utf-8")
assert not any(ord(c) < 32 and c not in "\n\t" for c in text), "control characters"
assert "\u202e" not in text
if sys.argv[1] in ("r.html", "r.xml"):
    assert "<img" not in text and "<script>x" not in text and "<script>alert" not in text
P
    tap $? "hostile text: $f is harmless"
done
! grep -q "$(printf '\033')" r.md
tap $? "hostile text: Markdown has no escapes"

# --- size ---
cat >long.c <<'C'
#include <assert.h>
#include <pthread.h>
static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
static int turns;
static void *work(void *unused)
{
    for (int i = 0; i < 1250; i++) {
        pthread_mutex_lock(&m);
        turns++;
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
    assert(turns != 2500);
}
C
"$RADDLE" cc -g -o long long.c -pthread || exit 1
"$RADDLE" run -q --no-shrink -n 1 --engine random --html long.html ./long >/dev/null
[ "$(grep -c '^<tr id=' long.html)" -gt 5000 ] && [ "$(stat -c %s long.html)" -lt 1000000 ]
tap $? "the page of 5,000 steps is smaller than 1 MB" "$(stat -c %s long.html)"
finish
