#!/usr/bin/env python3
"""symmetric.py RADDLE SCRATCH COUNT [SEED]: random programs whose threads all run the same function. What main sees at the
end of each execution (variables, and how often each result came out) is one of 59 assertions that fail; with --symmetry on
every engine must find as many as dfs without (optimal, where that is too much), and as many deadlocks, in no more
executions. In every third program something
tells the threads apart: their number, an address, who is joined first, what was written between two creations."""
import concurrent.futures, os, random, subprocess, sys

raddle, scratch, wanted = sys.argv[1], sys.argv[2], int(sys.argv[3])
seed = int(sys.argv[4]) if len(sys.argv) > 4 else 1
ENGINES = ["optimal", "source", "dpor", "dpor-cr", "dfs", "icb", "auto"]
PER_FILE, MOST = 20, 30000
APART = ["self", "stack", "heap", "join", "result", "creation", "detach", "local", "random", "published"]

HEAD = r"""
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <unistd.h>
static atomic_int x[3], seen[8];
static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
static pthread_t id[3];
static _Atomic(void *) where;
static int turn, plain;
static __thread int own;
static void tell(void)
{
    unsigned h = (unsigned)plain;
    for (int i = 0; i < 3; i++)
        h = h * 7 + (unsigned)x[i];
    for (int i = 0; i < 8; i++)
        h = h * 5 + (unsigned)seen[i];
    switch (h %% 59) {
%s    }
}
""" % "".join("    case %d:\n        assert(!\"outcome %d\");\n" % (i, i) for i in range(59))


def statement(rng):
    v, w, c = rng.randrange(3), rng.randrange(3), rng.randrange(1, 4)
    return rng.choice([
        "r += x[%d];" % v, "x[%d] = %d;" % (v, c), "r += atomic_fetch_add(&x[%d], 1);" % v,
        "{ int e = %d; r += atomic_compare_exchange_strong(&x[%d], &e, %d); }" % (rng.randrange(2), v, c),
        "pthread_mutex_lock(&m); plain++; r += plain; pthread_mutex_unlock(&m);",
        "if (!pthread_mutex_trylock(&m)) { x[%d] = %d; pthread_mutex_unlock(&m); } else r++;" % (v, c),
        "if (r & 1) x[%d] = %d; else r += x[%d];" % (v, c, w),
        "while (x[%d] != %d && x[%d] == 0);" % (v, c, w)])


def apart(rng, how):
    """What each thread does of it, what main does between creations, and between joins."""
    role = {"self": "if (pthread_self() == id[0]) r += 4;", "stack": "int mine; where = &mine; r += (char *)where < (char *)&mine;",
            "heap": "void *p = malloc(8); where = p; r += where < p; free(p);", "local": "own++; where = &own; r += where < (void *)&own;",
            "random": "r += random() & 1;", "published": "int mine = 0; id[0] ? (void)0 : (void)0; if ((char *)&mine > (char *)where) where = &mine; mine++; r += (where == &mine);"}
    return role.get(how, ""), {"creation": "turn = i;"}.get(how, ""), {
        "join": "if (i == 0) x[2] += 2;", "result": "", "detach": ""}.get(how, "")


