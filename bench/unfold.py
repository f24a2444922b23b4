#!/usr/bin/env python3
"""unfold.py [--long] [--table]: tables 8.1 and 8.2 of Kähkönen's thesis with the engines context and unfold, side by side
with optimal. Told as TAP; --table also prints rows for docs/performance.md. --long: all rows."""
import argparse
import json
import os
import sys
import tempfile

from thesis import RADDLE, build, cpu, finish, tap

# name, file, flags, traces (None: not counted here), executions of the thesis (plain, contextual), its seconds, long.
# An execution here can come to several new events, so there may be fewer: "most" says that it is a limit.
TABLE_1 = [
    ("Filesystem(16)", "files", "-DN=16", 8, (3, 3), None, False),
    ("Filesystem(18)", "files", "-DN=18", 32, (3, 3), None, False),
    ("Filesystem(26)", "files", "-DN=26", 8192, None, None, False),
    ("Parallel Pi, 6", "locking", "-DN=6 -DONCE=6", 720, (720, 720), None, False),
    ("Parallel Pi, 7", "locking", "-DN=7 -DONCE=7", 5040, (5040, 5040), None, True),
    ("Fib(4)", "fib", "-DN=4", 19605, (19605, 4950), None, False),
    ("Fib(5)", "fib", "-DN=5", 218243, (218243, 46830), (258, 40), True),
    ("Dining, 4", "dining", "-DN=4", 831, (798, 798), None, False),
    ("Dining, 5", "dining", "-DN=5", 5851, (5746, 5749), None, True),
    ("Dining, 6", "dining", "-DN=6", 38786, (36075, 36058), None, True),
    ("Dining, 7", "dining", "-DN=7", 248011, (205161, 205120), (838, 904), True),
    ("Szymanski(3, 3)", "szymanski_bounded", "-DA=3 -DB=3", 65138, (65138, 56487), None, True),
    ("Szymanski(4, 3)", "szymanski_bounded", "-DA=4 -DB=3", 82008, (82008, 70829), None, True),
    ("Szymanski(5, 4)", "szymanski_bounded", "-DA=5 -DB=4", 132532, (132532, 115365), (380, 606), True),
    ("Pairs", "pairs", "", 4096, (8, 8), None, False),
    ("Locking 1", "locking", "-DN=4 -DONCE=0", 2520, (2520, 2520), None, False),
    ("Locking 2", "locking", "-DN=5 -DONCE=1", 22680, (22680, 22680), None, True),
    ("Locking 3", "locking", "-DN=5 -DONCE=0", 113400, (113400, 113400), None, True),
    ("Updater 1", "updater", "-DSWAPPED=0", None, None, None, False),
    ("Updater 2", "updater", "-DSWAPPED=1", None, None, None, False),
    ("Synthetic(4)", "synthetic", "-DN=4", None, None, None, False),
    ("Synthetic(5)", "synthetic", "-DN=5", None, None, None, True),
]

# name, file, flags, property, answer, seconds of the thesis (plain, contextual), long.
TABLE_2 = [
    ("Updater", "updater", "-DSWAPPED=0", "x + y > 600 && y < 50", "no", (49, 1800), False),
    ("Updater", "updater", "-DSWAPPED=0", "x + y > 400", "yes", (47, 1800), False),
    ("Synthetic(4)", "synthetic", "-DN=4", "i + j == 6 && k == 3 && i > 4", "yes", (122, 46), False),
    ("Fib(4)", "fib", "-DN=4", "i >= 32 || j >= 32", "yes", (41, 12), False),
    ("Fib(4)", "fib", "-DN=4", "i >= 144 || j >= 144", "no", (39, 38), True),
    ("Fib(5)", "fib", "-DN=5", "i >= 144 || j >= 144", "yes", (422, 1578), True),
    ("Fib(5)", "fib", "-DN=5", "i > 144 || j > 144", "no", (435, 1794), True),
    ("Dining, 5", "dining", "-DN=5", "deadlock", "yes", (17, 19), False),
    ("Dining, 6", "dining", "-DN=6", "deadlock", "yes", (591, 756), True),
    ("Dining, 7", "dining", "-DN=7", "deadlock", "yes", (1800, 1800), True),
    ("Locking 2", "locking", "-DN=5 -DONCE=1", "deadlock", "no", (1800, 1800), True),
    ("Szymanski(3, 3)", "szymanski_bounded", "-DA=3 -DB=3", "deadlock", "no", (49, 1800), True),
    ("Updater", "updater", "-DSWAPPED=0", "deadlock", "no", (1357, 1800), False),
    ("Updater 2", "updater", "-DSWAPPED=1", "deadlock", "yes", (135, 1800), False),
]


