#!/usr/bin/env python3
"""waiting.py RADDLE SCRATCH COUNT [SEED]: random programs whose threads wait in loops. An enumerator of states, which
has no notion of waiting, says which outcomes (variables and what each thread saw) there are and whether all threads
that are left can get stuck for ever; each engine must find exactly these: an assertion fails for every outcome, so the
number of findings is theirs, one more for getting stuck. In every other program what is dead on the stack of a waiting
thread is overwritten on the way. No trace is explored twice by those engines that promise it, and they explore the
same ones, which are those that the interleavings of dfs make."""
import concurrent.futures, json, os, random, re, shutil, subprocess, sys

raddle, scratch, wanted = sys.argv[1], sys.argv[2], int(sys.argv[3])
seed = int(sys.argv[4]) if len(sys.argv) > 4 else 1
ENGINES = ["optimal", "source", "dpor", "dpor-cr", "dfs", "icb", "idb", "reach", "auto", "context", "unfold",
           "stateful --match states", "stateful-unfold --match states"]
CIRCLES = ENGINES[11:]  # tell each way of being stuck
NET = ["context", "unfold"]  # do not know all ways of waiting (rounds with a mutex stand), and say so: "incomplete"
NAMED, FOR_EVER = "named", "can go on for ever and change"
ONCE = ["optimal", "source"]  # explore each trace once, and the same ones
EVERY = "RADDLE_LONG" in os.environ  # each program with each engine, else with optimal and one other
WHOLE = ["dfs", "icb", "idb"]  # interleavings, not traces: there are more of them
MOST_SORTED = 400  # interleavings that are put together to traces
SAMPLE = ["random", "pos", "pct"]  # find some of the outcomes, and no others
GIVE = ["", "", "sched_yield()", "usleep(1)", "__builtin_ia32_pause()",
        "for (volatile int k = 0; k < 3; k++) __builtin_ia32_pause()",
        # that count rounds to no end
        "rounds++", "if (!(rounds = (rounds + 1) % 4)) sched_yield()", "usleep(rounds = rounds > 9 ? 10 : 2 * rounds + 1)",
        "if (rounds > 4) sched_yield(); else if (++rounds > 2) usleep(rounds); else __builtin_ia32_pause()",
        # pausing that comes to an end, and longer each time
        "for (int k = 0; k < rounds; k++) __builtin_ia32_pause(); rounds = 2 * rounds + 1",
        "for (int k = rounds++ & 7; k > 0; k--) relax()"]
ONLY_UNDO = "RADDLE_UNDO" in os.environ  # rounds that put something back in each program, with engines that leave them out
UNDO = ["source", "dpor", "dpor-cr", "dfs", "icb", "idb", "auto"]
VARIABLES, VALUES, PER_FILE, MOST_STATES, MOST_OUTCOMES = 3, 3, 20, 4000, 24
PLAIN, MUTEX = VARIABLES, VARIABLES + 2  # behind the variables: two plain ones, and the mutex that protects them


# ---- programs: a statement is a name and its numbers; each function below yields its visible operations as
# (operation, variable, argument…) and gets their result; what it returns the thread has seen.

def store(x, c):
    yield "write", x, c
    return ()


def load(x):
    return ((yield "read", x),)


def add(x):
    return ((yield "add", x),)


def cas(x, a, b):
    return (int((yield "cas", x, a, b) == a),)


def await_value(x, c):
    while (yield "read", x) != c:
        pass
    return ()


def await_peeled(x, c):
    """With a first look before the loop."""
    yield from await_value(x, c)
    return ()


def await_other(x, c):
    value = yield "read", x
    while value == c:
        value = yield "read", x
    return (value,)


def await_both(x, c, y, d):
    while (yield "read", x) == c and (yield "read", y) == d:
        pass
    return ()


def await_either(x, c, y, d):
    while (yield "read", x) != c and (yield "read", y) != d:
        pass
    return ()


