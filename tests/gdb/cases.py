#!/usr/bin/env python3
"""cases.py FAMILY…: the bugs of tests/cases in gdb: the execution must come to the same finding there, though every
thread has a kernel thread of its own. Says one line per case that does not, and how many there were."""
import concurrent.futures, json, os, re, subprocess, sys, tempfile

top = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
raddle = os.environ.get("RADDLE", os.path.join(top, "build/bin/raddle"))


def call(words, folder, seconds=120):
    return subprocess.run(words, cwd=folder, capture_output=True, text=True, errors="replace", timeout=seconds,
                          stdin=subprocess.DEVNULL)


def bug_of(folder):
    """Flags, engine with options and arguments of the first run that finds a bug; None: there is none."""
    flags, args = [], []
    for line in open(os.path.join(folder, "expect")):
        line = line.split("#")[0].strip()
        if line.startswith("source:"):
            return None
        if line.startswith("cc:"):
            flags = line[3:].split()
        elif line.startswith("args:"):
            args = line[5:].split()
        elif "verdict=bug" in line:
            return flags, line.split("=>")[0].split(), args
    return None


def try_case(folder):
    name, bug = os.path.relpath(folder, top + "/tests/cases"), bug_of(folder)
    if bug is None:
        return None
    flags, engine, args = bug
    with tempfile.TemporaryDirectory() as scratch:
        sources = sorted(os.path.join(folder, f) for f in os.listdir(folder) if f.endswith((".c", ".cc")))
        driver = "c++" if any(s.endswith(".cc") for s in sources) else "cc"
        built = call([raddle, driver, "-g", "-o", "prog", *sources, *flags, "-pthread"], scratch)
        if built.returncode:
            return f"{name}: not built"
        call([raddle, "run", "-q", "--out", "out", "--json", "r.json", "--engine", engine[0], *engine[1:], "--",
              "./prog", *args], scratch)
        report = json.load(open(os.path.join(scratch, "r.json")))
        kind = report["findings"][0]["kind"] if report["findings"] else "none"
        said = call([raddle, "replay", "out", "--gdb", "--gdb-args", "-batch", "--gdb-args", "-ex", "--gdb-args",
                     "raddle threads"], scratch).stdout
    stopped = re.search(r"^raddle: step \d+ of \d+", said, re.M) and re.search(r"^[* ] thread 0 \(main\)", said, re.M)
    return "" if stopped else f"{name}: {kind}: {said[-600:]!r}"


families = sys.argv[1:]
folders = [os.path.join(top, "tests/cases", f, c) for f in families
           for c in sorted(os.listdir(os.path.join(top, "tests/cases", f)))]
with concurrent.futures.ThreadPoolExecutor(2) as pool:
    results = [r for r in pool.map(try_case, folders) if r is not None]
for r in results:
    if r:
        print(r)
print(f"{sum(not r for r in results)} of {len(results)} stop at their finding")
sys.exit(any(results) or not results)
