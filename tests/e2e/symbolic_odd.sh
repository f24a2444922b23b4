#!/usr/bin/env bash
# raddle cc --symbolic on what expressions cannot follow and on odd ways to build: the program builds, and where an input
# leads to a bug the verdict is bug or incomplete, never safe.
. "$(dirname "$0")/../lib.sh"
cd "$SCRATCH" || exit 1

# never_safe NAME FLAGS…: the function `static int odd(int x)` on standard input, which gives 1 for one value of 0 … 99
never_safe() {
    local name=$1 status=0
    shift
    { printf '#include <raddle.h>\n#include <stdio.h>\n#include <string.h>\n'; cat; cat <<'END'; } >odd.c
int main(void)
{
    int x = raddle_input_int("x", 0, 99);
    raddle_assert(!odd(x));
    return 0;
}
END
    check "$name builds" "$RADDLE" cc --symbolic -g -w -o odd "$@" odd.c -pthread -lm
    "$RADDLE" run -q --out out ./odd >verdict 2>&1 || status=$?
    tap "$(test "$status" = 1 -o "$status" = 2; echo $?)" "$name: bug or incomplete ($(head -1 verdict))"
    rm -f odd
}

never_safe "floating point" <<'END'
static int odd(int x) { double d = x * 0.5; return d > 21.2 && d < 21.7; }
END
never_safe "long double" <<'END'
static int odd(int x) { long double d = x; return d * d == 1764.0L; }
END
never_safe "a 128-bit integer" <<'END'
static int odd(int x) { __int128 w = (__int128)x << 70; return w >> 70 == 42; }
END
never_safe "vectors" <<'END'
typedef int four __attribute__((vector_size(16)));
static int odd(int x) { four v = {x, x + 1, x + 2, x + 3}; v = v * v; return v[2] == 44 * 44; }
END
never_safe "inline assembly" <<'END'
static int odd(int x) { int y; __asm__("leal 1(%1), %0" : "=r"(y) : "r"(x)); return y == 43; }
END
never_safe "inline assembly that reads memory" <<'END'
static int odd(int x) { int m = x, y; __asm__("movl (%1), %0" : "=r"(y) : "r"(&m) : "memory"); return y == 42; }
END
never_safe "an intrinsic of the processor that reads memory" <<'END'
#include <immintrin.h>
__attribute__((target("avx2"))) static int odd(int x)
{
    int a[8] = {0, 0, 0, x};
    return _mm256_extract_epi32(_mm256_maskload_epi32(a, _mm256_set1_epi32(-1)), 3) == 42;
}
END
never_safe "a computed goto" <<'END'
static int odd(int x)
{
    static void *const to[] = {&&no, &&yes};
    goto *to[x == 42];
no:
    return 0;
yes:
    return 1;
}
END
never_safe "a pointer to a function that an input chooses" <<'END'
static int no(int x) { return 0; }
static int yes(int x) { return x == 42; }
static int odd(int x) { int (*const f[])(int) = {no, yes}; return f[x > 40](x); }
END
never_safe "arguments behind ..." <<'END'
#include <stdarg.h>
static int pick(int n, ...) { va_list l; va_start(l, n); int v = 0; while (n--) v = va_arg(l, int); va_end(l); return v; }
static int odd(int x) { return pick(3, 1, 2, x) == 42; }
END
never_safe "setjmp" <<'END'
#include <setjmp.h>
static jmp_buf back;
static int odd(int x) { volatile int v = x; if (setjmp(back)) return 1; if (v == 42) longjmp(back, 1); return 0; }
END
never_safe "structures by value" <<'END'
struct two { int a; short b; }; struct large { int a[9]; };
static struct two make(int x) { return (struct two){x, 3}; }
static int last(struct large l) { return l.a[8]; }
static int odd(int x) { struct large l = {{0}}; l.a[8] = make(x).a; return last(l) == 42; }
END
never_safe "bit-fields, unions, variable arrays" <<'END'
union both { unsigned w; struct { unsigned low : 3, mid : 5, rest : 24; } f; };
static int odd(int x) { char a[x + 1]; union both b = {.w = (unsigned)x}; a[x] = (char)b.f.mid; return a[x] == 5 && b.f.low == 2; }
END
never_safe "counting bits" <<'END'
static int odd(int x) { return __builtin_popcount((unsigned)x) == 3 && __builtin_clz((unsigned)x | 1) == 26 && __builtin_ctz((unsigned)x) == 1; }
END
never_safe "a rotation" <<'END'
static int odd(int x) { unsigned u = (unsigned)x; u = u << 5 | u >> 27; return u == 42u << 5; }
END
never_safe "a conversion of libc that is not followed" <<'END'
#include <stdlib.h>
static int odd(int x) { char t[16]; snprintf(t, sizeof t, "%d.5", x); return strtod(t, NULL) == 42.5; }
END
never_safe "a large product that overflows in a builtin" <<'END'
static int odd(int x) { long r; return __builtin_mul_overflow((long)x, 1L << 57, &r) && x == 64; }
END
never_safe "an atomic of 16 bytes and _Complex" <<'END'
static int odd(int x) { _Complex double c = x; double d = __real__ c; return d == 42; }
END

