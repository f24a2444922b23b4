#!/usr/bin/env python3
"""Runs the programs in tests/cases and compares with what their `expect` files say.

A case is a folder with prog.c (or prog.cc, or several *.c) and `expect`, whose lines are
    [cc: FLAGS]                               flags for raddle cc (once, first)
    [args: WORDS]                             arguments of the program
    [skip: ENGINE REASON]                     ENGINE is not tried in the place of dfs
    [source: PATH]                            a program elsewhere in the repository instead of prog.c
    ENGINE [OPTIONS…] => KEY=VALUE …          one run and what its JSON must say
Keys: verdict, kind (of the worst finding), location (LINE marks the line with that comment, e.g.
location=BUG), also (another kind among the findings), executions, most (so many executions at most: with functions
that are not understood, what the runtime leaves on the stack counts as state), blocked, preemptions, why (a
word of what its threads do there), warning (a word in one of the warnings), complete (yes: with a bug, too). Numbers
of executions are those with --symmetry off, unless the line has that option. A case whose name is
given as argument is run alone. Every bug is replayed: RADDLE_REPLAYS times (25; 100 in make check-long) the same
finding must appear. What dfs finds the engine that RADDLE_CASE_ALSO names (optimal) must find too: the same verdict, kind
and place.
"""
import concurrent.futures, json, os, re, subprocess, sys, tempfile

top = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
raddle = os.environ.get("RADDLE", os.path.join(top, "build/bin/raddle"))
replays = int(os.environ.get("RADDLE_REPLAYS", "100" if os.environ.get("RADDLE_LONG") else "25"))
also = os.environ.get("RADDLE_CASE_ALSO", "optimal")
more_options = os.environ.get("RADDLE_CASE_OPTIONS", "").split()  # of every run, e.g. --isolate fork
longest = 120  # seconds that one command may take
compilers = os.environ.get("RADDLE_CASE_COMPILERS", "clang").split()


def read_expect(folder):
    flags, args, runs, sources, skipped = [], [], [], [], None
    for line in open(os.path.join(folder, "expect")):
        line = line.split("#")[0].strip()
        if line.startswith("cc:"):
            flags = line[3:].split()
        elif line.startswith("skip:"):
            engine, reason = line[5:].split(None, 1)
            if engine == also:
                skipped = reason
        elif line.startswith("args:"):
            args = line[5:].split()
        elif line.startswith("source:"):
            sources = [os.path.join(top, w) for w in line[7:].split()]
        elif line:
            command, wanted = line.split("=>")
            runs.append((command.split(), dict(w.split("=", 1) for w in wanted.split()), replays))
    runs += in_place_of_dfs(runs) if also and not skipped else []
    if not sources:
        sources = sorted(os.path.join(folder, f) for f in os.listdir(folder)
                         if f.endswith((".c", ".cc")))
    return flags, args, runs, sources, skipped


def in_place_of_dfs(runs):
    for command, wanted, _ in list(runs):
        if command[0] != "dfs" or "--depth" in command:
            continue
        command = [also, *command[1:]]
        wanted = {k: v for k, v in wanted.items() if k not in ("executions", "most", "preemptions")}
        if not any(c == command and w.items() >= wanted.items() for c, w, _ in runs):
            yield command, wanted, min(replays, 3)


def marked_line(sources, mark):
    for source in sources:
        for number, text in enumerate(open(source), 1):
            if re.search(r"/[/*] %s\b" % mark, text):
                return "%s:%d" % (os.path.basename(source), number)
    return mark


def differences(result, wanted, sources):
    findings = result.get("findings", [])
    first = findings[0] if findings else {}
    for key, value in wanted.items():
        if key in ("verdict", "executions", "blocked"):
            have = str(result.get(key))
        elif key == "most":
            have = value if int(result.get("executions")) <= int(value) else str(result.get("executions"))
        elif key == "complete":
            have = "yes" if result.get(key) else "no"
        elif key == "location":
            value = marked_line(sources, value)
            have = os.path.basename(first.get("location") or "")
        elif key == "also":
            have = value if any(f["kind"] == value for f in findings) else "no such finding"
        elif key == "why":
            have = value if value in json.dumps(first.get("threads", [])) else "not told"
        elif key == "warning":
            have = value if value in json.dumps(result.get("warnings", [])) else "no such warning"
        else:
            have = str(first.get(key))
        if have != value:
            yield "%s is %s, wanted %s" % (key, have, value)


