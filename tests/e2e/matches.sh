#!/usr/bin/env bash
# event.match: every operation that had to wait names the event that let it go on. Two programs wait in all ways for another
# thread; the recordings of their executions are read here from their format (trace/story.h), not by raddle. Which
# operations can wait is read off their rows in src/object, so one that is new has to be here too.
. "$(dirname "$0")/../lib.sh"
cd "$SCRATCH" || exit 1
cat >prog.c <<'C'
#include <assert.h>
#include <fcntl.h>
#include <linux/futex.h>
#include <mqueue.h>
#include <pthread.h>
#include <semaphore.h>
#include <stdatomic.h>
#include <sys/syscall.h>
#include <unistd.h>

static sem_t turn, ready;
static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER, cm = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t c = PTHREAD_COND_INITIALIZER;
static pthread_rwlock_t rw = PTHREAD_RWLOCK_INITIALIZER, rw2 = PTHREAD_RWLOCK_INITIALIZER;
static pthread_barrier_t b;
static int fds[2], done;
static atomic_int word, flag;
static mqd_t empty, full;

#define AFTER(what) (sem_wait(&turn), (void)(what))

static void *other(void *arg)
{
    char byte = 0;
    pthread_mutex_lock(&m);
    pthread_rwlock_wrlock(&rw);
    pthread_rwlock_rdlock(&rw2);
    sem_post(&ready);
    AFTER(pthread_mutex_unlock(&m));
    AFTER(pthread_rwlock_unlock(&rw));
    AFTER(pthread_rwlock_unlock(&rw2));
    AFTER(mq_send(empty, &byte, 1, 0));
    AFTER(mq_receive(full, &byte, 1, NULL));
    sem_wait(&turn);
    pthread_mutex_lock(&cm);
    done = 1;
    pthread_cond_signal(&c);
    pthread_mutex_unlock(&cm);
    AFTER(pthread_barrier_wait(&b));
    AFTER(write(fds[1], &byte, 1) == 1);
    AFTER(syscall(SYS_futex, &word, FUTEX_WAKE, 1, NULL, NULL, 0));
    AFTER(atomic_store(&flag, 1));
    sem_wait(&turn);
    return arg;
}

static mqd_t queue(const char *name)
{
    struct mq_attr a = {.mq_maxmsg = 1, .mq_msgsize = 1};
    return mq_open(name, O_RDWR | O_CREAT, 0600, &a);
}

#define WAITING(what) (sem_post(&turn), (void)(what))

int main(void)
{
    pthread_t t;
    char byte = 0;
    sem_init(&turn, 0, 0);
    sem_init(&ready, 0, 0);
    pthread_barrier_init(&b, NULL, 2);
    assert(pipe(fds) == 0);
    empty = queue("/raddle_empty");
    full = queue("/raddle_full");
    mq_send(full, &byte, 1, 0);
    pthread_create(&t, NULL, other, NULL);
    sem_wait(&ready);
    WAITING(pthread_mutex_lock(&m));
    WAITING(pthread_rwlock_rdlock(&rw));
    WAITING(pthread_rwlock_wrlock(&rw2));
    WAITING(mq_receive(empty, &byte, 1, NULL));
    WAITING(mq_send(full, &byte, 1, 0));
    sem_post(&turn);
    pthread_mutex_lock(&cm);
    while (!done)
        pthread_cond_wait(&c, &cm);
    pthread_mutex_unlock(&cm);
    WAITING(pthread_barrier_wait(&b));
    WAITING(read(fds[0], &byte, 1) == 1);
    WAITING(syscall(SYS_futex, &word, FUTEX_WAIT, 0, NULL, NULL, 0));
    sem_post(&turn);
    while (!atomic_load(&flag))
        ;
    WAITING(pthread_join(t, NULL));
    assert(!"the end");
}
C
cat >more.c <<'C'
#define _GNU_SOURCE
#include <assert.h>
#include <fcntl.h>
#include <poll.h>
#include <pthread.h>
#include <raddle/sync.h>
#include <semaphore.h>
#include <signal.h>
#include <sys/epoll.h>
#include <unistd.h>

