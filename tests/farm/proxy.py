#!/usr/bin/env python3
"""A bad network between participants of a farm and Redis: proxy.py LISTEN REDIS SEED [joins]

Requests are delayed, now and then one is delivered twice (the second answer is swallowed), and now and then a
connection is cut after a request was delivered and before it is answered, so that it is sent again; with "joins" that
happens to every second one who joins, too. Ends with the shell that started it, or after ten minutes."""
import asyncio
import os
import random
import sys

LISTEN, REDIS, SEED = int(sys.argv[1]), int(sys.argv[2]), int(sys.argv[3])
rng = random.Random(SEED)
cuts_joins = sys.argv[4:] == ["joins"]
counts = {"requests": 0, "twice": 0, "cut": 0, "joins": 0}


async def read_value(reader):
    """The bytes of one value of Redis's protocol."""
    line = await reader.readuntil(b"\r\n")
    kind, rest = line[:1], line[1:-2]
    if kind == b"$" and int(rest) >= 0:
        return line + await reader.readexactly(int(rest) + 2)
    if kind == b"*" and int(rest) >= 0:
        return line + b"".join([await read_value(reader) for _ in range(int(rest))])
    return line


async def requests(client, redis, to_client, swallow):
    joined = False
    while True:
        request = await read_value(client)
        counts["requests"] += 1
        await asyncio.sleep(rng.choice((0, 0, 0, 0.001, 0.005, 0.03)))
        is_append = b"EVAL" in request[:24]
        twice = is_append and rng.random() < 0.15
        swallow.append(twice)
        redis.write(request * (2 if twice else 1))
        await redis.drain()
        counts["twice"] += twice
        joins = is_append and not joined
        joined |= is_append
        counts["joins"] += joins
        if is_append and (rng.random() < 0.005 or (joins and cuts_joins and counts["joins"] % 2)):
            counts["cut"] += 1
            to_client.close()
            return


async def answers(redis, client, swallow):
    while True:
        answer = await read_value(redis)
        if swallow.pop(0):
            await read_value(redis)
        await asyncio.sleep(rng.choice((0, 0, 0.001, 0.01)))
        client.write(answer)
        await client.drain()


async def serve(reader, writer):
    redis_reader, redis_writer = await asyncio.open_connection("127.0.0.1", REDIS, limit=1 << 28)
    swallow = []
    tasks = [asyncio.ensure_future(requests(reader, redis_writer, writer, swallow)),
             asyncio.ensure_future(answers(redis_reader, writer, swallow))]
    _, left = await asyncio.wait(tasks, return_when=asyncio.FIRST_COMPLETED)
    for task in left:
        task.cancel()
    await asyncio.gather(*tasks, return_exceptions=True)
    writer.close()
    redis_writer.close()


async def main():
    parent = os.getppid()
    server = await asyncio.start_server(serve, "127.0.0.1", LISTEN, limit=1 << 28)
    async with server:
        for _ in range(6000):
            await asyncio.sleep(0.1)
            with open("proxy.counts", "w") as out:
                print(*(f"{name} {n}" for name, n in counts.items()), file=out)
            if os.getppid() != parent:
                return


asyncio.run(main())
