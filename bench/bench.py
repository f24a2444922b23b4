#!/usr/bin/env python3
"""Builds the programs in bench/programs and prints, per engine, what an execution costs.

Every row is one run of `raddle run`; times are CPU seconds of host and worker together, start-up
included. --jobs measures what sharing a search costs. The last table counts instructions per
execution with callgrind: it does not depend on what else the machine does, so a regression shows.
--quick takes seconds.
"""
import argparse, json, os, re, subprocess, sys, tempfile

top = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
raddle = os.path.join(top, "build/bin/raddle")

# program, N, traces (None: not explored to the end), limit on executions
ROWS = [
    ("fib", 4, 19605, 0), ("fib", 5, 218243, 0), ("lastzero", 10, 3328, 0),
    ("lastzero", 15, 147456, 0), ("sigma", 6, 10395, 0), ("sigma", 7, 135135, 0),
    ("sigma", 8, 2027025, 0), ("readers", 13, 8192, 0), ("indexer", 14, 512, 0),
    ("indexer", 15, 4096, 0), ("indexer", 16, 32768, 0),
    ("filesystem", 22, 512, 0), ("filesystem", 26, 8192, 0), ("lockinc", 7, 5040, 0),
    ("dining", 10, 1022, 0), ("casrot", 8, 2048, 0), ("floating_read", 6, 5040, 0),
    ("lastwrite", 7, 5040, 0), ("single_lock", 4, 2520, 0),
]
SAMPLE = 200000  # executions of endless or unfinished searches


def build(scratch, program, n, k=2):
    out = os.path.join(scratch, "%s-%d-%d" % (program, n, k))
    source = os.path.join(top, "bench/programs", program + ".c")
    subprocess.run([raddle, "cc", "-O2", "-w", "-DN=%d" % n, "-DK=%d" % k, "-o", out, source],
                   check=True)
    return out


def launcher(scratch):
    """Python is larger than what it would measure."""
    launch = os.path.join(scratch, "launch")
    if not os.path.exists(launch):
        subprocess.run(["cc", "-O1", "-o", launch, os.path.join(top, "bench/launch.c")], check=True)
    return launch


def measure(scratch, prog, engine, limit, *options):
    report, used = os.path.join(scratch, "report.json"), os.path.join(scratch, "used")
    words = [launcher(scratch), used, raddle, "run", "-q", "--keep-going", "--no-shrink", "--engine", engine, "--json", report,
             "--out", os.path.join(scratch, "out"), "--max-executions", str(limit), *options, prog]
    subprocess.run(words, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, check=True)
    result = json.load(open(report))
    cpu, size = open(used).read().split()
    result["cpu"], result["rss"] = float(cpu), int(size) / 1024
    return result


def speed_table(scratch, engines, rows):
    print("%-16s %-9s %11s %8s %8s %12s %8s %8s %7s" % (
        "program", "engine", "executions", "blocked", "CPU s", "exec/CPU s", "us/exec", "ns/event", "MiB"))
    for program, n, traces, limit in rows:
        prog = build(scratch, program, n)
        for engine in engines:
            r = measure(scratch, prog, engine, 0 if engine == "optimal" else SAMPLE)
            runs = r["executions"] + r["blocked"]
            wrong = engine == "optimal" and (r["executions"] != traces or r["blocked"])
            print("%-16s %-9s %11s %8s %8.3f %12s %8.2f %8.1f %7.1f%s" % (
                "%s(%d)" % (program, n), engine, format(r["executions"], ","),
                format(r["blocked"], ","), r["cpu"], format(int(runs / r["cpu"]), ","),
                1e6 * r["cpu"] / max(runs, 1), 1e9 * r["cpu"] / max(r["events"], 1), r["rss"],
                "   WRONG, wanted %s" % traces if wrong else ""))
            sys.stdout.flush()


# Searches of some seconds: program, N
LONG = [("sigma", 8), ("fib", 6), ("indexer", 16), ("lastzero", 16), ("filesystem", 26),
        ("dining_deadlock", 7), ("readers", 18)]


