#!/usr/bin/env python3
"""endings.py RADDLE SCRATCH COUNT [SEED [signals]]: random programs whose threads wait on a condition, a semaphore or a pipe and are
asked to end meanwhile. An operation that is ended by a second object is another event, with another dependence: what partial-order
reduction makes of that is compared with dfs, both the traces and what each thread was told (the lines that the programs
print). Unfoldings have no traces: they find what threads are told and as many findings, in no more executions
than optimal. What dfs cannot finish in MOST executions is left out."""
import json, os, random, subprocess, sys

raddle, scratch, wanted = sys.argv[1], sys.argv[2], int(sys.argv[3])
seed = int(sys.argv[4]) if len(sys.argv) > 4 else 1
LONG = "RADDLE_LONG" in os.environ
ENGINES = ["optimal", "source", "dpor-cr"] + (["dpor", "dpor --sleep off"] if LONG else [])
UNFOLDINGS = ["context", "unfold"]
MOST = 60000 if LONG else 20000  # executions of dfs
PER_FILE = 20

HEAD = """#include <pthread.h>
#include <semaphore.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>
#include <unistd.h>

static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t c = PTHREAD_COND_INITIALIZER;
static sem_t s;
static int fd[2];
static char byte;
static pthread_rwlock_t rw = PTHREAD_RWLOCK_INITIALIZER;

static atomic_int v;
static pthread_t t[3];
static int told[4]; /* each thread's own */
static const struct timespec late = {2000000000, 0};

static void unlock(void *a)
{
    pthread_mutex_unlock(a);
}

static void unlock_and_post(void *a)
{
    pthread_mutex_unlock(a);
    sem_post(&s);
}

/* Which of the two it takes. */
static int takes(int in_time)
{
    sigset_t set;
    int sig = -1;
    sigemptyset(&set);
    sigaddset(&set, SIGUSR1);
    sigaddset(&set, SIGUSR2);
    if (in_time)
        sig = sigtimedwait(&set, 0, &(struct timespec){0, 1});
    else
        sigwait(&set, &sig);
    return sig < 0 ? 0 : sig == SIGUSR1 ? 1 : 2;
}

static int is_pending(void)
{
    sigset_t set;
    sigpending(&set);
    return sigismember(&set, SIGUSR1) + 2 * sigismember(&set, SIGUSR2);
}

static void block(void)
{
    sigset_t set;
    sigemptyset(&set);
    sigaddset(&set, SIGUSR1);
    sigaddset(&set, SIGUSR2);
    pthread_sigmask(SIG_BLOCK, &set, 0);
}

static void tell(int thread, int what)
{
    told[thread] = 10 * told[thread] + what;
}

static void join(int thread)
{
    void *result;
    pthread_join(t[thread], &result);
    tell(thread, result ? 2 : 1);
}
"""
WAITS = ["pthread_cond_wait(&c, &m)", "pthread_cond_wait(&c, &m)", "pthread_cond_timedwait(&c, &m, &late)"]
BLOCKS = ["tell(%d, 1 + !sem_wait(&s));", "tell(%d, 1 + !sem_timedwait(&s, &late));",
          "tell(%d, 1 + !sem_clockwait(&s, CLOCK_MONOTONIC, &late));", "tell(%d, 1 + (read(fd[0], &byte, 1) == 1));"]
OTHERS = ["pthread_mutex_lock(&m); pthread_mutex_unlock(&m);", "tell(%d, 1 + atomic_fetch_add(&v, 1));", "sem_post(&s);",
          "pthread_cond_signal(&c);", "pthread_cond_broadcast(&c);",
          "if (pthread_mutex_trylock(&m)) tell(%d, 1); else pthread_mutex_unlock(&m);", "tell(%d, 1 + v);",
          "pthread_testcancel();", "tell(%d, 1 + !sem_trywait(&s));", "pthread_setcancelstate(PTHREAD_CANCEL_DISABLE, 0);",
          "pthread_setcancelstate(PTHREAD_CANCEL_ENABLE, 0);", "write(fd[1], \"x\", 1);",
          "pthread_rwlock_rdlock(&rw); pthread_rwlock_unlock(&rw);",
          "pthread_rwlock_wrlock(&rw); pthread_rwlock_unlock(&rw);"]


if "signals" in sys.argv[5:]:
    BLOCKS += ["tell(%d, 1 + takes(0));", "tell(%d, 1 + takes(0));", "tell(%d, 1 + takes(1));"]
    OTHERS += ["pthread_kill(t[0], SIGUSR1);", "pthread_kill(t[0], SIGUSR2);", "kill(getpid(), SIGUSR1);",
               "tell(%d, 1 + is_pending());"] * 2


def own(text, thread):
    return text.replace("%d", str(thread))


def wait(rng, thread):
    if rng.random() < .35:
        return own(rng.choice(BLOCKS), thread)
    return own("pthread_mutex_lock(&m); pthread_cleanup_push(%s, &m); %s tell(%%d, 1 + !%s); pthread_cleanup_pop(1);" %
               (rng.choice(["unlock", "unlock_and_post"]), rng.choice(["", "tell(%d, 1 + atomic_fetch_add(&v, 1));"]),
                rng.choice(WAITS)), thread)


