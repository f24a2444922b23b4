#!/usr/bin/env python3
"""What a farm costs and how its work divides, measured with a Redis of its own on loopback.

    bench/farm.py cost             CPU seconds of two participants beside those of -j 2, of Redis; messages and bytes
    bench/farm.py record FILE      sizes of leaves, what is told of them, and what Redis's steps cost, for bench/farm_sim.py
    bench/farm.py redis            the latter alone
    bench/farm.py runs FILE        farms of 1, 2 and 4, to hold the simulation against
    bench/farm.py counts [-p 1,2,4,8] [NAME…]   counts of the known programs with so many participants

CPU seconds, since they are the same on a loaded machine; Redis's own are given with what it takes in the same time
when nobody is there. build/bin/raddle (or $RADDLE) and a compiler are needed.
"""
import argparse
import json
import os
import re
import resource
import socket
import subprocess
import sys
import tempfile
import time

import farm_log

TOP = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
RADDLE = os.environ.get("RADDLE") or os.path.join(TOP, "build/bin/raddle")
PORT = 20000 + 2 * (os.getpid() % 6000)  # below those that the kernel gives to connections
SPLIT = ["--set", "split_after=0"]

# name: source, flags for the compiler or arguments of the program, engine, executions, verdict
COST = {
    "sigma(8)": ("bench/programs/sigma.c", ["-DN=8"], "optimal", 2027025, "safe"),
    "lastzero(16)": ("bench/programs/lastzero.c", ["-DN=16"], "optimal", 311296, "safe"),
    "fib(6)": ("bench/programs/fib.c", ["-DN=6"], "optimal", 2364418, "safe"),
    "DP-monitorSU(6)": ("tests/cases/reach/dp-monitor-su/prog.c", ["6"], "reach", 901752, "safe"),
}
TRACES = """readers 8 256, readers 13 8192, lastzero 5 64, lastzero 10 3328, lastzero 15 147456, lastzero 16 311296, fib 3 1698, fib 4 19605,
fib 5 218243, sigma 6 10395, sigma 7 135135, sigma 8 2027025, lastwrite 6 720, lastwrite 7 5040, floating_read 6 5040,
casrot 6 144, casrot 8 2048, ainc 5 120, lockinc 6 720, lockinc 7 5040, dining 4 14, dining 5 30, dining 7 126,
dining 10 1022, dining_deadlock 4 831 bug, dining_deadlock 5 5851 bug, filesystem 14 2, filesystem 16 8,
filesystem 18 32, filesystem 22 512, filesystem 26 8192, indexer 12 8, indexer 13 64, indexer 14 512, indexer 15 4096,
indexer 16 32768, single_lock 4 2520, single_lock 4 22680 safe -DONCE=1"""
REACH = """bb-select 144, bb-semaphore 324, bb-monitor-su 720, bb-monitor-sc 12096, rw-select 768, rw-semaphore 21744,
rw-monitor-su 13320, rw-monitor-sc 61716, dp-monitor-su 30 safe 3, dp-monitor-su 624 safe 4, dp-monitor-su 19330 safe 5,
dp-monitor-su 901752 safe 6, dme 4032, dp-deadlock 511 bug 9"""


def rows():
    for row in TRACES.split(","):
        name, n, count, *more = row.split()
        yield (f"{name}({n})" + "".join(more[1:]), f"bench/programs/{name}.c", [f"-DN={n}", *more[1:]], "optimal", int(count),
               more[0] if more else "safe")
    for row in REACH.split(","):
        name, count, *more = row.split()
        yield (" ".join([name, *more[1:]]), f"tests/cases/reach/{name}/prog.c", more[1:], "reach", int(count),
               more[0] if more else "safe")


class Redis:
    def __init__(self):
        self.process = subprocess.Popen(["redis-server", "--port", str(PORT), "--bind", "127.0.0.1", "--save", ""],
                                        stdout=subprocess.DEVNULL)
        while b"PONG" not in self.call("ping"):
            time.sleep(0.1)

    def call(self, *words):
        return subprocess.run(["redis-cli", "-p", str(PORT), *words], capture_output=True).stdout

    def cpu(self):
        fields = open(f"/proc/{self.process.pid}/stat").read().rsplit(")", 1)[1].split()
        return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")

    def idle(self, seconds=10):
        before = self.cpu()
        time.sleep(seconds)
        return (self.cpu() - before) / seconds

    def stop(self):
        self.process.terminate()
        self.process.wait()


