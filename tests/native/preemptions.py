#!/usr/bin/env python3
"""Which outcomes need how many preemptions: icb against an enumerator that knows nothing of raddle.

    preemptions.py RADDLE SCRATCH COUNT [SEED]

Random programs of threads that take numbers from one counter (every order is another outcome), create further threads
anywhere, also before their first operation, and join them at their end or not. The enumerator runs them step by step:
the running thread goes on, or gives way for nothing when it waits or has ended, or is preempted. For each bound the
outcomes that `raddle run --engine icb --bound` shows must be those that need no more preemptions; the other engines must
show all of them, and optimal each once. Prints one line per difference, and last "programs N outcomes N differences N".
"""
import collections, os, random, subprocess, sys


def make(rng):
    """{thread: [("take",) | ("create", t) | ("join", t)]}; main is 0, and joins whoever nobody else does."""
    threads, queue = {0: []}, [0]
    total = rng.randint(2, 3)
    waiting = list(range(1, total + 1))
    while queue:
        t = queue.pop(0)
        body, mine = [], []
        for _ in range(rng.randint(1, 4)):
            if waiting and rng.random() < (0.5 if t else 0.7):
                child = waiting.pop(0)
                body.append(("create", child))
                mine.append(child)
                queue.append(child)
            elif mine and rng.random() < 0.3:
                body.append(("join", mine.pop()))
            elif sum(op[0] == "take" for op in body) < 2:
                body.append(("take",))
        threads[t] = body + [("join", child) for child in mine]
    return threads


def cheapest(threads):
    """{outcome: fewest preemptions}; an outcome is the order in which threads take."""
    start = (tuple([0] + [-1] * (len(threads) - 1)), 0, ())
    best, seen = {}, {start: 0}
    queue = collections.deque([(0, start)])
    ids = sorted(threads)
    place = {t: i for i, t in enumerate(ids)}
    while queue:
        cost, state = queue.popleft()
        if cost > seen[state]:
            continue
        at, running, order = state

        def ended(t):
            return at[place[t]] == len(threads[t])

        def enabled(t):
            i = at[place[t]]
            if i < 0 or ended(t):
                return False
            op = threads[t][i]
            return op[0] != "join" or ended(op[1])
        can = [t for t in ids if enabled(t)]
        if not can:
            assert all(ended(t) for t in ids if at[place[t]] >= 0)
            best[order] = min(cost, best.get(order, cost))
        for t in can:
            more = cost + (t != running and enabled(running))
            pcs, op = list(at), threads[t][at[place[t]]]
            pcs[place[t]] += 1
            if op[0] == "create":
                pcs[place[op[1]]] = 0
            new = (tuple(pcs), t, order + (t,) if op[0] == "take" else order)
            if more < seen.get(new, 1 << 30):
                seen[new] = more
                (queue.appendleft if more == cost else queue.append)((more, new))
    return best


def source(threads):
    text = "#include <pthread.h>\n#include <stdatomic.h>\n#include <stdio.h>\n"
    text += "static atomic_int next;\nstatic int who[64];\nstatic pthread_t t[9];\n"
    for t in sorted(threads, reverse=True):
        text += "static void *body%d(void *arg)\n{\n" % t
        for op in threads[t]:
            text += {"take": "    who[atomic_fetch_add(&next, 1)] = %d;\n" % t,
                     "create": "    pthread_create(&t[%d], NULL, body%d, NULL);\n" % ((op + (0,))[1], (op + (0,))[1]),
                     "join": "    pthread_join(t[%d], NULL);\n" % (op + (0,))[1]}[op[0]]
        text += "    return NULL;\n}\n"
    return text + ("int main(void)\n{\n    body0(NULL);\n    char line[80] = \"@\";\n    int n = 1;\n"
                   "    for (int i = 0; i < next; i++)\n        line[n++] = (char)('0' + who[i]);\n"
                   "    puts(line);\n    return 0;\n}\n")


def explore(raddle, binary, *engine):
    done = subprocess.run([raddle, "run", "-q", "--engine", *engine, "--show-output", "--count-only", binary],
                          capture_output=True, text=True)
    return [tuple(int(c) for c in line[1:]) for line in done.stdout.splitlines() if line.startswith("@")]


def main():
    raddle, scratch, count = sys.argv[1], sys.argv[2], int(sys.argv[3])
    seed = int(sys.argv[4]) if len(sys.argv) > 4 else 1
    outcomes = differences = 0
    for number in range(seed, seed + count):
        threads = make(random.Random(number))
        best = cheapest(threads)
        binary = os.path.join(scratch, "p%d" % number)
        with open(binary + ".c", "w") as out:
            out.write(source(threads))
        subprocess.run([raddle, "cc", "-w", "-O1", "-o", binary, binary + ".c", "-pthread"], check=True)
        outcomes += len(best)
        for bound in range(0, 3):
            want = {o for o, c in best.items() if c <= bound}
            have = set(explore(raddle, binary, "icb", "--bound", str(bound)))
            if want != have:
                differences += 1
                print("program %d, bound %d: too early %s, missing %s: %s" %
                      (number, bound, sorted(have - want)[:3], sorted(want - have)[:3], threads))
        for engine in ("dfs", "optimal", "source", "dpor", "reach")[number % 2::2]:
            have = explore(raddle, binary, engine)
            if set(have) != set(best) or (engine == "optimal" and len(have) != len(best)):
                differences += 1
                print("program %d, %s: %d executions, %d of %d outcomes: %s" %
                      (number, engine, len(have), len(set(have)), len(best), threads))
    print("programs %d outcomes %d differences %d" % (count, outcomes, differences))
    return differences != 0


sys.exit(main())
