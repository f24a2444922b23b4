#!/usr/bin/env python3
"""Compares raddle with the enumerator, outcome by outcome.

    compare.py ORACLE RADDLE [--first SEED] [--count N] [--engines "dfs;icb --cache;…"] [--each N]
               [--without FAMILY,…] [--only FAMILY,…] [--paths N] [--programs FILE] [--keep DIR]

Makes COUNT random programs, compiles them in batches, explores every one with every engine and compares the
set of outcomes with what ORACLE says: none missing, none that cannot be, the same deadlocks. Engines behind
a bar ("dfs;optimal|dfs -j 2;icb --cache") take turns: one of them per program. Prints one line per
difference and, last, "programs N runs N known N incomplete N differences N"; with --keep the programs concerned
are in DIR. A search that says that it is not complete may have missed outcomes: that is no difference, but counted.
--known "ENGINE::PROGRAM" (two regular expressions, may be repeated) leaves out runs that are known to differ;
their number is told.
"""
import argparse, collections, concurrent.futures, json, os, re, subprocess, sys, tempfile

here = os.path.dirname(os.path.abspath(__file__))
DEFAULT = ("dfs;optimal;source;dpor;dpor-cr;icb;reach;auto|optimal -j 2;icb --cache;icb --por on;reach --reduce=pv;"
           "reach -j 2;dfs -j 2;dpor --sleep off;source -j 2;idb")
KILL = 1
SPURIOUS = 2
RACY = 8
SAME = 32
THREADS = 5  # as in program.h; functions have higher numbers


def read_expected(text):
    """The programs of `oracle enumerate`, in order; each with what must be seen and, under `allowed`, what may be."""
    programs, part = [], None
    for line in text.splitlines():
        if line.startswith("program "):
            words = line.split()
            part = {"seed": int(words[1]), "flags": int(words[3]), "outcomes": set(), "deadlock": False, "livelock": None}
            part["invalid"] = None
            programs.append(part)
        elif line == "allowed":
            part = programs[-1]["allowed"] = {"outcomes": set(), "deadlock": False, "livelock": None, "invalid": None}
        elif line.startswith("@"):
            part["outcomes"].add(line)
        elif line == "deadlock":
            part["deadlock"] = True
        elif line.startswith("livelock "):
            part["livelock"] = line.split()[1]
        elif line in ("undefined", "too large"):
            part["invalid"] = line
    return programs


def split_programs(text):
    """The programs one by one; those with pthread_cancel last. (Where it is linked, every cancellation point is a
    step, so these go into binaries of their own.)"""
    programs = [part + "end\n" for part in text.split("end\n") if part.strip()]
    return sorted(programs, key=cancels)


def cancels(program):
    return "  CANCEL " in program


def batches(programs, size):
    at = 0
    while at < len(programs):
        end = at + 1
        while end < len(programs) and end - at < size and cancels(programs[end]) == cancels(programs[at]):
            end += 1
        yield at, programs[at:end]
        at = end


def run_options(expected):
    options = ["--exit", "kill", "--status", "any"] if expected["flags"] & KILL else []
    options += ["--spurious"] if expected["flags"] & SPURIOUS else []
    return options + (["--races", "off"] if expected["flags"] & RACY else [])


def registers(program):
    """How many registers of each thread are in the outcome."""
    written = collections.defaultdict(set)
    for line in program.splitlines():
        words = line.split()
        if words[0] == "body":
            body = int(words[1])
        elif line.startswith("  ") and int(words[1]) >= 0:
            written[body].add(words[1])
        elif line.startswith("  "):
            written[body] |= set()
    common = set().union(*(written[b] for b in written if b >= THREADS))
    return [len(written[t] | common) for t in sorted(written) if t < THREADS]


def whoever(outcome, counts):
    """The outcome with the threads beside main, which do the same, in a fixed order."""
    words = outcome.split()[1:]
    groups, at = [], 0
    for count in counts:
        groups.append(words[at:at + count])
        at += count
    return (*groups[:1], *sorted(groups[1:]), words[at:])


class Tools:
    def __init__(self, oracle, raddle, scratch, limit, quiet=None):
        self.oracle, self.raddle, self.scratch, self.limit, self.quiet = oracle, raddle, scratch, limit, quiet

    def enumerate(self, text):
        done = subprocess.run([self.oracle, "enumerate"], input=text, capture_output=True, text=True, check=True)
        return read_expected(done.stdout)

    def build(self, text, name):
        source, binary = os.path.join(self.scratch, name + ".c"), os.path.join(self.scratch, name)
        with open(source, "w") as out:
            subprocess.run([self.oracle, "emit"], input=text, stdout=out, text=True, check=True)
        subprocess.run([self.raddle, "cc", "-w", "-O1", "-I", here, "-o", binary, source, "-pthread"], check=True,
                       stderr=self.quiet)
        return binary

    def explore(self, engine, binary, number, expected, kinds=False):
        """The outcomes seen, and what raddle says at the end."""
        options = run_options(expected)
        report = os.path.join(self.scratch, "report-%s-%d-%s" % (os.path.basename(binary), number, engine.replace(" ", "")))
        command = [self.raddle, "run", "--engine", *engine.split(), "--keep-going", "--show-output", "--time", "%ds" % self.limit,
                   "--json", report, *options]
        command += ["--no-shrink", "--quiet", "--out", report + ".out"] if kinds else ["--count-only"]
        done = None
        try:
            done = subprocess.run(command + [binary, str(number)], capture_output=True, text=True, errors="replace",
                                  timeout=self.limit * 3 + 30)
            with open(report) as file:
                said = json.load(file)
        except (subprocess.TimeoutExpired, OSError, ValueError) as error:
            why = "status %d: %s" % (done.returncode, done.stderr[-300:]) if done else str(error)[:200]
            return set(), {"verdict": "none", "complete": False, "incomplete": why, "findings": []}
        os.unlink(report)
        return {line.rstrip() for line in done.stdout.splitlines() if line.startswith("@")}, said


