/* objects.h — what the emitted programs share: the objects, the registers that hold what a thread
 * has observed, and short names for calls that do not return their result. */
#define _GNU_SOURCE
#include <errno.h>
#include <fcntl.h>
#include <linux/futex.h>
#include <mqueue.h>
#include <poll.h>
#include <pthread.h>
#include <raddle.h>
#include <raddle/sync.h>
#include <sched.h>
#include <semaphore.h>
#include <stdatomic.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <sys/eventfd.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

enum { THREADS = 5, REGISTERS = 16, UNSET = -77 };

/* Small objects lie side by side. */
static _Alignas(16) unsigned char A[16];
static pthread_mutex_t M[3];
static pthread_rwlock_t W[2];
static pthread_spinlock_t Q[2];
static sem_t S[2];
static pthread_cond_t C[2];
static pthread_barrier_t B[2];
static pthread_once_t O[2];
static pthread_key_t K[2];
static raddle_port P[2];
static raddle_monitor N;
static raddle_condition Z[2];
static raddle_semaphore Y[2];
static raddle_binary X[2];
static raddle_lock V[2] = {RADDLE_LOCK, RADDLE_LOCK};
static mqd_t U[2], U_[2]; /* the same queues; U_ does not block */
static int E[2][2], G[2];
static int *_Atomic H[2];
static volatile int L[2];
static pthread_t T[THREADS];
static long R[THREADS][REGISTERS];
static __thread int me;

typedef uint8_t u8;
typedef uint16_t u16;
typedef uint32_t u32;
typedef uint64_t u64;
#define ATOMIC(bits, at) ((_Atomic u##bits *)(A + at))
#define CAS(bits, p, old, new)                        \
    ({                                                \
        u##bits was = old;                            \
        atomic_compare_exchange_strong(p, &was, new); \
        was;                                          \
    })
#define CAS_LOOP(bits, p, more)                                        \
    ({                                                                 \
        u##bits was = *p;                                              \
        while (!atomic_compare_exchange_strong(p, &was, was + more)) { \
        }                                                              \
        was;                                                           \
    })