def await_nested(x, c, y, d):
    while (yield "read", x) != c:
        while (yield "read", y) == d:
            pass
    return ()


def take(x):
    while (yield "swap", x, 1):
        pass
    return ()


def take_politely(x):
    while True:
        while (yield "read", x):
            pass
        if not (yield "swap", x, 1):
            return ()


def cas_loop(x, a, b):
    while (yield "cas", x, a, b) != a:
        pass
    return ()


def reload(x, y):
    while True:
        value = yield "read", x
        if (yield "cas", x, value, (value + 1) % VALUES) == value:
            return (value,)


def agree(x, y):
    """Waits until it has read the same twice in a row: what the last round read matters."""
    value, before = (yield "read", x), None
    while value != before:
        before = value
        value = yield "read", x
    return (value,)


def snapshot(x, y):
    while True:
        a = yield "read", x
        b = yield "read", y
        if (yield "read", x) == a:
            return (a, b)


def reload_by_failing(x, y):
    value = yield "read", x
    while True:
        found = yield "cas", x, value, (value + 1) % VALUES
        if found == value:
            return (value,)
        value = found


def poll(x, c, n):
    for i in range(n):
        if (yield "read", x) == c:
            return (i,)
    return (n,)


def poll_and_count(x, c, y):
    for i in range(2):
        if (yield "read", x) == c:
            return (i,)
        yield "add", y
    return (2,)


def lock_store(x, c):
    yield "lock", MUTEX
    yield "write", PLAIN + x, c
    yield "write", MUTEX, 0
    return ()


def lock_load(x):
    yield "lock", MUTEX
    value = yield "read", PLAIN + x
    yield "write", MUTEX, 0
    return (value,)


def lock_add(x):
    yield "lock", MUTEX
    value = yield "add", PLAIN + x
    yield "write", MUTEX, 0
    return (value,)


def lock_await(x, c):
    while True:
        yield "lock", MUTEX
        value = yield "read", PLAIN + x
        yield "write", MUTEX, 0
        if value == c:
            return ()


def lock_await_both(x, c, d):
    while True:
        yield "lock", MUTEX
        done = (yield "read", PLAIN + x) == c and (yield "read", PLAIN + 1 - x) == d
        yield "write", MUTEX, 0
        if done:
            return ()


def lock_await_changed(x):
    """What the first round read matters to the others."""
    yield "lock", MUTEX
    first = yield "read", PLAIN + x
    yield "write", MUTEX, 0
    while True:
        yield "lock", MUTEX
        value = yield "read", PLAIN + x
        yield "write", MUTEX, 0
        if value != first:
            return (value,)


def lock_poll(x, c, n):
    for i in range(n):
        yield "lock", MUTEX
        value = yield "read", PLAIN + x
        yield "write", MUTEX, 0
        if value == c:
            return (i,)
    return (n,)


def lock_count(x, c, y):
    """Its rounds write."""
    while True:
        yield "lock", MUTEX
        value = yield "read", PLAIN + x
        yield "write", MUTEX, 0
        if value == c:
            return (0,)
        if (yield "add", y) > 1:
            return (1,)


def lock_try(x):
    while (yield "swap", MUTEX, 1):
        pass
    value = yield "add", PLAIN + x
    yield "write", MUTEX, 0
    return (value,)


def lock_try_peeled(x):
    return (yield from lock_try(x))


def lock_try_often(x, n):
    for i in range(n):
        if not (yield "swap", MUTEX, 1):
            yield "add", PLAIN + x
            yield "write", MUTEX, 0
            return (i,)
    return (n,)


def lock_try_told(x, c):
    """Tries until somebody says that it is enough."""
    while (yield "swap", MUTEX, 1):
        if (yield "read", x) == c:
            return (1,)
    yield "write", MUTEX, 0
    return (0,)


def try_lock():
    if (yield "swap", MUTEX, 1):
        return (0,)
    yield "write", MUTEX, 0
    return (1,)


# Rounds that change something and put it back.