def program(p, rng):
    threads = rng.choice([2, 2, 3])
    body = [statement(rng) for _ in range(rng.randrange(1, 4 if threads == 2 else 3))]
    how = APART[(p // 3) % len(APART)] if p % 3 == 2 else ""
    own, between, joins = apart(rng, how)
    body.insert(rng.randrange(len(body) + 1), own)
    if how == "creation":
        body.append("{ int k = atomic_fetch_add(&x[0], 1); r += k + turn; }")
    out = "static void *work%d(void *arg)\n{\n    int r = 0;\n    %s\n    atomic_fetch_add(&seen[r & 7], 1);\n    return (void *)(long)r;\n}\n" % (
        p, "\n    ".join(body))
    array = rng.choice(["t", "id"]) if not how else "id"
    join = "void *v; pthread_join(id[i], &v); x[i] = (int)(long)v & 3;" if how == "result" else \
        "pthread_join(%s[i], NULL);" % array
    if how == "detach":
        join = "if (i) pthread_join(id[i], NULL);"
        between = "if (i == 0) pthread_detach(id[0]);"
    out += "static void main%d(void)\n{\n    pthread_t t[3];\n    for (int i = 0; i < %d; i++) {\n        %s\n" % (
        p, threads, between if how == "creation" else "")
    out += "        pthread_create(&%s[i], NULL, work%d, NULL);\n        %s\n    }\n" % (
        array, p, between if how == "detach" else "")
    out += "    for (int i = 0; i < %d; i++) {\n        %s\n        %s\n    }\n    tell();\n}\n" % (threads, join, joins)
    return out, how


def outcomes(path, p, engine, symmetry):
    """How many different findings, and executions; None if it did not end in time."""
    command = [raddle, "run", "-q", "-k", "--count-only", "--engine", engine, "--symmetry", symmetry, "-t", "20s",
               "-n", str(MOST), path, str(p)]
    r = subprocess.run(command, capture_output=True, text=True, timeout=180)
    counts = dict(line.split(None, 1) for line in r.stdout.splitlines() if " " in line)
    if r.returncode not in (0, 1) or "findings" not in counts:
        return None if r.returncode == 2 else -1
    if int(counts["executions"]) >= MOST:
        return None
    return int(counts["findings"]), int(counts["executions"])


def main():
    rng = random.Random(seed)
    wrong = done = left = fewer = 0
    total = [0, 0]
    jobs = concurrent.futures.ThreadPoolExecutor(2)
    while done < wanted:
        n = min(PER_FILE, wanted - done)
        programs = [program(done + p, rng) for p in range(n)]
        path = os.path.join(scratch, "symmetric%d" % done)
        with open(path + ".c", "w") as f:
            f.write(HEAD + "".join(t for t, _ in programs))
            f.write("static void (*const all[])(void) = {%s};\n" % ", ".join("main%d" % (done + p) for p in range(n)))
            f.write("int main(int argc, char **argv)\n{\n    all[(argv[1][0] - '0') * 10 + argv[1][1] - '0']();\n    return 0;\n}\n")
        subprocess.run([raddle, "cc", rng.choice(["-O1", "-O2"]), "-w", "-o", path, path + ".c"], check=True)
        engines = [rng.choice(ENGINES) for _ in programs]
        runs = [[jobs.submit(outcomes, path, "%02d" % p, e, s) for e, s in
                 (("dfs", "off"), ("optimal", "on"), (engines[p], "on"), ("optimal", "off"))] for p in range(n)]
        for p, run in enumerate(runs):
            plain, one, two, without = [r.result() for r in run]
            how = programs[p][1]
            if not plain:
                plain = without
            if None in (plain, one, without):
                left += 1
                continue
            for engine, got in (("optimal", one), (engines[p], two or one)):
                if -1 in (plain, got) or got[0] != plain[0]:
                    wrong += 1
                    print("# %s %d, %s: %s, dfs %s" % (path, p, engine, got, plain))
            if one != -1 and without != -1:
                wrong += one[1] > without[1]
                fewer += one[1] < without[1]
                total[0] += one[1]
                total[1] += without[1]
                # Of three two are alike, if one is detached; main may never come to a join.
                if how not in ("", "detach", "join", "result") and one[1] != without[1]:
                    wrong += 1
                    print("# %s %d: %d executions for %d, though the threads are told apart" % (path, p, one[1], without[1]))
        done += n
    print("# optimal: %d executions, %d without; fewer in %d programs" % (total[0], total[1], fewer))
    print("%d programs, %d wrong, %d not finished" % (done, wrong, left))
    sys.exit(wrong > 0 or left > done // 10 or not fewer)


main()