def run(words, **kw):
    return subprocess.run(words, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE,
                          stderr=subprocess.STDOUT, timeout=longest, text=True, errors="replace", **kw)


def one_run(scratch, prog, args, sources, command, wanted, replays):
    out = os.path.join(scratch, "out")
    report = os.path.join(scratch, "report.json")
    engine, options = command[0], command[1:] + more_options
    if wanted.keys() & {"executions", "most", "blocked"} and "--symmetry" not in options:
        options = options + ["--symmetry", "off"]  # numbers are of all orders of threads that are alike
    r = run([raddle, "run", "--quiet", "--engine", engine, *options, "--json", report, "--out", out,
             "--", prog, *args])
    try:
        result = json.load(open(report))
    except (OSError, ValueError):
        return "no report (exit status %d): %s" % (r.returncode, r.stdout[-600:])
    problems = list(differences(result, wanted, sources))
    status = {"safe": 0, "bug": 1, "incomplete": 2}.get(result["verdict"])
    if r.returncode != status:
        problems.append("exit status %d for verdict %s" % (r.returncode, result["verdict"]))
    if result["verdict"] == "bug" and not problems and replays:
        again = run([raddle, "replay", out, "--times", str(replays)])
        if again.returncode != 1:
            problems.append("replay: status %d: %s" % (again.returncode, again.stdout[-400:]))
    if problems:
        problems.append(r.stdout[-800:])
    return "; ".join(problems)


def one_case(folder, compiler):
    name = os.path.relpath(folder, os.path.dirname(os.path.abspath(__file__)))
    name += "" if compiler == "clang" else " (%s)" % compiler
    flags, args, runs, sources, skipped = read_expect(folder)
    with tempfile.TemporaryDirectory() as scratch:
        prog = os.path.join(scratch, "prog")
        driver = "c++" if sources[0].endswith(".cc") else "cc"
        env = dict(os.environ, RADDLE_CC=compiler, RADDLE_CXX=compiler.replace("gcc", "g++").replace("clang", "clang++"))
        r = run([raddle, driver, "-O1", "-w", *flags, "-o", prog, *sources], env=env)
        if r.returncode:
            return [(name, "does not compile: " + r.stdout[-600:])]
        results = [("%s: %s # SKIP %s" % (name, also, skipped), "")] if also and skipped else []
        for command, wanted, times in runs:
            try:
                problem = one_run(tempfile.mkdtemp(dir=scratch), prog, args, sources, command, wanted, times)
            except subprocess.TimeoutExpired:
                problem = "took longer than %d s" % longest
            results.append(("%s: %s" % (name, " ".join(command)), problem))
        return results


def main():
    base = os.path.dirname(os.path.abspath(__file__))
    wanted = sys.argv[1:]
    folders = sorted(d for d, _, files in os.walk(base) if "expect" in files)
    if wanted:
        folders = [f for f in folders if any(("/" + w) in f for w in wanted)]
    failed = number = 0
    with concurrent.futures.ThreadPoolExecutor(max_workers=os.cpu_count()) as pool:
        jobs = [(f, c) for c in compilers for f in folders]
        for results in pool.map(lambda j: one_case(*j), jobs):
            for name, problem in results:
                number += 1
                failed += bool(problem)
                print("%s %d - %s" % ("not ok" if problem else "ok", number, name))
                for line in problem.splitlines()[:20]:
                    print("# " + line)
                sys.stdout.flush()
    print("1..%d" % number)
    return failed > 0


if __name__ == "__main__":
    sys.exit(main())
