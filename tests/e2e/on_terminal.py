#!/usr/bin/env python3
"""on_terminal.py COLUMNS COMMAND…: runs it on a terminal of that width, prints what it wrote there (lines that were
drawn over count as they stood last, with ALL_DRAWN each time; newlines as the program wrote them) and ends with its
status."""
import fcntl
import os
import pty
import struct
import sys
import termios

pid, fd = pty.fork()
if pid == 0:
    fcntl.ioctl(1, termios.TIOCSWINSZ, struct.pack("HHHH", 40, int(sys.argv[1]), 0, 0))
    os.execvp(sys.argv[2], sys.argv[2:])
written = b""
while True:
    try:
        more = os.read(fd, 65536)
    except OSError:
        break
    if not more:
        break
    written += more
for line in written.replace(b"\r\n", b"\n").split(b"\n"):
    drawn = line.split(b"\r")
    sys.stdout.buffer.write(b"\n".join(drawn if "ALL_DRAWN" in os.environ else drawn[-1:]) + b"\n")
sys.exit(os.waitstatus_to_exitcode(os.waitpid(pid, 0)[1]))
