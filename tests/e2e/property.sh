#!/usr/bin/env bash
# --property: what is said, and what is wrong with an expression before anything runs.
. "$(dirname "$0")/../lib.sh"
cd "$SCRATCH" || exit 1
cat >prog.c <<'END'
#include <pthread.h>
#include <stdatomic.h>
struct { short a; unsigned char b[3]; } pair;
struct { unsigned low : 3, high : 5; } bits;
_Thread_local int own;
int twice(void) { static int n; return n++; }
int again(void) { static int n; return n++; }
atomic_int x;
atomic_uint u;
double d;
static void *worker(void *arg) { int local = 1; x = local; x = -1; u = 7; pair.b[2] = 200; own = 1; return arg; }
int main(void)
{
    pthread_t t;
    pthread_create(&t, 0, worker, 0);
    pthread_join(t, 0);
    return bits.low + own + twice() + again();
}
END
"$RADDLE" cc -g prog.c -o prog || exit 1
ask() { "$RADDLE" run --engine context "${@:2}" --property "$1" ./prog; }
wrong() { # wrong EXPRESSION WORDS COLUMN: it is refused with these words, and the mark is in that column
    check_output "$2" "$1: $2" ask "$1"
    check_status 64 "$1: before anything runs" ask "$1"
    check "$1: points at the place" test "$(ask "$1" 2>&1 | grep '^  *^$' | wc -c)" -eq "$3"
}
check_output 'property x == 2: no' "the answer no" ask 'x == 2'
check_output 'property x == -1 && u == 7: yes' "the answer yes" ask 'x == -1 && u == 7'
check_status 1 "which is a bug" ask 'x == -1 && u == 7'
check_status 0 "no is not" ask 'x == 2'
check_status 0 "unsigned as in C: -1 < u is never true" ask '-1 < u && u == 7'
check_status 1 "but of signed ones it is" ask 'x == -1 && x < 0'
check_status 1 "an unsigned char is promoted to int" ask 'pair.b[2] > 199 && pair.b[2] - 201 < 0'
check_status 1 "a negative constant divides as in C" ask 'x == -1 && (x - 6) / -2 == 3 && (x - 6) % -2 == -1'
cat >several.c <<'END'
#include <pthread.h>
int x, racy;
static void *worker(void *arg) { racy = 1; x = 1; racy = 2; x = 2; return arg; }
int main(void)
{
    pthread_t t;
    pthread_create(&t, 0, worker, 0);
    racy = 3;
    if (racy == 1)
        x = 7;
    pthread_join(t, 0);
    return 0;
}
END
"$RADDLE" cc -g several.c -o several || exit 1
several() { "$RADDLE" run --engine "$1" --keep-going --property 'x == 2' --property 'x == 3' --property 'x == 7' ./several; }
cat >twice.c <<'END'
#include <pthread.h>
volatile int v = -5, w;
static void *one(void *arg) { v = w - 1; v = 200; v = w; return arg; }
static void *two(void *arg) { if (v == 1) w = 100; v = v + 5; return arg; }
static void *three(void *arg) { v = v + 5; v = -3; return arg; }
int main(void)
{
    pthread_t t;
    pthread_create(&t, 0, one, 0);
    pthread_create(&t, 0, two, 0);
    pthread_create(&t, 0, three, 0);
    pthread_exit(0);
}
END
"$RADDLE" cc -g twice.c -o twice || exit 1
check_output '~v >= v: no' "a variable that occurs twice has one value" \
    "$RADDLE" run --engine context --keep-going --time 10s --property '2 * v + ~v >= v' ./twice
for engine in context unfold dfs; do
    check_output 'property x == 2: yes' "$engine: of several one holds" several $engine
    check_output 'property x == 3: no' "$engine: another one does not, though there are findings" several $engine
    check_output 'property x == 7: yes' "$engine: what follows from a race is seen" several $engine
done
check_output 'property deadlock: no' "deadlocks are asked for anyway" ask deadlock
check_output 'property x == 2: unknown, ' "a search that stops has no answer" ask 'x == 2' -n 1 --engine random
printf '# two\nx == 2\nx == 3 # three\n' >list
check_output 'property x == 3 : no' "from a file" "$RADDLE" run --property-file list ./prog
check_status 64 "no such file" "$RADDLE" run --property-file nolist ./prog
check_status 64 "an empty one" ask ''
check_status 64 "one of two is empty" ask 'x == 2' --property ''
wrong 'q > 1' 'no global variable of this name' 6
wrong 'local > 1' 'local variable' 6
wrong 'x > 1 && pair' 'a structure or an array' 15
wrong 'pair.b[3] > 1' 'no such member or element' 12
wrong 'pair.b[] > 1' 'no such member or element' 12
wrong 'x > 1 && pair.c' 'no such member or element' 19
wrong 'bits.high == 9' 'this is a bit-field' 6
wrong 'n > 1' 'several variables have this name' 6
wrong 'd > 1' 'floating-point' 6
wrong 'x + > 2' 'no operand' 10
wrong 'x + 2)' 'does not belong' 11
wrong 'x / u' 'only a constant' 8
wrong 'worker:prog.c:99' 'no code of this line' 13
wrong 'nobody:prog.c:9' 'no function of this name' 6