def announce(x, y, c):
    while True:
        yield "add", x
        if (yield "read", y) != c:
            return ()
        yield "sub", x


def announce_politely(x, y, c):
    while True:
        yield "add", x
        if (yield "read", y) != c:
            return ()
        yield "sub", x
        while (yield "read", y) == c:
            pass


def announce_first(x, c):
    while True:
        found = yield "add", x
        if found == c:
            return (found,)
        yield "sub", x


def announce_and_look(x, c):
    while True:
        yield "sub", x
        yield "add", x
        if (yield "read", x) == c:
            return ()


def take_and_check(x, y, c):
    while True:
        while (yield "swap", x, 1):
            pass
        if (yield "read", y) == c:
            return ()
        yield "write", x, 0


def take_both(x, y, a):
    while True:
        if (yield "cas", x, a, 2) == a:
            if not (yield "swap", y, 1):
                return ()
            yield "write", x, a


def take_and_check_twice(x, y, c):
    while True:
        if (yield "read", y) == c:
            return (0,)
        if not (yield "swap", x, 1):
            found = yield "read", y
            yield "write", x, 0
            if found == c:
                return (1,)


def give_up_after(x, y, c, n):
    for i in range(n):
        yield "add", x
        if (yield "read", y) == c:
            return (i,)
        yield "sub", x
    return (n,)


UNDO_KINDS = [announce, announce_politely, announce_first, announce_and_look, take_and_check, take_both,
              take_and_check_twice, give_up_after]
BESIDE_KINDS = [store, store, store, load, load, add, cas, await_value, await_other, take, take_politely, cas_loop, poll]
LOCK_KINDS = [lock_store, lock_store, lock_load, lock_add, lock_await, lock_await, lock_await_both, lock_await_changed,
              lock_poll, lock_count, store, await_value]
TRY_KINDS = [lock_store, lock_load, lock_add, lock_try, lock_try, lock_try_peeled, lock_try_often, lock_try_told, store, await_value]
KINDS = [store, store, store, load, add, cas, await_value, await_peeled, await_other, await_both, await_either, await_nested,
         take, take_politely, cas_loop, reload, reload_by_failing, snapshot, agree, poll, poll_and_count]