def differences(tools, engine, binary, number, expected, text=""):
    """What this engine says differently, as a list of (class, text)."""
    seen, said = tools.explore(engine, binary, number, expected)
    found = []
    if expected["flags"] & SAME and "--reduce" in engine: # of those that differ in who is who one is enough
        counts = registers(text)
        have = {str(whoever(outcome, counts)) for outcome in seen}
        seen |= {o for o in expected["outcomes"] if str(whoever(o, counts)) in have}
    missing, impossible = expected["outcomes"] - seen, seen - expected["allowed"]["outcomes"]
    if not said["complete"]:
        found.append(("incomplete", str(said["incomplete"])))
    elif missing:
        found.append(("missing", "%d of %d, first '%s'" % (len(missing), len(expected["outcomes"]), min(missing))))
    if impossible:
        found.append(("impossible", "%d, first '%s'" % (len(impossible), min(impossible))))
    stuck = expected["deadlock"] or expected["livelock"] == "sure"
    if said["complete"] and stuck and said["verdict"] != "bug":
        found.append(("nobug", "deadlock" if expected["deadlock"] else "livelock"))
    if said["verdict"] == "bug":
        allowed = {"deadlock"} if expected["allowed"]["deadlock"] else set()
        allowed |= {"livelock"} if expected["allowed"]["livelock"] else set()
        if not allowed or engine == "dfs":
            again = tools.explore(engine, binary, number, expected, True)[1]
            kinds = {f["kind"] for f in again["findings"]}
            if kinds - allowed or not kinds and "--time" not in str(again["incomplete"]):
                found.append(("falsebug", " ".join(sorted(kinds - allowed)) or "without findings"))
    return found


def is_known(known, engine, text):
    return any(re.match(k.split("::")[0], engine) and re.search(k.split("::")[1], text) for k in known)


def compare_program(tools, engines, known, binary, number, expected, text):
    fixed, turns = engines
    wanted = fixed + ([turns[expected["seed"] % len(turns)]] if turns else [])
    runs = [engine for engine in wanted if not is_known(known, engine, text)]
    return len(runs), len(wanted) - len(runs), [(expected["seed"], engine, kind, what) for engine in runs
                       for kind, what in differences(tools, engine, binary, number, expected, text)]


def parse_engines(text):
    fixed, _, turns = text.partition("|")
    return [e for e in fixed.split(";") if e], [e for e in turns.split(";") if e]


def arguments():
    parser = argparse.ArgumentParser()
    parser.add_argument("oracle")
    parser.add_argument("raddle")
    parser.add_argument("--first", type=int, default=1)
    parser.add_argument("--count", type=int, default=100)
    parser.add_argument("--engines", default=DEFAULT)
    parser.add_argument("--without", default="")
    parser.add_argument("--only", default="")
    parser.add_argument("--paths", type=int, default=3000)
    parser.add_argument("--limit", type=int, default=20, help="seconds per exploration")
    parser.add_argument("--batch", type=int, default=100)
    parser.add_argument("--programs", help="programs in text form instead of random ones")
    parser.add_argument("--keep")
    parser.add_argument("--known", action="append", default=[])
    return parser.parse_args()


def programs_of(args):
    if args.programs:
        return open(args.programs).read()
    command = [args.oracle, "generate", str(args.first), str(args.count), "--paths", str(args.paths)]
    command += ["--without", args.without] if args.without else []
    command += ["--only", args.only] if args.only else []
    return subprocess.run(command, capture_output=True, text=True, check=True).stdout


def main():
    args = arguments()
    texts = split_programs(programs_of(args))
    engines = parse_engines(args.engines)
    runs, known, last, all_found = 0, 0, args.first, []
    with tempfile.TemporaryDirectory() as scratch, concurrent.futures.ThreadPoolExecutor(os.cpu_count()) as pool:
        tools = Tools(args.oracle, args.raddle, scratch, args.limit)
        for start, batch in batches(texts, args.batch):
            binary = tools.build("".join(batch), "batch%d" % start)
            expected = tools.enumerate("".join(batch))
            last = max([last, *(e["seed"] for e in expected)])
            jobs = [pool.submit(compare_program, tools, engines, args.known, binary, n, e, batch[n])
                    for n, e in enumerate(expected)]
            for number, job in enumerate(jobs):
                ran, left_out, found = job.result()
                runs += ran
                known += left_out
                all_found += found
                for seed, engine, kind, text in found:
                    print("seed %d: %s: %s: %s" % (seed, engine, kind, text), flush=True)
                if found and args.keep:
                    os.makedirs(args.keep, exist_ok=True)
                    with open(os.path.join(args.keep, "%d.txt" % found[0][0]), "w") as out:
                        out.write(batch[number])
    incomplete = sum(kind == "incomplete" for _, _, kind, _ in all_found)
    per_engine = collections.Counter((engine, kind) for _, engine, kind, _ in all_found)
    for (engine, kind), count in sorted(per_engine.items()):
        print("summary: %s: %s: %d" % (engine, kind, count))
    print("summary: seeds %d to %d: another portion begins behind them, or has some programs twice" % (args.first, last))
    wrong = len(all_found) - incomplete
    print("programs %d runs %d known %d incomplete %d differences %d" % (len(texts), runs, known, incomplete, wrong))
    sys.exit(1 if wrong else 0)


if __name__ == "__main__":
    main()
