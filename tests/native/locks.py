#!/usr/bin/env python3
"""locks.py RADDLE PROGRAM COUNT FIRST ENGINE…: random programs for locks.c. What every engine sees of each is
compared, outcome by outcome, with an enumerator that knows only what POSIX says of the operations: what each
thread was told, whether the execution came to its end or into a deadlock."""
import random, re, subprocess, sys

EDEADLK, EBUSY, ETIMEDOUT, EPERM = 35, 16, 110, 1
RECURSIVE, CHECKING = 2, 3
STATES = 20000
EXECUTIONS = 100000  # more are not worth it

# The state of an object: a mutex (owner, depth), a semaphore, an rwlock (writer, readers), a variable.


def mutex(op, k, t, state):
    """(result, new state) for each way the operation can end now."""
    owner, depth = state
    if op == "u":
        if owner != t:
            return [(EPERM if k == CHECKING else -1, state)]
        return [(0, (t, depth - 1) if depth > 1 else (None, 0))]
    if owner is None:
        return [(0, (t, 1))]
    if owner == t and k == RECURSIVE:
        return [(0, (t, depth + 1))]
    if owner == t and k == CHECKING and op != "t":
        return [(EDEADLK, state)]
    return {"l": [], "t": [(EBUSY, state)], "m": [(ETIMEDOUT, state)]}[op]


def semaphore(op, k, t, n):
    if op == "v":
        return [(0, n + 1)]
    if op == "g":
        return [(n, n)]
    if n > 0:
        return [(0, n - 1)]
    return [] if op == "p" else [(-1, n)]


def rwlock(op, k, t, state):
    writer, readers = state
    mine = writer == t or t in readers
    if op == "z":
        return [(0, (None, readers - {t})) if mine else (-1, state)]
    if mine:
        return [(-1, state)]
    if op in "aA" and writer is None:
        return [(0, (None, readers | {t}))]
    if op in "bB" and writer is None and not readers:
        return [(0, (t, readers))]
    return [] if op in "ab" else [(EBUSY, state)]


def variable(op, k, t, n):
    if op == "c":
        return [(n, t + 1 if n == 0 else n)]
    return [({"w": 0}.get(op, n), {"r": n, "w": t + 1, "i": n + 1}[op])]


def plain(op, k, t, n):
    return [(n, n) if op == "R" else (0, t + 1)]


KINDS = {"RW": plain, "ltmu": mutex, "pyvg": semaphore, "aAbBz": rwlock, "rwic": variable}
KIND = {op: kind for ops, kind in KINDS.items() for op in ops}
START = {plain: lambda k: 0, mutex: lambda k: (None, 0), semaphore: lambda k: k & 1,
         rwlock: lambda k: (None, frozenset()), variable: lambda k: 0}


def condition(op, k, t, held, waits):
    """(result or None if it is not over, objects, what threads wait) for each way; waits: {thread: (k, why)}."""
    owner = held.get((mutex, k), (None, 0))
    if t in waits:
        k, why = waits[t]
        owner = held.get((mutex, k), (None, 0))
        ways = []
        if why == "Q":
            ways.append((None, held, {**waits, t: (k, ETIMEDOUT)}))
        elif why != "q" and owner[0] is None:
            ways.append((why, {**held, (mutex, k): (t, 1)}, {o: w for o, w in waits.items() if o != t}))
        return ways
    if op in "nN":
        waiting = [o for o, w in waits.items() if w[0] == k and w[1] in ("q", "Q")]
        if op == "N" or not waiting:
            return [(0, held, {**waits, **{o: (k, 0) for o in waiting}})]
        return [(0, held, {**waits, o: (k, 0)}) for o in waiting]
    if owner != (t, 1):
        return [(-1, held, waits)]
    return [(None, {**held, (mutex, k): (None, 0)}, {**waits, t: (k, op)})]


