#!/usr/bin/env python3
"""A farm on paper: a discrete-event simulation of participants that share a search through one Redis.

Items (what a worker gets at a time: how many executions, with how many messages of how many bytes) are drawn from those
recorded in real farms of four participants (bench/farm.py record, kept in bench/farm_items.json), with the CPU time of an
execution and of applying a message measured there. How much is given at a time follows from how long the last took by the
clock, so sizes are scaled by elapsed time / CPU time of the recording, whose machine was busy with other things; and where the
way to Redis is long, as the participants do (ten times as long as they waited for the last item). The costs of Redis are
measured, too.

At first one participant has the whole search. Who has nothing to do says so; when that has gone through Redis it gets an
item. While nothing waits to be taken, those who are busy are asked: each gives one after it has had its own for 100 ms. What
is left of an item when the search is nearly over is given away in halves.

Redis does one thing at a time: it takes what has come, then replies to everybody, each reply with all that is new; what
comes meanwhile is for the next replies. Everybody applies every message.

    bench/farm_sim.py [--seconds SECONDS_OF_WORK_PER_PARTICIPANT] [--items FILE]
"""
import argparse
import heapq
import json
import os
import random
from collections import deque

# Redis's CPU seconds come from the recording: `append` (+ `append_byte`) for the script that appends a message, `read` for a
# reply to a reader, `entry` (+ `entry_byte`) for a message in it.
WORTH = 0.1 # seconds, before part of an item is given away; three times this is what one should take, …
WAITED = 10 # … or so many times what its participant waited for the last


class Farm:
    def __init__(self, participants, latency, program, redis, work):
        self.participants, self.latency, self.program, self.redis = participants, latency, program, redis
        self.rest = self.work = work # seconds; rest: what nobody has been given yet
        self.chance = random.Random(1)
        self.events, self.order = [], 0
        self.round_at = self.round_end = self.redis_busy = 0.0 # when Redis begins the next replies, and is done with them
        self.recent = deque()        # when messages were sent in the last second
        self.messages = 0
        self.end = [None] * participants   # when the item will be done; None: it has none
        self.since = [0.0] * participants
        self.dry, self.asked_at = deque(), 0.0

    def at(self, when, what, who):
        self.order += 1
        heapq.heappush(self.events, (when, self.order, what, who))

    def send(self, now, size):
        """When everybody has the message."""
        r = self.redis
        arrival, replies = now + self.latency / 2, self.participants * r["read"]
        cost = r["append"] + r["append_byte"] * size + self.participants * (r["entry"] + r["entry_byte"] * size)
        if arrival > self.round_at: # too late for the replies that are about to be made
            self.round_at = max(arrival, self.round_end)
            self.round_end = self.round_at + replies
            self.redis_busy += replies
        self.round_end += cost
        self.redis_busy += cost
        self.messages += 1
        self.recent.append(now)
        while self.recent[0] < now - 1:
            self.recent.popleft()
        return self.round_end + self.latency / 2

    def give(self, now, who, amount, count, size):
        """Messages come while it works; the last of them says that it is done. Applying those of all takes its part."""
        slower = 1 / max(0.05, 1 - len(self.recent) * self.program["apply"])
        self.since[who], self.end[who] = now, now + amount * slower
        for k in range(1, count):
            self.at(now + amount * slower * k / count, "message", size)
        self.at(self.end[who], "done", who)

    def next_item(self):
        executions, count, size = self.chance.choice(self.program["items"])
        longer = max(1.0, WAITED * self.latency / (3 * WORTH))
        amount = min(executions * self.program["execution"] * longer, self.rest)
        self.rest -= amount
        return amount, count, size // count

    def hand_out(self, now):
        """To those who have nothing, from those who have had something for long enough; in turn."""
        ready = [p for p in range(self.participants) if self.end[p] is not None and now - self.since[p] >= WORTH - 1e-9]
        for giver in ready:
            if not self.dry:
                break
            left = self.end[giver] - now
            if self.rest > 0:
                item = self.next_item()
            elif left > WORTH / 4:
                self.end[giver] = now + left / 2
                self.at(self.end[giver], "done", giver)
                item = left / 2, 2, 200
            else:
                continue
            self.since[giver] = now
            self.at(self.send(now, item[2]), "item", (self.dry.popleft(), item))
        busy = [p for p in self.end if p is not None]
        if self.dry and busy and self.asked_at <= now:
            self.asked_at = now + WORTH / 4
            self.at(self.asked_at, "look", None)

    def run(self):
        participants = self.participants
        self.give(0.0, 0, *self.next_item())
        for p in range(1, participants):
            self.at(self.send(0.0, 60), "dry", p)
        started, last = participants == 1, 0.0
        while self.events:
            now, _, what, who = heapq.heappop(self.events)
            if what == "message":
                self.send(now, who)
            elif what == "done" and self.end[who] is not None and abs(self.end[who] - now) < 1e-9:
                self.end[who], last = None, now
                if not started and self.rest > 0: # it has the rest itself
                    self.give(now, who, *self.next_item())
                    continue
                self.at(self.send(now, 60), "dry", who)
            elif what == "dry":
                # once all had something, what others found waits in the shared states
                if started and self.rest > 0:
                    self.give(now, who, *self.next_item())
                else:
                    self.dry.append(who)
            elif what == "item":
                self.give(now, who[0], *who[1])
                started |= not self.dry and all(e is not None for e in self.end)
            if self.dry:
                self.hand_out(now)
        return last, self.work / (last * participants), self.redis_busy / last, self.messages / last


def main():
    args = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    args.add_argument("--seconds", type=float, default=120, help="of work for each participant")
    args.add_argument("--items", default=os.path.join(os.path.dirname(os.path.abspath(__file__)), "farm_items.json"))
    args = args.parse_args()
    with open(args.items) as items:
        programs = json.load(items)
    costs = programs.pop("redis")
    print("| items of | their median | participants | latency | utilisation | Redis busy | messages per second |\n"
          "|---|---|---|---|---|---|---|")
    for name, p in programs.items():
        program = {"items": p["items"], "execution": p["execution_us"] / 1e6 * p["stretch"], "apply": p["apply_us"] / 1e6}
        sizes = sorted(i[0] for i in p["items"])
        median = sizes[len(sizes) // 2] * program["execution"]
        for participants in 10, 100, 1000:
            for latency in 0.001, 0.05:
                _, used, redis, rate = Farm(participants, latency, program, costs, args.seconds * participants).run()
                print(f"| {name} | {median * 1000:.0f} ms | {participants:,} | {latency * 1000:.0f} ms | {100 * used:.0f}% | "
                      f"{100 * redis:.0f}% | {rate:,.0f} |", flush=True)


if __name__ == "__main__":
    main()