def statements(rng, thread, longest):
    """Of the first thread, and often of another, the last is a wait."""
    waits = thread == 0 or rng.random() < .3
    steps = [own(rng.choice(OTHERS), thread) for _ in range(rng.randint(not waits, longest - waits))]
    return steps + [wait(rng, thread)] * waits


def program(rng, number):
    threads = rng.choice([2, 2, 3]) if LONG else 2
    lines = []
    for i in range(threads):
        lines += ["static void *p%d_%d(void *a)" % (number, i), "{"]
        lines += ["    " + step for step in statements(rng, i, 2)]
        lines += ["    return 0;", "}"]
    lines += ["static void p%d(void)" % number, "{", "    pipe(fd);", "    sem_init(&s, 0, %d);" % rng.randint(0, 1)]
    lines += ["    pthread_create(&t[%d], 0, p%d_%d, 0);" % (i, number, i) for i in range(threads)]
    steps = [own(rng.choice(OTHERS + BLOCKS[:1]), 3) for _ in range(rng.randint(0, 1 + LONG))]
    steps += ["pthread_cancel(t[%d]);" % (rng.random() < .2) for _ in range(rng.choice([1, 1, 2]))]
    rng.shuffle(steps)
    lines += ["    " + step for step in steps]
    # a thread that waits for others has fewer interleavings, one that does not has nothing to tell
    joined = range(threads) if rng.random() < .6 else [i for i in range(threads) if rng.random() < .3]
    lines += ["    join(%d);" % i for i in joined]
    lines += ["    pthread_exit(0);"] if len(joined) < threads else []
    return "\n".join(lines + ["}", ""])


def build(rng, number, count):
    """One binary of `count` programs; its argument says which one it is to be."""
    path = os.path.join(scratch, "endings%d" % number)
    with open(path + ".c", "w") as out:
        out.write(HEAD + "".join(program(rng, i) for i in range(count)))
        out.write("int main(int argc, char **argv)\n{\n    block();\n    switch (atoi(argv[1])) {\n")
        out.write("".join("    case %d: p%d(); break;\n" % (i, i) for i in range(count)))
        out.write("    }\n    printf(\"told %d %d %d %d\\n\", told[0], told[1], told[2], told[3]);\n    return 0;\n}\n")
    subprocess.run([raddle, "cc", "-w", "-O1", "-o", path, path + ".c", "-pthread"], check=True)
    return path


class Found:
    """What a search has shown."""

    def __init__(self, traces, said, report):
        self.traces = traces
        self.told = {line for line in said.splitlines() if line.startswith("told")}
        self.findings = report["finding_count"]
        self.executions = report["executions"]


def found(path, which, engine):
    """None if the search was not finished."""
    traces, report = path + ".traces", path + ".json"
    for name in (traces, report):
        if os.path.exists(name):
            os.remove(name)
    said = subprocess.run([raddle, "run", "-q", "-k", "--engine", *engine.split(), "--symmetry", "off", "--all-traces", traces,
                           "--json", report, "--count-only", "--show-output", "-t", "20s", "-n", str(MOST), path, str(which)],
                          stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True, timeout=120).stdout
    said_of = json.load(open(report))
    if not said_of["complete"]:
        return None
    return Found(set(open(traces).read().splitlines()), said, said_of)


def difference(right, have, most):
    """In words; empty if there is none. most: executions, None: those are traces."""
    if have is None:
        return "is incomplete"
    same = have.told == right.told and (have.traces == right.traces if most is None else
                                        have.findings == right.findings and have.executions <= most)
    if same:
        return ""
    traces = "misses %d of %d traces, has %d others" % (len(right.traces - have.traces), len(right.traces),
                                                       len(have.traces - right.traces))
    return "%s; misses %s, tells %s" % (
        traces if most is None else "%d executions for %d, %d findings for %d" % (have.executions, most, have.findings,
                                                                              right.findings),
        sorted(right.told - have.told)[:3], sorted(have.told - right.told)[:3])


rng = random.Random(seed)
compared = left_out = wrong = 0
for number in range((wanted + PER_FILE - 1) // PER_FILE):
    count = min(PER_FILE, wanted - number * PER_FILE)
    path = build(rng, number, count)
    for which in range(count):
        right = found(path, which, "dfs")
        if not right:
            left_out += 1
            continue
        compared += 1
        most = None
        for engine in ENGINES + UNFOLDINGS:
            have = found(path, which, engine)
            different = difference(right, have, most if engine in UNFOLDINGS else None)
            if engine == "optimal":
                most = have.executions if have else MOST
            if different:
                wrong += 1
                print("%s.c %d: %s" % (path, which, engine), different, flush=True)
print("compared %d programs, left out %d, differences %d (seed %d)" % (compared, left_out, wrong, seed))
sys.exit(wrong != 0 or compared < wanted // 3)
