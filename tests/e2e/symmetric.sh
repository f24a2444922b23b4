#!/usr/bin/env bash
# Threads that are alike: what is found with one order of them is what is found with all.
. "$(dirname "$0")/../lib.sh"
count=80
[ -n "${RADDLE_LONG:-}" ] && count=2000
check "$count random programs with threads that are alike: findings as without --symmetry" \
    timeout 3000 python3 "$TOP/tests/native/symmetric.py" "$RADDLE" "$SCRATCH" "$count" "${RADDLE_SEED:-1}"

cat >"$SCRATCH/count.c" <<'END'
#include <pthread.h>
#include <semaphore.h>
pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
pthread_barrier_t b;
sem_t s;
int x;
static void *work(void *arg)
{
    pthread_mutex_lock(&m);
    x++;
    pthread_mutex_unlock(&m);
    return arg;
}
int main(void)
{
    pthread_t t[6];
#ifdef INIT
    pthread_barrier_init(&b, NULL, 2);
    sem_init(&s, 0, 1);
#endif
    for (int i = 0; i < 6; i++)
        pthread_create(&t[i], NULL, work, NULL);
    for (int i = 0; i < 6; i++)
        pthread_join(t[i], NULL);
    return x != 6;
}
END
"$RADDLE" cc -O1 -o "$SCRATCH/count" "$SCRATCH/count.c" -pthread || exit 1
executions() { "$RADDLE" run --count-only -q "$@" "$SCRATCH/count" | grep '^executions'; }
check_output '^executions 1$' "six threads count under a lock: one execution" executions --engine optimal
check_output '^executions 720$' "720 with --symmetry off" executions --engine optimal --symmetry off
"$RADDLE" cc -O1 -DINIT -o "$SCRATCH/init" "$SCRATCH/count.c" -pthread || exit 1
check_output '^executions 1$' "functions of libc that raddle looks up tell nobody apart" \
    "$RADDLE" run --count-only -q --engine optimal "$SCRATCH/init"
check_output '^executions 1$' "in two workers" executions --engine optimal -j 2
check_output 'threads that are alike' "the report says so" "$RADDLE" run --engine optimal --out "$SCRATCH/out" "$SCRATCH/count"
check_status 64 "--symmetry perhaps is refused" "$RADDLE" run --symmetry perhaps "$SCRATCH/count"
finish
