#!/usr/bin/env python3
"""inputs.py PROGRAM FILE…|any:SEED:N: inputs for programs of sequential.py, one line each: those of files that
--save-tests wrote, or N drawn at random, mostly near the ends of ranges."""
import random
import sys


def line(values, data):
    print(sys.argv[1], *[v % 2 ** 64 for v in values], *data)


def drawn(rng):
    k = rng.random()
    if k < 0.3:
        return rng.randint(-4, 12)
    if k < 0.5:
        return rng.choice([-1, 1]) * (1 << rng.randrange(64)) + rng.randint(-2, 2)
    return rng.getrandbits(rng.choice([8, 16, 32, 64]))


for source in sys.argv[2:]:
    if source.startswith('any:'):
        _, seed, n = source.split(':')
        rng = random.Random(int(seed))
        for _ in range(int(n)):
            line([drawn(rng) for _ in range(3)], [drawn(rng) % 256 for _ in range(4)])
        continue
    values, data = [0, 0, 0], [0] * 4
    for text in open(source):
        place, kind, value = text.split()[:3]
        if kind == 'bytes':
            data = list(bytes.fromhex(value))
        else:
            values[int(place.split('.')[1])] = int(value)
    line(values, data)
