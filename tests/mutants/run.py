#!/usr/bin/env python3
"""Runs the tests against small semantic mutants of the tool and tells which of them nobody notices.

    tests/mutants/run.py [-b|-n|-s] [NUMBER…]     all, or some; -b: build only, -n: it is built,
                                                  -s: only say which are stale or do not compile,
                                                  -h: this text

mutants.txt has a block for each:
    mutant 12 src/object/mutex.c
    - s->owner < 0                             text that stands exactly once in the file: an expression,
    + s->owner <= 0                            and what it becomes
    [at 2]                                     it stands there more than once; this is the second
    by cases:mutex test_dependence             who is to notice, in this order
    [equivalent: why nobody can notice]

One build serves all: in a copy of the sources each text becomes (MUTANT(12) ? new : old), and the environment
variable RADDLE_MUTANT selects at run time. "- A;" and "+" leaves a statement out. Ends with the share that was
killed of those that are not equivalent; a mutant whose text is not there once any more counts as a survivor, so
that the table is kept. As many are tried at a time as there are processors.
"""
import concurrent.futures, importlib.util, multiprocessing, os, shlex, shutil, subprocess, sys, tempfile, time

here = os.path.dirname(os.path.abspath(__file__))
top = os.path.dirname(os.path.dirname(here))
tree = os.path.join(top, "build", "mutants")

HEADER = """#ifndef MUTANT
#include <stdlib.h>
static int mutant_number;
__attribute__((constructor(101))) static void mutant_choose(void)
{
    const char *text = getenv("RADDLE_MUTANT");
    mutant_number = text ? atoi(text) : 0;
}
#define MUTANT(n) __builtin_expect(mutant_number == (n), 0)
#endif
"""


class Mutant:
    def __init__(self, number, file):
        self.number, self.file, self.old, self.new = number, file, "", ""
        self.by, self.equivalent, self.stale, self.place = [], None, False, 0


def read():
    mutants = []
    for line in open(os.path.join(here, "mutants.txt")):
        line = line.rstrip("\n")
        if line.startswith("mutant "):
            _, number, file = line.split()
            mutants.append(Mutant(int(number), file))
        elif line.startswith("- "):
            mutants[-1].old = line[2:]
        elif line.startswith("+"):
            mutants[-1].new = line[2:]
        elif line.startswith("at "):
            mutants[-1].place = int(line[3:])
        elif line.startswith("by "):
            mutants[-1].by = line.split()[1:]
        elif line.startswith("equivalent:"):
            mutants[-1].equivalent = line[11:].strip()
        elif line and not line.startswith("#"):
            sys.exit("mutants.txt: cannot read: " + line)
    return mutants


def replaced(m):
    if m.old.endswith(";"):
        return f"MUTANT({m.number}) ? (void)0 : (void)({m.old[:-1]});"
    return f"(MUTANT({m.number}) ? ({m.new}) : ({m.old}))"


def put_into(text, m):
    """The text with the mutant in it; None if it does not belong there any more."""
    parts = text.split(m.old)
    place = m.place or 1
    if len(parts) != 2 and not (m.place and len(parts) > place):
        return None
    return m.old.join(parts[:place]) + replaced(m) + m.old.join(parts[place:])


def with_mutants(mutants):
    """The text of each of their files with all of them in it; tells those that have no place any more."""
    texts = {}
    for m in mutants:
        text = texts.get(m.file) or open(os.path.join(top, m.file)).read()
        mutated = put_into(text, m)
        m.stale = mutated is None
        texts[m.file] = mutated or text
    return {file: HEADER + text for file, text in texts.items()}


def tell_stale(mutants):
    """Those that have no place any more, and those that the compiler does not accept."""
    texts = with_mutants(mutants)
    stale = [m for m in mutants if m.stale]
    for m in stale:
        print("STALE (adapt it)", describe(m))
    flags = subprocess.run(["make", "-s", "WARN=", "print-flags"], cwd=top, stdout=subprocess.PIPE, text=True).stdout
    flags = [f for f in shlex.split(flags) if not f.startswith("-M")]
    refused = 0
    for file, text in ((f, t) for f, t in texts.items() if f.endswith(".c")):
        r = subprocess.run(["cc", *flags, "-O0", "-fsyntax-only", "-iquote", os.path.dirname(file), "-x", "c", "-"], cwd=top,
                           input=text, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)
        if r.returncode:
            refused += 1
            print(f"does not compile with its mutants: {file}\n{r.stdout[:600]}")
    return len(stale) + refused > 0


def build(mutants):
    """A copy of the sources with all of them; the build follows what changed."""
    os.makedirs(tree, exist_ok=True)
    for part in ("src", "include", "tests/unit", "tests/sim", "scripts", "bench", "Makefile"):
        subprocess.run(["rsync", "-a", "--delete", os.path.join(top, part), os.path.dirname(os.path.join(tree, part))],
                       check=True) if shutil.which("rsync") else copy(part)
    for file, text in with_mutants(mutants).items():
        open(os.path.join(tree, file), "w").write(text)
    tests = sorted({b for m in mutants for b in m.by if b.startswith("test_")})
    r = subprocess.run(["make", "-s", "-j2", "WARN=", "RT_LTO=", "all"] + ["build/tests/" + t for t in tests], cwd=tree,
                       stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)
    if r.returncode:
        sys.exit("the mutants do not build:\n" + r.stdout[-3000:])


