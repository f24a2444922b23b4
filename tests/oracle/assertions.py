#!/usr/bin/env python3
"""The same comparison by verdicts: a final assertion "the outcome is not X" fails, and the failure replays, for
every X that is reachable; for every other it never does.

    assertions.py ORACLE RADDLE [--first SEED] [--count N] [--without FAMILY,…]

Takes programs without deadlocks or livelocks; at most three reachable outcomes and two neighbours (one number is
one more) of each. The engines take turns. Prints one line per difference and, last, "outcomes N differences N".
"""
import argparse, os, re, subprocess, sys, tempfile

import compare

ENGINES = ["auto", "optimal", "dfs", "reach", "source", "icb", "dpor", "dpor-cr"]


def neighbours(outcome, reachable):
    """Outcomes that differ in one number and cannot be."""
    words, found = outcome.split(" "), []
    for at in range(len(words) - 1, 0, -1):
        if re.fullmatch(r"-?\d+", words[at]):
            other = " ".join(words[:at] + [str(int(words[at]) + 1)] + words[at + 1:])
            if other not in reachable:
                found.append(other)
    return found[:2]


def verdict(raddle, engine, binary, number, outcome, expected, out):
    done = subprocess.run([raddle, "run", "--engine", engine, "--quiet", "--time", "20s", "--out", out, *compare.run_options(expected),
                           binary, str(number), outcome], capture_output=True, text=True, timeout=120)
    return done.returncode, done.stdout.strip()


def check_reachable(raddle, engine, binary, number, outcome, expected, out):
    status, said = verdict(raddle, engine, binary, number, outcome, expected, out)
    if status != 1 or "assertion" not in said:
        return "is reachable, said: %s" % said
    done = subprocess.run([raddle, "replay", "--quiet", out], capture_output=True, text=True, timeout=60)
    if done.returncode != 1:
        return "does not replay: status %d %s" % (done.returncode, done.stderr.strip()[:200])
    return None


def check_unreachable(raddle, engine, binary, number, outcome, expected, out):
    status, said = verdict(raddle, engine, binary, number, outcome, expected, out)
    return None if status == 0 else "is not reachable, said: %s" % said


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("oracle")
    parser.add_argument("raddle")
    parser.add_argument("--first", type=int, default=1)
    parser.add_argument("--count", type=int, default=20)
    parser.add_argument("--without", default="")
    args = parser.parse_args()
    command = [args.oracle, "generate", str(args.first), str(args.count), "--paths", "500"]
    command += ["--without", args.without] if args.without else []
    text = subprocess.run(command, capture_output=True, text=True, check=True).stdout
    outcomes, wrong = 0, 0
    with tempfile.TemporaryDirectory() as scratch:
        tools = compare.Tools(args.oracle, args.raddle, scratch, 20)
        binary = tools.build(text, "assertions")
        for number, expected in enumerate(tools.enumerate(text)):
            allowed = expected["allowed"]
            if allowed["deadlock"] or allowed["livelock"]:
                continue
            reachable = sorted(expected["outcomes"])[:3]
            engine = ENGINES[number % len(ENGINES)]
            checks = [(check_reachable, o) for o in reachable]
            checks += [(check_unreachable, o) for r in reachable for o in neighbours(r, allowed["outcomes"])]
            for at, (check, outcome) in enumerate(checks):
                out = os.path.join(scratch, "out-%d-%d" % (number, at))
                difference = check(args.raddle, engine, binary, number, outcome, expected, out)
                outcomes += 1
                if difference:
                    wrong += 1
                    print("seed %d: %s: '%s' %s" % (expected["seed"], engine, outcome, difference), flush=True)
    print("outcomes %d differences %d" % (outcomes, wrong))
    sys.exit(1 if wrong else 0)


if __name__ == "__main__":
    main()
