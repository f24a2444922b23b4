#!/usr/bin/env python3
"""How often: an engine that says "exactly once" runs as many executions as there are traces, and those that dfs finds.

    traces.py ORACLE RADDLE [--first SEED] [--count N] [--only FAMILY,…] [--without FAMILY,…] [--paths N] [--exact]

The number of traces comes from two sides: the distinct canonical forms of all interleavings (dfs), which know what is
dependent from raddle's own table, and `oracle traces`, which only knows which steps can be exchanged without another
state coming of it. There are never fewer of the first, and with --exact (objects whose table has no needless
conflicts) as many; left out are programs that are killed in the midst, and messages, whose order in a port nobody can
see. Prints one line per difference and, last, "programs N traces N differences N".
"""
import argparse, json, os, re, subprocess, sys, tempfile

import compare

ENGINES = ["optimal", "source"]


def explore(tools, engine, binary, number, expected):
    """The canonical forms of the executions, and what raddle says."""
    raw, report = (os.path.join(tools.scratch, name) for name in ("raw", "report"))
    options = compare.run_options(expected)
    subprocess.run([tools.raddle, "run", "--engine", engine, "--keep-going", "--quiet", "--count-only", "--all-traces", raw,
                    "--json", report, "--time", "%ds" % tools.limit, *options, binary, str(number)], capture_output=True)
    with open(raw) as forms, open(report) as said:
        return forms.read().splitlines(), json.load(said)


def differences(tools, binary, number, expected, counted, exact):
    forms, said = explore(tools, "dfs", binary, number, expected)
    traces = set(forms)
    if not said["complete"]:
        return 0, []
    found = []
    if counted > len(traces) or (exact and 0 <= counted != len(traces)):
        found.append("dfs: %d traces, %d by exchanging steps" % (len(traces), counted))
    for engine in ENGINES:
        forms, said = explore(tools, engine, binary, number, expected)
        if said["complete"] and set(forms) != traces:
            found.append("%s: misses %d of %d traces, adds %d" % (engine, len(traces - set(forms)), len(traces),
                                                                  len(set(forms) - traces)))
        if said.get("times") == "exactly once" and len(forms) != len(set(forms)):
            found.append("%s: %d executions of %d traces are told as exactly once" % (engine, len(forms), len(set(forms))))
    return len(traces), found


def arguments():
    parser = argparse.ArgumentParser()
    parser.add_argument("oracle")
    parser.add_argument("raddle")
    parser.add_argument("--first", type=int, default=1)
    parser.add_argument("--count", type=int, default=40)
    parser.add_argument("--only", default="")
    parser.add_argument("--without", default="")
    parser.add_argument("--paths", type=int, default=600)
    parser.add_argument("--limit", type=int, default=20, help="seconds per exploration")
    parser.add_argument("--exact", action="store_true")
    args = parser.parse_args()
    args.programs = None
    return args


def main():
    args = arguments()
    texts = compare.split_programs(compare.programs_of(args))
    traces, wrong = 0, 0
    with tempfile.TemporaryDirectory() as scratch:
        tools = compare.Tools(args.oracle, args.raddle, scratch, args.limit)
        for start, batch in compare.batches(texts, 100):
            text = "".join(batch)
            binary, expected = tools.build(text, "batch%d" % start), tools.enumerate(text)
            counted = subprocess.run([args.oracle, "traces", "--paths", "5000"], input=text, capture_output=True, text=True,
                                     check=True).stdout.split()
            for number, program in enumerate(expected):
                ordered = not program["flags"] & compare.KILL and not re.search("  (SEND|CALL) ", batch[number])
                more, found = differences(tools, binary, number, program, int(counted[number]) if ordered else -1, args.exact)
                traces += more
                wrong += len(found)
                for text in found:
                    print("seed %d: %s" % (program["seed"], text), flush=True)
    print("programs %d traces %d differences %d" % (len(texts), traces, wrong))
    sys.exit(1 if wrong else 0)


if __name__ == "__main__":
    main()