static sem_t turn, ready;
static raddle_binary down = RADDLE_BINARY(0), up = RADDLE_BINARY(1);
static raddle_monitor mon = RADDLE_MONITOR(RADDLE_SIGNAL_AND_CONTINUE);
static raddle_condition changed = RADDLE_CONDITION(&mon);
static raddle_port port = RADDLE_PORT(int, RADDLE_FIFO), small = RADDLE_BOUNDED_PORT(int, RADDLE_FIFO, 1);
static raddle_port rendezvous = RADDLE_PORT(int, RADDLE_FIFO);
static pthread_mutex_t cm = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t c = PTHREAD_COND_INITIALIZER;
static int fds[2], polled[2], taken[2], epoll;
static char page[4096];

#define AFTER(what) (sem_wait(&turn), (void)(what))

static void *other(void *arg)
{
    int message = 1;
    raddle_monitor_enter(&mon);
    sem_post(&ready);
    AFTER(raddle_binary_post(&down));
    AFTER(raddle_binary_wait(&up));
    AFTER(raddle_monitor_leave(&mon));
    sem_wait(&turn);
    raddle_monitor_enter(&mon);
    raddle_condition_signal(&changed);
    raddle_monitor_leave(&mon);
    AFTER(raddle_port_send(&port, &message));
    AFTER(raddle_port_receive(&small, &message));
    AFTER(raddle_port_receive(&rendezvous, &message));
    AFTER(read(fds[0], page, sizeof page));
    AFTER(write(polled[1], page, 1));
    AFTER(write(taken[1], page, 1));
    AFTER(pthread_kill(*(pthread_t *)arg, SIGUSR1));
    AFTER(pthread_cancel(*(pthread_t *)arg));
    return NULL;
}

#define WAITING(what) (sem_post(&turn), (void)(what))

static void ends(void *arg)
{
    assert(!"the end");
}

static void *waits(void *arg)
{
    int message = 0, got;
    sigset_t set;
    struct pollfd p = {.fd = polled[0], .events = POLLIN};
    struct epoll_event e = {.events = EPOLLIN | EPOLLONESHOT};
    epoll_ctl(epoll, EPOLL_CTL_ADD, taken[0], &e);
    sigemptyset(&set);
    sigaddset(&set, SIGUSR1);
    sem_wait(&ready);
    WAITING(raddle_binary_wait(&down));
    WAITING(raddle_binary_post(&up));
    WAITING(raddle_monitor_enter(&mon));
    WAITING(raddle_condition_wait(&changed));
    raddle_monitor_leave(&mon);
    WAITING(raddle_port_receive(&port, &message));
    raddle_port_send(&small, &message);
    WAITING(raddle_port_send(&small, &message));
    WAITING(raddle_port_call(&rendezvous, &message));
    WAITING(write(fds[1], page, sizeof page));
    WAITING(poll(&p, 1, -1));
    WAITING(epoll_wait(epoll, &e, 1, -1));
    WAITING(sigwait(&set, &got));
    pthread_mutex_lock(&cm);
    sem_post(&turn);
    pthread_cleanup_push(ends, NULL);
    while (!message || !got || arg || p.fd)
        pthread_cond_wait(&c, &cm);
    pthread_cleanup_pop(1);
    return arg;
}

int main(void)
{
    static pthread_t t, u;
    sigset_t set;
    sigemptyset(&set);
    sigaddset(&set, SIGUSR1);
    pthread_sigmask(SIG_BLOCK, &set, NULL);
    sem_init(&turn, 0, 0);
    sem_init(&ready, 0, 0);
    assert(pipe(fds) == 0 && pipe(polled) == 0 && pipe(taken) == 0 && (epoll = epoll_create1(0)) >= 0);
    fcntl(fds[1], F_SETPIPE_SZ, 4096);
    assert(write(fds[1], page, sizeof page) == sizeof page);
    pthread_create(&t, NULL, waits, NULL);
    pthread_create(&u, NULL, other, &t);
    pthread_join(t, NULL);
    pthread_join(u, NULL);
}
C
cat >places.c <<'C'
#include <assert.h>
#include <pthread.h>
#include <raddle/sync.h>

static raddle_port small = RADDLE_BOUNDED_PORT(int, RADDLE_FIFO, 1);

static void *receives(void *arg)
{
    int message;
    raddle_port_receive(&small, &message);
    return arg;
}

int main(void)
{
    pthread_t t;
    int message = 0;
    pthread_create(&t, NULL, receives, NULL);
    raddle_port_send(&small, &message);
    raddle_port_send(&small, &message);
    assert(!"the end");
}
C
cat >read.py <<'P'
import glob, os, re, struct, sys
kinds = re.findall(r"^EVENT\((\w+)", open(sys.argv[1]).read(), re.M)


