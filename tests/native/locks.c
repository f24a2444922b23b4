/* locks [-s] [-u] OPERATIONS…: one thread for each word, main for the first. -s: the others are
 * declared to be interchangeable, -u: the ports to be uniform, and what is received is not looked at.
 * A digit chooses the object of the operations that follow: mutexes 0 and 1 are normal, 2 recursive,
 * 3 error-checking; there is a semaphore, a reader-writer lock, … of each number too. What an operation
 * returned is printed, with the number of its thread, when it has returned, so that what a deadlock
 * leaves undone is known as well; "begin" stands before each execution, "end" after it if it was no
 * deadlock.
 *   l t m u   lock, trylock, timedlock, unlock (a normal or recursive mutex: only if the thread has it)
 *   q Q n N   condition of the mutex: wait, timedwait (both only if it is locked once), signal, broadcast
 *   p y v g   semaphore (0 to begin with if even, 1 if odd): wait, trywait, post, getvalue
 *   a A b B z rwlock: read, try, write, try (all if the thread does not have it), unlock (if it has)
 *   r w i c   variable: read, write the thread's number, increment, compare-exchange 0 with the number
 *   R W       plain variable: read, write the thread's number
 *   s S e     port: send, call, receive (main only); a message has the number of its sender (0 with
 *             -s), of the port, and of what was sent before
 *   ?         the next operation only if the last one returned 0 */
#define _GNU_SOURCE
#include <pthread.h>
#include <raddle/sync.h>
#include <semaphore.h>
#include <stdatomic.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

static pthread_mutex_t mutex[4] = {
    PTHREAD_MUTEX_INITIALIZER,
    PTHREAD_MUTEX_INITIALIZER,
    PTHREAD_RECURSIVE_MUTEX_INITIALIZER_NP,
    PTHREAD_ERRORCHECK_MUTEX_INITIALIZER_NP,
};
static pthread_cond_t cond[4];
static sem_t sem[4];
static pthread_rwlock_t rw[4];
static atomic_int var[4];
static int plain[4];
static raddle_port port[4];
static int symmetric, uniform;
static char **words;

static void say(int t, int result)
{
    char line[16];
    (void)!write(1, line, (size_t)sprintf(line, "%d %d\n", t, result));
}

struct own {
    int held[4], shared[4];
};

static int use_mutex(char op, int k, struct own *own)
{
    static const struct timespec soon = {.tv_sec = 1};
    int s = op == 'l'   ? pthread_mutex_lock(&mutex[k])
            : op == 't' ? pthread_mutex_trylock(&mutex[k])
            : op == 'm' ? pthread_mutex_timedlock(&mutex[k], &soon)
            : k == 3 || own->held[k] ? pthread_mutex_unlock(&mutex[k])
                                     : -1;
    if (s == 0)
        own->held[k] += op == 'u' ? -1 : 1;
    return s;
}

static int use_condition(char op, int k, const struct own *own)
{
    static const struct timespec soon = {.tv_sec = 1};
    if (op == 'n')
        return pthread_cond_signal(&cond[k]);
    if (op == 'N')
        return pthread_cond_broadcast(&cond[k]);
    if (own->held[k] != 1)
        return -1;
    return op == 'q' ? pthread_cond_wait(&cond[k], &mutex[k])
                     : pthread_cond_timedwait(&cond[k], &mutex[k], &soon);
}

static int use_rwlock(char op, int k, struct own *own)
{
    if (op == 'z') {
        if (!own->shared[k])
            return -1;
        own->shared[k]--;
        return pthread_rwlock_unlock(&rw[k]);
    }
    if (own->shared[k])
        return -1;
    int s = op == 'a'   ? pthread_rwlock_rdlock(&rw[k])
            : op == 'A' ? pthread_rwlock_tryrdlock(&rw[k])
            : op == 'b' ? pthread_rwlock_wrlock(&rw[k])
                        : pthread_rwlock_trywrlock(&rw[k]);
    own->shared[k] += s == 0;
    return s;
}

static int use_port(char op, int k, int t, int *sent)
{
    int value = (symmetric ? 0 : 100 * t) + 10 * k + *sent;
    if (op == 'e') {
        raddle_port_receive(&port[k], &value);
        return uniform ? 0 : value;
    }
    ++*sent;
    (op == 's' ? raddle_port_send : raddle_port_call)(&port[k], &value);
    return 0;
}

static int use_other(char op, int k, int t)
{
    int value = 0;
    switch (op) {
    case 'p':
        return sem_wait(&sem[k]);
    case 'y':
        return sem_trywait(&sem[k]);
    case 'v':
        return sem_post(&sem[k]);
    case 'g':
        sem_getvalue(&sem[k], &value);
        return value;
    case 'r':
        return atomic_load(&var[k]);
    case 'w':
        atomic_store(&var[k], t + 1);
        return 0;
    case 'i':
        return atomic_fetch_add(&var[k], 1);
    case 'R':
        return plain[k];
    case 'W':
        plain[k] = t + 1;
        return 0;
    default:
        atomic_compare_exchange_strong(&var[k], &value, t + 1);
        return value;
    }
}

static void *work(void *arg)
{
    int t = (int)(long)arg, k = 0, last = 0, sent = 0;
    struct own own = {0};
    if (symmetric && t)
        raddle_symmetric(1);
    for (const char *p = words[t]; *p; p++) {
        if (*p >= '0' && *p <= '3') {
            k = *p - '0';
            continue;
        }
        if (*p == '?') {
            p += last != 0;
            continue;
        }
        last = strchr("ltmu", *p)    ? use_mutex(*p, k, &own)
               : strchr("qQnN", *p)  ? use_condition(*p, k, &own)
               : strchr("sSe", *p)   ? use_port(*p, k, t, &sent)
               : strchr("aAbBz", *p) ? use_rwlock(*p, k, &own)
                                     : use_other(*p, k, t);
        say(t, last);
    }
    return NULL;
}

int main(int argc, char **argv)
{
    pthread_t t[8];
    for (; argc > 1 && argv[1][0] == '-'; argv++, argc--)
        *(argv[1][1] == 's' ? &symmetric : &uniform) = 1;
    words = argv + 1;
    (void)!write(1, "begin\n", 6);
    for (int k = 0; k < 4; k++) {
        sem_init(&sem[k], 0, (unsigned)k & 1);
        pthread_rwlock_init(&rw[k], NULL);
        pthread_cond_init(&cond[k], NULL);
        raddle_port_init(&port[k], sizeof(int), RADDLE_FIFO, 0);
        if (uniform)
            raddle_port_uniform(&port[k]);
    }
    for (int i = 1; i < argc - 1; i++)
        pthread_create(&t[i], NULL, work, (void *)(long)i);
    work(NULL);
    for (int i = 1; i < argc - 1; i++)
        pthread_join(t[i], NULL);
    (void)!write(1, "end\n", 4);
    return 0;
}
