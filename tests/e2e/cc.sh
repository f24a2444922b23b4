#!/usr/bin/env bash
# raddle cc on its own: every kind of command line a build may use, with clang and with gcc. What is
# built runs normally by itself, has the instrumentation, and loads raddle's runtime before libc.
. "$(dirname "$0")/../lib.sh"
cd "$SCRATCH" || exit 1
BIN=$(dirname "$RADDLE")
PATH=$BIN:$PATH

cat >part.c <<'EOF'
int shared;
void *add(void *arg)
{
    shared += *(int *)arg;
    return arg;
}
EOF
cat >main.c <<'EOF'
#include <pthread.h>
#include <stdio.h>
extern int shared;
void *add(void *arg);
int main(void)
{
    int n = 42;
    pthread_t t;
    pthread_create(&t, NULL, add, &n);
    pthread_join(t, NULL);
    printf("%d\n", shared);
    return 0;
}
EOF
cat >plus.cpp <<'EOF'
#include <atomic>
#include <iostream>
#include <stdexcept>
#include <thread>
std::atomic<int> n;
int main()
{
    std::thread t([] {
        try {
            throw std::runtime_error("x");
        } catch (const std::exception &) {
            n.fetch_add(42);
        }
    });
    t.join();
    std::cout << n << std::endl;
}
EOF
cat >host.c <<'EOF'
#include <dlfcn.h>
#include <pthread.h>
#include <stdio.h>
int shared; /* not the plug-in's */
int main(void)
{
    int n = 42;
    pthread_t t;
    void *plugin = dlopen("./plugin.so", RTLD_NOW | RTLD_LOCAL);
    void *(*add)(void *) = plugin ? (void *(*)(void *))dlsym(plugin, "add_own") : NULL;
    if (!add)
        return puts(dlerror()), 1;
    pthread_create(&t, NULL, add, &n);
    pthread_join(t, NULL);
    printf("%d\n", *(int *)dlsym(plugin, "own"));
    return shared;
}
EOF
cat >plugin.c <<'EOF'
int own;
static __thread int twice;
void *add_own(void *arg);
void *add_own(void *arg)
{
    twice += 2 * *(int *)arg;
    own += twice / 2;
    return arg;
}
EOF
cat >memory.c <<'EOF'
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>
struct big { char c[300]; };
struct big a, b;
void copy_small(char *p, const char *q) { memcpy(p, q, 24); }
void copy_large(char *p, const char *q) { memcpy(p, q, 640); }
void copy_move(char *p, const char *q) { memmove(p, q, 32); }
void clear_small(char *p) { memset(p, 0, 24); }
void copy_struct(void) { a = b; }
int same(const char *p, const char *q) { return !memcmp(p, q, 8); }
void fence(void) { atomic_thread_fence(memory_order_seq_cst); }
void pair(void) { free(malloc(10)); }
EOF

prints() { # prints WANT COMMAND…
    local want=$1
    shift
    [ "$("$@" 2>&1)" = "$want" ]
}
instrumented() { nm "$1" | grep -q 'U __tsan_write4'; }
# libraddle-rt.so is the first library of the program, and the sanitizer's own runtime is not in it.
has_runtime() {
    readelf -d "$1" | grep NEEDED | head -1 | grep -q libraddle-rt.so &&
        ! readelf -d "$1" | grep -q libtsan && ! nm "$1" | grep -q ' T __tsan_init'
}
has_lines() { readelf -S "$1" | grep -q debug_line; }
quiet() { # succeeds without a word on stdout or stderr
    local out
    out=$("$@" 2>&1) && [ -z "$out" ]
}
good_program() { has_runtime "$1" && has_lines "$1" && prints 42 "./$1"; }
in_function() { # in_function FUNCTION PATTERN: the disassembly calls it
    objdump -dr --no-show-raw-insn memory.o |
        awk -v f="<$1>:" '$2 == f { on = 1; next } /^$/ { on = 0 } on' | grep -qE "$2"
}