#define WAIT(how) WAIT_##how
#define WAIT_0 ((void)0)
#define WAIT_1 sched_yield()
#define WAIT_2 usleep(1)
#define WAIT_3 __builtin_ia32_pause()
/* Gives up after so many rounds: the round in which the value was seen, or -1. */
#define POLL(bits, p, value, rounds, how)  \
    ({                                     \
        long seen = -1;                    \
        for (int i = 0; i < rounds; i++) { \
            if (*p == (u##bits)value) {    \
                seen = i;                  \
                break;                     \
            }                              \
            WAIT(how);                     \
        }                                  \
        seen;                              \
    })

static inline __attribute__((always_inline)) const struct timespec *soon(void)
{
    static __thread struct timespec at;
    clock_gettime(CLOCK_REALTIME, &at);
    at.tv_sec += 1;
    return &at;
}

static inline __attribute__((always_inline)) long errno_of(int status)
{
    return status < 0 ? errno : status;
}

static inline __attribute__((always_inline)) long sem_count(sem_t *s)
{
    int value = 0;
    sem_getvalue(s, &value);
    return value;
}

static inline __attribute__((always_inline)) long join(pthread_t t)
{
    void *result = NULL;
    int error = pthread_join(t, &result);
    return error ? -error : (long)result;
}

static inline __attribute__((always_inline)) long tryjoin(pthread_t t)
{
    void *result = NULL;
    int error = pthread_tryjoin_np(t, &result);
    return error ? -error : (long)result;
}

static inline __attribute__((always_inline)) long timedjoin(pthread_t t)
{
    void *result = NULL;
    int error = pthread_timedjoin_np(t, &result, soon());
    return error ? -error : (long)result;
}

static inline void make_mutex(int i, int type)
{
    pthread_mutexattr_t how;
    pthread_mutexattr_init(&how);
    pthread_mutexattr_settype(&how, type == 1 || type == 4 ? PTHREAD_MUTEX_RECURSIVE
                                    : type == 2            ? PTHREAD_MUTEX_ERRORCHECK
                                                           : PTHREAD_MUTEX_NORMAL);
    if (type >= 3)
        pthread_mutexattr_setrobust(&how, PTHREAD_MUTEX_ROBUST);
    pthread_mutex_init(&M[i], &how);
}

static inline void make_rwlock(int i, int kind)
{
    pthread_rwlockattr_t how;
    pthread_rwlockattr_init(&how);
    pthread_rwlockattr_setkind_np(&how, kind ? PTHREAD_RWLOCK_PREFER_WRITER_NONRECURSIVE_NP
                                             : PTHREAD_RWLOCK_PREFER_READER_NP);
    pthread_rwlock_init(&W[i], &how);
}

static inline __attribute__((always_inline)) long receive(raddle_port *p)
{
    int message = -1;
    raddle_port_receive(p, &message);
    return message;
}

/* 100 times the number of the port, and the message; -1: none. */
static inline __attribute__((always_inline)) long selective(int ports, int how)
{
    int message[2] = {-1, -1}, port[2], count = 0;
    struct raddle_alternative alternative[2];
    for (int i = 0; i < 2; i++)
        if (ports >> i & 1) {
            alternative[count] = (struct raddle_alternative){1, &P[i], &message[i]};
            port[count++] = i;
        }
    int which = raddle_select(alternative, count,
                              how == 0   ? RADDLE_WAIT
                              : how == 1 ? RADDLE_ELSE
                                         : 1);
    return which < 0 ? which : 100 * port[which] + message[port[which]];
}

static inline __attribute__((always_inline)) long queue_send(mqd_t q, int value, int priority,
                                                             int timed)
{
    char text = value;
    int status =
        timed ? mq_timedsend(q, &text, 1, priority, soon()) : mq_send(q, &text, 1, priority);
    return status < 0 ? -errno : 0;
}

static inline __attribute__((always_inline)) long queue_receive(mqd_t q, int timed)
{
    char text[8];
    unsigned priority = 0;
    long n = timed ? mq_timedreceive(q, text, sizeof text, &priority, soon())
                   : mq_receive(q, text, sizeof text, &priority);
    return n < 0 ? -errno : text[0] * 10 + (long)priority;
}

static inline __attribute__((always_inline)) long queue_count(mqd_t q)
{
    struct mq_attr now;
    mq_getattr(q, &now);
    return now.mq_curmsgs;
}

static inline __attribute__((always_inline)) long read_byte(int fd)
{
    char byte = 0;
    long n = read(fd, &byte, 1);
    return n < 0 ? -errno : n == 0 ? -1 : byte;
}

static inline __attribute__((always_inline)) long read_event(int fd)
{
    u64 value = 0;
    return read(fd, &value, 8) < 0 ? -errno : (long)value;
}

static inline __attribute__((always_inline)) long poll_for(int fd, int how)
{
    struct pollfd entry = {fd, POLLIN, 0};
    return poll(&entry, 1, how == 0 ? -1 : how == 1 ? 0 : 1);
}

static inline __attribute__((always_inline)) long futex(int at, int what, int value,
                                                        const struct timespec *limit)
{
    long n = syscall(SYS_futex, A + at, what, value, limit, NULL, 0);
    return n < 0 ? -errno : n;
}

static inline __attribute__((always_inline)) long cell_taken(int *cell)
{
    long value = cell ? *cell : -1;
    free(cell);
    return value;
}

static inline __attribute__((always_inline)) long cell_put(int *_Atomic *slot, int value)
{
    int *cell = malloc(sizeof *cell);
    *cell = value;
    return cell_taken(atomic_exchange(slot, cell));
}

static inline __attribute__((always_inline)) long cell_take(int *_Atomic *slot)
{
    return cell_taken(atomic_exchange(slot, NULL));
}

static inline void call_function(void *function)
{
    ((void (*)(void))function)();
}

/* Order in the lowest two bits, then the capacity. */
static inline void make_port(int i, int how)
{
    raddle_port_init(&P[i], sizeof(int), how & 3, how >> 2);
}

static inline void make_monitor(int i, int signalling)
{
    raddle_monitor_init(&N, signalling);
    raddle_condition_init(&Z[0], &N);
    raddle_condition_init(&Z[1], &N);
    (void)i;
}

static inline void make_queue(int i, int capacity)
{
    struct mq_attr how = {.mq_maxmsg = capacity, .mq_msgsize = 8};
    const char *name = i ? "/oracle-1" : "/oracle-0";
    U[i] = mq_open(name, O_RDWR | O_CREAT, 0600, &how);
    U_[i] = mq_open(name, O_RDWR | O_NONBLOCK, 0, NULL);
}

static inline void make_pipe(int i, int nonblocking)
{
    if (pipe2(E[i], 0))
        abort();
    if (nonblocking)
        fcntl(E[i][0], F_SETFL, O_NONBLOCK);
}

/* 1: reads take one at a time; 2: reads do not wait. */
static inline void make_event(int i, int how)
{
    G[i] = eventfd(0, (how & 1 ? EFD_SEMAPHORE : 0) | (how & 2 ? EFD_NONBLOCK : 0));
}

static const char *forbidden; /* the outcome that must not be */

/* The outcome as one line: the registers in `used` (thread * REGISTERS + register), then the
 * memory. */
static char *put_number(char *at, long value)
{
    char digits[24], *d = digits + sizeof digits;
    unsigned long n = value < 0 ? -(unsigned long)value : (unsigned long)value;
    if (value == UNSET)
        return *at++ = ' ', *at++ = '.', at;
    do
        *--d = '0' + n % 10;
    while (n /= 10);
    if (value < 0)
        *--d = '-';
    *at++ = ' ';
    memcpy(at, d, digits + sizeof digits - d);
    return at + (digits + sizeof digits - d);
}

/* memory: 0 not, 1 nobody else writes it any more, 2 and nobody waited for the end of those who did. */
static void put_outcome(const unsigned char *used, int count, int memory)
{
    char line[1600], *at = line;
    *at++ = '@';
    if (!memory) {
        memcpy(at, "exit ", 5);
        at[5] = '0' + me;
        at += 6;
    }
    for (int i = 0; i < count; i++)
        at = put_number(at, R[used[i] / REGISTERS][used[i] % REGISTERS]);
    for (int i = 0; memory && i < 2; i++) {
        u64 word;
        if (memory == 2)
            word = *ATOMIC(64, 8 * i);
        else
            memcpy(&word, A + 8 * i, 8);
        at = put_number(at, (long)word);
    }
    *at = 0;
    raddle_assert(!forbidden || strcmp(line, forbidden));
    *at++ = '\n';
    pthread_setcancelstate(PTHREAD_CANCEL_DISABLE, NULL); /* write is a cancellation point */
    if (write(1, line, at - line) < 0)
        abort();
}

static void clear_registers(void)
{
    for (int i = 0; i < THREADS * REGISTERS; i++)
        R[0][i] = UNSET;
}
