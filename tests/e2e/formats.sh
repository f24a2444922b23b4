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
check "…and the classes made from its official schema" "$here/sarif_om_check.py" r.sarif
sed 's/"ruleIndex"/"ruleindex"/' r.sarif >wrong.sarif
check_status 1 "…which notices a wrong name" "$here/sarif_om_check.py" wrong.sarif
sed 's/"level":"error"/"level":"fatal"/' r.sarif >wrong.sarif
check_status 1 "…and the check notices what does not" python3 "$here/sarif_check.py" wrong.sarif
check "SARIF has the finding, its line and its threads" valid r.sarif \
    "(lambda f: f['ruleId'] == 'deadlock' and f['locations'][0]['physicalLocation'] == {'artifactLocation':
    {'uri': 'pool.c'}, 'region': {'startLine': 34}} and len(f['codeFlows'][0]['threadFlows']) == 3)(j['runs'][0]['results'][0])"
check "JUnit: a failure" xml r.xml "t.find('testsuite').get('failures') == '1' and t.find('.//failure') is not None"
check "TAP: not ok" grep -q '^not ok 1 - ' r.tap
check "code quality" valid r.quality "j[0]['location'] == {'path': 'pool.c', 'lines': {'begin': 34}}"
check "Perfetto: a track for each thread, arrows in pairs" valid r.perfetto "(lambda e:
    sum(x['name'] == 'thread_name' for x in e) == 3 and
    [x['id'] for x in e if x['ph'] == 's'] == [x['id'] for x in e if x['ph'] == 'f'] != [])(j['traceEvents'])"
check "an annotation for GitHub" grep -q '^::error file=pool.c,line=34,title=raddle%3A deadlock::' out
check "a summary for GitHub" grep -q '^### raddle: bug' summary.md
check "Markdown" grep -q 'pool.c:34' r.md
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
check "steps can be linked to" grep -q '<tr id=s1-5[ >]' r.html
check "the diagram is there without scripts" grep -q 'class="dots s2" d="M' r.html

# --- JSON: the schema, and lines ---
schema() { python3 "$here/schema_check.py" "$TOP/docs/report.schema.json" "$@"; }
check "JSON follows its schema" schema r.json
"$RADDLE" run -q -k -n 500 --engine icb --coverage c.csv --json full.json --lcov full.info ./pool >/dev/null
check "…with everything that a search can tell" schema full.json
check "growth, pace, lines and pairs are in it" valid full.json \
    "len(j['growth']) > 10 and len(j['pace']) > 1 and len(j['lines']) > 20 and len(j['pairs']) > 5"
sed 's/"verdict":"bug"/"verdict":"fine"/' r.json >wrong.json
check_status 1 "…and the check notices what is wrong" schema wrong.json
cat >dead.c <<'C'
#include <pthread.h>
#include <stdlib.h>
static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
int x, y;
static void *work(void *p)
{
    pthread_mutex_lock(&m);
    x++;
    pthread_mutex_unlock(&m);
    return p;
}
int main(int argc, char **argv)
{
    pthread_t t;
    pthread_create(&t, 0, work, 0);
    if (argc > 7)
        y = atoi(argv[1]);
    work(0);
    pthread_join(t, 0);
}
C
for compiler in clang gcc; do
    RADDLE_CC=$compiler "$RADDLE" cc -g -o dead dead.c -pthread && "$RADDLE" run -q --lcov dead.info ./dead >/dev/null
    check "lcov ($compiler): a line that was reached" grep -qE '^DA:8,[1-9]' dead.info
    check "…a lock" grep -qE '^DA:7,[1-9]' dead.info
    check "…and one that was not" grep -qx 'DA:17,0' dead.info
    check "…and lines without shared memory are left out" sh -c '! grep -qE "^DA:(10|16)," dead.info'
done
"$RADDLE" run -q -j 2 --lcov dead2.info ./dead >/dev/null
cmp -s <(cut -d, -f1 dead.info) <(cut -d, -f1 dead2.info)
tap $? "lines of several workers are put together" "$(diff dead.info dead2.info)"