def copy(part):
    source, to = os.path.join(top, part), os.path.join(tree, part)
    if os.path.isdir(source):
        shutil.rmtree(to, ignore_errors=True)
        shutil.copytree(source, to, symlinks=True)
    else:
        shutil.copy2(source, to)


def load_cases():
    os.environ["RADDLE"] = os.path.join(tree, "build/bin/raddle")
    spec = importlib.util.spec_from_file_location("cases", os.path.join(top, "tests/cases/run.py"))
    cases = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(cases)
    cases.longest = 60
    return cases


class Programs:
    """The cases of a family, compiled once."""

    def __init__(self, scratch):
        self.cases, self.scratch, self.families, self.left_out = load_cases(), scratch, {}, set()

    def of(self, family):
        if family not in self.families:
            self.families[family] = list(self.compile(os.path.join(top, "tests/cases", family)))
        return self.families[family]

    def compile(self, base):
        for folder in sorted(d for d, _, files in os.walk(base) if "expect" in files):
            flags, args, runs, sources, _ = self.cases.read_expect(folder)
            prog = tempfile.mkdtemp(dir=self.scratch) + "/prog"
            driver = "c++" if sources[0].endswith(".cc") else "cc"
            r = self.cases.run([self.cases.raddle, driver, "-O1", "-w", *flags, "-o", prog, *sources])
            if r.returncode:
                sys.exit(f"{folder} does not compile: {r.stdout[-600:]}")
            yield os.path.relpath(folder, top), prog, args, sources, runs

    def failing(self, family):
        """What fails of it, one after the other."""
        for name, prog, args, sources, runs in self.of(family):
            for command, wanted, times in runs:
                if f"{name}: {' '.join(command)}" in self.left_out:
                    continue
                out = tempfile.mkdtemp(dir=self.scratch)
                try:
                    problem = self.cases.one_run(out, prog, args, sources, command, wanted, min(times, 3))
                except subprocess.TimeoutExpired:
                    problem = "it takes too long"
                shutil.rmtree(out, ignore_errors=True)
                if problem:
                    yield f"{name}: {' '.join(command)}", problem[:160]


def failing_unit(name):
    try:
        r = subprocess.run([os.path.join(tree, "build/tests", name)], cwd=top, stdin=subprocess.DEVNULL,
                           stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, timeout=300)
    except subprocess.TimeoutExpired:
        return [(name, "it takes too long")]
    return [(name, f"status {r.returncode}")] if r.returncode else []


def failing(number, by):
    os.environ["RADDLE_MUTANT"] = str(number)
    for what in by:
        if what not in programs.left_out:
            yield from programs.failing(what[6:]) if what.startswith("cases:") else failing_unit(what)


def describe(m):
    return f"{m.number} {m.file}: {m.old.strip()} → {m.new.strip() or '(left out)'}"


def attempt(m):
    since = time.time()
    problem = None if m.stale else ": ".join(next(failing(m.number, m.by), ())).replace("\n", " ")
    word = "killed" if problem else "STALE (adapt it)" if m.stale else "SURVIVED"
    print(f"{word} {describe(m)} [{time.time() - since:.0f} s]" + (f" by {problem}" if problem else ""), flush=True)
    return bool(problem)


def without_mutant(what):
    return list(failing(0, [what]))


def main():
    global programs
    if {"-h", "--help"} & set(sys.argv[1:]):
        print(__doc__.strip())
        return 0
    mutants = read()
    unknown = [a for a in sys.argv[1:] if a not in ("-b", "-n", "-s") and a not in {str(m.number) for m in mutants}]
    if unknown:
        sys.exit(f"{unknown[0]}: neither an option nor the number of a mutant; -h tells all")
    if "-s" in sys.argv:
        return tell_stale(mutants)
    if "-n" not in sys.argv:
        build(mutants)
    if "-b" in sys.argv:
        return 0
    wanted = [int(a) for a in sys.argv[1:] if a.isdigit()]
    chosen = sorted((m for m in mutants if m.number in wanted), key=lambda m: wanted.index(m.number)) or mutants
    tried = [m for m in chosen if not m.equivalent]
    with tempfile.TemporaryDirectory() as scratch:
        programs = Programs(scratch)
        everybody = sorted({b for m in tried for b in m.by})
        for what in everybody:
            if what.startswith("cases:"):
                programs.of(what[6:])
        fork = multiprocessing.get_context("fork")
        with concurrent.futures.ProcessPoolExecutor(mp_context=fork) as pool:
            for name, problem in [f for found in pool.map(without_mutant, everybody) for f in found]:
                print(f"fails without a mutant, and is left out: {name}: {problem}", flush=True)
                programs.left_out.add(name)
        with concurrent.futures.ProcessPoolExecutor(mp_context=fork) as pool:
            killed = sum(pool.map(attempt, tried))
    print(f"score {100 * killed // max(1, len(tried))}: {killed} killed, {len(tried) - killed} survived, "
          f"{len(chosen) - len(tried)} equivalent")
    return len(programs.left_out) > 0


if __name__ == "__main__":
    sys.exit(main())
