#!/usr/bin/env python3
"""The table of symbolic inputs in docs/performance.md: for each program how many paths, or pairs of a trace and a path,
are explored per second of CPU time, how much of it the solver takes, and which of its layers answers. make
bench-symbolic."""
import json
import os
import subprocess
import sys
import tempfile

top = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
raddle = os.environ.get("RADDLE", os.path.join(top, "build/bin/raddle"))
ROWS = [  # name, source, engine, flags
    ("10 bytes", "tests/cases/symbolic/bytes/prog.c", "dfs", []),
    ("sort of 5 integers", "tests/cases/symbolic/sort/prog.c", "dfs", []),
    ("parser, 6 bytes", "tests/e2e/symbolic/parser.c", "dfs", []),
    ("strtol, 5 characters", "bench/programs/symbolic_strtol.c", "dfs", []),
    ("state machine, 6 bytes", "bench/programs/symbolic_states.c", "dfs", []),
    ("TLV, 12 bytes", "bench/programs/symbolic_tlv.c", "dfs", []),
    ("pairs, 8 threads", "tests/cases/symbolic/pairs/prog.c", "optimal", []),
    ("pairs, 10 threads", "tests/cases/symbolic/pairs/prog.c", "optimal", ["-DPAIRS=5"]),
    ("two counters, 2 threads", "bench/programs/symbolic_counters.c", "optimal", []),
    ("two counters, 4 rounds", "bench/programs/symbolic_counters.c", "optimal", ["-DROUNDS=4"]),
    ("two counters, 5 rounds", "bench/programs/symbolic_counters.c", "optimal", ["-DROUNDS=5"]),
]


def measure(name, source, engine, flags, folder):
    program, report = os.path.join(folder, "prog"), os.path.join(folder, "report.json")
    subprocess.run([raddle, "cc", "--symbolic", "-O2", "-w", "-o", program, os.path.join(top, source), "-pthread"] + flags,
                   check=True)
    best = None
    for _ in range(3):
        words = [raddle, "run", "-q", "-k", "--status", "any", "--engine", engine, "--json", report, "--out",
                 os.path.join(folder, "out"), program]
        quiet = [(os.POSIX_SPAWN_OPEN, fd, os.devnull, os.O_RDWR, 0) for fd in (1, 2)]
        _, _, usage = os.wait4(os.posix_spawn(words[0], words, os.environ, file_actions=quiet), 0)
        cpu = usage.ru_utime + usage.ru_stime
        best = cpu if best is None else min(best, cpu)
    r = json.load(open(report))
    s = r["solver"]
    share = ["%.0f" % (100 * s[k] / max(s["asked"], 1)) for k in ("bytes", "cached", "tried", "sat")]
    print("| %s | %s | {:,} | {:,} | %.0f%% | {:,} | %s |".format(
        r["executions"], int(r["executions"] / best), s["asked"]) % (
            name, engine, 100 * s["share"], " / ".join(share)), flush=True)


def main():
    print("| program | engine | paths or pairs | per CPU second | solver | questions | bytes / cache / trying / SAT, % |")
    print("|---|---|---:|---:|---:|---:|---|")
    with tempfile.TemporaryDirectory() as folder:
        for row in ROWS:
            if len(sys.argv) < 2 or any(w in row[0] for w in sys.argv[1:]):
                measure(*row, folder)


main()
