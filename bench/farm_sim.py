#!/usr/bin/env python3
"""A farm on paper: a discrete-event simulation of participants that share a search through one Redis.

Each participant works on an item; when it has none it posts that it is dry. After a round trip everybody knows, and the
busy one whose turn it is gives part of what it has left (2 to 50%, at random: searches do not divide evenly), if it
has had its item for 100 ms. Every message costs Redis time
once to take it and once per participant to hand it out, and every participant time to apply it. The costs are those measured
on loopback (tests/e2e/farm.sh: bytes and messages per item; redis-benchmark: microseconds per command).

    bench/farm_sim.py [--seconds CPU_SECONDS_OF_THE_SEARCH]
"""
import argparse
import heapq
import random

APPEND = 40e-6   # Redis: a script that appends a message
HAND_OUT = 4e-6  # Redis: the message to one more reader
APPLY = 25e-6    # a participant: applying it
WORTH = 0.1      # an item is not split sooner
MESSAGES = 3     # per item: split, answered additions, done


def simulate(participants, latency, work):
    """Work in seconds of one core. Returns elapsed seconds, utilisation, the part of the time that Redis was busy."""
    left = [0.0] * participants       # seconds of work in the item, as of `since`
    since = [0.0] * participants
    busy = [False] * participants
    events, order = [], 0
    redis_free, redis_busy, messages = 0.0, 0.0, 0
    dry, look_at = [], 0.0
    chance = random.Random(1)

    def send(now, count=1):
        nonlocal redis_free, redis_busy, messages
        cost = count * (APPEND + HAND_OUT * participants)
        redis_free = max(redis_free, now + latency / 2) + cost
        redis_busy += cost
        messages += count
        return redis_free + latency / 2

    def push(when, what, who):
        nonlocal order
        order += 1
        heapq.heappush(events, (when, order, what, who))

    def give(now, who, amount):
        left[who], since[who], busy[who] = amount, now, True
        push(now + amount, "done", who)

    give(0.0, 0, work)
    for p in range(1, participants):
        push(send(0.0), "dry", p)
    turn, end, useful = 0, 0.0, work
    while events:
        now, _, what, who = heapq.heappop(events)
        if what == "done":
            if not busy[who] or abs(since[who] + left[who] - now) > 1e-9:
                continue  # it has given part of it away since
            busy[who] = False
            end = now
            push(send(now), "dry", who)
        elif what == "dry":
            dry.append(who)
        elif what == "item":
            give(now, *who)
        if not dry or not any(busy):
            continue
        candidates = [p for p in range(participants) if busy[p]]
        ready = [p for p in candidates if now - since[p] >= WORTH - 1e-9 and since[p] + left[p] - now > WORTH / 4]
        waiting = len(dry)
        for k in range(min(waiting, len(ready))):
            giver = ready[(turn + k) % len(ready)]
            rest = since[giver] + left[giver] - now
            part = rest * chance.uniform(0.02, 0.5)
            give(now, giver, rest - part + APPLY * participants * WORTH)
            push(send(now, MESSAGES), "item", (dry.pop(0), part))
            turn += 1
        if dry and not ready:
            soonest = max(min(since[p] for p in candidates) + WORTH, now + WORTH / 10)
            if look_at <= now:
                look_at = soonest
                push(soonest, "look", None)
    return end, useful / (end * participants), redis_busy / end, messages


def main():
    args = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    args.add_argument("--seconds", type=float, default=0, help="of one core; default: two minutes per participant")
    seconds = args.parse_args().seconds
    print("| participants | latency | elapsed | utilisation | Redis busy | messages per second |\n|---|---|---|---|---|---|")
    for participants in 10, 100, 1000:
        for latency in 0.001, 0.05:
            end, used, redis, messages = simulate(participants, latency, seconds or 120.0 * participants)
            print(f"| {participants:,} | {latency * 1000:.0f} ms | {end:.0f} s | {100 * used:.0f}% | {100 * redis:.1f}% | "
                  f"{messages / end:.0f} |")


if __name__ == "__main__":
    main()
