import { assertEquals, assertThrows } from "@std/assert";
import { sessionCommand } from "../../src/cli/session_command.ts";
import { UsageError } from "../../src/errors.ts";

const isJob = (id: string) => id === "c1";

Deno.test("sessionCommand() takes a line of words whose first is debrief, and nothing else", () => {
  const rows: readonly { readonly in: string; readonly want: string | null }[] = [
    { in: "debrief jobs", want: "jobs" },
    { in: "  debrief 'jobs' --json", want: "jobs" },
    { in: "debrief send c1 'two words'", want: "send" },
    { in: "debrief kill c1 HUP", want: "kill" },
    { in: "debrief output c1 --tail 3", want: "output" },
    { in: "debrief output c2", want: null },
    { in: "debrief run --background -- npm run dev", want: "start" },
    { in: "debrief run --background --note n -c 'a | b'", want: "start" },
    { in: "debrief run -c ls", want: null },
    { in: "debrief -c ls", want: null },
    { in: "debrief", want: null },
    { in: "debrief log", want: null },
    { in: "debrief jobs | cat", want: null },
    { in: "debrief jobs > file", want: null },
    { in: "debrief jobs &", want: null },
    { in: "debrief jobs; ls", want: null },
    { in: "debrief kill $JOB", want: null },
    { in: "debrief kill *", want: null },
    { in: "A=1 debrief jobs", want: null },
    { in: "(debrief jobs)", want: null },
    { in: "! debrief jobs", want: null },
    { in: "sudo debrief jobs", want: null },
    { in: "./debrief jobs", want: null },
    { in: "debrief jobs --help", want: null },
    { in: "debrief jobs '", want: null },
    { in: "ls", want: null },
  ];
  for (const { in: source, want } of rows) {
    assertEquals(sessionCommand(source, isJob)?.kind ?? null, want, source);
  }
});

Deno.test("sessionCommand() refuses what a job cannot have, and says why", () => {
  const rows = [
    { in: "debrief run --background", want: "Cannot run nothing in the background" },
    { in: "debrief run --background --policy ci -- ls", want: "Cannot use --policy for a job" },
    { in: "debrief run --background --session s0000001 -- ls", want: "Cannot use --session" },
    { in: "debrief kill --force c1", want: 'Cannot use flag "--force"' },
  ];
  for (const { in: source, want } of rows) {
    assertThrows(() => sessionCommand(source, isJob), UsageError, want, source);
  }
});