def build(source, flags, folder):
    path, flags, words = os.path.join(folder, "p"), [f for f in flags if f[0] == "-"], [f for f in flags if f[0] != "-"]
    subprocess.run([RADDLE, "cc", "-g", "-O2", *flags, "-o", path, os.path.join(TOP, source), "-pthread"], check=True)
    return [path, *words]


def children():
    use = resource.getrusage(resource.RUSAGE_CHILDREN)
    return use.ru_utime + use.ru_stime


def run(program, engine, each):
    """Runs the participants (lists of options) together: their counts, CPU seconds and elapsed seconds."""
    before, began = children(), time.time()
    processes = [subprocess.Popen([RADDLE, "run", "--count-only", "-q", "-k", "--engine", engine, *options, *program],
                                  stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True)
                 for options in each]
    said = [dict(line.split(None, 1) for line in p.communicate()[0].splitlines() if " " in line) for p in processes]
    counts = sorted({tuple(s.get(k, "?") for k in ("verdict", "executions", "blocked")) for s in said})
    return counts, children() - before, time.time() - began


def status(job):
    """messages, bytes, items of a job"""
    out = subprocess.run([RADDLE, "farm", "status", "--json", f"redis://127.0.0.1:{PORT}/{job}"], capture_output=True).stdout
    said = json.loads(out)
    return said["entries"], said["bytes"], said["items"]


def leaves_of(messages):
    """Executions below each leaf that was done (of engines that give parts away: of each part, from when it was given to when
    its worker had nothing to do), when how many of them had come to be, and what was told."""
    done, sizes, made, when, under_way, records, told, items = 0, [], 0, [], {}, 0, 0, []
    for m in messages:
        p = farm_log.post(m)
        if not p:
            continue
        member, dry, _, executions, mail, item = p
        done += executions
        told += len(mail)
        if item:
            items.append(len(item))
        under_way[member] = under_way.get(member, 0) + executions
        before = len(sizes)
        for (kind, _, runs, new), _ in farm_log.records(mail):
            records += 1
            made += new * (kind == "split") + (kind == "insert")
            if kind == "done" and runs:
                sizes.append(runs)
            elif kind == "passed":
                sizes += [runs / new] * new
        if dry and under_way[member]:
            if before == len(sizes) and not made:
                sizes.append(under_way[member]) # a part
            under_way[member] = 0
        when.append((done, made))
    return done, sizes, when, records, told, items


def opened(when, done):
    """Of what there is to be taken in the end, how much there is when a twentieth of what was left at the first split is done."""
    most = max(m for _, m in when)
    begin = next((d for d, m in when if m), 0)
    return round(max(m for d, m in when if d <= begin + (done - begin) / 20) / most, 3) if most else 0


