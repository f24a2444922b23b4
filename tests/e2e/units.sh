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

# Shared libraries: those with threads or atomics of their own are named, others and the system's are not.
cat >atomic.c <<'C'
#include <stdatomic.h>
static atomic_int x;
int bump(void) { return x++; }
C
cat >locked.c <<'C'
#include <pthread.h>
static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
static int x;
int bump(void) { pthread_mutex_lock(&m); int v = x++; pthread_mutex_unlock(&m); return v; }
C
cat >loads.c <<'C'
#include <dlfcn.h>
int bump(void)
{
    void *library = dlopen("./libpart.so", RTLD_NOW);
    int (*f)(void) = library ? (int (*)(void))dlsym(library, "bump") : 0;
    return f ? f() : 9;
}
C
built() { # built COMMAND… -o libpart.so SOURCE: main.c with that library
    "$@" -g -fPIC -shared || return 1
    "$RADDLE" cc -g -o prog main.c -L. -lpart -Wl,-rpath,"$PWD" -pthread
}
check "(a library without threads)" built gcc -o libpart.so other.c
check "a library without threads or atomics is not named" said 0 safe
check "(a library with atomics)" built gcc -O2 -o libpart.so atomic.c
check "a library with atomics is named" said 2 "not built with raddle cc.*: libpart.so$"
"$RADDLE" cc -g -o prog main.c loads.c -pthread
check "also if the program loads it" said 2 "loaded by dlopen.*: libpart.so$"
check "(a library with mutexes)" built gcc -o libpart.so locked.c
check "a library with mutexes is named" said 2 "not built with raddle cc.*: libpart.so$"
check "(the same with raddle cc)" built "$RADDLE" cc -o libpart.so locked.c
check "built with raddle cc it is not" said 0 safe
"$RADDLE" cc -g -o prog main.c other.c -pthread -lm -lz -latomic -lstdc++ -lgcc_s -ldl
check "neither are the libraries of the system" said 0 safe
for compiler in clang gcc; do
    export RADDLE_CC=$compiler
    $compiler -g -c other.c -o other.o
    "$RADDLE" cc -g -c main.c table.c && "$RADDLE" cc -o prog main.o table.o other.o -pthread
    check "$compiler: an object that is only linked in is named" said 2 "raddle cc.*: other.c$"
    "$RADDLE" cc -g -o prog main.c table.c other.c -pthread
    check "$compiler: otherwise nothing is" said 0 safe
done
finish
