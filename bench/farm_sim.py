#!/usr/bin/env python3
"""A farm on paper: a discrete-event simulation of participants (of one worker each) that share a search through one Redis.

What is known from real farms (bench/farm.py record, kept in bench/farm_items.json), per program:
  leaves    executions below each leaf, or part, of the search
  opened    the part of the leaves that there are soon after the first split (when a twentieth of the rest is done)
  one, farm CPU time of an execution: of a search that is not shared, and in the farm (telling others, applying what they tell)
  records, bytes, item   what a worker tells per execution, leaves that come to be included; bytes of a checkpoint
  apply     CPU time for each message of another participant
and the CPU time of Redis for what it does.

The rest is what participants do (src/host/farmhand.c, farmhand_post.c, src/rt/core/team_farm.c, src/farm/ledger.c): who has
nothing to do says so, and gets as many leaves as are worth 300 ms, or twenty times what it waited for the last, going by how long
the last took, but no more than its share of what is there. What a worker finds is told every 6 ms at most, 1.5 ms for each
participant, or when it is 32 KiB. While nothing
waits to be taken, those who have had their own for 100 ms are asked: they give back what they have not begun, or half of the
leaf that they are at, as leaves of the recorded sizes. (The first split, not before 200 ms, gives `opened` of all.)

Redis does one thing at a time: it takes what has come, then replies to everybody, each reply with all that is new; what comes
meanwhile is for the next replies. Everybody applies every message.

Utilisation is the CPU time of the search when it is not shared, over the time that the participants take together: it counts
what sharing costs as idle. The search is as large as wanted (--seconds of unshared work for each participant); its leaves are
as large as those recorded, so there are more of them.

    bench/farm_sim.py [--seconds 20,120] [--participants 10,100,1000] [--latency 1,50] [--items FILE] [NAME…]
    bench/farm_sim.py --runs FILE     beside real farms (bench/farm.py runs FILE)
"""
import argparse
import bisect
import heapq
import json
import os
import random
from collections import deque

WORTH = 0.1      # seconds before part of an item is given away; three times this is what one should take, …
WAITED = 20      # … or so many times what its participant waited for the last, …
LONGEST = 0.2    # … of which so many seconds count
TELL = 0.006     # seconds between messages, at least, …
TELL_EACH = 0.0015 # … and for each participant
FLUSH = 32768    # bytes that are worth a message at once
SAVE = 2.0       # … and between checkpoints
MOST_LEAVES = 16384
MANY = 50        # leaves, of which only the mean matters
ALIVE = 0.6      # commands per second with which a participant says that it is there and looks after the next