C = {
    "announce": "for (;;) {{ atomic_fetch_add(&v[{0}], 1); if (v[{1}] != {2}) break; SUB({0}); }}",
    "announce_politely": "for (;;) {{ v[{0}]++; if (v[{1}] != {2}) break; SUB({0}); while (v[{1}] == {2}) ; }}",
    "announce_first": "for (;;) {{ int e = atomic_fetch_add(&v[{0}], 1); if (e == {1}) {{ seen(s, e); break; }} SUB({0}); }}",
    "announce_and_look": "do {{ SUB({0}); v[{0}]++; }} while (v[{0}] != {1});",
    "take_and_check": "for (;;) {{ while (atomic_exchange(&v[{0}], 1)) ; if (v[{1}] == {2}) break; v[{0}] = 0; }}",
    "take_both": "for (;;) {{ int e = {2}; if (atomic_compare_exchange_strong(&v[{0}], &e, 2)) "
                 "{{ if (!atomic_exchange(&v[{1}], 1)) break; v[{0}] = {2}; }} }}",
    "take_and_check_twice": "for (;;) {{ if (v[{1}] == {2}) {{ seen(s, 0); break; }} if (!atomic_exchange(&v[{0}], 1)) "
                            "{{ int e = v[{1}]; v[{0}] = 0; if (e == {2}) {{ seen(s, 1); break; }} }} }}",
    "give_up_after": "{{ int i; for (i = 0; i < {3}; i++) {{ add(&v[{0}]); if (v[{1}] == {2}) break; SUB({0}); }} seen(s, i); }}",
    "lock_store": "LOCK; w[{0}] = {1}; UNLOCK;",
    "lock_load": "{{ LOCK; int e = w[{0}]; UNLOCK; seen(s, e); }}",
    "lock_add": "{{ LOCK; int e = w[{0}]++; UNLOCK; seen(s, e); }}",
    "lock_await": "for (;;) {{ LOCK; int e = w[{0}]; UNLOCK; if (e == {1}) break; GIVE; }}",
    "lock_await_both": "for (;;) {{ LOCK; int e = w[{0}] == {1} && w[1 - {0}] == {2}; UNLOCK; if (e) break; GIVE; }}",
    "lock_await_changed": "{{ LOCK; int o = w[{0}]; UNLOCK; int e = o; while (e == o) {{ GIVE; LOCK; e = w[{0}]; UNLOCK; }} "
                          "seen(s, e); }}",
    "lock_poll": "{{ int i; for (i = 0; i < {2}; i++) {{ LOCK; int e = w[{0}]; UNLOCK; if (e == {1}) break; GIVE; }} "
                 "seen(s, i); }}",
    "lock_count": "for (;;) {{ LOCK; int e = w[{0}]; UNLOCK; if (e == {1}) {{ seen(s, 0); break; }} "
                  "if (add(&v[{2}]) > 1) {{ seen(s, 1); break; }} }}",
    "lock_try": "{{ while (TRY) {{ GIVE; }} int e = w[{0}]++; UNLOCK; seen(s, e); }}",
    "lock_try_peeled": "{{ if (TRY) do {{ GIVE; }} while (TRY); int e = w[{0}]++; UNLOCK; seen(s, e); }}",
    "lock_try_often": "{{ int i; for (i = 0; i < {1}; i++) {{ if (!TRY) {{ w[{0}]++; UNLOCK; break; }} GIVE; }} seen(s, i); }}",
    "lock_try_told": "{{ int e = 0; while (TRY && !(e = v[{0}] == {1})) {{ GIVE; }} if (!e) UNLOCK; seen(s, e); }}",
    "try_lock": "if (pthread_mutex_trylock(&m)) seen(s, 0); else {{ UNLOCK; seen(s, 1); }}",
    "store": "v[{0}] = {1};",
    "load": "seen(s, v[{0}]);",
    "add": "seen(s, add(&v[{0}]));",
    "cas": "{{ int e = {1}; seen(s, atomic_compare_exchange_strong(&v[{0}], &e, {2})); }}",
    "await_value": "while (v[{0}] != {1}) {{ GIVE; }}",
    "await_peeled": "if (v[{0}] != {1}) do {{ GIVE; }} while (v[{0}] != {1});",
    "await_other": "{{ int e = v[{0}]; while (e == {1}) {{ GIVE; e = v[{0}]; }} seen(s, e); }}",
    "await_both": "while (v[{0}] == {1} && v[{2}] == {3}) {{ GIVE; }}",
    "await_either": "while (v[{0}] != {1} && v[{2}] != {3}) {{ GIVE; }}",
    "await_nested": "while (v[{0}] != {1}) while (v[{2}] == {3}) {{ GIVE; }}",
    "take": "while (atomic_exchange(&v[{0}], 1)) {{ GIVE; }}",
    "take_politely": "for (;;) {{ while (v[{0}]) {{ GIVE; }} if (!atomic_exchange(&v[{0}], 1)) break; }}",
    "cas_loop": "for (;;) {{ int e = {1}; if (atomic_compare_exchange_strong(&v[{0}], &e, {2})) break; GIVE; }}",
    "reload": "for (;;) {{ int e = v[{0}], o = e; if (atomic_compare_exchange_strong(&v[{0}], &e, (o + 1) % 3)) "
              "{{ seen(s, o); break; }} GIVE; }}",
    "agree": "{{ int e = v[{0}], o; do {{ GIVE; o = e; e = v[{0}]; }} while (e != o); seen(s, e); }}",
    "snapshot": "{{ int a, b; for (;;) {{ a = v[{0}]; b = v[{1}]; if (v[{0}] == a) break; GIVE; }} "
                "seen(s, a); seen(s, b); }}",
    "reload_by_failing": "{{ int e = v[{0}], o = e; while (!atomic_compare_exchange_strong(&v[{0}], &e, (o + 1) % 3)) "
                         "{{ o = e; GIVE; }} seen(s, o); }}",
    "poll": "{{ int i; for (i = 0; i < {2}; i++) {{ if (v[{0}] == {1}) break; GIVE; }} seen(s, i); }}",
    "poll_and_count": "{{ int i; for (i = 0; i < 2; i++) {{ if (v[{0}] == {1}) break; add(&v[{2}]); GIVE; }} seen(s, i); }}",
}


