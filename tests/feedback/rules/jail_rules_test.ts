import { assertEquals } from "@std/assert";
import { suggest } from "../../../src/feedback/suggest.ts";
import { context } from "../observed.ts";

Deno.test("suggest says what no jail lets a command do, where a program complains of it", () => {
  const cases = [
    { in: "strace: ptrace(PTRACE_TRACEME, ...): Operation not permitted", want: "tracing" },
    { in: "warning: ptrace: Operation not permitted", want: "tracing" },
    { in: "unshare: unshare failed: Operation not permitted", want: "namespaces" },
    { in: "    sl = self._semlock = _multiprocessing.SemLock(", want: "shared-memory" },
    { in: "script: failed to create pseudo-terminal: Permission denied", want: "terminals" },
    { in: "kill: (1) - Operation not permitted", want: undefined },
  ];
  const names = ["tracing", "namespaces", "shared-memory", "terminals"];
  for (const { in: err, want } of cases) {
    const made = suggest(context({ err, ending: { exitCode: 1 } }));
    assertEquals(made.find(({ rule }) => names.includes(rule))?.rule, want, err);
    assertEquals(suggest(context({ err, ending: { exitCode: 0 } })), [], err);
  }
});