# The unfolding as a picture.
cat >dot_check.py <<'END'
import re, sys
text = open(sys.argv[1]).read()
nodes = set(re.findall(r"^  (\w+) \[shape=", text, re.M))
arcs = re.findall(r"^  (\w+) -> (\w+)( \[style=dashed, dir=none\])?", text, re.M)
assert text.startswith("digraph") and text.endswith("}\n"), "not a graph"
assert nodes and arcs and all(a in nodes and b in nodes for a, b, _ in arcs), "an arc to nowhere"
events = {n for n in nodes if n[0] == "e"}
for e in events:  # it takes the state of its thread; performed ones put a new one
    assert any(b == e and not dashed for a, b, dashed in arcs), e
    assert any(a == e for a, b, _ in arcs) or re.search(e + r" \[.*style=dotted", text), e
print(len(events), "events", sum(bool(d) for _, _, d in arcs), "read", text.count(" more"), "cut",
      len(set(re.findall(r'shape=box, color="(#\w+)"', text))), "colours",
      len(re.findall(r"shape=box.*style=dotted", text)), "open")
END
drawn() { "$RADDLE" run -q --engine "$@" >out 2>err; python3 dot_check.py u.dot; }
cp "$TOP/tests/cases/unfold/fib/prog.c" fib.c && "$RADDLE" cc -g -DLIMIT=56 fib.c -o fib || exit 1
check_output '^[1-9] events' "the unfolding of one worker" drawn context --dot u.dot ./prog
check_output '^400 events' "of a large one the beginning" drawn context --dot u.dot ./fib
check "…which is said" grep -q 'events: u.dot has the first 400' err
check_output ' [1-9][0-9]* read [1-9][0-9]* cut 3 colours' "reads are dashed, cuts marked, threads coloured" \
    drawn context --dot u.dot ./fib
check_output ' [1-9][0-9]* open' "what was not performed is dotted" drawn context -n 1 --dot u.dot ./fib
check_status 64 "an engine that has none" "$RADDLE" run --engine optimal --dot u.dot ./prog
"$RADDLE" run -q --engine context --out kept --html u.html ./prog >/dev/null
check "on the page too" grep -q '<svg class="graph net"' u.html
"$RADDLE" report --html later.html kept
check "also later" grep -q '<svg class="graph net"' later.html
"$RADDLE" run -q --engine context --html u.html ./fib >/dev/null
check "a large one is not" grep -q 'too many for a picture' u.html

# A net that lacks an event is never "safe": one in so many conditions is not offered to those who stand before it.
for engine in context unfold; do
    for missing in 30 50 200; do
        "$RADDLE" run -q --engine $engine --set overlook=$missing ./fib >out
        check "$engine, one in $missing overlooked: incomplete" \
            grep -q '^incomplete: .* the unfolding lacks an event that is possible' out
    done
done
# Nor is a search whose executions do not come where they were led.
if grep -qw rdrand /proc/cpuinfo; then
    cat >toss.c <<'C'
#include <pthread.h>
#include <stdatomic.h>
atomic_int x, y;
static void *f(void *arg)
{
    unsigned long coin;
    for (int i = 0; i < 3; i++) {
        x++;
        __asm__ volatile("rdrand %0" : "=r"(coin) : : "cc");
        if (coin & 1)
            x++;
        else
            y++;
    }
    return arg;
}
int main(void)
{
    pthread_t t;
    pthread_create(&t, NULL, f, NULL);
    pthread_create(&t, NULL, f, NULL);
    pthread_exit(NULL);
}
C
    "$RADDLE" cc toss.c -o toss -pthread || exit 1
    for engine in context unfold; do
        "$RADDLE" run -q --engine $engine ./toss >out
        check "$engine of a program that tosses coins" \
            grep -qE 'lacks an event|was not performed where it should|not known to the engine|does not behave the same' out
    done
fi

# The first use of thread-local storage repeats the execution; by then there are more scheduling points.
cp "$TOP/examples/reports/property.c" . && "$RADDLE" cc -g property.c -o property || exit 1
"$RADDLE" run --engine context --property 'audit:property.c:31 && from + to != 100' ./property >out
check "the example holds" grep -q 'from + to != 100: yes' out
check_status 1 "it is no divergence" grep -q 'first difference' out
finish
