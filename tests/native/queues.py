#!/usr/bin/env python3
"""queues.py RADDLE PROGRAM SCRATCH COUNT: random programs for queues.c. The number of executions of dfs is that
of an enumerator which knows only what a message queue is; each engine of the DPOR family finds exactly the
traces that dfs finds, and reach as many sequences as there are orders on the queues."""
import json, os, random, subprocess, sys

raddle, program, scratch, wanted = sys.argv[1:4] + [int(sys.argv[4])]
LIMIT = 400


def step(state, capacity, op):
    """The state after the operation and whether it failed; None if it blocks."""
    name, k = op
    n = state[k]
    if name in "sSuU":
        if n < capacity:
            return state[:k] + (n + 1,) + state[k + 1:], False
        return None if name in "sS" else (state, True)
    if name in "rtT":
        if n > 0:
            return state[:k] + (n - 1,) + state[k + 1:], False
        return None if name == "r" else (state, True)
    return state, True  # looks


def executions(threads, capacity):
    """How many, and the orders on the queues: what changes a queue, and where looks stand between."""
    count, orders = 0, set()
    stack = [((0, 0), (0,) * len(threads), ((), ()))]
    while stack:
        state, at, order = stack.pop()
        moved = False
        for t, ops in enumerate(threads):
            if at[t] == len(ops):
                continue
            after = step(state, capacity, ops[at[t]])
            if after is None:
                continue
            moved = True
            k = ops[at[t]][1]
            stack.append((after[0], at[:t] + (at[t] + 1,) + at[t + 1:],
                          order[:k] + (order[k] + ((t, after[1]),),) + order[k + 1:]))
        if not moved:
            count += 1
            orders.add(order)
            if count > LIMIT:
                return count, orders
    return count, orders


def words(threads):
    out = []
    for ops in threads:
        word, k = "", 0
        for name, q in ops:
            word += (str(q) if q != k else "") + name
            k = q
        out.append(word)
    return out


def run(engine, capacity, threads):
    traces = os.path.join(scratch, "traces")
    command = [raddle, "run", "-q", "--keep-going", "--no-shrink", "--engine", engine, "--json", "-",
               "--out", os.path.join(scratch, "out"), "--all-traces", traces, program,
               str(capacity)] + words(threads)
    result = json.loads(subprocess.run(command, capture_output=True, text=True, timeout=120).stdout)
    lines = open(traces).read().splitlines()
    return result, lines


def compare(capacity, threads):
    count, orders = executions(threads, capacity)
    if count > LIMIT or count < 4:
        return None
    result, lines = run("dfs", capacity, threads)
    if result["executions"] != count:
        return "dfs has %d executions, the enumerator %d" % (result["executions"], count)
    traces = set(lines)
    for engine in ("optimal", "source", "dpor-cr", "dpor"):
        other, lines = run(engine, capacity, threads)
        if set(lines) != traces or (engine == "optimal" and
                                    (other["executions"] != len(traces) or other["blocked"])):
            return "%s: %d executions, %d of %d traces" % (engine, other["executions"],
                                                           len(set(lines)), len(traces))
        if other["verdict"] != result["verdict"]:
            return "%s says %s" % (engine, other["verdict"])
    reach, lines = run("reach", capacity, threads)
    if reach["executions"] != len(orders) or set(lines) != traces:
        return "reach: %d sequences of %d" % (reach["executions"], len(orders))
    return ""


def main():
    used, seed = 0, 0
    while used < wanted:
        seed += 1
        rng = random.Random(seed)
        threads = [[(rng.choice("ssSrrtuTUl"), rng.choice((0, 0, 1)))
                    for _ in range(rng.randint(1, 3))] for _ in range(3)]
        capacity = rng.randint(1, 2)
        wrong = compare(capacity, threads)
        if wrong:
            print("seed %d, capacity %d, %s: %s" % (seed, capacity, " ".join(words(threads)), wrong))
        used += wrong is not None
    print("compared %d" % used)


main()
