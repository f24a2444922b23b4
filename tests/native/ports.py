#!/usr/bin/env python3
"""ports.py RADDLE PROGRAM SCRATCH COUNT [SEED]: random programs for ports.c. An enumerator which knows only
what a port is (messages of one sender arrive in their order; a send waits for one of so many places) tells the
sequences: what each receive got, who took part in it and, of a port where somebody may have to wait, in which
order its places were taken. reach has as many executions, and each engine of the DPOR family finds exactly the
traces that dfs finds."""
import json, os, random, subprocess, sys

raddle, program, scratch, wanted = sys.argv[1:4] + [int(sys.argv[4])]
first = int(sys.argv[5]) if len(sys.argv) > 5 else 1
LIMIT = 4000  # executions of dfs

SENDS, RECEIVES = "sc", "rexX"


def moves(state, places, threads):
    """Every (thread, event, state after it). A state: where each thread is, the messages in each port, how
    many places are taken. An event is what the sequence has of it, or None."""
    at, ports, taken = state
    for t, ops in enumerate(threads):
        n, phase = at[t]
        if n == len(ops):
            continue

        def to(phase, ports=ports, taken=taken, others=()):
            now = list(at)
            now[t] = phase
            for o, p in others:
                now[o] = p
            return tuple(now), ports, taken

        def with_port(k, messages):
            return ports[:k] + (messages,) + ports[k + 1:]

        name, k = ops[n]
        if name in SENDS and phase == 0 and places[k]:
            if taken[k] < places[k]:
                yield t, ("place", k, t), to((n, 1), taken=taken[:k] + (taken[k] + 1,) + taken[k + 1:])
        elif name in SENDS and phase < 2:
            after = (n + 1, 0) if name == "s" else (n, 2)
            yield t, None, to(after, ports=with_port(k, ports[k] + ((t, n),)))
        elif name in RECEIVES and phase == 0:
            for p in ((k,) if name in "re" else (k, 1 - k)):
                for m in ports[p]:
                    if any(o[0] == m[0] and o[1] < m[1] for o in ports[p]):
                        continue
                    left = tuple(sorted(o for o in ports[p] if o != m))
                    done = (n, 3 + p) if places[p] else (n + 1, 0)
                    others = ((m[0], (m[1] + 1, 0)),) if threads[m[0]][m[1]][0] == "c" else ()
                    yield t, ("got", t, p, m), to(done, ports=with_port(p, left), others=others)
            if name in "eX":
                yield t, ("got", t, None, None), to((n + 1, 0))
        elif name in RECEIVES:
            p = phase - 3
            yield t, None, to((n + 1, 0), taken=taken[:p] + (taken[p] - 1,) + taken[p + 1:])


def waits_for_place(state, places, threads, k):
    at, _, taken = state
    return places[k] and taken[k] == places[k] and any(
        n < len(ops) and ops[n][0] in SENDS and ops[n][1] == k and phase == 0
        for (n, phase), ops in zip(at, threads))


def sequences(places, threads):
    """As many as there are, and as paths of a scheduler, at most LIMIT of these."""
    empty = (tuple((0, 0) for _ in threads), ((), ()), (0, 0))
    found, contested = set(), set()
    seen, stack = set(), [(empty, (((),) * len(threads)), ((), ()))]
    while stack:
        here = stack.pop()
        state, got, order = here
        stuck = True
        contested |= {k for k in (0, 1) if waits_for_place(state, places, threads, k)}
        for t, event, after in moves(state, places, threads):
            stuck = False
            g, o = got, order
            if event and event[0] == "got":
                g = got[:t] + (got[t] + (event[2:],),) + got[t + 1:]
            elif event:
                k = event[1]
                o = order[:k] + (order[k] + (t,),) + order[k + 1:]
            after = (after[0], tuple(tuple(sorted(p)) for p in after[1]), after[2])
            if (after, g, o) not in seen:
                if len(seen) > 60000:
                    return None
                seen.add((after, g, o))
                stack.append((after, g, o))
        if stuck:
            found.add((state[0], got, order))
    return {(at, got, tuple(o if k in contested else None for k, o in enumerate(order)))
            for at, got, order in found}


def words(threads):
    out = []
    for ops in threads:
        word, k = "", 0
        for name, q in ops:
            word += (str(q) if q != k else "") + name
            k = q
        out.append(word)
    return out


def run(engine, places, threads):
    traces = os.path.join(scratch, "traces")
    command = [raddle, "run", "-q", "--keep-going", "--no-shrink", "--symmetry", "off", "--engine", engine,
               "--max-executions", str(LIMIT), "--json", "-", "--out", os.path.join(scratch, "out"),
               "--all-traces", traces, program] + [str(p) for p in places] + words(threads)
    result = json.loads(subprocess.run(command, capture_output=True, text=True, timeout=120).stdout)
    return result, open(traces).read().splitlines()


def compare(places, threads):
    expected = sequences(places, threads)
    if expected is None or len(expected) < 2:
        return None
    result, lines = run("dfs", places, threads)
    if result["verdict"] == "incomplete" or result["executions"] >= LIMIT:
        return None
    traces = set(lines)
    for engine in ("optimal", "source", "dpor-cr", "dpor"):
        other, lines = run(engine, places, threads)
        if set(lines) != traces or (engine == "optimal" and
                                    (other["executions"] != len(traces) or other["blocked"])):
            return "%s: %d executions, %d of %d traces" % (engine, other["executions"],
                                                           len(set(lines) & traces), len(traces))
        if other["verdict"] != result["verdict"]:
            return "%s says %s" % (engine, other["verdict"])
    for engine in ("icb", "unfold", "context"):
        other, _ = run(engine, places, threads)
        if other["verdict"] not in (result["verdict"], "incomplete"):
            return "%s says %s" % (engine, other["verdict"])
    reach, lines = run("reach", places, threads)
    if reach["executions"] != len(expected) or reach["verdict"] != result["verdict"]:
        return "reach: %d sequences of %d, %s" % (reach["executions"], len(expected), reach["verdict"])
    return ""


def generate(rng):
    places = (rng.choice((1, 1, 2, 2, 3)), rng.choice((0, 1, 2)))
    receiver = [rng.randint(0, 2) for _ in (0, 1)]
    both = receiver[0] == receiver[1] and rng.random() < 0.5
    threads = []
    for t in range(rng.choice((3, 3, 4))):
        ops = []
        for _ in range(rng.randint(1, 3)):
            k = rng.choice((0, 0, 0, 1))
            if receiver[k] == t and rng.random() < 0.8:
                ops.append((rng.choice("rrrexX" if both else "rrre"), k))
            elif receiver[k] != t:
                ops.append((rng.choice("sssc"), k))
        threads.append(ops or [("s", 0 if receiver[0] != t else 1)] if receiver != [t, t] else ops or [("r", 0)])
    return places, threads


def main():
    used, seed = 0, first
    while used < wanted:
        places, threads = generate(random.Random(seed))
        wrong = compare(places, threads)
        if wrong:
            print("seed %d, places %s, %s: %s" % (seed, places, " ".join(words(threads)), wrong), flush=True)
        used += wrong is not None
        seed += 1
    print("compared %d" % used)


main()