def statement(rng, kinds):
    kind = rng.choice(kinds)
    x, y = rng.sample(range(VARIABLES), 2)
    c, d = rng.randrange(VALUES), rng.randrange(VALUES)
    z = rng.randrange(2)
    arguments = {"lock_store": (z, c), "lock_load": (z,), "lock_add": (z,), "lock_await": (z, c),
                 "lock_await_both": (z, c, d), "lock_await_changed": (z,), "lock_poll": (z, c, rng.choice([1, 2, 3])),
                 "announce": (x, y, c), "announce_politely": (x, y, c), "announce_first": (x, c), "announce_and_look": (x, c),
                 "take_and_check": (x, y, c), "take_both": (x, y, c % 2), "take_and_check_twice": (x, y, c),
                 "give_up_after": (x, y, c, rng.choice([1, 2])), "lock_count": (z, c, x), "try_lock": (), "lock_try": (z,), "lock_try_peeled": (z,),
                 "lock_try_often": (z, rng.choice([1, 2, 3])), "lock_try_told": (x, c), "await_peeled": (x, c),
                 "store": (x, c), "load": (x,), "add": (x,), "cas": (x, c, d), "await_value": (x, c),
                 "await_other": (x, c), "await_both": (x, c, y, d), "await_either": (x, c, y, d),
                 "await_nested": (x, c, y, d), "take": (x,), "take_politely": (x,), "cas_loop": (x, c, d),
                 "reload": (x, y), "reload_by_failing": (x, y), "snapshot": (x, y), "agree": (x, y), "poll": (x, c, rng.choice([1, 2, 3])), "poll_and_count": (x, c, y)}
    return kind, arguments[kind.__name__]


# ---- the enumerator: a thread's state is what its operations returned since its statement began, so that it can be
# brought there again; loops come back to states that were seen because results in them are forgotten (below).

def perform(memory, op):
    name, x = op[0], op[1]
    old = memory[x]
    new = {"read": old, "write": op[2] if len(op) > 2 else 0, "add": (old + 1) % 256 if old >= 0 else old + 1, "sub": old - 1, "swap": 1,
           "lock": 1, "cas": op[3] if len(op) > 3 and old == op[2] else old}[name]
    return memory[:x] + (new,) + memory[x + 1:], old


def where(g):
    """Where a generator stands, and those that it waits for: with which variables."""
    frames = []
    while g is not None:
        frames.append((g.gi_frame.f_lasti, tuple(sorted(g.gi_frame.f_locals.items()))))
        g = g.gi_yieldfrom
    return tuple(frames)


def run(thread, at, results):
    """The generator of the statement, brought to where it is: its next operation, or what it returned."""
    g = thread[at][0](*thread[at][1])
    try:
        op = next(g)
        for r in results:
            op = g.send(r)
        return op, where(g)
    except StopIteration as end:
        return None, end.value


