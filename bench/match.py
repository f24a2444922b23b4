#!/usr/bin/env python3
"""match.py [--long] [--table] [NAME…]: table 8.3 of Kähkönen's thesis with the engines stateful and stateful-unfold, side by
side with optimal: at most as many executions as there, the same verdict, and nets of the same size, also where
stateful-unfold has to unfold though states are few (--set unfold=1). Told as TAP; --table also prints rows for
docs/performance.md. --long: all rows. --spin: states per CPU second beside SPIN's instead. --cost: what rows cost where
state matching does not help, at most 4 times as much as optimal."""
import argparse
import json
import os
import subprocess
import sys
import tempfile

from thesis import HERE, RADDLE, build, cpu, finish, tap

CASES = os.path.join(HERE, "../tests/cases")

# name, source, flags, executions of the thesis (stateful, stateful-unfold), whether to explore all traces with optimal too
# (or how many there are), long
TABLE = [
    ("Dining, 2", "unfold/dining.c", "-DN=2", (4, 4), True, False),
    ("Dining, 3", "unfold/dining.c", "-DN=3", (4, 4), True, False),
    ("Dining, 4", "unfold/dining.c", "-DN=4", (3, 4), True, False),
    ("Dining, 5", "unfold/dining.c", "-DN=5", (3, 3), True, False),
    ("Dining, 6", "unfold/dining.c", "-DN=6", (2, 4), True, False),
    ("Dining, 7", "unfold/dining.c", "-DN=7", (4, 2), True, True),
    ("Writes", CASES + "/match/writes/prog.c", "", (1, 1), False, False),
    ("Locking 1", "unfold/sections.c", "-DN=4", (20, 18), 2520, False),
    ("Locking 2", "unfold/sections.c", "-DN=5 -DONCE=1", (29, 26), 22680, True),
    ("Locking 3", "unfold/sections.c", "-DN=5", (39, 34), 113400, True),
    ("Locking 4", "unfold/sections.c", "-DN=6", (89, 89), False, False), # 115 there with stateful
    ("Pairs", "unfold/pairs.c", "", (9, 4), True, False),
    # These are of our design, so that the thesis's numbers are not a measure for them.
    ("Updater 1", "unfold/updater.c", "-DSWAPPED=0", (13586, 12259), True, False),
    ("Updater 2", "unfold/updater.c", "-DSWAPPED=1", (13627, 12238), True, False),
    ("Synthetic(4)", "unfold/synthetic.c", "-DN=4", (123, 97), True, False),
    ("Filesystem(16)", "unfold/files.c", "-DN=16", (3, 3), 8, False),
    ("Filesystem(18)", "unfold/files.c", "-DN=18", (3, 3), 32, True),
    ("Parallel Pi, 6", "unfold/locking.c", "-DN=6 -DONCE=6", (720, 720), True, False),
    ("Parallel Pi, 7", "unfold/locking.c", "-DN=7 -DONCE=7", (5040, 5040), True, False),
    ("Fib(4)", "unfold/fib.c", "-DN=4", (5746, 4946), True, False),
    ("Fib(5)", "unfold/fib.c", "-DN=5", (53478, 46829), True, True),
    ("Szymanski(3, 3)", "unfold/szymanski_bounded.c", "-DA=3 -DB=3", (50264, 46679), 65138, False),
    ("Szymanski(4, 3)", "unfold/szymanski_bounded.c", "-DA=4 -DB=3", (64843, 60192), 82008, True),
    ("Szymanski(5, 4)", "unfold/szymanski_bounded.c", "-DA=5 -DB=4", (105270, 97903), 132532, True),
]
ENGINES = ("stateful", "stateful-unfold")
SLOW = ("Locking 4", "Szymanski(3, 3)", "Szymanski(4, 3)", "Szymanski(5, 4)") # when they are unfolded
COST = ("Parallel Pi, 6", "Parallel Pi, 7", "Szymanski(3, 3)")
LONG_COST = ("Parallel Pi, 7",)
# model of SPIN, the program it is of
SPIN = [("dining", CASES + "/match-states/dining/prog.c"), ("buffer", CASES + "/match-states/buffer/prog.c")]


def search(folder, program, *words):
    """Its report and CPU seconds."""
    report = os.path.join(folder, "report.json")
    said, seconds = cpu([RADDLE, "run", "-q", "--no-shrink", "--keep-going", "--symmetry", "off", "--time", "1200s", "--json", report,
                         "--out", os.path.join(folder, "out"), "--engine", *words, program])
    try:
        with open(report, encoding="utf-8") as file:
            return json.load(file), seconds
    except (OSError, ValueError):
        return {"executions": -1, "verdict": said}, seconds


