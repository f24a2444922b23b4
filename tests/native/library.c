/* A random program over the constructs of raddle/sync.h and some of POSIX, chosen by the seed given as
 * argument. Every thread keeps a hash of all it learns; main prints them in the end, so the outcomes that
 * a search has seen are the set of lines that it lets through. */
#include <raddle.h>
#include <raddle/sync.h>

#include <pthread.h>
#include <stdatomic.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

enum { THREADS = 3, LENGTH = 4, PORTS = 3 };
enum kind { SEND, RECEIVE, SELECT, WAIT, POST, TRY, BINARY, LOCK, MONITOR, READER, WRITER, LOAD, STORE,
            CHOOSE, KINDS };

struct instr {
    int kind, object, mode, guard;
};

static struct instr code[THREADS][LENGTH];
static int length[THREADS];
static uint64_t h[THREADS];
static raddle_port port[PORTS];
static raddle_semaphore semaphore[2];
static raddle_binary binary;
static raddle_lock lock;
static raddle_monitor monitor;
static raddle_condition condition;
static pthread_rwlock_t rw = PTHREAD_RWLOCK_INITIALIZER;
static _Atomic uint64_t variable[2];
static uint64_t in_lock, in_monitor, in_rw;

static uint64_t mix(uint64_t a, uint64_t b)
{
    uint64_t x = a * 0x9e3779b97f4a7c15u ^ (b + 0x7f4a7c15u) * 0xbf58476d1ce4e5b9u;
    return x ^ x >> 29;
}

static uint64_t state;
static int below(int n)
{
    state = mix(state, 12345);
    return (int)((state >> 20) % (unsigned)n);
}

/* Ports 0 and 2 are thread 0's, port 1 is thread 1's. */
static void random_program(void)
{
    unsigned kinds = (unsigned)below(1 << KINDS) | 3;
    for (int t = 0; t < THREADS; t++) {
        length[t] = 2 + below(LENGTH - 1);
        for (int i = 0; i < length[t]; i++) {
            struct instr *in = &code[t][i];
            do
                in->kind = below(KINDS);
            while (!(kinds >> in->kind & 1) || (in->kind == RECEIVE && t > 1) ||
                   (in->kind == SELECT && t > 0));
            in->object = below(in->kind == SEND ? PORTS : 2);
            in->mode = below(6);
            in->guard = below(4) ? 0 : 1 + below(3);
        }
    }
    for (int i = 0; i < PORTS; i++)
        raddle_port_init(&port[i], sizeof(uint64_t), (enum raddle_order)below(3), below(4) ? 0 : 1);
    for (int i = 0; i < 2; i++)
        raddle_semaphore_init(&semaphore[i], (unsigned)below(2));
    raddle_binary_init(&binary, 1);
    raddle_lock_init(&lock);
    raddle_monitor_init(&monitor, below(2) ? RADDLE_SIGNAL_AND_CONTINUE : RADDLE_SIGNAL_AND_URGENT_WAIT);
    raddle_condition_init(&condition, &monitor);
}

static void use_ports(const struct instr *in, int t)
{
    uint64_t m = mix(h[t], (uint64_t)in->object), n = 0;
    struct raddle_alternative a[2] = {{in->mode != 1, &port[0], &m}, {in->mode != 2, &port[2], &n}};
    if (in->kind == SEND) {
        (in->mode ? raddle_port_send : raddle_port_call)(&port[in->object], &m);
        h[t] = mix(h[t], 1);
    } else if (in->kind == RECEIVE) {
        raddle_port_receive(&port[t ? 1 : 2 * in->object], &m);
        h[t] = mix(h[t], m);
    } else {
        int got = raddle_select(a, 2, in->mode == 3 ? RADDLE_ELSE : in->mode == 4 ? 10 : RADDLE_WAIT);
        h[t] = mix(h[t], got < 0 ? 2 : got ? n : m);
    }
}

static void use_monitor(const struct instr *in, int t)
{
    raddle_monitor_enter(&monitor);
    in_monitor = h[t] = mix(in_monitor, h[t]);
    if (in->mode == 5)
        raddle_semaphore_post(&semaphore[0]);
    if (in->mode == 4) {
        atomic_fetch_add(&variable[0], 1);
    } else if (in->mode < 2 && h[t] >> 9 & 1) {
        raddle_condition_wait(&condition);
        h[t] = mix(h[t], in_monitor);
    } else if (!raddle_condition_empty(&condition)) {
        raddle_condition_signal(&condition);
        h[t] = mix(h[t], 3);
    }
    raddle_monitor_leave(&monitor);
}

static void use_locks(const struct instr *in, int t)
{
    switch (in->kind) {
    case LOCK:
        raddle_lock_take(&lock);
        in_lock = h[t] = mix(in_lock, h[t]);
        raddle_lock_release(&lock);
        break;
    case READER:
        pthread_rwlock_rdlock(&rw);
        h[t] = mix(h[t], in_rw);
        pthread_rwlock_unlock(&rw);
        break;
    default:
        pthread_rwlock_wrlock(&rw);
        in_rw = h[t] = mix(in_rw, h[t]);
        pthread_rwlock_unlock(&rw);
    }
}

static void perform(const struct instr *in, int t)
{
    switch (in->kind) {
    case SEND:
    case RECEIVE:
    case SELECT:
        use_ports(in, t);
        break;
    case WAIT:
        raddle_semaphore_wait(&semaphore[in->object]);
        break;
    case POST:
        raddle_semaphore_post(&semaphore[in->object]);
        break;
    case TRY:
        h[t] = mix(h[t], (uint64_t)raddle_semaphore_try(&semaphore[in->object]));
        break;
    case BINARY:
        raddle_binary_wait(&binary);
        in_lock = h[t] = mix(in_lock, h[t]);
        raddle_binary_post(&binary);
        break;
    case MONITOR:
        use_monitor(in, t);
        break;
    case LOAD:
        h[t] = mix(h[t], atomic_load(&variable[in->object]));
        break;
    case STORE:
        atomic_store(&variable[in->object], h[t]);
        break;
    case CHOOSE:
        h[t] = mix(h[t], (uint64_t)raddle_choose(2));
        break;
    default:
        use_locks(in, t);
    }
}

static void *run(void *a)
{
    int t = (int)(intptr_t)a;
    h[t] = (uint64_t)t + 1;
    for (int i = 0; i < length[t]; i++)
        if (!code[t][i].guard || (int)(h[t] >> 13 & 3) >= code[t][i].guard)
            perform(&code[t][i], t);
    return a;
}

int main(int argc, char **argv)
{
    pthread_t thread[THREADS];
    state = argc > 1 ? strtoull(argv[1], NULL, 0) : 1;
    random_program();
    for (int t = 0; t < THREADS; t++)
        pthread_create(&thread[t], NULL, run, (void *)(intptr_t)t);
    for (int t = 0; t < THREADS; t++)
        pthread_join(thread[t], NULL);
    printf("outcome %llx %llx %llx\n", (unsigned long long)h[0], (unsigned long long)h[1],
           (unsigned long long)h[2]);
    return 0;
}
