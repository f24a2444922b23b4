#!/usr/bin/env bash
# Inline assembly and assembly sources through raddle cc: wrapped or named, and the build goes on as usual.
. "$(dirname "$0")/../lib.sh"
cd "$SCRATCH" || exit 1

cat >inc.h <<'END'
static inline void inc(volatile int *p) { __asm__ __volatile__("lock; incl %0" : "+m"(*p)); }
END
cat >main.c <<'END'
#include "inc.h"
#include <pthread.h>
#include <assert.h>
int x;
void *work(void *a) { inc(&x); return a; }
int main(void)
{
    pthread_t t;
    pthread_create(&t, 0, work, 0);
    inc(&x);
    pthread_join(t, 0);
    assert(x == 2);
    return 0;
}
END
cat >add.S <<'END'
#define REG %rdi
        .globl add
add:    lock; incl (REG)
        ret
        .section .note.GNU-stack,"",@progbits
END
sed 's/REG/%rdi/; /define/d' add.S >plain.s
cat >uses.c <<'END'
void add(int *);
int x;
int main(void) { add(&x); return x != 1; }
END
cat >top.c <<'END'
void add(int *);
int x;
__asm__(".text\n.globl add\nadd: lock; incl (%rdi)\nret\n");
int main(void) { add(&x); return x != 1; }
END
cat >inc.cpp <<'END'
#include <thread>
#include <cassert>
#include "inc.h"
namespace n { template <class T> struct box { T v; void up() { asm volatile("lock; incl %0" : "+m"(v)); } }; }
n::box<int> b;
int main()
{
    std::thread t([] { b.up(); });
    b.up();
    t.join();
    assert(b.v == 2);
}
END
printf '%s\n' 'int main(void) { int x = 0; __asm__("lock; incl %0" : "+m"(x)); return y; }' >broken.c

no_folders() { [ -z "$(ls -d "$TMPDIR"/raddle-cc.* 2>/dev/null)" ]; }
export TMPDIR=$SCRATCH/tmp
mkdir "$TMPDIR"

for compiler in clang gcc; do
    export RADDLE_CC=$compiler
    unset RADDLE_CXX
    rm -f *.o *.d
    check "$compiler: a header's assembly is wrapped" "$RADDLE" cc -c -MMD main.c
    check_output "main.o: main.c inc.h" "$compiler: -MMD as ever" cat main.d
    check "$compiler: with other names" "$RADDLE" cc -c -MD -o "$SCRATCH/obj.o" main.c
    check_output "^.*obj.o: main.c" "$compiler: -MD -o" cat obj.d
    check "$compiler: linked" "$RADDLE" cc main.o -o main -pthread
    check_status 0 "$compiler: and explored" "$RADDLE" run --engine dfs ./main
    check_output "executions: 2|2 executions" "$compiler: both orders" "$RADDLE" run --engine dfs ./main
    check "$compiler: runs on its own" ./main
    check "$compiler: C++" "$RADDLE" c++ inc.cpp -o incpp
    check_status 0 "$compiler: C++ explored" "$RADDLE" run --engine dfs ./incpp
    for source in add.S plain.s; do
        check "$compiler: $source is built" "$RADDLE" cc uses.c $source -o uses
        check_status 2 "$compiler: $source makes it incomplete" "$RADDLE" run ./uses
        check_output "assembly.*${source%.*}\.[sS]|${source%.*}\.[sS].*assembly" "$compiler: $source is named" \
            "$RADDLE" run ./uses
    done
    check "$compiler: assembly outside of functions" "$RADDLE" cc top.c -o top
    check_output "top.c:3" "$compiler: is named with its line" "$RADDLE" run ./top
    check_output "broken.c:1:.*(undeclared|use of)" "$compiler: errors have their place" "$RADDLE" cc -c broken.c
    check_status 1 "$compiler: and their status" "$RADDLE" cc -c broken.c
    check "$compiler: standard input" sh -c "cat top.c | $RADDLE cc -x c - -o top2"
    check_output "assembly" "$compiler: is looked through too" "$RADDLE" run ./top2
    check_output "undeclared|use of" "$compiler: and read again" sh -c "cat broken.c | $RADDLE cc -x c -c - -o x.o"
    check "$compiler: nothing is left behind" no_folders
done
finish