for compiler in clang gcc; do
    export RADDLE_CC=$compiler
    unset RADDLE_CXX
    rm -f ./*.o ./*.a ./*.so prog*
    W="-Wall -Wextra -Werror -O2"

    check "$compiler: several sources at once, without a warning" quiet raddle cc $W main.c part.c -o prog
    check "$compiler: …is a good program" good_program prog
    check "$compiler: compile-only, without a warning" quiet raddle cc $W -c part.c main.c
    check "$compiler: …is instrumented" instrumented part.o
    check "$compiler: …without calls at function entry" sh -c "! nm part.o | grep -q func_entry"
    check "$compiler: link-only, without a warning" quiet raddle-cc $W main.o part.o -o prog2
    check "$compiler: …is a good program" good_program prog2
    check "$compiler: source and object together" quiet raddle cc $W main.c part.o -o prog3
    check "$compiler: …is a good program" good_program prog3
    ar rcs libpart.a part.o
    check "$compiler: static library" quiet raddle cc $W main.o -L. -lpart -o prog4
    check "$compiler: …is a good program" good_program prog4
    check "$compiler: shared library" quiet raddle cc $W -shared -fPIC part.c -o libshare.so -Wl,-z,defs
    check "$compiler: …has the runtime" has_runtime libshare.so
    check "$compiler: program with it, --as-needed" quiet raddle cc $W -Wl,--as-needed main.c -L. \
        -lshare -Wl,-rpath,"$PWD" -o prog5
    check "$compiler: …is a good program" good_program prog5
    check "$compiler: plug-in with its own thread-local variable" quiet raddle cc $W -shared -fPIC plugin.c -o plugin.so
    check "$compiler: …and a program that loads it" quiet raddle cc $W host.c -o prog15
    check "$compiler: …is a good program" good_program prog15
    check "$compiler: C++" quiet raddle c++ $W plus.cpp -o prog6
    check "$compiler: …is a good program" good_program prog6
    check "$compiler: C++ in two steps" sh -c "raddle-c++ $W -c plus.cpp && raddle-c++ plus.o -o prog7"
    check "$compiler: …is a good program" good_program prog7
    check "$compiler: no PIE" sh -c "raddle cc $W -no-pie -fno-pie main.c part.c -o prog8"
    check "$compiler: …is a good program" good_program prog8
    check "$compiler: partial link gets no runtime" quiet raddle cc -r main.o part.o -o both.o
    check "$compiler: …and can be linked" quiet raddle cc both.o -o prog9
    check "$compiler: …to a good program" good_program prog9

    check "$compiler: from standard input" sh -c "cat part.c | raddle cc -x c - -x none main.o -o prog10"
    check "$compiler: …is a good program" good_program prog10
    check "$compiler: other suffix with -x" sh -c "cp part.c part.txt; raddle cc -x c part.txt -x none main.o -o prog11"
    check "$compiler: …is a good program" good_program prog11
    printf -- "-O2 'main.c'\n-o \"prog12\" -Wall" >args
    check "$compiler: response file" quiet raddle cc @args part.c
    check "$compiler: …is a good program" good_program prog12
    echo "-flto @args" >args2
    check_output "note: -flto left out" "$compiler: -flto in a response file is left out" raddle cc @args2 part.c
    check "$compiler: …and the rest is a good program" good_program prog12

    check_output "shared \+=" "$compiler: -E" raddle cc -E part.c
    check_output "__RADDLE__" "$compiler: -E -dM knows __RADDLE__" raddle cc -E -dM part.c
    check_output "__tsan_write4" "$compiler: -S" raddle cc -S part.c -o -
    check_output "part.o: part.c" "$compiler: -M" raddle cc -M part.c
    check "$compiler: -MD -MF" sh -c "raddle cc -c -MD -MF part.d part.c && grep -q part.c part.d"
    check_output "$compiler" "$compiler: --version" raddle cc --version
    check_output "ld" "$compiler: -print-prog-name=ld" raddle cc -print-prog-name=ld
    check_output "x86_64|aarch64" "$compiler: -dumpmachine" raddle cc -dumpmachine
    check_output "libraddle-rt|-lraddle-rt" "$compiler: -### shows the command" raddle cc -### main.c part.c
    check "$compiler: assembler" quiet raddle cc $W -c -x assembler /dev/null -o empty.o
    check "$compiler: precompiled header" sh -c "echo 'int x;' >pre.h && raddle cc $W pre.h && rm -f pre.h.*"

    check_status 3 "$compiler: -static is refused" raddle cc -static main.c part.c
    check_output "dynamically linked" "$compiler: …and why" raddle cc -static main.c part.c
    check_output "note: -fsanitize=address left out" "$compiler: other sanitizers are left out" \
        raddle cc -fsanitize=address -flto=auto main.c part.c -o prog13
    check "$compiler: …and the rest is a good program" good_program prog13
    check "$compiler: -s keeps the lines" sh -c "raddle cc -s main.c part.c -o prog14"
    check "$compiler: …is a good program" good_program prog14
    check_status 1 "$compiler: the compiler's status on an error" sh -c "echo 'int x' | raddle cc -x c -c -"
    check_status 1 "$compiler: …and when linking" raddle cc main.c

    check "$compiler: -Werror with an atomic fence, fortified" quiet raddle cc $W -D_FORTIFY_SOURCE=2 -c memory.c
    check "$compiler: a small memcpy is a call" in_function copy_small '\bmemcpy'
    check "$compiler: a large memcpy is a call" in_function copy_large '\bmemcpy'
    check "$compiler: memmove is a call" in_function copy_move '\bmem(move|cpy)'
    check "$compiler: memset is a call" in_function clear_small '\bmemset'
    check "$compiler: memcmp is a call" in_function same '\b(memcmp|bcmp)'
    check "$compiler: a struct copy is seen" in_function copy_struct 'memcpy|__tsan_write_range'
    check "$compiler: malloc/free pairs stay" in_function pair malloc
done

mkdir -p "odd, place/bin" "odd, place/lib/raddle" "odd, place/include"
cp "$RADDLE" "odd, place/bin/raddle"
cp "$TOP"/build/lib/{libraddle-rt.so,gcc.specs} "odd, place/lib/raddle/"
cp "$TOP/include/raddle.h" "odd, place/include/"
for compiler in clang gcc; do
    check "$compiler: raddle in a folder with a space and a comma" env RADDLE_CC=$compiler "odd, place/bin/raddle" cc main.c part.c -o odd
    check "$compiler: …makes a good program" good_program odd
    check_output "odd, place" "$compiler: …with that runtime" readelf -d odd
done

RADDLE_CC=clang "$RADDLE" cc -O2 -o atomic "$TOP/tests/cases/svcomp/atomic/prog.c" -pthread
check_output "^safe" "clang -O2 leaves functions that are atomic by their names" "$RADDLE" run --out o ./atomic

# A clang that no plugin was built for: members of local variables are instrumented all the same.
mkdir elsewhere
printf '#!/bin/sh\nexec clang "$@"\n' >elsewhere/clang
chmod +x elsewhere/clang
for compiler in clang "$PWD/elsewhere/clang"; do
    RADDLE_CC=$compiler raddle cc -g -o member "$TOP/tests/cases/race/local-member/prog.c"
    check_output "^bug: assertion failed" "$(basename "$(dirname "$compiler")")/clang: members of local variables" \
        raddle run -o member.out ./member
done

unset RADDLE_CC
mkdir onlygcc nothing
for tool in gcc g++ as ld sh; do ln -s "$(command -v $tool)" onlygcc/; done
check_output "gcc" "without clang gcc is used" env PATH="$PWD/onlygcc" "$RADDLE" cc --version
check_status 3 "no compiler at all" env PATH="$PWD/nothing" "$RADDLE" cc main.c
check_output "install clang or gcc" "…says what to do" env PATH="$PWD/nothing" "$RADDLE" cc main.c
check_status 3 "a compiler that is not there" env RADDLE_CC=nothere raddle cc main.c
check_status 64 "raddle as its own compiler" env RADDLE_CC=raddle-cc raddle cc main.c
check_status 3 "something that is no compiler" env RADDLE_CC=true raddle cc main.c
check_output "g\+\+" "RADDLE_CC=gcc makes g++ the C++ compiler" env RADDLE_CC=gcc raddle c++ --version
check "a compiler of a certain version" env RADDLE_CC="gcc-$(gcc -dumpversion)" raddle cc -c main.c
check_output "usage: raddle cc" "help" raddle cc --help
check_output "TH RADDLE-C\+\+" "man page" raddle c++ --help-man
# A link to ccache or the like, as Debian has them in a folder for the PATH, calls the clang behind it.
mkdir -p wrapped unknown
printf '#!/bin/sh\nexec /usr/bin/clang "$@"\n' >wrapped/some-cache
cp wrapped/some-cache unknown/clang
chmod +x wrapped/some-cache unknown/clang
ln -sf some-cache wrapped/clang
plugin() { raddle cc "-###" -c part.c 2>&1 | grep -o 'raddle-locals-[0-9]*' | head -1; }
check "a link that stands for the clang behind it: its plugin" \
    test -n "$(RADDLE_CC= plugin)" -a "$(PATH=$PWD/wrapped:$PATH RADDLE_CC= plugin)" = "$(RADDLE_CC= plugin)"
RADDLE_CC=$PWD/unknown/clang raddle cc -o unknown/prog main.c part.c
check_output "incomplete: .*no plugin for the clang" "a clang without a plugin: the verdict says so" \
    raddle run --engine dfs -o unknown/out unknown/prog
finish