def read(story):
    data = open(story, "rb").read()
    at, events = 16, []
    while at + 8 <= len(data):
        tag, size = struct.unpack_from("<II", data, at)
        at += 8
        if tag == 2:
            kind, flags, thread, index, obj, _, match = struct.unpack_from("<BBHIQII", data, at)
            if not flags & 1 and kinds[kind] != "ALLOC":  # plain accesses are not in the trace
                events.append((kinds[kind], thread, obj, match, flags))
        at += size
    return events


lets = {  # who waited, and what may have let him go on; the same object?
    "LOCK": ("UNLOCK", True), "SEM_WAIT": ("SEM_POST", True), "RDLOCK": ("RW_UNLOCK", True),
    "WRLOCK": ("RW_UNLOCK", True), "QUEUE_RECEIVE": ("QUEUE_SEND", True),
    "QUEUE_SEND": ("QUEUE_RECEIVE", True), "COND_WAKE": ("COND_SIGNAL UNLOCK COND_WAIT", False),
    "BARRIER_LEAVE": ("BARRIER", True), "IO_READ": ("IO_WRITE", True), "IO_WRITE": ("IO_READ", True),
    "IO_POLL": ("IO_WRITE", False), "IO_TAKE": ("IO_WRITE", False), "FUTEX_RESUME": ("FUTEX_WAKE", True), "LOAD": ("STORE", True),
    "AWAIT": ("STORE", False), "JOIN": ("EXIT", False), "START": ("CREATE", False),
    "BINARY_WAIT": ("BINARY_POST", True), "BINARY_POST": ("BINARY_WAIT", True),
    "MONITOR_ENTER": ("MONITOR_EXIT", True), "MONITOR_RESUME": ("MONITOR_SIGNAL", True),
    "PORT_RECEIVE": ("PORT_SEND", True), "PORT_TAKEN": ("PORT_RECEIVE", False),
    "PORT_PLACE": ("PORT_FREE", True),
    "SIGNAL_WAIT": ("SIGNAL_SEND", True), "COND_TIMEOUT": ("CANCEL", False)}
# Announced only, or performed at once: they become, or follow, one of the others.
never_waits = {"PORT_SELECT": "PORT_RECEIVE", "COND_CANCEL": "CANCEL", "CHOOSE": "a choice", "MET": "MEET"}
waited, wrong = set(), 0
for story in sys.argv[2:]:
    events = read(story)
    for i, (kind, thread, obj, match, flags) in enumerate(events):
        if not match:
            continue
        by, same = lets.get(kind, ("", True))
        who = events[match - 1]
        if match - 1 >= i or who[1] == thread or who[0] not in by.split() or (same and who[2] != obj):
            print("event %d, %s of thread %d, names event %d: %s" % (i, kind, thread, match - 1, who))
            wrong += 1
        waited.add(kind)
if waited & {"LOAD", "AWAIT"}: # a waiting loop
    waited |= {"LOAD", "AWAIT"}
rows = "".join(open(f).read() for f in glob.glob(os.path.dirname(sys.argv[1]) + "/../object/*.c"))
waiting = {m[1] for m in re.finditer(r"const struct operation op_(\w+) = {(.*?)};", rows, re.S)
           if re.search("OP_BLOCKS|OP_RETRIES|OP_QUEUED|OP_WOKEN|FOLLOWS_|TOUCH_SET", m[2])}
missing = (set(lets) | waiting) - set(never_waits) - waited
print("waited: " + " ".join(sorted(waited)))
if missing:
    print("did not wait or name nobody: " + " ".join(sorted(missing)))
sys.exit(wrong > 0 or len(missing) > 0 or len(waiting) < 15)
P
"$RADDLE" cc -O1 -g -w -o prog prog.c -lrt || exit 1
check_status 1 "the program comes to its end" "$RADDLE" run -q --engine dfs --out out ./prog
"$RADDLE" cc -O1 -g -w -o more more.c || exit 1
check_status 1 "so does the one that waits in other ways" "$RADDLE" run -q --engine dfs --out more.out ./more
"$RADDLE" cc -O1 -g -w -o places places.c || exit 1
check_status 1 "and the one that waits for a place" "$RADDLE" run -q --engine dfs --out places.out ./places
check "every operation that waited names what let it go on, and all that can wait did" \
    python3 read.py "$TOP/src/trace/event.def" out/story more.out/story places.out/story
finish