def row(entry, folder, table):
    name, source, flags, thesis, every, _ = entry
    program, cells, nets, optimal = build(folder, source, flags), [], [], None
    if every:
        optimal, seconds = search(folder, program, "optimal")
        if every is not True:
            tap(optimal["executions"] == every, f"{name}: {every} traces", optimal["executions"])
        cells = [f"{optimal['executions']:,}", f"{seconds:.2f}"]
    for engine, most in zip(ENGINES, thesis):
        r, seconds = search(folder, program, engine)
        good = 0 < r["executions"] <= most and (not optimal or r["verdict"] == optimal["verdict"]) and r.get("complete")
        tap(good, f"{name}, {engine}: {r['executions']} executions, at most {most}", (r["verdict"], r.get("incomplete")))
        nets.append((r.get("net_places"), r.get("net_transitions")))
        cells += [f"{r['executions']:,}", f"{seconds:.2f}"]
    if name not in SLOW:
        r, _ = search(folder, program, "stateful-unfold", "--set", "unfold=1")
        good = 0 < r["executions"] <= thesis[1] and r.get("complete")
        tap(good, f"{name}, unfolded: {r['executions']} executions, at most {thesis[1]}", (r["verdict"], r.get("incomplete")))
        nets.append((r.get("net_places"), r.get("net_transitions")))
    tap(nets[0] == nets[1] == nets[-1], f"{name}: both learn a net of {nets[0][0]} places and {nets[0][1]} transitions", nets)
    if table:
        print(f"| {name} | " + " | ".join(cells if every else ["", ""] + cells) + f" | {thesis[0]:,} / {thesis[1]:,} |")


def instructions(folder, program, engine):
    """Of the worker."""
    out = os.path.join(folder, "callgrind")
    search(folder, program, engine, "--wrap", f"valgrind --tool=callgrind --callgrind-out-file={out}")
    with open(out, encoding="utf-8") as file:
        return max(int(line.split()[1]) for line in file if line.startswith(("summary:", "totals:")))


def cost(folder, long):
    """Instructions, which do not depend on what else the machine does; and the best of three CPU times, taken in turns."""
    for name, source, flags, *_ in (entry for entry in TABLE if entry[0] in COST and (long or entry[0] not in LONG_COST)):
        program, counts, best = build(folder, source, flags), {}, {}
        for engine in ("optimal",) + ENGINES:
            if not name.startswith("Szymanski"): # takes too long with valgrind
                counts[engine] = instructions(folder, program, engine)
        for _ in range(3):
            for engine in ("optimal",) + ENGINES:
                best[engine] = min(best.get(engine, 1e9), search(folder, program, engine)[1])
        for engine in ENGINES:
            of, what = (counts, "instructions") if counts else (best, "CPU time")
            tap(of[engine] <= 4 * of["optimal"], f"{name}, {engine}: {of[engine] / of['optimal']:.1f} times the {what} of optimal, "
                "at most 4", of)
            print(f"# {name}, {engine}: {best[engine] / best['optimal']:.1f} times the CPU time")


def spin(folder):
    """SPIN's verifier of a model written by hand, beside the program itself."""
    for name, source in SPIN:
        where = os.path.join(folder, name)
        os.mkdir(where)
        subprocess.run(["spin", "-a", os.path.join(HERE, "spin", name + ".pml")], cwd=where, check=True, capture_output=True)
        subprocess.run(["gcc", "-O2", "-w", "-DSAFETY", "-DMEMLIM=2000", "-o", "pan", "pan.c"], cwd=where, check=True)
        text, theirs = cpu(["./pan", "-m1000000", "-w24"], cwd=where)
        states = int(next(line.split()[0] for line in text.splitlines() if "states, stored" in line))
        r, ours = search(folder, build(folder, source, ""), "stateful", "--match", "states")
        if name == "dining": # the steps are the same ones; SPIN counts that of init, too
            tap(abs(r["graph_states"] - states) <= 1, f"{name}: {states} states in SPIN", r["graph_states"])
        tap(r.get("complete") and r["verdict"] == "safe" and ours < 10, f"{name}: complete, in {ours:.2f} s of CPU", r["verdict"])
        print(f"| {name} | {r['graph_states']:,} | {r['transitions']:,} | {ours:.2f} | {r['graph_states'] / ours:,.0f} | "
              f"{states:,} | {theirs:.2f} | {states / theirs:,.0f} |")


def main():
    options = argparse.ArgumentParser(description=__doc__)
    options.add_argument("--long", action="store_true")
    options.add_argument("--table", action="store_true")
    options.add_argument("--spin", action="store_true")
    options.add_argument("--cost", action="store_true")
    options.add_argument("names", nargs="*", help="only rows that begin like this")
    o = options.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        os.environ["TMPDIR"] = folder
        for entry in [] if o.spin or o.cost else TABLE:
            if (o.long or not entry[-1]) and (not o.names or entry[0].startswith(tuple(o.names))):
                row(entry, folder, o.table)
        if o.spin:
            spin(folder)
        if o.cost:
            cost(folder, o.long)
    finish()


if __name__ == "__main__":
    sys.exit(main())
