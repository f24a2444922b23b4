#!/usr/bin/env python3
"""dap.py GDB SCRIPT PROGRAM: what an editor would ask gdb as a debug adapter, of a program that is replayed: launch,
threads, stacks, variables. Prints them."""
import json
import subprocess
import sys

gdb, script, program = sys.argv[1:4]
adapter = subprocess.Popen([gdb, "-q", "-i=dap", "-x", script], stdin=subprocess.PIPE, stdout=subprocess.PIPE)
sequence = 0
events = []


def send(command, **arguments):
    global sequence
    sequence += 1
    body = json.dumps({"seq": sequence, "type": "request", "command": command, "arguments": arguments}).encode()
    adapter.stdin.write(b"Content-Length: %d\r\n\r\n" % len(body) + body)
    adapter.stdin.flush()
    return sequence


def receive():
    length = 0
    while (line := adapter.stdout.readline().strip()):
        if line.startswith(b"Content-Length:"):
            length = int(line.split(b":")[1])
    if not length:
        sys.exit("the adapter has ended")
    return json.loads(adapter.stdout.read(length))


def answer(number):
    while True:
        m = receive()
        if m["type"] == "response" and m["request_seq"] == number:
            assert m["success"], m
            return m.get("body", {})
        if m["type"] == "event":
            events.append(m)


def wait_for(event):
    while not any(e["event"] == event for e in events):
        m = receive()
        if m["type"] == "event":
            events.append(m)
    return next(e for e in events if e["event"] == event).get("body", {})


def ask(command, **arguments):
    return answer(send(command, **arguments))


ask("initialize", adapterID="raddle")
launched = send("launch", program=program, stopAtBeginningOfMainSubprogram=False)
wait_for("initialized")
send("configurationDone")
stopped = wait_for("stopped")
print("stopped:", stopped["reason"])
for thread in ask("threads")["threads"]:
    print("thread", thread["id"], thread["name"])
    for frame in ask("stackTrace", threadId=thread["id"])["stackFrames"]:
        print("   ", frame["name"], frame.get("source", {}).get("name"), frame.get("line"))
        for scope in ask("scopes", frameId=frame["id"])["scopes"]:
            if scope["name"] in ("Arguments", "Locals"):
                for v in ask("variables", variablesReference=scope["variablesReference"])["variables"]:
                    print("       ", v["name"], "=", v["value"])
send("disconnect", terminateDebuggee=True)
adapter.kill()
