#!/usr/bin/env python3
"""The messages of a job's log, one after the other, each after its length (4 bytes): log.py PORT JOB FILE"""
import socket
import sys

port, job, path = int(sys.argv[1]), sys.argv[2], sys.argv[3]
conn = socket.create_connection(("127.0.0.1", port)).makefile("rwb")


def value():
    line = conn.readline()
    kind, rest = line[:1], line[1:-2]
    if kind == b"$":
        return conn.read(int(rest) + 2)[:-2]
    if kind == b"*":
        return [value() for _ in range(int(rest))]
    return rest


words = [b"XRANGE", f"raddle:{job}:log".encode(), b"-", b"+"]
conn.write(b"*%d\r\n" % len(words) + b"".join(b"$%d\r\n%s\r\n" % (len(w), w) for w in words))
conn.flush()
with open(path, "wb") as out:
    for _, (_, message) in value():
        out.write(len(message).to_bytes(4, "little") + message)
