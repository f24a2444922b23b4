#!/usr/bin/env bash
# raddle.h without raddle: compiled and linked by the plain compilers, as C and as C++, it needs no
# library, gives no warning, and each call has its plain meaning. It has the same meaning in a program
# that is built by raddle cc and run on its own.
. "$(dirname "$0")/../lib.sh"
cd "$SCRATCH" || exit 1
cat >calls.c <<'EOF'
#include <raddle.h>
#include <string.h>
int main(int argc, char **argv)
{
    const char *what = argc > 1 ? argv[1] : "";
    raddle_note("called with %s", what);
    raddle_yield();
    raddle_assert(raddle_choose(3) == 0);
    raddle_assume(argc < 100);
    if (!strcmp(what, "assert"))
        raddle_assert(argc == 7);
    printf("before ");
    if (!strcmp(what, "assume"))
        raddle_assume(argc == 7);
    printf("after\n");
    return 5;
}
EOF
cp calls.c calls.cpp
cat >half.c <<'EOF'
#include <raddle.h>
int half(void);
int half(void)
{
    raddle_assert(1);
    return 1;
}
EOF
W="-Wall -Wextra -Werror -pedantic -I$TOP/include"
for build in "gcc -std=c99" "gcc -std=c11 -O2" "clang -std=c99" "clang -O2 -no-pie" "gcc -no-pie" \
    "g++ -x c++ -std=c++11" "g++ -x c++ -std=c++20 -O2" "clang++ -x c++ -std=c++17" "gcc -static" "$RADDLE cc" "env RADDLE_CC=gcc $RADDLE c++ -x c++"; do
    # shellcheck disable=SC2086
    check "$build compiles" $build $W calls.c -o calls
    check_output '^before after$' "$build: runs through" ./calls
    check_status 5 "$build: ends normally" ./calls
    check_output "calls.c:11: (int )?main.*: [Aa]ssertion .argc == 7' failed" "$build: assert" ./calls assert
    check_status 134 "$build: assert aborts" ./calls assert
    check_output '^before $' "$build: assume ends there, output is kept" ./calls assume
    check_status 0 "$build: assume ends with 0" ./calls assume
done
check "unused functions give no warning" gcc $W -std=c99 -c half.c
check "…nor with clang -Weverything" clang -Weverything -Werror -Wno-declaration-after-statement \
    -Wno-used-but-marked-unused -I"$TOP/include" -c half.c
finish