def enumerate_states(threads):
    """The outcomes, whether somebody can be stuck, and whether each thread ends somewhere; None if there are too many states."""
    start = ((0,) * (MUTEX + 1), tuple((0, (), (), ()) for _ in threads))
    known, todo, edges, final = {start: 0}, [start], [], set()
    memo = {}
    while todo:
        state = todo.pop()
        memory, locals_ = state
        if all(l[0] == len(t) for l, t in zip(locals_, threads)):
            final.add(state)
        for i, thread in enumerate(threads):
            at, results, saw, _ = locals_[i]
            if at == len(thread):
                continue
            key = (i, at, results)
            if key not in memo:
                memo[key] = run(thread, at, results)
            op = memo[key][0]
            if op[0] == "lock" and memory[MUTEX]:
                continue
            after, old = perform(memory, op)
            # the same place in the statement with the same variables: the results before do not matter
            key = (i, at, results + (old,))
            if key not in memo:
                memo[key] = run(thread, at, results + (old,))
            now, value = memo[key]
            mine = (at, results + (old,), saw, value) if now else (at + 1, (), saw + value, ())
            if now:
                canon = (i, at, value, saw)
                mine = memo.setdefault(canon, mine)
            new = (after, locals_[:i] + (mine,) + locals_[i + 1:])
            edges.append((state, new))
            if new not in known:
                known[new] = 0
                todo.append(new)
                if len(known) > MOST_STATES:
                    return None
    outcomes = {(s[0],) + tuple(l[2] for l in s[1]) for s in final}
    back = {}
    for a, b in edges:
        back.setdefault(b, []).append(a)
    ends, todo = set(final), list(final)
    while todo:
        for a in back.get(todo.pop(), ()):
            if a not in ends:
                ends.add(a)
                todo.append(a)
    all_end = all(any(s[1][i][0] == len(t) for s in known) for i, t in enumerate(threads))
    return sorted(outcomes), len(ends) < len(known), all_end


def make(rng):
    while True:
        kinds = rng.choice([BESIDE_KINDS] if ONLY_UNDO else [KINDS, KINDS, LOCK_KINDS, LOCK_KINDS + [try_lock], TRY_KINDS, BESIDE_KINDS])
        threads = [[statement(rng, kinds) for _ in range(rng.randint(1, 3))] for _ in range(rng.choice([2, 2, 3]))]
        if kinds is BESIDE_KINDS: # of two threads whose rounds look at each other there would be no end
            threads[0][rng.randrange(len(threads[0]))] = rounds = statement(rng, UNDO_KINDS)
            if rounds[0] is announce and rng.random() < 0.3:
                threads[1][rng.randrange(len(threads[1]))] = rounds
        if not any(k.__name__.startswith(("await", "lock_await", "lock_try", "take", "cas_loop", "reload", "snapshot", "agree", "announce")) for t in threads for k, _ in t):
            continue
        found = enumerate_states(threads)
        if found and len(found[0]) <= MOST_OUTCOMES:
            return (threads, *found)


# ---- programs in C

HEAD = """#include <assert.h>
#include <pthread.h>
#include <sched.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <unistd.h>
static atomic_int v[3];
static int w[2];
static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
#define LOCK pthread_mutex_lock(&m)
#define UNLOCK pthread_mutex_unlock(&m)
#define TRY pthread_mutex_trylock(&m)
static long saw[3];
#define seen(s, value) (*(s) = *(s) * 7 + (value) + 1)
#define SUB(x) atomic_fetch_sub(&v[x], 1)
static int add(atomic_int *x) { return atomic_fetch_add(x, 1); }
static inline void relax(void) { __builtin_ia32_pause(); }
"""


def number(seen):
    n = 0
    for value in seen:
        n = n * 7 + value + 1
    return n


