#!/usr/bin/env python3
"""waiting_rows.py RADDLE TOP SCRATCH: the rows of "Waiting loops" in docs/performance.md, as TAP. Each is a case of
tests/cases, where its counts stand: in no row may executions and those given up together be more than GenMC's complete and
blocked ones (`--sc`; Peterson, Lamport and Dekker with `--disable-ipr`, the page says why), and each search takes less than
0.1 s of CPU time, the whole command and its worker. The best of several runs counts, since a busy machine makes CPU
seconds longer. Compiled otherwise (one of COMPILERS for each row,
all of them if RADDLE_LONG is set) it has the same counts."""
import os, re, subprocess, sys

raddle, top, scratch = sys.argv[1:4]
MOST, TRIES = 0.1, 8
COMPILERS = [(cc, level) for cc in ("clang", "gcc") for level in ("-O0", "-O1", "-O2", "-O3")]
ROWS = [  # what, case, GenMC's complete and blocked
    ("8 threads wait for one flag", "spin/wait-flag", 1, 0),
    ("a chain of 5 threads, each waits for the one before", "spin/wait-chain", 1, 0),
    ("ticket lock, 4 threads", "spin/locks-ticket", 24, 0),
    ("test-and-set lock, 4 threads", "spin/locks-tas", 24, 168),
    ("test-and-test-and-set lock, 4 threads", "spin/locks-ttas", 576, 1607),
    ("compare-exchange loop that loads again, 5 threads", "spin/reload", 120, 1185),
    ("MCS lock, 3 threads", "spin/locks-mcs", 66, 0),
    ("seqlock, 2 readers, 2 writes", "spin/locks-seqlock", 9, 216),
    ("Treiber stack, 3 threads", "spin/treiber", 4812, 3456),
    ("Peterson, 3 rounds", "spin/locks-peterson", 588, 853),
    ("two barriers, 4 threads, result not looked at", "barrier/result-unused", 1, 0),
    ("CLH lock, 3 threads", "spin/locks-clh", 6, 0),
    ("bounded queue, 2 producers, 2 consumers", "spin/queue-mpmc", 4, 41),
    ("Michael–Scott queue, 2 enqueue, 1 dequeues", "spin/queue-michael-scott", 26, 22),
    ("hazard pointers, 2 readers", "spin/hazard-pointers", 49, 0),
    ("grace period, 2 readers", "spin/grace-period", 9, 0),
    ("reader–writer spin lock, 2 and 2", "spin/rw-spinlock", 188, 58),
    ("dining with spin locks, 4", "spin/dining-spin", 14, 57),
    ("Dekker, 2 rounds", "spin/locks-dekker", 71, 140),
    ("Lamport's fast lock, 2 threads", "spin/locks-lamport", 16, 9),
    ("bakery, 2 threads", "spin/locks-bakery", 9, 0),
    ("Szymanski, loops not bounded, 2 threads", "spin/locks-szymanski", 29, 24),
]


def build(case, compiler="clang", level=None):
    """The program, and how many executions and given up ones its case says there are with optimal."""
    folder, flags, sources, counts = os.path.join(top, "tests/cases", case), ["-O1"], None, None
    for line in open(os.path.join(folder, "expect")):
        if line.startswith("cc:"):
            flags += line[3:].split()
        elif line.startswith("source:"):
            sources = [os.path.join(top, w) for w in line[7:].split()]
        else:
            found = re.match(r"optimal => verdict=safe executions=(\d+) blocked=(\d+)", line)
            counts = tuple(map(int, found.groups())) if found else counts
    path = os.path.join(scratch, os.path.basename(case))
    flags += [level] if level else []
    subprocess.run([raddle, "cc", "-w", *flags, "-o", path, *(sources or [os.path.join(folder, "prog.c")]), "-pthread"],
                   check=True, env={**os.environ, "RADDLE_CC": compiler})
    return path, counts


def search(path):
    """Executions, given up ones and CPU seconds; -1 if the verdict is not safe."""
    used = os.path.join(scratch, "used")
    r = subprocess.run([os.path.join(scratch, "launch"), used, raddle, "run", "-q", "--count-only", "--engine", "optimal",
                        "--symmetry", "off", path], capture_output=True, text=True, timeout=120)
    counts = dict(line.split(None, 1) for line in r.stdout.splitlines() if " " in line)
    return int(counts.get("executions", -1)), int(counts.get("blocked", -1)), float(open(used).read().split()[0])


def main():
    subprocess.run(["cc", "-O1", "-o", os.path.join(scratch, "launch"), os.path.join(top, "bench/launch.c")], check=True)
    for number, (what, case, complete, blocked) in enumerate(ROWS, 1):
        path, counts = build(case)
        cpu = MOST
        for _ in range(TRIES):
            executions, given_up, seconds = search(path)
            cpu = min(cpu, seconds)
            if cpu < MOST:
                break
        good = (executions, given_up) == counts and executions + given_up <= complete + blocked and cpu < MOST
        print("%s %d - %s: %d + %d executions, GenMC %d + %d; %.3f s" % (
            "ok" if good else "not ok", number, what, executions, given_up, complete, blocked, cpu), flush=True)
    for number, (what, case, *_) in enumerate(ROWS):
        some = COMPILERS if "RADDLE_LONG" in os.environ else [COMPILERS[number % len(COMPILERS)]]
        for compiler, level in some:
            path, counts = build(case, compiler, level)
            executions, given_up, _ = search(path)
            print("%s - %s, %s %s: %d + %d executions" % ("ok" if (executions, given_up) == counts else "not ok", what, compiler,
                                                       level, executions, given_up), flush=True)


main()
