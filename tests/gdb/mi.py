#!/usr/bin/env python3
"""mi.py SCRIPT PROGRAM: what an editor (VS Code's cppdbg, Emacs, Eclipse) asks gdb through its machine interface, of a
program that is replayed: start, threads, stacks, variables, a breakpoint, steps, raddle's own commands, start again.
Prints what it was told."""
import re
import subprocess
import sys
import threading

script, program = sys.argv[1:3]
gdb = subprocess.Popen(["gdb", "-q", "-nx", "-i=mi3", program], stdin=subprocess.PIPE, stdout=subprocess.PIPE,
                       stderr=subprocess.STDOUT, text=True, bufsize=1)
late = threading.Timer(300, gdb.kill)
late.daemon = True
late.start()
token = 0
stops = []


def receive():
    line = gdb.stdout.readline()
    if not line:
        sys.exit("gdb has ended")
    if line.startswith("*stopped"):
        stops.append(line)
    return line


def ask(command):
    """The result of a command, and what the console said meanwhile."""
    global token
    token += 1
    gdb.stdin.write(f"{token}{command}\n")
    said = ""
    while not (line := receive()).startswith(f"{token}^"):
        if line.startswith("~"):
            said += line[2:-2].replace("\\n", "\n").replace('\\"', '"')
    assert not line.startswith(f"{token}^error"), (command, line)
    return line[line.index("^") + 1:], said


def go(command):
    """A command after which the program runs until it stops, perhaps several times; where in the end."""
    stops.clear()
    ask(command)
    receive()  # the prompt
    while not (receive().startswith("(gdb)") and stops):
        pass
    words = [re.search(key + '="([^"]*)"', stops[-1]) for key in ("reason", "thread-id", "func", "line")]
    return " ".join(w.group(1) if w else "-" for w in words)


ask("-gdb-set pagination off")
ask("-gdb-set mi-async off")
ask("-enable-pretty-printing")
ask(f'-interpreter-exec console "source {script}"')
print("run:", go("-exec-run"))
answer, _ = ask("-thread-info")
for number, name in re.findall(r'\{id="(\d+)",[^{]*?name="([^"]*)"', answer):
    print("thread", number, name)
    frames, _ = ask(f"-stack-list-frames --thread {number}")
    for level, rest in re.findall(r'level="(\d+)"([^}]*)', frames):
        print("    frame", *re.findall(r'(?:func|file|line)="([^"]*)"', rest))
        values, _ = ask(f"-stack-list-variables --thread {number} --frame {level} --simple-values")
        for variable in re.findall(r'\{name="([^"]*)"[^}]*?value="([^"]*)"', values):
            print("       ", " = ".join(variable))
print("goto:", ask('-interpreter-exec console "raddle goto 1"')[1].strip())
print("threads:", ask('-interpreter-exec console "raddle threads"')[1].strip())
print("next:", go("-exec-next"))
print("value:", ask("-data-evaluate-expression --thread 3 --frame 0 from->lock")[0].strip())
ask("-break-insert transfer")
print("again:", go("-exec-run"))
print("continue:", go("-exec-continue"))
ask("-gdb-exit")