def emit(programs, give):
    out = [HEAD, "#define GIVE %s" % give]
    for p, (threads, outcomes, *_) in enumerate(programs):
        for i, thread in enumerate(threads):
            body = " ".join(C[k.__name__].format(*a) for k, a in thread)
            out.append("static void *p%d_%d(void *a) { long n = 0, *s = &n; int rounds = 0; %s saw[%d] = n; return a; }" % (p, i, body, i))
        out.append("static void end%d(void) {" % p)
        for k, o in enumerate(outcomes):
            same = ["%s == %d" % ("v[%d]" % x if x < PLAIN else "w[%d]" % (x - PLAIN), o[0][x]) for x in range(MUTEX)]
            same += ["saw[%d] == %d" % (t, number(s)) for t, s in enumerate(o[1:])]
            out.append('if (%s) { assert(!"outcome %d"); return; }' % (" && ".join(same), k))
        out.append('assert(!"no such outcome"); }')
    out.append("int main(int c, char **arg) { pthread_t t[3]; int n = 0; switch (atoi(arg[1])) {")
    for p, (threads, *_) in enumerate(programs):
        starts = " ".join("pthread_create(&t[n++], 0, p%d_%d, 0);" % (p, i) for i in range(len(threads)))
        out.append("case %d: %s break;" % (p, starts))
    out.append("} for (int i = 0; i < n; i++) pthread_join(t[i], 0); switch (atoi(arg[1])) {")
    for p in range(len(programs)):
        out.append("case %d: end%d(); break;" % (p, p))
    out.append("} return 0; }")
    return "\n".join(out)


def build(batch, programs, rng):
    path = os.path.join(scratch, "waiting%d" % batch)
    open(path + ".c", "w").write(emit(programs, rng.choice(GIVE)))
    compiler = rng.choice([c for c in ("clang", "gcc") if shutil.which(c)])
    subprocess.run([raddle, "cc", rng.choice(["-O0", "-O1", "-O2"]), "-w", "-o", path, path + ".c"], check=True,
                   env={**os.environ, "RADDLE_CC": compiler})
    return path


def circles(report, servers):
    """As findings(); different ways of being stuck count as one, so all must have been told. Threads that end in no
    execution and go on for ever taking a mutex and giving it back are not a finding, but a note (docs/state-matching.md)."""
    kinds = [f["kind"] for f in report["findings"]]
    noted = servers and any(FOR_EVER in w for w in report["warnings"])
    found = kinds.count("assert") + (noted or kinds.count("assert") < len(kinds))
    whole = report["complete"] and report["finding_count"] == len(kinds)
    return (found, report["executions"], report["blocked"], []) if whole else None


def findings(path, p, engine, program):
    """The numbers of findings, executions and blocked ones, and the traces; None if it was not complete in time."""
    name = "%s-%d-%s" % (path, p, engine.replace(" ", ""))
    traces, report = name + ".traces", name + ".json"
    most = 1000 if engine in SAMPLE else 2000000 if engine in WHOLE else 100000
    command = [raddle, "run", "-q", "-k", "--engine", *engine.split(), "-t", "60s", "-n", str(most),
               "--no-shrink" if engine in CIRCLES else "--count-only", "--set", "scramble=%d" % (p % 2), "--out", name + ".out", "--json", report]
    command += ["--all-traces", traces] if engine in ONCE else []
    r = subprocess.run(command + [path, str(p)], capture_output=True, text=True, timeout=120)
    lines = dict(line.split(None, 1) for line in r.stdout.splitlines() if " " in line)
    if engine in CIRCLES and r.returncode == 2 and "--time" in r.stdout:
        return None
    if engine in CIRCLES and r.returncode in (0, 1):
        return circles(json.load(open(report)), locks(program) and not program[3])
    if r.returncode not in (0, 1, 2) or "findings" not in lines:
        return -1
    explored, told = [], json.load(open(report))
    if engine in NET and told["incomplete"]:
        return NAMED
    if engine not in SAMPLE and (int(lines["executions"]) >= most or not told["complete"]):
        return None  # with findings the status does not tell; a busy machine may have taken the time
    if engine in ONCE:
        explored = sorted(open(traces, "rb").read().split(b"\n")[:-1])
        os.unlink(traces)
    return int(lines["findings"]), int(lines["executions"]), int(lines["blocked"]), explored


EVENT = re.compile(r"(\d+):((?:failed )?[a-z-]+(?: [a-z-]+)*)(?:\((0x[0-9a-f]+)\))?(=\d+)?")


