"""What unfold.py and match.py have in common: programs of the tables, CPU seconds, lines of TAP."""
import os
import resource
import subprocess

HERE = os.path.dirname(os.path.abspath(__file__))
RADDLE = os.environ.get("RADDLE", os.path.join(HERE, "../build/bin/raddle"))

number = 0


def tap(good, name, detail=""):
    global number
    number += 1
    print(("ok" if good else "not ok") + f" {number} - {name}", flush=True)
    if not good:
        print("# " + str(detail).strip().replace("\n", "\n# "))


def finish():
    print(f"1..{number}")


def build(folder, source, flags):
    """The program; `source` as seen from here."""
    program = os.path.join(folder, source.replace("/", "_") + flags.replace(" ", ""))
    if not os.path.exists(program):
        subprocess.run([RADDLE, "cc", "-O1", "-g", "-o", program, os.path.join(HERE, source), "-pthread"] + flags.split(),
                       check=True)
    return program


def cpu(command, **more):
    """What it said and its CPU seconds."""
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    answer = subprocess.run(command, capture_output=True, text=True, check=False, **more)
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    return answer.stdout + answer.stderr, after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime
