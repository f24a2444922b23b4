/* Runs a random program of tests/sim as a real multithreaded program: every instruction becomes the
 * pthread call or atomic operation it stands for. Built with raddle cc and explored with dfs it must
 * have exactly as many executions as the simulator's own enumeration finds (tests/e2e/native.sh). */
#define _GNU_SOURCE
#include "sim.h"

#include <raddle.h>

#include <errno.h>
#include <pthread.h>
#include <semaphore.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

static struct sim_program p;
_Alignas(8) static unsigned char memory[SIM_MEMORY];
static union {
    pthread_mutex_t mutex;
    pthread_cond_t cond;
    sem_t sem;
    pthread_rwlock_t rw;
    pthread_barrier_t barrier;
} object[SIM_OBJECTS];
static pthread_t handle[SIM_THREADS];
static const struct timespec soon = {1, 0};

#define BY_SIZE(type, at) ((_Atomic type *)(memory + (at)))
#define ON_SIZE(size, action)                                                                      \
    switch (size) {                                                                                \
    case 1: { action(int8_t) break; }                                                              \
    case 2: { action(int16_t) break; }                                                             \
    case 4: { action(int32_t) break; }                                                             \
    default: { action(int64_t) break; }                                                            \
    }

static void access_memory(const struct sim_instr *i, int32_t *r)
{
    int64_t old = 0, given = (int64_t)i->imm + (i->op == SIM_STORE && i->a >= 0 ? r[i->a] : 0);
    int done = 0;
#define LOAD(T) old = __atomic_load_n((T *)(memory + i->at), __ATOMIC_SEQ_CST);
#define STORE(T) __atomic_store_n((T *)(memory + i->at), (T)given, __ATOMIC_SEQ_CST);
#define ADD(T) old = __atomic_fetch_add((T *)(memory + i->at), (T)i->imm, __ATOMIC_SEQ_CST);
#define CAS(T)                                                                                     \
    T expected = (T)i->imm;                                                                        \
    done = __atomic_compare_exchange_n((T *)(memory + i->at), &expected, (T)i->imm2, 0,            \
                                       __ATOMIC_SEQ_CST, __ATOMIC_SEQ_CST);
    switch (i->op) {
    case SIM_LOAD:
        ON_SIZE(i->size, LOAD)
        r[i->a] = (int32_t)old;
        break;
    case SIM_STORE:
        ON_SIZE(i->size, STORE)
        break;
    case SIM_ADD:
        ON_SIZE(i->size, ADD)
        r[i->a] = (int32_t)old;
        break;
    default:
        ON_SIZE(i->size, CAS)
        r[i->a] = done;
    }
}

static int timed_result(int status)
{
    return status == 0;
}

static int synchronize(const struct sim_instr *i, int value)
{
    switch (i->op) {
    case SIM_LOCK: return timed_result(pthread_mutex_lock(&object[i->imm].mutex));
    case SIM_TRYLOCK: return timed_result(pthread_mutex_trylock(&object[i->imm].mutex));
    case SIM_TIMEDLOCK: return timed_result(pthread_mutex_timedlock(&object[i->imm].mutex, &soon));
    case SIM_UNLOCK: return pthread_mutex_unlock(&object[i->imm].mutex);
    case SIM_WAIT: return pthread_cond_wait(&object[i->imm].cond, &object[i->imm2].mutex), 0;
    case SIM_TIMEDWAIT:
        return pthread_cond_timedwait(&object[i->imm].cond, &object[i->imm2].mutex, &soon) != 0;
    case SIM_SIGNAL: return pthread_cond_signal(&object[i->imm].cond);
    case SIM_BROADCAST: return pthread_cond_broadcast(&object[i->imm].cond);
    case SIM_SEM_WAIT: return timed_result(sem_wait(&object[i->imm].sem));
    case SIM_SEM_TRY: return timed_result(sem_trywait(&object[i->imm].sem));
    case SIM_SEM_TIMED: return timed_result(sem_timedwait(&object[i->imm].sem, &soon));
    case SIM_SEM_POST: return sem_post(&object[i->imm].sem);
    case SIM_SEM_VALUE: return sem_getvalue(&object[i->imm].sem, &value), value;
    case SIM_RDLOCK: return timed_result(pthread_rwlock_rdlock(&object[i->imm].rw));
    case SIM_TRYRD: return timed_result(pthread_rwlock_tryrdlock(&object[i->imm].rw));
    case SIM_WRLOCK: return timed_result(pthread_rwlock_wrlock(&object[i->imm].rw));
    case SIM_TRYWR: return timed_result(pthread_rwlock_trywrlock(&object[i->imm].rw));
    case SIM_RW_UNLOCK: return pthread_rwlock_unlock(&object[i->imm].rw);
    case SIM_BARRIER: return pthread_barrier_wait(&object[i->imm].barrier);
    default: abort();
    }
}

static void *run(void *arg)
{
    long t = (long)arg;
    int32_t r[SIM_REGS] = {0};
    for (int pc = 0;;) {
        const struct sim_instr *i = &p.code[t][pc++];
        switch (i->op) {
        case SIM_END: return NULL;
        case SIM_LOAD: case SIM_STORE: case SIM_ADD: case SIM_CAS: access_memory(i, r); break;
        case SIM_CREATE: pthread_create(&handle[i->imm], NULL, run, (void *)(long)i->imm); break;
        case SIM_JOIN: pthread_join(handle[i->imm], NULL); break;
        case SIM_CHOOSE: r[i->a] = raddle_choose(i->imm); break;
        case SIM_JEQ: pc = r[i->a] == i->imm ? i->imm2 : pc; break;
        case SIM_JNE: pc = r[i->a] != i->imm ? i->imm2 : pc; break;
        default: {
            int result = synchronize(i, 0);
            if (i->a >= 0)
                r[i->a] = result;
        }
        }
    }
}

int main(int argc, char **argv)
{
    FILE *f = fopen(argv[1], "rb"); /* not made here: compilers differ in the order of evaluation */
    if (!f || fread(&p, sizeof p, 1, f) != 1)
        return 3;
    fclose(f);
    for (int i = 0; i < SIM_MEMORY; i++)
        memory[i] = p.memory[i];
    for (int i = 0; i < 2; i++) {
        pthread_mutex_init(&object[i].mutex, NULL);
        pthread_cond_init(&object[2 + i].cond, NULL);
        sem_init(&object[4 + i].sem, 0, (unsigned)p.initial[4 + i]);
    }
    pthread_rwlock_init(&object[6].rw, NULL);
    pthread_barrier_init(&object[7].barrier, NULL, (unsigned)p.initial[7]);
    run((void *)0);
    return 0;
}
