#!/usr/bin/env bash
# What is known does not fail: suppressions, a baseline, memory that is declared to be raced for, volatile objects that
# are meant as atomics. What is new fails, and all that was left out is told.
. "$(dirname "$0")/../lib.sh"
cd "$SCRATCH" || exit 1

cat >bank.c <<'C'
#include <assert.h>
#include <pthread.h>
static pthread_mutex_t a = PTHREAD_MUTEX_INITIALIZER, b = PTHREAD_MUTEX_INITIALIZER;
static int hits, misses, total = 1;
static void count(int *what) { (*what)++; }
static void miss(void) { misses++; }
static void transfer(pthread_mutex_t *from, pthread_mutex_t *to)
{
    pthread_mutex_lock(from);
    pthread_mutex_lock(to);
    total++;
    pthread_mutex_unlock(to);
    pthread_mutex_unlock(from);
}
static void *there(void *unused)
{
    count(&hits);
#ifdef MISSES
    miss();
#endif
    transfer(&a, &b);
    return unused;
}
int main(void)
{
    pthread_t t;
    pthread_create(&t, 0, there, 0);
    count(&hits);
#ifdef MISSES
    miss();
#endif
    transfer(&b, &a);
    pthread_join(t, 0);
#ifdef ASSERTION
    assert(total == 1);
#endif
}
C
"$RADDLE" cc -g -o bank bank.c
run() { "$RADDLE" run --engine dfs -o "out/$((tries++))" "$@"; }
tries=0

# Suppressions.
mkdir here && cd here || exit 1
check_status 1 "without suppressions the deadlock fails" run ../bank
printf '# known for years\ndeadlock:transfer\nrace:hits\n' >raddle.supp
check_status 0 "raddle.supp: what it names does not fail" run ../bank
check_output "no new bug" "the verdict says that it is about new ones" run ../bank
check_output "known: deadlock: .*bank.c:10 \(raddle.supp:2\)" "known ones are told, with the rule" run ../bank
check_output "known: data race on hits.*\(raddle.supp:3\)" "… a race too" run ../bank
printf 'deadlock:^transfer$\n' >raddle.supp
check_output "^bug: data race on hits" "what it does not name fails" run ../bank
for rule in 'any:bank.c' 'any:^c*nt$' 'any:^there$' 'any:coun'; do
    printf '%s\n' "$rule" >only.supp
    check_output "known: data race on hits" "a file, a wildcard, a caller's name, a part of a name: $rule" run --suppressions only.supp ../bank
done
printf 'race:^it$\nany:fer^\n' >only.supp
check_output "^bug: deadlock" "^ and \$ are the two ends" run --suppressions only.supp ../bank
printf 'race:x\nraces:hits\n' >raddle.supp
check_status 64 "an unknown kind is refused" run ../bank
check_output "raddle.supp:2: 'races' is no kind.*" "with its line" run ../bank
check_output "KIND one of any crash heap" "and what there is" run ../bank
check_status 1 "another file instead" run --suppressions /dev/null ../bank
cd .. || exit 1

# A baseline.
check_status 64 "a baseline that is not there" run --baseline none.txt ./bank
check_output "save-baseline none.txt makes it" "… says how to make it" run --baseline none.txt ./bank
check_status 1 "--save-baseline" run -k --save-baseline base.txt ./bank
check "it is text for people" grep -qP '^deadlock\t.*\ttransfer: pthread_mutex_lock\(to\);' base.txt
check "one line for each finding" bash -c '[ "$(grep -vc ^# base.txt)" = 2 ]'
run -k --save-baseline base.txt ./bank >/dev/null 2>&1
check "saved again it stays" bash -c '[ "$(grep -vc ^# base.txt)" = 2 ]'
check_status 0 "--baseline: nothing new" run --baseline base.txt ./bank
{ printf '\n\n/* three lines more */\n'; cat bank.c; } >moved.c
sed -i 's/^static int hits/\n\nstatic int other_things, hits/' moved.c
"$RADDLE" cc -g -O1 -o moved moved.c
check_status 0 "lines that have moved, another build: nothing new" run --baseline base.txt ./moved
"$RADDLE" cc -g -DMISSES -o more bank.c
check_status 1 "a race more is new" run --baseline base.txt ./more
check_output "^bug: data race on misses" "and it is the one that is told" run --baseline base.txt ./more
"$RADDLE" cc -g -DASSERTION -o failing bank.c
check_output "^bug: assertion failed: total == 1" "a bug behind a known one is found" run --baseline base.txt ./failing
"$RADDLE" run --engine dfs -q -o out/json --baseline base.txt --json known.json ./bank >/dev/null 2>&1
check "JSON has them" python3 -c "import json; r=json.load(open('known.json')); assert len(r['known']) == 2 and not r['findings']"
check_output "known: data race on hits" "raddle report tells them again" "$RADDLE" report out/json
check_status 64 "--count-only looks at nothing" run --count-only --baseline base.txt ./bank
printf 'nonsense\n' >bad.txt
check_output "bad.txt:1: this is no line of a baseline" "a file that is none" run --baseline bad.txt ./bank
id() { "$RADDLE" run --engine dfs -k -q -o "out/id-$1" --sarif - "./$1" 2>/dev/null |
    python3 -c "import json,sys; print(sorted(r['partialFingerprints']['raddle/v1'] for r in json.load(sys.stdin)['runs'][0]['results']))"; }