def jobs_table(scratch, rows):
    """What two workers cost more than one: efficiency = CPU(1) / (CPU(2) + waiting(2)), best of two."""
    print("\nsharing a search (--engine optimal): CPU seconds with one and two workers")
    print("%-18s %11s %8s %8s %8s %8s %9s %11s" % (
        "program", "executions", "-j 1", "-j 2", "waiting", "dry/s", "share", "efficiency"))
    for program, n in rows:
        prog = build(scratch, program, n)
        best = {}
        for _ in range(2):
            for jobs in (1, 2):
                r = measure(scratch, prog, "optimal", 0, "-j", str(jobs))
                r["idle"] = sum(w["idle"] for w in r["workers"]) if jobs > 1 else 0
                if jobs not in best or r["cpu"] + r["idle"] < best[jobs]["cpu"] + best[jobs]["idle"]:
                    best[jobs] = r
        one, two = best[1], best[2]
        wrong = one["executions"] != two["executions"] or one["blocked"] or two["blocked"]
        most = max(w["executions"] for w in two["workers"])
        print("%-18s %11s %8.2f %8.2f %8.2f %8.1f %8.0f%% %10.0f%%%s" % (
            "%s(%d)" % (program, n), format(one["executions"], ","), one["cpu"], two["cpu"],
            two["idle"], sum(w["dry"] for w in two["workers"]) / two["seconds"],
            100 * most / two["executions"], 100 * one["cpu"] / (two["cpu"] + two["idle"]),
            "   WRONG" if wrong else ""))
        sys.stdout.flush()


def growth_row(label, r):
    print("%8d %-9s %12s %10.2f %10.1f %10.1f" % (
        label[0], label[1], format(int(r["executions"] / r["cpu"]), ","),
        1e6 * r["cpu"] / r["executions"], 1e9 * r["cpu"] / r["events"],
        r["events"] / r["executions"]))
    sys.stdout.flush()


def growth_tables(scratch, engines):
    columns = "%8s %-9s %12s %10s %10s %10s"
    heads = ("engine", "exec/CPU s", "us/exec", "ns/event", "events")
    print("\ngrowth with the number of threads (4 stores to one variable in each)")
    print(columns % ("threads", *heads))
    for engine in engines:
        for n in (8, 16, 32, 64):
            prog = build(scratch, "steps", n, 4)
            growth_row((n, engine), measure(scratch, prog, engine, 400000 // n))
    print("\ngrowth with the number of events (two threads, N stores to one variable in each)")
    print(columns % ("stores", *heads))
    for engine in engines:
        for n in (16, 64, 256, 1024):
            prog = build(scratch, "steps", 2, n)
            growth_row((n, engine), measure(scratch, prog, engine, 200000 // n))


def instructions(scratch, prog, engine, limit):
    out = os.path.join(scratch, "callgrind.out")
    measure(scratch, prog, engine, limit, "--wrap", "valgrind --tool=callgrind --callgrind-out-file=" + out)
    for line in open(out):
        if line.startswith("summary:") or line.startswith("totals:"):
            return int(line.split()[1])
    raise SystemExit("callgrind gave no total")


def instruction_table(scratch):
    print("\ninstructions per execution (callgrind)")
    for program, n, k, engine in (("steps", 2, 10, "random"), ("fib", 4, 2, "optimal"),
                                  ("sigma", 6, 2, "optimal"), ("readers", 13, 2, "optimal"),
                                  ("lastzero", 10, 2, "optimal")):
        prog = build(scratch, program, n, k)
        few, many = (instructions(scratch, prog, engine, limit) for limit in (1000, 3000))
        print("%-16s %-9s %8.0f" % ("%s(%d)" % (program, n), engine, (many - few) / 2000))
        sys.stdout.flush()


def main():
    a = argparse.ArgumentParser(description=__doc__)
    a.add_argument("--engines", default="random dfs optimal")
    a.add_argument("--quick", action="store_true", help="only rows of less than a second")
    a.add_argument("--jobs", action="store_true", help="only the table of shared searches")
    a.add_argument("programs", nargs="*")
    o = a.parse_args()
    rows = [r for r in ROWS if (not o.programs or r[0] in o.programs) and
            (not o.quick or r[2] <= 20000)]
    with tempfile.TemporaryDirectory() as scratch:
        if o.jobs:
            jobs_table(scratch, [r for r in LONG if not o.programs or r[0] in o.programs])
            return
        speed_table(scratch, o.engines.split(), rows)
        if not o.programs:
            growth_tables(scratch, [e for e in o.engines.split() if e != "dfs"])
            jobs_table(scratch, LONG)
            instruction_table(scratch)


main()
