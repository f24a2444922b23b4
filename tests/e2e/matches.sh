#!/usr/bin/env bash
# event.match: every operation that had to wait names the event that let it go on. One program waits in all ways for another
# thread; the recording of its execution is read here from its format (trace/story.h), not by raddle.
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
cat >read.py <<'P'
import re, struct, sys
kinds = re.findall(r"^EVENT\((\w+)", open(sys.argv[1]).read(), re.M)
data = open(sys.argv[2], "rb").read()
at, events = 16, []
while at + 8 <= len(data):
    tag, size = struct.unpack_from("<II", data, at)
    at += 8
    if tag == 2:
        kind, flags, thread, index, obj, _, match = struct.unpack_from("<BBHIQII", data, at)
        if not flags & 1 and kinds[kind] != "ALLOC":  # plain accesses are not in the trace
            events.append((kinds[kind], thread, obj, match, flags))
    at += size
lets = {  # who waited, and what may have let him go on; the same object?
    "LOCK": ("UNLOCK", True), "SEM_WAIT": ("SEM_POST", True), "RDLOCK": ("RW_UNLOCK", True),
    "WRLOCK": ("RW_UNLOCK", True), "QUEUE_RECEIVE": ("QUEUE_SEND", True),
    "QUEUE_SEND": ("QUEUE_RECEIVE", True), "COND_WAKE": ("COND_SIGNAL UNLOCK COND_WAIT", False),
    "BARRIER_LEAVE": ("BARRIER", True), "IO_READ": ("IO_WRITE", True),
    "FUTEX_RESUME": ("FUTEX_WAKE", True), "LOAD": ("STORE", True), "AWAIT": ("STORE", False),
    "JOIN": ("EXIT", False), "START": ("CREATE", False)}
waited, wrong = set(), 0
for i, (kind, thread, obj, match, flags) in enumerate(events):
    if not match:
        continue
    by, same = lets.get(kind, ("", True))
    who = events[match - 1]
    if match - 1 >= i or who[1] == thread or who[0] not in by.split() or (same and who[2] != obj):
        print("event %d, %s of thread %d, names event %d: %s" % (i, kind, thread, match - 1, who))
        wrong += 1
    waited.add(kind)
missing = set(lets) - waited - {"LOAD", "AWAIT"}
if not waited & {"LOAD", "AWAIT"}:
    missing.add("a waiting loop")
print("waited: " + " ".join(sorted(waited)))
if missing:
    print("did not wait or name nobody: " + " ".join(sorted(missing)))
sys.exit(wrong > 0 or len(missing) > 0)
P
"$RADDLE" cc -O1 -g -w -o prog prog.c -lrt || exit 1
check_status 1 "the program comes to its end" "$RADDLE" run -q --engine dfs --out out ./prog
check "every operation that waited names what let it go on" \
    python3 read.py "$TOP/src/trace/event.def" out/story
finish