[ "$(id bank)" = "$(id moved)" ]
tap $? "SARIF: fingerprints do not change with the lines" "$(id bank) $(id moved)"

# Annotations.
cat >benign.c <<'C'
#include <pthread.h>
#include <raddle.h>
#include <stdlib.h>
static int hits, other;
static struct counter { int reads, writes; } *c;
static void *thread(void *unused)
{
    hits++;
    c->reads++;
    if (MORE)
        other++;
    return unused;
}
int main(void)
{
    pthread_t t;
    c = calloc(1, sizeof *c);
    RADDLE_ASSUME_BENIGN(hits);
    raddle_benign(&c->reads, sizeof c->reads);
    pthread_create(&t, 0, thread, 0);
    thread(0);
    pthread_join(t, 0);
    if (CHECK)
        raddle_assert(hits == 2);
    free(c);
}
C
for more in 0 1; do for check in 0 1; do
    "$RADDLE" cc -g -DMORE=$more -DCHECK=$check -o "benign$more$check" benign.c
done; done
check_status 0 "RADDLE_ASSUME_BENIGN: such races are no findings" run ./benign00
check_output "benign.c:18: there are races for the memory that is declared benign here" "they are told" run ./benign00
check_output "^bug: data race on other" "another one is a finding" run ./benign10
check_output "^bug: assertion failed: hits == 2" "they are explored like all others" run ./benign01
gcc -g -DMORE=0 -DCHECK=0 -I"$TOP/include" -o plain benign.c -pthread
check "a plain compiler" ./plain
cat >old.cpp <<'C'
#include <thread>
extern "C" void AnnotateBenignRaceSized(const char *, int, const volatile void *, size_t, const char *);
int hits;
struct declares { declares() { AnnotateBenignRaceSized(__FILE__, __LINE__, &hits, sizeof hits, "statistics"); } } d;
int main()
{
    std::thread t([] { hits++; });
    hits++;
    t.join();
}
C
RADDLE_CC=g++ "$RADDLE" cc -g -o old old.cpp
check_status 0 "AnnotateBenignRaceSized in a constructor" run ./old

# Volatile.
cat >flag.c <<'C'
#include <assert.h>
#include <pthread.h>
static volatile int ready;
static int data;
static void *thread(void *unused)
{
    data = 42;
    ready = 1;
    return unused;
}
int main(void)
{
    pthread_t t;
    pthread_create(&t, 0, thread, 0);
    while (!ready)
        ;
    assert(data == EXPECTED);
    pthread_join(t, 0);
}
C
for compiler in gcc clang; do
    RADDLE_CC=$compiler "$RADDLE" cc -g -O1 -DEXPECTED=42 -o "flag-$compiler" flag.c
    check_output "^bug: data race on (ready|data)" "volatile is no synchronization ($compiler)" run "./flag-$compiler"
    check_output "^safe" "--volatile=atomic: it is ($compiler)" run --volatile=atomic "./flag-$compiler"
    check_output "^safe" "… with optimal ($compiler)" "$RADDLE" run --engine optimal -o "out/opt-$compiler" --volatile=atomic "./flag-$compiler"
done
"$RADDLE" cc -g -DEXPECTED=41 -o wrong flag.c
run --volatile=atomic -o out/wrong ./wrong >wrong.txt 2>&1
check_output "^bug: assertion failed" "bugs behind it are found" cat wrong.txt
check_status 1 "the schedule keeps the option: it replays" "$RADDLE" replay out/wrong
"$RADDLE" cc -g -DEXPECTED=42 -o both -x c - <<'C'
#include <pthread.h>
static volatile int x;
static int *plain = (int *)&x;
static void *thread(void *unused) { x = 1; return unused; }
int main(void) { pthread_t t; pthread_create(&t, 0, thread, 0); *plain = 2; pthread_join(t, 0); }
C
check_output "^bug: data race on x" "--volatile=atomic: the same memory through a pointer to plain data" run --volatile=atomic ./both
finish