def port(op, k, t, held, waits, how, sent):
    """As above. A port is the messages in it: (sender, value, does the sender wait for it)."""
    full = held.get((port, k), ())
    if t in waits:
        return [(0, held, {o: w for o, w in waits.items() if o != t})] if waits[t][1] == "taken" else []
    if op != "e":
        message = (t, (0 if "-s" in how else 100 * t) + 10 * k + sent, op == "S")
        return [(None if op == "S" else 0, {**held, (port, k): full + (message,)},
                 {**waits, t: (k, "call")} if op == "S" else waits)]
    ways = []
    for i, (sender, value, called) in enumerate(full):
        if all(m[0] != sender for m in full[:i]):
            ways.append((0 if "-u" in how else value, {**held, (port, k): full[:i] + full[i + 1:]},
                         {**waits, sender: (k, "taken")} if called else waits))
    return ways


def parse(word):
    """The operations of a thread: (operation, object, only if the last one returned 0)."""
    ops, k, unless = [], 0, False
    for c in word:
        if c.isdigit():
            k = int(c)
        elif c == "?":
            unless = True
        else:
            ops.append((c, k, unless))
            unless = False
    return ops


def ways(op, k, t, held, waits, how, sent):
    if op in "sSe":
        return port(op, k, t, held, waits, how, sent)
    if op in "qQnN":
        return condition(op, k, t, held, waits)
    kind = KIND[op]
    return [(result, {**held, (kind, k): new}, waits)
            for result, new in kind(op, k, t, held.get((kind, k), START[kind](k)))]


def up_to_exchange(how, told):
    """With -s it does not matter which of the threads was told what."""
    return told[:1] + tuple(sorted(told[1:])) if "-s" in how else told


def outcomes(words, how=()):
    """All there are: (what each thread was told, came to its end); None: too many states."""
    code = [parse(w) for w in words]
    seen, ends = set(), set()
    stack = [((0,) * len(code), ((),) * len(code), frozenset(), frozenset())]
    while stack:
        at, told, objects, waiting = state = stack.pop()
        if state in seen:
            continue
        seen.add(state)
        if len(seen) > STATES:
            return None
        moved, over = False, True
        held, waits = dict(objects), dict(waiting)
        for t, ops in enumerate(code):
            i, last = at[t], told[t][-1] if told[t] else 0
            while i < len(ops) and ops[i][2] and last != 0:
                i += 1
            if i == len(ops):
                continue
            over = False
            op, k, _ = ops[i]
            sent = sum(o[0] in "sS" for o in ops[:i])
            for result, after, waiting in ways(op, k, t, held, waits, how, sent):
                moved = True
                done = result is not None
                stack.append((at[:t] + (i + done,) + at[t + 1:],
                              told[:t] + (told[t] + ((result,) if done else ()),) + told[t + 1:],
                              frozenset(after.items()), frozenset(waiting.items())))
        if not moved:
            ends.add((up_to_exchange(how, told), over))
    return ends


def seen_by(command, threads, how):
    """What the engine saw, and what it said."""
    text = subprocess.run(command, capture_output=True, text=True, timeout=120).stdout.split("\n")
    found, told, said = set(), None, {}
    for line in text + ["begin"]:
        if line in ("begin", "end"):
            if told:
                found.add((up_to_exchange(how, tuple(map(tuple, told))), line == "end"))
            told = [[] for _ in range(threads)] if line == "begin" else None
        elif told is not None and line[:1].isdigit():
            t, result = line.split()
            told[int(t)].append(int(result))
        elif " " in line:
            name, value = line.split(" ", 1)
            said[name] = value
            if name == "verdict" and told:
                found.add((up_to_exchange(how, tuple(map(tuple, told))), False))
                told = None
    return found, said


