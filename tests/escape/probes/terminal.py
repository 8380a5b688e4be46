"""pty.py PROGRAM ARG...: run a program on a terminal of its own and print what the terminal shows, without its CRs."""
import os
import pty
import select
import sys
import time

child, terminal = pty.fork()
if child == 0:
    os.execvp(sys.argv[1], sys.argv[1:])
shown = b""
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
_, status = os.waitpid(child, 0)
sys.stdout.write(shown.decode(errors="replace").replace("\r", ""))
sys.exit(os.waitstatus_to_exitcode(status) & 255)
