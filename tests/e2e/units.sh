#!/usr/bin/env bash
# An object that was compiled without raddle cc and only linked with it is named: never "safe" by silence.
. "$(dirname "$0")/../lib.sh"
cd "$SCRATCH" || exit 1
cat >main.c <<'C'
#include <pthread.h>
int bump(void);
static void *work(void *arg) { bump(); return arg; }
int main(void)
{
    pthread_t t;
    pthread_create(&t, 0, work, 0);
    bump();
    pthread_join(t, 0);
    return 0;
}
C
echo 'static int x; int bump(void) { return x++; }' >other.c
echo 'const int table[] = {1, 2, 3};' >table.c

said() { # said STATUS WORDS CC: the verdict of the program
    local status=$1 words=$2
    "$RADDLE" run --quiet --races off --out out ./prog >said 2>&1
    [ $? -eq "$status" ] && grep -q "$words" said || { cat said; return 1; }
}
for compiler in clang gcc; do
    export RADDLE_CC=$compiler
    $compiler -g -c other.c -o other.o
    "$RADDLE" cc -g -c main.c table.c && "$RADDLE" cc -o prog main.o table.o other.o -pthread
    check "$compiler: an object that is only linked in is named" said 2 "raddle cc.*: other.c$"
    "$RADDLE" cc -g -o prog main.c table.c other.c -pthread
    check "$compiler: otherwise nothing is" said 0 safe
done
finish
