#!/usr/bin/env python3
"""Random programs with atomic sections: every engine sees the traces and outcomes that dfs sees.

    sections.py RADDLE [--first SEED] [--count N] [--engines "optimal;source;…"]

Sections are between __VERIFIER_atomic_begin and _end or functions; they branch on what they read, so that what
they touch depends on where they come, and their variables are used outside of them too. Prints a line per difference
and, last, "programs N runs N given-up N differences N".
"""
import argparse, os, random, re, subprocess, sys, tempfile

HEAD = """#include <pthread.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
void __VERIFIER_atomic_begin(void);
void __VERIFIER_atomic_end(void);
static _Atomic int x, y, z;
static int p, q; /* only in sections */
static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
static int r[4];
"""
SHARED, INSIDE = ["x", "y", "z"], ["p", "q"]


def access(rng, me, inside):
    name = rng.choice(SHARED + INSIDE if inside else SHARED)
    kind = rng.randrange(5 if name in SHARED else 3)
    if kind == 0:
        return "%s = %d;" % (name, rng.randrange(1, 4))
    if kind == 1:
        return "r[%d] = r[%d] * 4 + %s;" % (me, me, name)
    if kind == 2:
        return "%s %s= %d;" % (name, rng.choice("+^"), rng.randrange(1, 3))
    if kind == 3:
        return "r[%d] ^= atomic_fetch_add(&%s, 1);" % (me, name)
    return "{ int e = %d; r[%d] ^= atomic_compare_exchange_strong(&%s, &e, 3); }" % (rng.randrange(2), me, name)


def body(rng, me):
    lines = []
    for _ in range(rng.randrange(1, 4)):
        if rng.random() < 0.5:
            lines.append("if (%s == %d) { %s } else { %s }" % (rng.choice(SHARED + INSIDE), rng.randrange(3),
                                                           access(rng, me, True), access(rng, me, True)))
        else:
            lines.append(access(rng, me, True))
    return " ".join(lines)


def thread(rng, me, number):
    lines, functions = [], []
    for i in range(rng.randrange(1, 4)):
        kind = rng.randrange(5)
        if kind < 2:
            lines.append("__VERIFIER_atomic_begin(); %s __VERIFIER_atomic_end();" % body(rng, me))
        elif kind == 2:
            name = "__VERIFIER_atomic_p%d_%d_%d" % (number, me, i)
            functions.append("void %s(void) { %s }" % (name, body(rng, me)))
            lines.append("%s();" % name)
        elif kind == 3:
            lines.append(access(rng, me, False))
        else:
            lines.append("pthread_mutex_lock(&m); %s pthread_mutex_unlock(&m);" % access(rng, me, False))
    head = "static void *p%d_%d(void *a)" % (number, me)
    return functions + ["%s\n{\n    %s\n    return a;\n}" % (head, "\n    ".join(lines))]


def program(seed, number):
    rng = random.Random(seed)
    threads = rng.choice([2, 2, 3])
    text = []
    for me in range(1, threads + 1):
        text += thread(rng, me, number)
    main = ["    pthread_t t[3];"]
    main += ["    pthread_create(&t[%d], 0, p%d_%d, 0);" % (i, number, i + 1) for i in range(threads)]
    main += ["    %s" % access(rng, 0, False)] if rng.random() < 0.3 else []
    main += ["    pthread_join(t[%d], 0);" % i for i in range(threads)]
    return "\n".join(text + ["static void p%d(void)" % number, "{"] + main + ["}"])


def build(raddle, scratch, seeds):
    source = os.path.join(scratch, "prog.c")
    with open(source, "w") as out:
        out.write(HEAD + "\n".join(program(seed, n) for n, seed in enumerate(seeds)))
        out.write("\nstatic void (*const all[])(void) = {%s};\n" % ", ".join("p%d" % n for n in range(len(seeds))))
        out.write("int main(int n, char **v)\n{\n    all[atoi(v[1])]();\n"
                  '    printf("@%d %d %d %d %d %d %d %d %d\\n", x, y, z, p, q, r[0], r[1], r[2], r[3]);\n}\n')
    subprocess.run([raddle, "cc", "-O1", "-w", "-o", source[:-2], source, "-pthread"], check=True)
    return source[:-2]


def explore(raddle, scratch, binary, number, engine):
    traces, report = os.path.join(scratch, "traces"), os.path.join(scratch, "json")
    out = subprocess.run([raddle, "run", "--engine"] + engine.split() +
                         ["--quiet", "--races", "off", "--show-output", "--symmetry", "off", "--all-traces", traces,
                          "--json", report, "--time", "60s", "--out", os.path.join(scratch, "out"), binary,
                          str(number)], capture_output=True, text=True).stdout
    with open(traces) as f:
        lines = f.read().splitlines()
    with open(report) as f:
        text = f.read()
    first = lambda name: re.search('"%s":("[^"]*"|[0-9]+)' % name, text)
    got = {name: (first(name).group(1).strip('"') if first(name) else "") for name in ("executions", "blocked", "times")}
    return set(lines), set(re.findall("^@.*", out, re.M)), got, out


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("raddle")
    parser.add_argument("--first", type=int, default=1)
    parser.add_argument("--count", type=int, default=30)
    parser.add_argument("--engines", default="optimal;source;dpor;dpor-cr")
    parser.add_argument("--batch", type=int, default=30)
    args = parser.parse_args()
    runs = given_up = differences = 0
    for start in range(args.first, args.first + args.count, args.batch):
        seeds = list(range(start, min(start + args.batch, args.first + args.count)))
        with tempfile.TemporaryDirectory() as scratch:
            binary = build(args.raddle, scratch, seeds)
            for number, seed in enumerate(seeds):
                traces, outcomes, _, said = explore(args.raddle, scratch, binary, number, "dfs")
                if not re.search("^safe", said, re.M):
                    print("seed %d: dfs: %s" % (seed, said.splitlines()[:1]))
                    continue
                for engine in args.engines.split(";"):
                    found, seen, got, told = explore(args.raddle, scratch, binary, number, engine)
                    runs += 1
                    given_up += int(got["blocked"] or 0)
                    once = got["times"] != "exactly once" or int(got["executions"]) == len(traces)
                    optimal = engine != "optimal" or int(got["executions"]) == len(traces)
                    if found != traces or seen != outcomes or not once or not optimal or "every Maz" not in told:
                        differences += 1
                        print("seed %d: %s: %d of %d traces, %d new, %d of %d outcomes, %s executions: %s" % (
                            seed, engine, len(found & traces), len(traces), len(found - traces),
                            len(seen & outcomes), len(outcomes), got["executions"],
                            " ".join(l for l in told.splitlines() if not l.startswith("@"))[:200]), flush=True)
    print("programs %d runs %d given-up %d differences %d" % (args.count, runs, given_up, differences))
    sys.exit(1 if differences else 0)


if __name__ == "__main__":
    main()