# --- JUnit of every command with a verdict ---
"$RADDLE" replay -q --junit replay.xml "$folder" >/dev/null
check "replay: the bug appears again" xml replay.xml "t.find('.//failure').get('message').startswith('reproduced')"
"$RADDLE" model -q --junit model.xml --html model.html "$TOP/examples/reports/forks.efsm" >/dev/null
check "model: a deadlock" xml model.xml "t.find('.//failure').get('message').startswith('bug: deadlock')"
check "…and its page with the graph" grep -q '<svg class="graph"' model.html
"$RADDLE" model -q --junit model.xml "$TOP/examples/models/figure-2-1.efsm" >/dev/null
check "model: safe" xml model.xml "t.find('testsuite').get('failures') == t.find('testsuite').get('skipped') == '0'"
"$RADDLE" cc -g -o philosophers "$TOP/examples/philosophers/philosophers.c" || exit 1
"$RADDLE" run -q -k --engine reach --save-sequences sequences ./philosophers 2 >/dev/null
one=$(ls sequences/* | head -n 1)
"$RADDLE" check-sequence --junit sequence.xml "$one" ./philosophers 2 >/dev/null
check "check-sequence: feasible" xml sequence.xml "t.find('testsuite').get('failures') == '0'"
sed '$s/.*/2 sem-wait forks[7]/' "$one" >impossible
"$RADDLE" check-sequence --junit - impossible ./philosophers 2 >sequence.xml
check "check-sequence: infeasible" xml sequence.xml "t.find('.//failure').get('message').startswith('infeasible')"
printf 'a: 1, 2\nb: 1, 2\n' >m.pict && printf 'a\tb\n1\t1\n' >few.txt
"$RADDLE" pairs --check --junit pairs.xml m.pict few.txt >/dev/null
check "pairs --check: not all are covered" xml pairs.xml "t.find('.//failure') is not None"
cp "$TOP/examples/inputs/queue.c" "$TOP/examples/inputs/queue.pict" . && "$RADDLE" cc -g -o queue queue.c -pthread
"$RADDLE" run -q --inputs queue.pict --junit inputs.xml ./queue >/dev/null
check "run --inputs: a test per row" xml inputs.xml "int(t.find('testsuite').get('tests')) > 2"

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
evil=$(printf 'a<script>alert(1)<\033[31m\xff\xe2\x80\xae"&\x27\n::error::x\nok 7 - y')
mkdir "$evil" && cat >"$evil/p.c" <<'C'
#include <assert.h>
#include <raddle.h>
#include <stdio.h>
int main(void)
{
    raddle_note("</script><img src=x>\033]0;title\007 \xff \xe2\x80\xae``` | %% : ,\n::error::x\nok 9 - x\nDA:1,1");
    printf("<b>\033[1m%s\n", "\xf0\x28\x8c\x28]]>");
    fflush(stdout);
    assert(!"</pre><script>x</script>");
}
C
"$RADDLE" cc -g -o "$evil/p" "$evil/p.c" 2>err
tap $? "a hostile name compiles" "$(cat err)"
"$RADDLE" run $all --lcov r.lcov --github "$evil/p" >out 2>err
[ $? -eq 1 ]
tap $? "and is reported" "$(head -5 err)"
check "hostile text: SARIF" python3 "$here/sarif_check.py" r.sarif
check "hostile text: SARIF, the classes" "$here/sarif_om_check.py" r.sarif
check "hostile text: JUnit" xml r.xml "t.find('.//failure') is not None"
for f in r.sarif r.xml r.quality r.perfetto r.html r.json r.md r.tap; do
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
[ "$(grep -nE '^#{1,6} |^`{3,}' r.md | cut -d: -f1 | tr '\n' ' ')" = "1 3 $(wc -l <r.md) " ]
tap $? "hostile text: in Markdown all of it stands in one block of code" "$(cat -v r.md)"
[ "$(grep -cE '^(ok|not ok) ' r.tap)" = 1 ] && [ "$(grep -c '^::' out)" = 1 ] && [ "$(grep -c '^SF:' r.lcov)" = 1 ] &&
    ! grep -vqE '^(TN|SF|FN|FNDA|FNF|FNH|BRDA|BRF|BRH|DA|LF|LH):|^end_of_record$' r.lcov
tap $? "hostile text: no line of it is taken for one of TAP, of GitHub's or of lcov" "$(cat -v r.tap out r.lcov)"
grep -v '^::' out | LC_ALL=C.UTF-8 grep -vqP '^[^\x00-\x08\x0b-\x1f\x{202e}]*$'
[ $? -eq 1 ]
tap $? "hostile text: nothing in the text reaches the terminal as it is" "$(cat -v out)"

# Every kind of finding is in the schema.
check "the schema knows every kind of finding" python3 -c "
import json, re
kinds = re.findall(r'^FINDING\(\w+, \"(\w+)\"', open('$TOP/src/trace/finding.def').read(), re.M)
known = json.load(open('$TOP/docs/report.schema.json'))['properties']['findings']['items']['properties']['kind']['enum']
raise SystemExit(sorted(kinds) != sorted(known))"
finish