def wrong(command, words, truth, how=()):
    found, said = seen_by(command + list(how) + words, len(words), how)
    if int(said.get("executions", 0)) + int(said.get("blocked", 0)) >= EXECUTIONS:
        return None
    stuck = any(not over for _, over in truth)
    missing = truth - found
    unknown = {o for o in found - truth if o[1]}
    if missing or unknown:
        return "%d of %d outcomes missing, %d unknown: %s" % (
            len(missing), len(truth), len(unknown), sorted(missing or unknown)[0])
    if said.get("verdict") != ("bug" if stuck else "safe"):
        return "says %s" % said.get("verdict")
    return None


GENERAL = ["llttuu", "llttuumm", "llttuu0123", "lltuu0123", "llmtuu23??", "pvyg01", "pvltu013?", "lutpv?",
           "llltuuurw2222", "llltuuuriw3333", "llltuuurw222333i", "llltuuurwlltuu2", "abABzz01", "aabzrwi",
           "abABzzrwi", "rwic01", "llluuuqqnrw", "lluuqqQnNrw", "llluuqqnN01", "llluuqnt1i", "lturwic01?",
           "ltuabzpvrw01"]
POSTS = ["ppvvv01", "ppvvv1", "pvvyg01", "pvvrw1", "ppvvilu01", "pppvvv0123", "pvvs1", "pvqnlu1"]
PORTS = ["ssspv1", "sss01", "ssSS", "ssSi01", "ssrw", "ssltu", "sssv1p"]
EQUAL = ["ss", "sss01", "ssS", "pv1", "pvvy01", "ltui", "llttuuri", "sslu", "abzri", "ABzi", "si01", "lluuqn",
         "svp1i"]


def word(rng, alphabet, longest):
    text = "".join(rng.choice(alphabet) for _ in range(rng.randint(2, longest)))
    return re.sub(r"\?+(?=[0-9]|$)|\?+(?=\?)", "", text).rstrip("0123") or alphabet[0]


def program(seed, engine):
    """Words, and how they are to be run."""
    rng = random.Random(seed)
    threads = rng.choice((2, 2, 2, 3, 3, 4))
    longest = {2: 9, 3: 6, 4: 4}[threads]
    symmetry, messages = "symmetry" in engine, "messages" in engine
    if not symmetry and not messages:
        alphabet = rng.choice(POSTS if "pv" in engine else GENERAL + PORTS)
        if "pv" in engine or "all" in engine:  # incomplete where a semaphore's value is asked for
            alphabet = alphabet.replace("g", "")
        words = [word(rng, alphabet, longest) for _ in range(threads)]
    else:
        alphabet = rng.choice(EQUAL if symmetry else PORTS)
        threads = max(threads, 3)
        words = [word(rng, alphabet, {3: 5, 4: 3}[threads]) for _ in range(threads)]
        if symmetry:
            words[1:] = [words[1]] * (threads - 1)
    if any(c in w for w in words for c in "sS"):
        kinds = "e01" if any("1" in w for w in words) else "e"
        words[0] = word(rng, kinds + words[0].replace("s", "e").replace("S", "e"), 5)
    return words, (["-s"] if symmetry else []) + (["-u"] if messages else [])


def main():
    raddle, binary, count, first = sys.argv[1:3] + [int(sys.argv[3]), int(sys.argv[4])]
    for engine in sys.argv[5:]:
        compared = 0
        for seed in range(first, first + count):
            words, how = program(seed, engine)
            truth = outcomes(words, how)
            if truth is None or len(truth) < 2:
                continue
            compared += 1
            command = [raddle, "run", "-k", "--count-only", "--no-shrink", "--show-output", "--races", "off",
                       "--max-executions", str(EXECUTIONS), "--seed", str(seed), "--engine"] + engine.split()
            said = wrong(command + [binary], words, truth, how)
            if said:
                print("%s: seed %d: %s: %s" % (engine, seed, " ".join(how + words), said), flush=True)
        print("compared %d: %s" % (compared, engine))


if __name__ == "__main__":
    main()
