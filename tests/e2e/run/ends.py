#!/usr/bin/env python3
"""ends.py RADDLE FOLDER RUNS SEED: runs raddle again and again and sends signals at random moments to it
or to one of its workers. However it ends: no process of it is left, no file outside of its output folder,
and what it says is true. Prints a TAP line for each run."""
import glob, json, os, random, re, signal, subprocess, sys, time

raddle, folder, runs, seed = sys.argv[1], sys.argv[2], int(sys.argv[3]), int(sys.argv[4])
mark = f"RADDLE_ENDS={os.getpid()}"
temporary = os.path.join(folder, "tmp")
os.makedirs(temporary, exist_ok=True)
rng = random.Random(seed)

# command, what a true verdict looks like, seconds within which it is in all of its phases
PROGRAMS = [
    (["-t", "1s", "./locks"], r"^(incomplete|safe up to)", 0.9),
    (["-t", "1s", "-j", "2", "./locks"], r"^(incomplete|safe up to)", 0.9),
    (["-t", "1s", "--isolate", "fork", "./locks"], r"^(incomplete|safe up to)", 0.9),
    (["-k", "-n", "30", "-t", "3s", "./map"], r"^(bug: data race|bug: .*assert|incomplete)", 2.5),
    (["-k", "-n", "200", "--races", "off", "./locks", "wrong"], r"^(bug: deadlock|incomplete)", 1.2),
    (["-k", "-t", "1s", "-j", "2", "./locks", "wrong"], r"^(bug: (deadlock|data race)|incomplete)", 2.0),
    (["-k", "-n", "60", "--isolate", "fork", "./locks", "wrong"], r"^(bug: (deadlock|data race)|incomplete)", 2.0),
]


def ours():
    """Processes that descend from what we started, whoever their parent is now."""
    found = []
    for path in glob.glob("/proc/[0-9]*/environ"):
        try:
            if mark.encode() in open(path, "rb").read().split(b"\0"):
                pid = int(path.split("/")[2])
                if pid != os.getpid() and open(f"/proc/{pid}/stat").read().rsplit(")", 1)[1].split()[0] != "Z":
                    found.append(pid)
        except OSError:
            pass
    return found


def children(pid):
    try:
        return [int(p) for p in open(f"/proc/{pid}/task/{pid}/children").read().split()]
    except OSError:
        return []


def send(host):
    """To the host, or to a worker of it (or the isolated execution below that)."""
    if rng.random() < 0.6:
        what = rng.choice([signal.SIGINT, signal.SIGTERM, signal.SIGKILL, signal.SIGHUP])
        host.send_signal(what)
        return f"{what.name} to the host"
    below = [p for w in children(host.pid) for p in [w] + children(w)]
    what = rng.choice([signal.SIGKILL, signal.SIGTERM])
    if below:
        try:
            os.kill(rng.choice(below), what)
        except OSError:
            pass
    return f"{what.name} to a worker"


def gone(seconds):
    end = time.time() + seconds
    while ours():
        if time.time() > end:
            return False
        time.sleep(0.02)
    return True


def one(i):
    options, truth, span = rng.choice(PROGRAMS)
    out = os.path.join(folder, f"out-{i}")
    env = dict(os.environ, TMPDIR=temporary, RADDLE_ENDS=str(os.getpid()))
    shm = set(os.listdir("/dev/shm"))
    host = subprocess.Popen([raddle, "run", "-o", out] + options, cwd=folder, env=env, text=True,
                            stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.PIPE)
    time.sleep(rng.random() * span)
    told = [send(host) for _ in range(rng.choice([1, 1, 1, 2, 3]))]
    what = " ".join(options) + ": " + ", ".join(told)
    try:
        text, errors = host.communicate(timeout=30)
    except subprocess.TimeoutExpired:
        host.kill()
        return what, "it was still there after 30 s"
    if not gone(3):
        return what, f"processes are left: {ours()}"
    left = os.listdir(temporary) + [f for f in os.listdir("/dev/shm") if f not in shm and "raddle" in f]
    if left:
        return what, f"files are left: {left}"
    if host.returncode < 0 or host.returncode > 128:
        return what, None  # killed: it could say nothing
    if host.returncode not in (0, 1, 2) or not re.search(truth, text):
        return what, f"status {host.returncode}: {text[:500]} {errors[-500:]}"
    report = json.load(open(os.path.join(out, "report.json")))
    if (host.returncode == 1) != (report["verdict"] == "bug"):
        return what, f"status {host.returncode}, but the report says {report['verdict']}"
    if host.returncode == 1 and i % 4 == 0:
        again = subprocess.run([raddle, "replay", out], cwd=folder, text=True, capture_output=True, timeout=600)
        if not again.stdout.startswith("reproduced"):
            return what, f"its first finding does not replay: {again.stdout[:300]}"
    return what, None


# command and the seconds after Ctrl-C within which it has ended; ./compute does not come to a decision any more
SOON = [
    (["./endless"], 0.5),
    (["--engine", "optimal", "--symmetry", "off", "-j", "2", "./endless"], 0.5),
    (["--engine", "dfs", "./endless"], 0.5),
    (["--engine", "reach", "./endless"], 0.5),
    (["--isolate", "fork", "./endless"], 0.5),
    (["--hang", "60s", "./compute", "2000000000"], 1.0),
    (["--hang", "60s", "--isolate", "fork", "./compute", "2000000000"], 1.0),
]


def used(pid):
    """Seconds of CPU of the processes below it, those that have ended among them."""
    seconds = 0
    for child in children(pid):
        try:
            fields = open(f"/proc/{child}/stat").read().rsplit(")", 1)[1].split()
            seconds += sum(int(n) for n in fields[11:15]) / os.sysconf("SC_CLK_TCK")
        except OSError:
            pass
        seconds += used(child)
    return seconds


def interrupted(options):
    """Ctrl-C while it searches: the seconds until it has ended, and what is wrong with what it says."""
    env = dict(os.environ, TMPDIR=temporary, RADDLE_ENDS=str(os.getpid()))
    host = subprocess.Popen([raddle, "run", "-o", os.path.join(folder, "soon")] + options, cwd=folder, env=env,
                            text=True, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.PIPE)
    end = time.time() + 30
    while used(host.pid) < 0.2 and host.poll() is None and time.time() < end:
        time.sleep(0.02)
    began = time.time()
    host.send_signal(signal.SIGINT)
    try:
        text, _ = host.communicate(timeout=60)
    except subprocess.TimeoutExpired:
        host.kill()
        return 60, "it did not end"
    told = host.returncode == 2 and "the search was interrupted" in text
    return time.time() - began, None if told else f"status {host.returncode}: {text[:300]}"


def soon(options, limit):
    """A busy machine may delay it, but not each of some tries."""
    best = 60
    for _ in range(6):
        seconds, wrong = interrupted(options)
        if wrong:
            return wrong
        best = min(best, seconds)
        if best <= limit:
            return None if gone(3) else f"processes are left: {ours()}"
    return f"{best:.1f} s at best"


bad = number = 0


def tell(what, wrong):
    global bad, number
    number += 1
    print(f"{'not ok' if wrong else 'ok'} {number} - {what}")
    if wrong:
        print("# " + wrong.replace("\n", "\n# "))
        bad = 1


for i in range(1, runs + 1):
    tell(*one(i))
for options, limit in SOON:
    tell(f"Ctrl-C ends {' '.join(options)} within {limit} s", soon(options, limit))
print(f"1..{number}")
sys.exit(bad)
