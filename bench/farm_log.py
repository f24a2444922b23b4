"""Reads the log of a farm's job (src/farm/ledger_write.c, src/explore/share/tell.h), for bench/farm.py.

    bench/farm_log.py PORT JOB     what its bytes are: per kind of record how many there are and how large
"""
import os
import subprocess
import sys
import tempfile
from collections import Counter

TOP = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
KINDS = ["", "confirm", "insert", "done", "cut", "choice", "split", "back", "thread", "passed"]
HEAD = 5 # bytes of magic, version and kind of an item


def messages_of(port, job):
    with tempfile.TemporaryDirectory() as folder:
        path = os.path.join(folder, "log")
        subprocess.run([sys.executable, os.path.join(TOP, "tests/farm/log.py"), str(port), job, path], check=True)
        data, at, messages = open(path, "rb").read(), 0, []
    while at < len(data):
        n = int.from_bytes(data[at:at + 4], "little")
        messages.append(data[at + 4:at + 4 + n])
        at += 4 + n
    return messages


class Reader:
    def __init__(self, data):
        self.data, self.at = data, 0

    def get(self):
        value = shift = 0
        while True:
            byte = self.data[self.at]
            self.at += 1
            value |= (byte & 127) << shift
            shift += 7
            if byte < 128:
                return value

    def many(self, n):
        return [self.get() for _ in range(n)]

    def bytes(self):
        n = self.get()
        self.at += n
        return self.data[self.at - n:self.at]

    def act(self):
        if not self.get() and not self.get():
            self.many(7)

    def acts(self):
        for _ in range(self.get()):
            self.act()

    def step(self):
        """Gives the number that goes with it."""
        self.act()
        number = self.get()
        if number & 1:
            self.many(2)
        return number >> 1

    def list(self):
        """Gives how many leaves it has."""
        leaves, number = 0, 1
        while number & 1:
            number = self.step()
            leaves += self.list() if number & 2 else 1
        return leaves

    def record(self):
        """(kind, leaf, executions if the leaf is done, leaves that a split makes or that were done together)"""
        kind, leaf = self.many(2)
        runs = made = 0
        name = KINDS[kind]
        if name == "confirm":
            for _ in range(self.many(2)[1]):
                self.act()
        elif name == "insert":
            self.get()
            self.acts()
            self.many(2)
            for _ in range(self.get()):
                self.many(2 * (self.step() >> 1))
        elif name == "done":
            runs = self.many(2)[1]
        elif name == "passed":
            leaves, runs = self.many(2)
            return name, leaf, runs, leaves
        elif name == "cut":
            self.get()
        elif name == "choice":
            self.many(2)
        elif name == "split":
            for _ in range(self.many(2)[1]):
                self.acts()
                self.step()
            made = self.list()
        elif name == "thread":
            self.get()
            self.many(self.get())
            self.act()
            self.get()
        return name, leaf, runs, made


def post(message):
    """A member's post: member, dry, wanted, executions, mail, item; None if it is something else."""
    r = Reader(message)
    head = r.many(3)
    if head[2]:
        return None
    member, _, _, dry, _, _, wanted = r.many(7)
    executions, blocked, *_ = r.many(6)
    r.many(3)
    r.many(r.get())
    r.bytes()
    reached = r.get()
    r.many(bin(reached).count("1"))
    return member, dry, wanted, executions + blocked, r.bytes(), r.bytes()


def records(mail):
    """Its records and their sizes."""
    r = Reader(mail)
    if len(mail) <= HEAD or r.many(3)[2] != 6:
        return
    while r.at < len(mail):
        at = r.at
        one = r.record()
        yield one, r.at - at


def main():
    count, size = Counter(), Counter()
    for m in messages_of(*sys.argv[1:3]):
        p = post(m)
        count["message"] += 1
        size["message"] += len(m)
        if not p:
            continue
        count["item"] += len(p[5]) > 0
        size["item"] += len(p[5])
        for one, n in records(p[4]):
            count[one[0]] += 1
            size[one[0]] += n
    for kind in count:
        print(f"{kind:10} {count[kind]:8,} {size[kind]:12,} bytes")


if __name__ == "__main__":
    main()