def depends(a, b):
    """Of one trace's events: thread, what, object and value; a comes first."""
    (thread, what, x, _), (other, then, y, _) = a, b
    look = [w == "load" or w.startswith("failed ") for w in (what, then)]
    at_once = x == y and len(x) > 6 and not all(look)
    begins = what == "create" and then == "start" and int(x, 16) == int(other)
    ends = what == "exit" and then == "join" and int(y, 16) == int(thread)
    return thread == other or at_once or begins or ends


def normal_form(line):
    """The same for all interleavings of a trace: each event with the length of the longest chain to it."""
    events, depth = EVENT.findall(line), []
    for i, e in enumerate(events):
        depth.append(1 + max((depth[k] for k in range(i) if depends(events[k], e)), default=0))
    return tuple(sorted(zip(depth, events)))


def traces_of(path, p, engine):
    out = "%s-%d-%s.all" % (path, p, engine)
    subprocess.run([raddle, "run", "-q", "-k", "--engine", engine, "--count-only", "--symmetry", "off", "--all-traces", out,
                    "--out", out + ".out", path, str(p)], capture_output=True, timeout=120)
    return {normal_form(line) for line in open(out)}


def locks(program):
    return any("lock" in kind.__name__ for thread in program[0] for kind, _ in thread)


def undoes(program):
    return any(kind in UNDO_KINDS for thread in program[0] for kind, _ in thread)


def least(program, engine):
    """So many findings at least."""
    return int(not undoes(program)) if engine in SAMPLE else len(program[1]) + program[2]


def repeated(traces):
    return len(traces) - len(set(traces))


def main():
    rng = random.Random(seed)
    wrong = done = left = named = nets = 0
    totals = {}
    jobs = concurrent.futures.ThreadPoolExecutor(2)
    for batch in range((wanted + PER_FILE - 1) // PER_FILE):
        programs = [make(rng) for _ in range(min(PER_FILE, wanted - done))]
        path = build(batch, programs, rng)
        runs = []
        for p in range(len(programs)):
            other = rng.choice(UNDO if undoes(programs[p]) else ENGINES[1:])
            engines = ENGINES if EVERY and not undoes(programs[p]) else ["optimal", other]
            runs += [(p, e, jobs.submit(findings, path, p, e, programs[p])) for e in engines + SAMPLE[p % 6:p % 6 + 1]]
        optimal = {}
        for p, engine, job in runs:
            got, expected = job.result(), len(programs[p][1]) + programs[p][2]
            nets += engine in NET
            if got == NAMED:
                named += 1
                continue
            if got not in (None, -1) and repeated(got[3]):
                wrong += 1
                print("# %s %d, %s: %d traces explored again" % (path, p, engine, repeated(got[3])))
            if got not in (None, -1) and engine in ONCE and got[3] != optimal.setdefault(p, got[3]):
                wrong += 1
                print("# %s %d, %s: other traces than optimal" % (path, p, engine))
            if engine == "dfs" and got not in (None, -1) and got[1] <= MOST_SORTED:
                if traces_of(path, p, "dfs") != traces_of(path, p, "optimal"):
                    wrong += 1
                    print("# %s %d: other traces than those of the interleavings" % (path, p))
            if got is None:
                left += not undoes(programs[p])  # of those, rounds that see each other may have no end
                print("# %s %d, %s: not finished" % (path, p, engine))
            elif got == -1 or not least(programs[p], engine) <= got[0] <= expected:
                wrong += 1
                print("# %s %d, %s: %s findings, %d outcomes%s" % (path, p, engine, got if got == -1 else got[:3], len(programs[p][1]),
                                                                  ", can be stuck" if programs[p][2] else ""))
            else:
                e, b, n = totals.get(engine, (0, 0, 0))
                totals[engine] = (e + got[1], b + got[2], n + 1)
        done += len(programs)
    for engine, (e, b, n) in sorted(totals.items()):
        print("# %s: %d programs, %d executions, %d blocked" % (engine, n, e, b))
    print("%d programs, %d wrong, %d not finished; and %d of %d by engines that said why" % (done, wrong, left, named, nets))
    sys.exit(wrong > 0 or left > done // 60 or 4 * named > 3 * nets)


main()
