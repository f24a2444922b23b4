#!/usr/bin/env python3
"""DPOR with and without commuting reads, and with sleep sets: figure 8 of the paper on DPOR-CR (LCT).

Executions, completed and given up, of a search in random order, mean of seeds 1 to 5, none beyond 10,000. The programs
are those of bench/programs with -DVISIBLE: locks are reached through references, as in Java, and every access to
what is shared is a step. docs/performance.md has the table and what it says.
"""
import json, os, subprocess, sys, tempfile

top = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
raddle = os.path.join(top, "build/bin/raddle")
LIMIT = 10000
# program, N, in the paper: DPOR, DPOR-CR, DPOR-CR with sleep sets
ROWS = [("indexer", 12, "8,614.6", "154", "27"), ("indexer", 13, "> 10,000", "> 10,000", "722.4"),
        ("filesystem", 14, "6.8", "3.2", "2.6"), ("filesystem", 16, "568.4", "26.8", "19.5"),
        ("filesystem", 18, "> 10,000", "250.2", "145.8"), ("parallel_pi", 3, "> 10,000", "3,217.8", "19.2"),
        ("parallel_pi", 5, "> 10,000", "> 10,000", "1,220.6"), ("bounded_buffer", 3, "64.4", "67.2", "16")]
SEARCHES = [("dpor", "--sleep", "off"), ("dpor-cr", "--sleep", "off"), ("dpor-cr", "--sleep", "on", "--set", "let_sleep=1"),
            ("dpor-cr", "--sleep", "on")]


def executions(program, options):
    command = [raddle, "run", "-q", "--count-only", "--json", "-", "--max-executions", str(LIMIT),
               "--engine", *options, program]
    said = json.loads(subprocess.run(command, capture_output=True, text=True).stdout)
    return said["executions"] + said["blocked"], said["executions"]


def mean(program, options):
    counts = []
    for seed in range(1, 6):
        count, _ = executions(program, [*options, "--set", "random=1", "--seed", str(seed)])
        if count >= LIMIT:
            return "> {:,}".format(LIMIT)
        counts.append(count)
    return "{:,.1f}".format(sum(counts) / len(counts)).replace(".0", "")


def main():
    wanted = sys.argv[1:]
    print("| program | paper: DPOR | DPOR-CR | with sleep sets | `dpor --sleep off` | `dpor-cr --sleep off` | "
          "`dpor-cr --set let_sleep=1` | `dpor-cr` | traces |")
    print("|---" * 9 + "|")
    with tempfile.TemporaryDirectory() as scratch:
        for name, n, *paper in ROWS:
            if wanted and name not in wanted:
                continue
            program = os.path.join(scratch, name)
            subprocess.run([raddle, "cc", "-O1", "-DVISIBLE", "-DN=%d" % n, "-o", program,
                            os.path.join(top, "bench/programs", name + ".c")], check=True)
            traces = executions(program, ["optimal"])[1]
            cells = [mean(program, search) for search in SEARCHES]
            print("| %s (%d) | %s |" % (name, n, " | ".join([*paper, *cells, str(traces)])), flush=True)


main()
