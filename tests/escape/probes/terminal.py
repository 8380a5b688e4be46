"""terminal.py PROGRAM ARG...: run a program on a terminal of its own, type a line when it prints "type", and print what
the terminal shows, without its carriage returns. The exit status is the program's, or 128 and the signal's number."""
import os
import pty
import select
import sys
import time

child, terminal = pty.fork()
if child == 0:
    os.execvp(sys.argv[1], sys.argv[1:])
shown = b""
typed = 0
deadline = time.monotonic() + 30
while time.monotonic() < deadline:
    ready, _, _ = select.select([terminal], [], [], 0.2)
    if not ready:
        continue
    try:
        data = os.read(terminal, 65536)
    except OSError:
        break
    if not data:
        break
    shown += data
    if typed < shown.count(b"type"):
        typed += 1
        os.write(terminal, b"typed\n")
_, status = os.waitpid(child, 0)
sys.stdout.write(shown.decode(errors="replace").replace("\r", ""))
code = os.waitstatus_to_exitcode(status)
sys.exit(code if code >= 0 else 128 - code)
