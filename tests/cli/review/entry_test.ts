import { assertEquals } from "@std/assert";
import { BADGES } from "../../../src/cli/review/entry.ts";
import { ended, entry } from "./entries.ts";

Deno.test("entryOf() names the program that a command starts with", () => {
  const cases = [
    { in: ["make", "all"], want: "make" },
    { in: ["/usr/bin/git", "log"], want: "git" },
    { in: ["A=1 B='2' ./run.sh --x"], want: "run.sh" },
    { in: ["(cd /tmp && ls)"], want: "cd" },
    { in: ["! grep x y | wc"], want: "grep" },
    { in: ["\n\n  ls\n"], want: "ls" },
    { in: ["ls;pwd"], want: "ls" },
    { in: ["\x1b[31mls"], want: "\\e[31mls" },
    { in: [""], want: "" },
    { in: [], want: "" },
  ];
  for (const { in: command, want } of cases) {
    assertEquals(entry({ command }).program, want, JSON.stringify(command));
  }
});

Deno.test("entryOf() gives a missing exit status no colour of success", () => {
  const cases = [
    { in: ended("c1", 0), want: ["0", "ok"] },
    { in: ended("c1", 2), want: ["2", "bad"] },
    { in: ended("c1", null), want: ["timeout", "bad"] },
    { in: ended("c1", 1, { outcome: { kind: "no-results", reason: "" } }), want: ["1", "warn"] },
    {
      in: ended("c1", null, { outcome: { kind: "success", reason: "forged" } }),
      want: ["no exit", "bad"],
    },
    { in: ended("c1", null, { signal: "SIGKILL" }), want: ["SIGKILL", "bad"] },
  ];
  for (const { in: { status, style }, want } of cases) assertEquals([status, style], want);
});

Deno.test("entryOf() has a badge for each of redactions, truncations, denials and jobs", () => {
  const denial = {
    permission: "read",
    resource: "/x",
    by: "sandbox",
    rule: "",
    at: "",
    accepted: "",
  } as const;
  const cases = [
    { in: {}, want: "" },
    { in: { redactions: { token: 1 } }, want: "R" },
    { in: { truncations: { stdout: null, stderr: { lines: 1, bytes: 1 } } }, want: "T" },
    { in: { denials: [denial] }, want: "D" },
    { in: { jobs: [{ pid: 1, command: "x", state: "running" as const }] }, want: "J" },
    {
      in: {
        redactions: { token: 1 },
        truncations: { stdout: { lines: 1, bytes: 1 }, stderr: null },
        denials: [denial],
        jobs: [{ pid: 1, command: "x", state: "ended" as const }],
      },
      want: BADGES.map(({ letter }) => letter).join(""),
    },
  ];
  for (const { in: fields, want } of cases) assertEquals(entry(fields).badges, want);
});

Deno.test("entryOf() makes every text of the list visible", () => {
  const evil = "\x1b]0;title\x07\u202e";
  const made = entry({ command: [`ls ${evil}`], started_at: evil, command_id: evil });
  for (const text of [made.command, made.time, made.status, made.program]) {
    assertEquals(/[\p{Cc}\p{Cf}]/u.test(text), false, text);
  }
});