def run(*words):
    """Output and CPU seconds."""
    return cpu([RADDLE, "run", "-q", "--no-shrink", "--time", "600s", "--memory", "4G", *words])


def search(engine, program):
    """Executions, verdict (of a bug that was found also whether the search went on to its end) and CPU seconds."""
    report = program + ".json"
    text, seconds = run("--engine", engine, "--symmetry", "off", "--keep-going", "--json", report, program)
    with open(report, encoding="utf-8") as f:
        said = json.load(f)
    verdict = said["verdict"] + ("" if said["complete"] else ", not complete: " + text)
    return said["executions"], verdict, seconds


def executions(row, folder, table):
    name, file, flags, traces, thesis, times, _ = row
    program = build(folder, f"unfold/{file}.c", flags)
    every, verdict, base = search("optimal", program)
    tap(traces in (None, every), f"{name}: {every} traces", (traces, verdict))
    cells = []
    for k, engine in enumerate(("unfold", "context")):
        count, said, seconds = search(engine, program)
        good = 0 < count <= every and said == verdict
        if thesis and thesis[k] == traces:
            good = good and count == traces
        elif thesis:
            good = good and count <= thesis[k]
        tap(good, f"{name}, {engine}: {count} executions", (every, thesis, said, verdict))
        if times:
            tap(seconds <= times[k] / 50, f"{name}, {engine}: 1/50 of {times[k]} s", seconds)
        cells += [f"{count:,}", f"{seconds:.2f}", f"{seconds / count * every / base:.1f}" if base > 0.2 else ""]
    if table:
        theirs = " / ".join(f"{n:,}" for n in thesis) if thesis else ""
        print(f"| {name} | {every:,} | {base:.2f} | " + " | ".join(cells) + f" | {theirs} |")


def question(row, folder, table):
    name, file, flags, expression, answer, times, _ = row
    program, cells, took = build(folder, f"unfold/{file}.c", flags), [], []
    for k, engine in enumerate(("unfold", "context")):
        text, seconds = run("--engine", engine, "--property", expression, program)
        said = "yes" if text.startswith("bug") else "no" if text.startswith("safe") else "unknown"
        tap(said == answer, f"{name}, {engine}: {expression}: {answer}", text)
        tap(seconds <= 60, f"… in {seconds:.2f} s of CPU, {times[k]} in the thesis")
        took.append(seconds)
        cells.append(f"{seconds:.2f}")
    tap(min(took) <= max(min(times) / 50, 0.5), f"… the faster of both in 1/50 of the thesis's {min(times)} s", took)
    if table:
        print(f"| {name} | `{expression.replace('||', 'or')}` | {answer} | " + " | ".join(cells) +
              " | " + " / ".join("> 1,800" if t == 1800 else str(t) for t in times) + " |")


def main():
    options = argparse.ArgumentParser(description=__doc__)
    options.add_argument("--long", action="store_true")
    options.add_argument("--table", action="store_true")
    options.add_argument("names", nargs="*", help="only rows that begin like this")
    o = options.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        os.environ["TMPDIR"] = folder
        for row in TABLE_1 + TABLE_2:
            if (row[-1] and not o.long) or (o.names and not row[0].startswith(tuple(o.names))):
                continue
            (executions if row in TABLE_1 else question)(row, folder, o.table)
    finish()


if __name__ == "__main__":
    sys.exit(main())
