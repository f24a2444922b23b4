#!/usr/bin/env bash
# --property: what is said, and what is wrong with an expression before anything runs.
. "$(dirname "$0")/../lib.sh"
cd "$SCRATCH" || exit 1
cat >prog.c <<'END'
#include <pthread.h>
#include <stdatomic.h>
struct { short a; unsigned char b[3]; } pair;
atomic_int x;
atomic_uint u;
double d;
static void *worker(void *arg) { int local = 1; x = local; x = -1; u = 7; pair.b[2] = 200; return arg; }
int main(void)
{
    pthread_t t;
    pthread_create(&t, 0, worker, 0);
    pthread_join(t, 0);
    return 0;
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
check_output 'property deadlock: no' "deadlocks are asked for anyway" ask deadlock
check_output 'property x == 2: unknown, ' "a search that stops has no answer" ask 'x == 2' -n 1 --engine random
printf '# two\nx == 2\nx == 3 # three\n' >list
check_output 'property x == 3 : no' "from a file" "$RADDLE" run --property-file list ./prog
check_status 64 "no such file" "$RADDLE" run --property-file nolist ./prog
wrong 'q > 1' 'no global variable of this name' 6
wrong 'local > 1' 'local variable' 6
wrong 'x > 1 && pair' 'a structure or an array' 15
wrong 'pair.b[3] > 1' 'no such member or element' 6
wrong 'd > 1' 'floating-point' 6
wrong 'x + > 2' 'no operand' 10
wrong 'x + 2)' 'does not belong' 11
wrong 'x / u' 'only a constant' 8
wrong 'worker:prog.c:99' 'no code of this line' 13
wrong 'nobody:prog.c:9' 'no function of this name' 6
finish