def cost(args):
    redis = Redis()
    idle = redis.idle()
    print(f"(Redis alone: {100 * idle:.2f}% of a core)\n| program | executions | `-j 2` | two participants | speed | by the clock | "
          "Redis | messages | bytes | messages, bytes per 1,000 | |\n|---|---|---|---|---|---|---|---|---|---|---|")
    with tempfile.TemporaryDirectory() as folder:
        for name, (source, flags, engine, count, verdict) in COST.items():
            if args.names and name not in args.names:
                continue
            program, rows = build(source, flags, folder), []
            for again in range(args.times):
                job = f"cost{os.getpid()}.{abs(hash(name))}.{again}"
                _, alone, by_clock = run(program, engine, [["-j", "2"]])
                before = redis.cpu()
                counts, two, elapsed = run(program, engine, [["--farm", f"redis://127.0.0.1:{PORT}/{job}"]] * 2)
                used = redis.cpu() - before
                if counts != [(verdict, str(count), "0")]:
                    sys.exit(f"{name}: {counts}")
                messages, size, _ = status(job)
                rows.append((alone / two, alone, two, used, used / (two + used), messages, size, by_clock / elapsed))
            middle = sorted(rows)[len(rows) // 2]
            least, most = min(rows), max(rows)
            print(f"| {name} | {count:,} | {middle[1]:.1f} s | {middle[2]:.1f} s | {100 * middle[0]:.0f}% ({100 * least[0]:.0f}–"
                  f"{100 * most[0]:.0f}%) | {100 * sorted(r[7] for r in rows)[len(rows) // 2]:.0f}% | {middle[3]:.2f} s "
                  f"({100 * middle[4]:.1f}%; {100 * min(r[4] for r in rows):.1f}–{100 * max(r[4] for r in rows):.1f}%) | "
                  f"{middle[5]:,} | {middle[6]:,} | {1000 * middle[5] / count:.2f} | {1000 * middle[6] / count:,.0f} |", flush=True)
    redis.stop()


class Client:
    """As participants talk to Redis: one request after the other."""
    def __init__(self):
        self.socket = socket.create_connection(("127.0.0.1", PORT))
        self.socket.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
        self.file = self.socket.makefile("rb")

    def send(self, *words):
        words = [w if isinstance(w, bytes) else str(w).encode() for w in words]
        self.socket.sendall(b"*%d\r\n" % len(words) + b"".join(b"$%d\r\n%s\r\n" % (len(w), w) for w in words))

    def reply(self):
        line = self.file.readline()
        kind, rest = line[:1], line[1:-2]
        if kind == b"$":
            return self.file.read(int(rest) + 2)[:-2] if int(rest) >= 0 else None
        if kind == b"*":
            return [self.reply() for _ in range(int(rest))]
        return rest

    def call(self, *words):
        self.send(*words)
        return self.reply()


def append_script():
    """The script of src/farm/scripts.h that appends a message."""
    text = open(os.path.join(TOP, "src/farm/scripts.h")).read().replace("\\\n", "")
    parts = dict(re.findall(r"#define (SCRIPT_\w+)((?:\s+(?:\"[^\n]*?\"|SCRIPT_\w+))+)", text))

    def whole(name):
        words = re.findall(r'"((?:[^"\\]|\\.)*)"|(SCRIPT_\w+)', parts[name])
        return "".join(quoted.replace("\\n", "\n") if not other else whole(other) for quoted, other in words)
    return whole("SCRIPT_APPEND")


def redis_costs(redis, readers=0, size=60, batch=1, count=4000):
    """Redis's CPU seconds for each message appended, with so many who read, each reply with `batch` of them."""
    client, script, job = Client(), append_script(), f"raddle:costs.{readers}.{size}.{batch}"
    client.call("HSET", job + ":meta", "token", "t", "bytes", 0, "memory", 1 << 40, "n", 0)
    waiting = [Client() for _ in range(readers)]
    before, at = redis.cpu(), 0
    for _ in range(count // batch):
        if batch == 1:
            for w in waiting:
                w.send("XREAD", "COUNT", 500, "BLOCK", 10000, "STREAMS", job + ":log", f"{at}-1")
        for _ in range(batch):
            client.call("EVAL", script, 2, job + ":meta", job + ":log", "t", b"x" * size)
        if batch > 1:
            for w in waiting:
                w.send("XREAD", "COUNT", 500, "BLOCK", 10000, "STREAMS", job + ":log", f"{at}-1")
        for w in waiting:
            w.reply()
        at += batch
    used = (redis.cpu() - before) / (count // batch * batch)
    client.call("DEL", job + ":log", job + ":meta")
    return used


def measured(redis):
    """The four costs of farm_sim.py, from five mixtures."""
    append = redis_costs(redis, count=40000)
    large = redis_costs(redis, size=4000, count=20000)
    one = redis_costs(redis, readers=10, count=4000) # a reply for each
    many = redis_costs(redis, readers=10, batch=50, count=40000) # 50 in a reply
    bytes_too = redis_costs(redis, readers=10, batch=50, size=4000, count=10000)
    read = (one - many) / 10 / (1 - 1 / 50)
    entry = max(0.0, (many - append) / 10 - read / 50)
    append_byte = (large - append) / 3940
    entry_byte = max(0.0, (bytes_too - many - 3940 * append_byte) / 10 / 3940)
    return {"append": append, "append_byte": append_byte, "read": read, "entry": entry, "entry_byte": entry_byte}


def redis_only(args):
    redis = Redis()
    for name, seconds in measured(redis).items():
        print(f"{name}: {1e6 * seconds:.4f} µs")
    redis.stop()


def apply_time(job):
    """CPU seconds for applying all messages of a job."""
    def seconds(*words):
        before = children()
        for _ in range(10):
            subprocess.run([RADDLE, *words], stdout=subprocess.DEVNULL)
        return (children() - before) / 10
    return max(0.0, seconds("farm", "status", f"redis://127.0.0.1:{PORT}/{job}") - seconds("--version"))


def record(args):
    redis, result = Redis(), {}
    result["redis"] = {k: float(f"{v:.3g}") for k, v in measured(redis).items()}
    print(result["redis"], flush=True)
    with tempfile.TemporaryDirectory() as folder:
        for name, (source, flags, engine, count, verdict) in COST.items():
            program, job = build(source, flags, folder), f"record{os.getpid()}.{abs(hash(name))}"
            one = run(program, engine, [[]])[1]
            got, cpu, _ = run(program, engine, [["--farm", f"redis://127.0.0.1:{PORT}/{job}"]] * 2)
            if got != [(verdict, str(count), "0")]:
                sys.exit(f"{name}: {got}")
            log = farm_log.messages_of(PORT, job)
            done, sizes, when, records, told, items = leaves_of(log)
            size, apply_all = sum(map(len, log)), apply_time(job)
            result[name] = {
                "one_us": round(1e6 * min(one, cpu) / count, 3), "farm_us": round(1e6 * cpu / count, 3),
                "records": records / done, "bytes": told / done, "item": sum(items) // max(1, len(items)),
                # half of it for what a message is, half for what is in it
                "apply_us": round(1e6 * apply_all / 2 / len(log), 2), "apply_byte_us": round(1e6 * apply_all / 2 / size, 5),
                "opened": opened(when, done), "leaves": sorted(round(s, 1) for s in sizes)}
            r = result[name]
            print(f"{name}: {len(sizes)} leaves of {sum(sizes) / len(sizes):,.0f} executions (the largest {max(sizes):,}), "
                  f"{len(log)} messages, {size:,} bytes; {r['one_us']} µs an execution, {r['farm_us']} in a farm; {1e3 * apply_all:.1f} ms "
                  "to apply all messages", flush=True)
    redis.stop()
    write(args.file, "{\n" + ",\n".join(f" {json.dumps(k)}: {json.dumps(v, separators=(',', ':'))}" for k, v in result.items()) + "\n}\n")


def write(path, text):
    with open(path, "w") as out:
        out.write(text)


def runs(args):
    """Farms of 1, 2 and 4: how long they took, what they told; and by how much an execution was slower than its CPU time."""
    redis, rows = Redis(), []
    with tempfile.TemporaryDirectory() as folder:
        for name, (source, flags, engine, count, verdict) in COST.items():
            program = build(source, flags, folder)
            for n in 1, 2, 4:
                job = f"runs{os.getpid()}.{abs(hash(name))}.{n}"
                got, cpu, elapsed = run(program, engine, [["--farm", f"redis://127.0.0.1:{PORT}/{job}"]] * n)
                if got != [(verdict, str(count), "0")]:
                    sys.exit(f"{name}: {got}")
                messages, size, items = status(job)
                rows.append({"name": name, "participants": n, "executions": count, "seconds": elapsed, "messages": messages,
                             "bytes": size, "items": items, "slower": n * elapsed / cpu})
                print(rows[-1], flush=True)
    redis.stop()
    write(args.file, "[\n" + ",\n".join(" " + json.dumps(r) for r in rows) + "\n]\n")


def counts(args):
    redis, wrong, right = Redis(), 0, 0
    with tempfile.TemporaryDirectory() as folder:
        for name, source, flags, engine, count, verdict in rows():
            if args.names and not any(name.startswith(n) for n in args.names):
                continue
            program = build(source, flags, folder)
            for n in map(int, args.participants.split(",")):
                job = "counts" + "".join(c if c.isalnum() else "-" for c in f"{os.getpid()}.{name}.{n}")
                options = [*SPLIT, "--farm", f"redis://127.0.0.1:{PORT}/{job}"]
                got, _, elapsed = run(program, engine, [options] * n)
                good = got == [(verdict, str(count), "0")]
                right, wrong = right + good, wrong + (not good)
                print(f"{'ok' if good else 'WRONG'} {engine} {name}, {n}: {got}, {elapsed:.1f} s", flush=True)
    redis.stop()
    print(f"{right} right, {wrong} wrong")
    return wrong > 0


def main():
    args = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    what = args.add_subparsers(required=True)
    one = what.add_parser("cost")
    one.add_argument("--times", type=int, default=3, help="the one in the middle of so many")
    one.add_argument("names", nargs="*")
    one.set_defaults(do=cost)
    one = what.add_parser("record")
    one.add_argument("file")
    one.set_defaults(do=record)
    one = what.add_parser("runs")
    one.add_argument("file")
    one.set_defaults(do=runs)
    one = what.add_parser("redis")
    one.set_defaults(do=redis_only)
    one = what.add_parser("counts")
    one.add_argument("-p", dest="participants", default="1,2,4,8")
    one.add_argument("names", nargs="*")
    one.set_defaults(do=counts)
    args = args.parse_args()
    sys.exit(args.do(args))


if __name__ == "__main__":
    main()
