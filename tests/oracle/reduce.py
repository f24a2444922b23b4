#!/usr/bin/env python3
"""Makes a program smaller as long as raddle and the enumerator still differ on it.

    reduce.py ORACLE RADDLE ENGINE PROGRAM.txt      (as compare.py --keep writes it)

Takes away threads, blocks, single instructions, and simplifies numbers, again and again until nothing more
can go without the difference (of the same class: missing, impossible, nobug, …) going too. Prints the
program, as text and as C, and the difference.
"""
import subprocess, sys, tempfile

import compare


def differs(tools, engine, lines, classes):
    text = "\n".join(lines) + "\n"
    try:
        expected = tools.enumerate(text)
        if len(expected) != 1 or expected[0]["invalid"]:
            return []
        binary = tools.build(text, "reduced")
    except subprocess.CalledProcessError:
        return []
    found = compare.differences(tools, engine, binary, 0, expected[0], text)
    return [f for f in found if not classes or f[0] in classes]


def block_end(lines, at):
    """Behind the block that begins at this line."""
    depth = 0
    for k in range(at, len(lines)):
        depth += lines[k].split()[0].startswith("IF_")
        depth -= lines[k].split()[0] == "END_IF"
        if depth == 0:
            return k
    return at


def without(lines, at):
    """The program without this line, in one or two ways."""
    word = lines[at].split()[0]
    if word in ("program", "object", "end", "END", "END_IF"):
        return []
    if word == "body":
        end = next((k for k in range(at + 1, len(lines)) if lines[k].split()[0] in ("body", "end")), len(lines))
        number = lines[at].split()[1]
        rest = lines[:at] + lines[end:]
        gone = [l for l in rest if l.split()[0] in ("CREATE", "JOIN", "TRYJOIN", "TIMEDJOIN", "CANCEL", "DETACH")
                and l.split()[2] == number]
        return [[l for l in rest if l not in gone]] if number != "0" else []
    if word.startswith("IF_"):
        end = block_end(lines, at)
        return [lines[:at] + lines[end + 1:], lines[:at] + lines[at + 1:end] + lines[end + 1:]]
    return [lines[:at] + lines[at + 1:]]


def pairs(lines, at):
    """Without this line and one more of the same thread (a lock and its release)."""
    word = lines[at].split()[0]
    if word in ("program", "end", "END", "END_IF", "body", "object") or word.startswith("IF_"):
        return
    for k in range(at + 1, len(lines)):
        if lines[k].split()[0] in ("body", "end"):
            return
        if lines[k].split()[0] not in ("END", "END_IF") and not lines[k].split()[0].startswith("IF_"):
            yield lines[:at] + lines[at + 1:k] + lines[k + 1:]


def simpler(lines, at):
    words = lines[at].split()
    if words[0] in ("program", "object", "body", "end", "END") or len(words) < 7:
        return
    if words[1] != "-1":
        yield lines[:at] + ["  " + " ".join([words[0], "-1"] + words[2:])] + lines[at + 1:]


def reduce(tools, engine, lines, classes):
    changed = True
    while changed:
        changed = False
        for ways in (without, pairs, simpler):
            at = 0
            while at < len(lines):
                for fewer in ways(lines, at):
                    if differs(tools, engine, fewer, classes):
                        lines, changed = fewer, True
                        break
                else:
                    at += 1
    return lines


def main():
    oracle, raddle, engine, path = sys.argv[1:5]
    lines = [l.rstrip("\n") for l in open(path)]
    with tempfile.TemporaryDirectory() as scratch:
        tools = compare.Tools(oracle, raddle, scratch, 5, subprocess.DEVNULL)
        found = differs(tools, engine, lines, set(sys.argv[5:]))
        if not found:
            sys.exit("no difference")
        lines = reduce(tools, engine, lines, {found[0][0]})
        text = "\n".join(lines) + "\n"
        print(text)
        print(subprocess.run([oracle, "emit"], input=text, capture_output=True, text=True).stdout)
        print(subprocess.run([oracle, "enumerate"], input=text, capture_output=True, text=True).stdout)
        print(engine, differs(tools, engine, lines, set()))


if __name__ == "__main__":
    main()
