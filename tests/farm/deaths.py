#!/usr/bin/env python3
"""Farms in which workers, participants and Redis die, or are stopped for longer than the lease, at random moments. Every
participant that is left must count what one machine counts.

    tests/farm/deaths.py SEED SECONDS [PROGRAM…]     exit status 1: one did not
"""
import os
import random
import shutil
import signal
import subprocess
import sys
import tempfile
import time

TOP = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
RADDLE = os.environ.get("RADDLE") or os.path.join(TOP, "build/bin/raddle")
PORT = 20000 + 2 * (os.getpid() % 6000)  # below those that the kernel gives to connections

# name: source, flags, arguments, engine, verdict, executions
PROGRAMS = {
    "sigma7": ("bench/programs/sigma.c", ["-DN=7"], [], "optimal", "safe", 135135),
    "lastzero14": ("bench/programs/lastzero.c", ["-DN=14"], [], "optimal", "safe", 69632),
    "fib5": ("bench/programs/fib.c", ["-DN=5"], [], "optimal", "safe", 218243),
    "dining5": ("bench/programs/dining_deadlock.c", ["-DN=5"], [], "optimal", "bug", 5851),
    "source7": ("bench/programs/sigma.c", ["-DN=7"], [], "source", "safe", 135135),
    "philosophers5": ("tests/cases/reach/dp-monitor-su/prog.c", [], ["5"], "reach", "safe", 19330),
    "readers": ("tests/cases/reach/rw-monitor-sc/prog.c", [], [], "reach", "safe", 61716),
    "dfs4": ("bench/programs/sigma.c", ["-DN=4"], [], "dfs", "safe", 61425),
}


def children(pid):
    found = []
    try:
        for task in os.listdir(f"/proc/{pid}/task"):
            found += map(int, open(f"/proc/{pid}/task/{task}/children").read().split())
    except OSError:
        pass
    return found


def ticks(pid):
    try:
        fields = open(f"/proc/{pid}/stat").read().rsplit(")", 1)[1].split()
        return int(fields[11]) + int(fields[12])
    except OSError:
        return 0


class Deaths:
    def __init__(self, seed, folder, names):
        self.chance, self.folder, self.jobs = random.Random(seed), folder, 0
        self.programs = {n: p for n, p in PROGRAMS.items() if not names or n in names}
        for name, (source, flags, *_) in self.programs.items():
            subprocess.run([RADDLE, "cc", "-g", "-O2", *flags, "-o", f"{folder}/{name}", f"{TOP}/{source}", "-pthread"], check=True)
        self.start_redis()

    def ask_redis(self, *words):
        return subprocess.run(["redis-cli", "-p", str(PORT), *words], capture_output=True).stdout.strip()

    def start_redis(self):
        self.redis = subprocess.Popen(["redis-server", "--port", str(PORT), "--bind", "127.0.0.1", "--dir", self.folder, "--save", "",
                                       "--appendonly", "yes", "--appendfsync", self.chance.choice(["everysec", "always"])],
                                      stdout=subprocess.DEVNULL)
        while b"PONG" not in self.ask_redis("ping"):
            time.sleep(0.05)

    def begin(self):
        """One more participant."""
        out, err = (open(f"{self.folder}/{what}.{self.jobs}.{self.serial}", "w+") for what in ("out", "err"))
        self.serial += 1
        self.there.append((subprocess.Popen([RADDLE, "run", "--count-only", "-q", "-k", *self.options], stdin=subprocess.DEVNULL,
                                            stdout=out, stderr=err, cwd=self.folder), out, err))

    def one_death(self, how, lease):
        """What died: w(orker), p(articipant), r(edis), s(topped for a while); empty: nothing."""
        live = [t for t in self.there if t[0].poll() is None]
        if not live:
            return ""
        victim = self.chance.choice(live)
        process = victim[0]
        if how == "workers":
            # one that is killed again and again while it starts is given up, rightly
            workers = [w for w in children(process.pid) if ticks(w) >= 10]
            if not workers:
                return ""
            os.kill(self.chance.choice(workers), signal.SIGKILL)
            return "w"
        if how == "participants":
            if len(live) < 2:
                return ""
            process.kill()
            process.wait()
            self.there.remove(victim)
            if self.chance.random() < 0.9:
                self.begin()
            return "p"
        if how == "redis":
            if self.ask_redis("xlen", f"raddle:d{self.jobs}:log") in (b"0", b""):
                return "" # one that is not there when a participant begins is another matter
            self.redis.send_signal(self.chance.choice([signal.SIGKILL, signal.SIGTERM]))
            self.redis.wait()
            time.sleep(self.chance.choice([0, 0.3, 1]))
            self.start_redis()
            return "r"
        process.send_signal(signal.SIGSTOP)
        time.sleep(self.chance.choice([0.1, 1.5 * lease]))
        process.send_signal(signal.SIGCONT)
        return "s"

    def job(self):
        """What happened, and whether all was counted right."""
        chance = self.chance
        self.jobs, self.serial, self.there = self.jobs + 1, 0, []
        name = chance.choice(list(self.programs))
        _, _, args, engine, verdict, executions = self.programs[name]
        how, lease, workers = chance.choice(["workers", "participants", "redis", "stop", "all"]), chance.choice([0.5, 1, 2]), chance.choice([1, 2])
        self.options = ["--engine", engine, *chance.choice([[], ["--set", "split_after=0"]]), "-j", str(workers), "--farm",
                        f"redis://127.0.0.1:{PORT}/d{self.jobs}?lease={lease}{chance.choice(['', '&memory=8000000'])}",
                        f"{self.folder}/{name}", *args]
        for _ in range(chance.choice([2, 3, 4])):
            self.begin()
        deaths, most, until = "", chance.choice([3, 8, 20]), time.time() + 200
        while any(p.poll() is None for p, _, _ in self.there) and time.time() < until:
            time.sleep(chance.choice([0.005, 0.02, 0.05, 0.1, 0.3]))
            one = chance.choice(["workers", "participants", "redis", "stop"]) if how == "all" else how
            if len(deaths) < most and not (one == "redis" and (deaths.count("r") > 1 or chance.random() < 0.8)):
                try:
                    deaths += self.one_death(one, lease)
                except ProcessLookupError:
                    pass
        words = 2 if engine == "source" else 3 # its blocked executions depend on who comes first
        wanted, right = (verdict, str(executions), "0")[:words], True
        print(f"{self.jobs}: {name}, {len(self.there)} participants of {workers}, {deaths or 'none'}", end="", flush=True)
        for process, out, err in self.there:
            hangs = process.poll() is None
            if hangs:
                process.kill()
                process.wait()
            out.seek(0)
            err.seek(0)
            said = dict(line.split(None, 1) for line in out.read().splitlines() if " " in line)
            got = tuple(said.get(k, "?") for k in ("verdict", "executions", "blocked"))[:words]
            if hangs or got != wanted:
                right = False
                print(f"\n  WRONG {'hangs ' * hangs}{got} for {wanted}: {err.read()[:500]}", end="")
            out.close()
            err.close()
        print(flush=True)
        self.ask_redis("flushall")
        return right


def main():
    seed, seconds, *names = sys.argv[1:]
    folder, until, wrong = tempfile.mkdtemp(), time.time() + float(seconds), 0
    deaths = Deaths(int(seed), folder, names)
    while time.time() < until:
        wrong += not deaths.job()
    deaths.redis.kill()
    deaths.redis.wait()
    shutil.rmtree(folder)
    print(f"seed {seed}: {deaths.jobs} jobs, {wrong} wrong")
    return wrong > 0


if __name__ == "__main__":
    sys.exit(main())