# Ways to build.
cat >plain.c <<'END'
#include <raddle.h>
int main(void) { int x = raddle_input_int("x", 0, 999); raddle_assert(x * x != 961); return 0; }
END
for flags in -O0 -O1 -O2 -O3 -Os -Ofast "-O2 -flto" "-O2 -flto=thin" "-O2 -march=x86-64-v3" "-fPIE -pie" \
    "-static-pie" "-std=c99" "-O2 -fvisibility=hidden" "-g3 -gdwarf-4" "-fno-plt" "-O2 -ffast-math" "-m64"; do
    # shellcheck disable=SC2086
    "$RADDLE" cc --symbolic -w $flags -o plain plain.c >build.log 2>&1
    if [ "$flags" = -static-pie ]; then # raddle's runtime is a shared library
        tap "$(test -s build.log; echo $?)" "$flags: a message ($(head -1 build.log))"
    else
        check_output "x = 31 " "$flags: the bug is found" "$RADDLE" run --out out ./plain
    fi
    rm -f plain
done
printf 'int half(int x) { return x / 2; }\n' >half.c
printf '#include <raddle.h>\nint half(int x);\nint main(void) { raddle_assert(half(raddle_input_int("x", 0, 99)) != 21); return 0; }\n' >whole.c
"$RADDLE" cc --symbolic -w -flto -O2 -c half.c whole.c && "$RADDLE" cc --symbolic -flto -O2 -o whole half.o whole.o
check_output "x = 42 " "-flto, in steps" "$RADDLE" run --out out ./whole
"$RADDLE" cc --symbolic -w -c half.c whole.c && ar rcs libhalf.a half.o && "$RADDLE" cc -o whole whole.o libhalf.a
check_output "x = 42 " "an archive" "$RADDLE" run --out out ./whole
printf 'int broken(' >broken.c
check_status 1 "what does not compile fails as ever" "$RADDLE" cc --symbolic -c broken.c
mkdir empty
check_output "clang-.* is needed, and is not there" "without clang: what is missing, and what to install" \
    env PATH="$SCRATCH/empty" "$RADDLE" cc --symbolic -c plain.c
check_output "install the packages clang-" "…by name" env PATH="$SCRATCH/empty" "$RADDLE" cc --symbolic -c plain.c

cat >throw.cc <<'END'
#include <raddle.h>
#include <pthread.h>
#include <memory>
#include <stdexcept>
#include <string>
#include <thread>
#include <vector>
struct guard { int *p; ~guard() { --*p; } };
static int deep(int x, int depth, int *live)
{
    guard g{live};
    ++*live;
    if (depth == 0 && x == 77)
        throw std::out_of_range("x");
    return depth ? deep(x, depth - 1, live) : x;
}
int main()
{
    int x = raddle_input_int("x", 0, 200), live = 0, caught = 0;
    std::thread t([&] {
        try {
            deep(x, 3, &live);
        } catch (const std::out_of_range &) {
            caught = 1;
        }
    });
    t.join();
    raddle_assert(live == 0);
    raddle_assert(!caught);
    std::vector<int> v(3, x);
    return v[1] < 0;
}
END
for level in -O0 -O2; do
    check "C++ with exceptions through frames with destructors builds ($level)" "$RADDLE" c++ --symbolic $level -g -o throw throw.cc -pthread
    check_output "x = 77 " "…and what throws is found" "$RADDLE" run --out out ./throw
done
finish