class Farm:
    def __init__(self, participants, latency, program, redis, executions, slower=1.0, split_after=0.2):
        self.n, self.latency, self.redis, self.program, self.split_after = participants, latency, redis, program, split_after
        self.cost = program["farm_us"] / 1e6 * slower
        self.slower = slower
        self.all = executions
        self.tell = max(TELL, TELL_EACH * participants) * slower
        self.chance = random.Random(1)
        self.sizes = sorted(program["leaves"])
        self.mean = sum(self.sizes) / len(self.sizes)
        self.events, self.order = [], 0
        self.round_at = self.round_end = self.redis_busy = 0.0 # when Redis begins the next replies, and is done with them
        self.recent = deque()      # (when, bytes) of messages in the last second
        self.recent_bytes = 0
        self.messages = self.bytes = self.items = 0
        self.done = 0.0            # executions
        self.pool = 0.0            # executions below the leaves that nobody has
        p = range(participants)
        self.queue = [[] for _ in p]       # leaves not begun
        self.leaf = [0.0 for _ in p]       # executions left of the one at hand, at `at`
        self.busy = [False for _ in p]
        self.at, self.since, self.asked, self.waited = ([0.0 for _ in p] for _ in range(4))
        self.had = [0 for _ in p]          # leaves of the last item
        self.version = [0 for _ in p]
        self.wanted = [1 for _ in p]
        self.told = [0.0 for _ in p]       # executions since the last message
        self.saved = [0.0 for _ in p]
        self.dry = deque()
        self.turn = 0
        self.opened = False # something was split

    def when(self, t, what, who):
        self.order += 1
        heapq.heappush(self.events, (t, self.order, what, who))

    def send(self, now, size):
        """When everybody has the message."""
        r = self.redis
        arrival, replies = now + self.latency / 2, self.n * r["read"]
        cost = r["append"] + r["append_byte"] * size + self.n * (r["entry"] + r["entry_byte"] * size)
        if arrival > self.round_at: # too late for the replies that are about to be made
            self.round_at = max(arrival, self.round_end)
            self.round_end = self.round_at + replies
            self.redis_busy += replies
        self.round_end += cost
        self.redis_busy += cost
        self.messages += 1
        self.bytes += size
        self.recent.append((now, size))
        self.recent_bytes += size
        while self.recent[0][0] < now - 1:
            self.recent_bytes -= self.recent.popleft()[1]
        return self.round_end + self.latency / 2

    def pace(self):
        """Seconds for an execution: applying what others tell takes its part."""
        load = (len(self.recent) * self.program["apply_us"] + self.recent_bytes * self.program["apply_byte_us"]) / 1e6
        return self.cost / max(0.05, 1 - load * self.slower)

    def waiting(self):
        """Leaves that can be taken."""
        return int(self.pool / self.mean) + 1 if self.pool > 1e-6 else 0

    def take(self, wanted):
        """Executions of the leaves that it gets."""
        there = self.waiting()
        n = min(wanted, 1 + there // (1 + len(self.dry)), MOST_LEAVES, there)
        if n > MANY:
            leaves = [self.mean * n / MANY] * MANY
        else:
            leaves = [self.chance.choice(self.sizes) for _ in range(n)]
        got = []
        for size in leaves:
            got.append(min(size, self.pool))
            self.pool -= got[-1]
            if self.pool <= 1e-6:
                break
        return [x for x in got if x > 0], n

    def begin(self, now, p, leaves, count=1):
        self.busy[p], self.queue[p], self.had[p] = True, leaves[1:], count
        self.leaf[p], self.at[p], self.since[p], self.waited[p] = leaves[0], now, now, now - self.asked[p]
        self.told[p], self.saved[p] = 0.0, now
        self.items += 1
        self.go_on(now, p)

    def left(self, p):
        return self.leaf[p] + sum(self.queue[p])

    def go_on(self, now, p):
        """Works until there is something to tell, or nothing left."""
        self.version[p] += 1
        rate = 1 / self.pace()
        records = self.program["records"]
        runs = max(self.tell * rate, 1 / records if records > 0 else 1e18) # executions until the next message
        runs = max(1.0, min(runs, FLUSH / max(1e-9, self.program["bytes"]), self.left(p)))
        self.when(now + runs / rate, "worked", (p, self.version[p], runs))

    def work(self, now, p, runs):
        self.done += runs
        self.told[p] += runs
        self.at[p] = now
        while runs > 0 and (self.leaf[p] > 0 or self.queue[p]):
            part = min(runs, self.leaf[p])
            self.leaf[p] -= part
            runs -= part
            if self.leaf[p] <= 1e-6:
                self.leaf[p] = self.queue[p].pop(0) if self.queue[p] else 0.0

    def worked(self, now, p, runs):
        self.work(now, p, runs)
        over = self.left(p) <= 1e-6
        records = self.told[p] * self.program["records"] * self.opened # before that nobody has to know
        if not over and records >= 1:
            self.send(now, 40 + self.told[p] * self.program["bytes"])
            self.told[p] = 0.0
        if not over and now - self.saved[p] > SAVE:
            self.send(now, 40 + self.program["item"])
            self.saved[p] = now
        if not over:
            self.go_on(now, p)
            return
        self.busy[p] = False
        self.want(now, p)
        self.asked[p] = now
        self.when(self.send(now, 40 + self.told[p] * self.program["bytes"] * self.opened), "dry", p)

    def want(self, now, p):
        worth = max(3 * WORTH, WAITED * min(self.waited[p], LONGEST))
        n = self.had[p] * worth / max(1e-4, now - self.since[p])
        self.wanted[p] = int(max(1, min(n, 2 * self.had[p] + 1)))

    def hand_out(self, now):
        while self.dry:
            p = self.dry[0]
            leaves, count = self.take(self.wanted[p])
            if not leaves:
                break
            self.dry.popleft()
            self.begin(now, p, leaves, count)

    def ask(self, now):
        """One after the other of those who have had theirs for long enough; as many as wait for it."""
        if now < self.split_after or not self.dry or self.waiting():
            return
        asked = len(self.dry)
        for k in range(self.n):
            p = (self.turn + k) % self.n
            if not asked:
                break
            if not self.busy[p] or now - self.since[p] < WORTH:
                continue
            asked -= 1
            runs = min((now - self.at[p]) / self.pace(), self.left(p))
            self.work(now, p, runs)
            self.since[p] = now
            if not self.opened and self.program["opened"]:
                given, size = self.leaf[p] * self.program["opened"], 40
            elif self.queue[p]:
                given, size = sum(self.queue[p]), 4 * len(self.queue[p])
                self.queue[p] = []
                self.leaf[p] += given # taken off below
            else:
                given, size = self.leaf[p] / 2, 40
            if given > 1:
                self.opened = True
                self.leaf[p] -= given
                self.when(self.send(now, 40 + self.program["item"] + size), "given", given)
            if self.left(p) > 1e-6:
                self.go_on(now, p)
            else:
                self.when(now, "worked", (p, self.version[p], 0.0))
        self.turn = (self.turn + 1) % self.n

    def run(self):
        self.begin(0.0, 0, [self.all]) # one has all of it until it is split
        for p in range(1, self.n):
            self.when(self.send(0.0, 60), "dry", p)
        last, look = 0.0, 0.0
        while self.events:
            now, _, what, who = heapq.heappop(self.events)
            if what == "worked":
                p, version, runs = who
                if version == self.version[p] and self.busy[p]:
                    self.worked(now, p, runs)
                    last = now
            elif what == "dry":
                self.dry.append(who)
            elif what == "given":
                self.pool += who
            if self.dry and self.pool > 0:
                self.hand_out(now)
            if self.dry and any(self.busy) and now >= look:
                self.ask(now)
                look = now + WORTH / 4
                self.when(look, "look", None)
        self.redis_busy += self.n * ALIVE * last * self.redis["append"]
        used = self.all * self.program["one_us"] / 1e6 * self.slower / (last * self.n)
        return {"seconds": last, "used": used, "redis": self.redis_busy / last, "messages": self.messages, "bytes": self.bytes,
                "items": self.items}


def table(args, programs, costs):
    print("| program | seconds each | participants | latency | utilisation | Redis busy | messages/s | kB/s |\n"
          "|---|---|---|---|---|---|---|---|")
    for name, program in programs.items():
        if args.names and name not in args.names:
            continue
        for seconds in map(float, args.seconds.split(",")):
            for participants in map(int, args.participants.split(",")):
                for latency in map(float, args.latency.split(",")):
                    f = Farm(participants, latency / 1000, program, costs, seconds * participants / program["one_us"] * 1e6)
                    r = f.run()
                    print(f"| {name} | {seconds:.0f} | {participants:,} | {latency:.0f} ms | {100 * r['used']:.0f}% | "
                          f"{100 * r['redis']:.0f}% | {r['messages'] / r['seconds']:,.0f} | "
                          f"{r['bytes'] / r['seconds'] / 1000:,.0f} |", flush=True)


def beside(path, programs, costs):
    """Real farms, and the same simulated with how long an execution took there by the clock."""
    with open(path) as runs:
        runs = json.load(runs)
    print("| program | participants | seconds: real | simulated | messages: real | simulated | kB: real | simulated | "
          "items: real | simulated |\n|---|---|---|---|---|---|---|---|---|---|")
    for run in runs:
        program = programs[run["name"]]
        f = Farm(run["participants"], 0.0002, program, costs, run["executions"], slower=run["slower"])
        r = f.run()
        print(f"| {run['name']} | {run['participants']} | {run['seconds']:.1f} | {r['seconds']:.1f} | {run['messages']:,} | "
              f"{r['messages']:,} | {run['bytes'] / 1000:,.0f} | {r['bytes'] / 1000:,.0f} | {run['items']:,} | {r['items']:,} |",
              flush=True)


def main():
    args = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    args.add_argument("--seconds", default="20,120", help="of work for each participant")
    args.add_argument("--participants", default="10,100,1000")
    args.add_argument("--latency", default="1,50", help="ms, to Redis and back")
    args.add_argument("--items", default=os.path.join(os.path.dirname(os.path.abspath(__file__)), "farm_items.json"))
    args.add_argument("--runs")
    args.add_argument("names", nargs="*")
    args = args.parse_args()
    with open(args.items) as items:
        programs = json.load(items)
    costs = programs.pop("redis")
    if args.runs:
        beside(args.runs, programs, costs)
    else:
        table(args, programs, costs)


if __name__ == "__main__":
    main()
