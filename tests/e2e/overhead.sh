#!/usr/bin/env bash
# What raddle costs where nothing is explored: starting a run, and instrumented code outside of one.
. "$(dirname "$0")/../lib.sh"
cd "$SCRATCH" || exit 1
cat >nothing.c <<'C'
int main(void) { return 0; }
C
cat >work.c <<'C'
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
/* A hash table, sorting and strings: reads and writes of the heap all over. */
static int compare(const void *a, const void *b) { return *(const int *)a - *(const int *)b; }
int main(void)
{
    enum { N = 200000 };
    int *a = malloc(N * sizeof *a), *table = calloc(N, sizeof *table);
    unsigned x = 1, sum = 0;
    for (int round = 0; round < 20; round++) {
        for (int i = 0; i < N; i++) {
            x = x * 1103515245 + 12345;
            a[i] = (int)(x >> 8);
            table[a[i] % N] += i;
        }
        qsort(a, N / 8, sizeof *a, compare);
        for (int i = 0; i < N; i++)
            sum += (unsigned)table[i] ^ (unsigned)a[i];
        char text[64];
        for (int i = 0; i < N / 20; i++) {
            snprintf(text, sizeof text, "%d", a[i]);
            sum += (unsigned)strlen(text);
        }
    }
    printf("%u\n", sum);
    free(a);
    free(table);
}
C
"$RADDLE" cc -O2 -o nothing nothing.c
"$RADDLE" cc -O2 -w -o with work.c
cc -O2 -w -o without work.c

# Milliseconds of the fastest of five runs: the machine may be busy.
fastest() {
    local best=1000000 t
    for _ in 1 2 3 4 5; do
        t=$(date +%s%N)
        "$@" >/dev/null 2>&1 </dev/null
        t=$((($(date +%s%N) - t) / 1000))
        [ $t -lt $best ] && best=$t
    done
    echo $best
}
start=$(fastest "$RADDLE" run -q --engine dfs --out out ./nothing)
[ "$start" -lt 50000 ]
tap $? "a run of an empty program takes less than 50 ms (${start} µs)" "$start µs"
check "the same result with and without" sh -c 'test "$(./with)" = "$(./without)"'
with=$(fastest ./with) without=$(fastest ./without)
[ "$with" -lt $((5 * without)) ]
tap $? "instrumented code outside of a run is at most 5 times slower ($with µs, plain $without µs)" "$with against $without"
finish
