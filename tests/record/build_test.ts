import { assert, assertEquals } from "@std/assert";
import fc from "fast-check";
import { boundText, boundTexts, jsonCost } from "../../src/record/bounds.ts";
import { buildRecord, redactWords } from "../../src/record/build.ts";
import { newId } from "../../src/record/ids.ts";
import { linkParent } from "../../src/record/link_parent.ts";
import { parseRecord } from "../../src/record/record_shape.ts";
import type { OutcomeKind } from "../../src/record/record.ts";
import { ending, parts, sample, stream } from "./sample.ts";

Deno.test("newId gives a prefix and 7 characters of Crockford base32", () => {
  const seen = new Set<string>();
  for (let index = 0; index < 2_000; index++) {
    const id = newId(index % 2 === 0 ? "c" : "s");
    assert(/^[cs][0-9a-hjkmnp-tv-z]{7}$/.test(id), id);
    seen.add(id);
  }
  assertEquals(seen.size, 2_000);
});

Deno.test("buildRecord makes a record that readers accept", () => {
  const record = { ...buildRecord(parts()), prev: null };
  assertEquals(parseRecord(JSON.stringify(record)), { kind: "record", record });
  assertEquals(record.started_at, "2025-01-02T03:04:05.678Z");
  assertEquals(record.bytes, { stdout: 6, stderr: 0 });
});

Deno.test("buildRecord passes every text through redact", () => {
  const secret = "hunter" + "2";
  const denial = {
    permission: "write",
    resource: secret,
    by: "sandbox",
    rule: secret,
    at: secret,
    accepted: secret,
  } as const;
  const record = buildRecord(parts({
    ids: { command: "c1", session: "s1", task: secret },
    command: ["echo", secret],
    argv: ["/bin/echo", secret],
    cwd: `/${secret}`,
    ending: ending({
      exitCode: null,
      error: `Cannot run "${secret}"`,
      summary: { stdout: stream({ tail: secret }), stderr: stream({ tail: secret }) },
    }),
    outcome: { kind: "failed", reason: secret },
    suggestions: [{ rule: "r", text: secret }],
    note: secret,
    denials: [denial],
    jobs: [{ pid: 1, command: secret, state: "running" }],
    changed: [secret],
    feedback: [secret],
    sandbox: { ...parts().sandbox, policy: `/${secret}` },
    redact: (text) => text.replaceAll(secret, "[REDACTED]"),
  }));
  const text = JSON.stringify(record);
  assert(!text.includes(secret), text);
  assertEquals(text.split("[REDACTED]").length - 1, 18);
});

Deno.test("buildRecord always says why there is no exit", () => {
  const record = buildRecord(parts({
    ending: ending({ exitCode: null }),
    outcome: { kind: "no-exit", reason: "the runner went away" },
  }));
  assertEquals([record.exit_code, record.error], [null, "the runner went away"]);
});

Deno.test("redactWords redacts words in their context", () => {
  const redact = (text: string) =>
    text.replace(/(--password )(?!\[)\S+/g, "$1[REDACTED]").replaceAll("tok-1", "[T]");
  const cases = [
    { in: ["ls", "-l"], want: ["ls", "-l"] },
    { in: ["x", "tok-1"], want: ["x", "[T]"] },
    { in: ["x", "--password", "p", "y"], want: ["x", "--password", "[REDACTED]", "y"] },
    { in: ["x", "--password", "p q", "y"], want: ["x --password [REDACTED] q y"] },
    { in: ["x --password p"], want: ["x --password [REDACTED]"] },
  ];
  for (const { in: words, want } of cases) assertEquals(redactWords(words, redact), want);
});

Deno.test("buildRecord keeps any record below half of what readers accept", () => {
  const wild = fc.constantFrom("a", "\u0000", "\ud800", "\u{1f600}", "\\", '"', "\u2028").map((
    char,
  ) => char.repeat(200_000));
  fc.assert(
    fc.property(wild, (text) => {
      const denial = {
        permission: "read",
        resource: text,
        by: "policy",
        rule: text,
        at: text,
        accepted: text,
      } as const;
      const many = <T>(item: T): T[] => Array.from({ length: 300 }, () => item);
      const record = buildRecord(parts({
        command: [text, text],
        argv: many(text.slice(0, 3_000)),
        cwd: text,
        ending: ending({
          exitCode: null,
          error: text,
          summary: {
            stdout: stream({ tail: text }),
            stderr: stream({ tail: text }),
            redactions: Object.fromEntries(
              many(0).map((_, index) => [`${index}${text.slice(0, 900)}`, 1]),
            ),
          },
        }),
        outcome: { kind: "failed", reason: text },
        suggestions: many({ rule: "r", text: text.slice(0, 9_000) }),
        note: text,
        denials: many(denial),
        jobs: many({ pid: 1, command: text, state: "running" }),
        changed: many(text.slice(0, 4_000)),
        feedback: many(text.slice(0, 4_000)),
      }));
      const line = JSON.stringify({ ...record, prev: "0".repeat(64) });
      const bytes = new TextEncoder().encode(line).length;
      assert(bytes < 524_288, String(bytes));
      assertEquals(parseRecord(line).kind, "record");
    }),
    { numRuns: 7 },
  );
});

Deno.test("boundText says how much is missing", () => {
  assertEquals(boundText("short", 64), "short");
  const cut = boundText("\u{1f600}".repeat(100), 100);
  assertEquals(cut, `${"\u{1f600}".repeat(18)}...164 more characters...`);
  assert(jsonCost(cut) <= 100);
});

Deno.test("boundText never exceeds its bound and keeps what fits", () => {
  fc.assert(
    fc.property(fc.string({ unit: "binary" }), fc.integer({ min: 64, max: 300 }), (text, max) => {
      const long = text.repeat(20);
      const bounded = boundText(long, max);
      assert(jsonCost(bounded) <= max);
      if (jsonCost(long) <= max) assertEquals(bounded, long);
    }),
  );
});

Deno.test("boundTexts says how many are missing", () => {
  const texts = boundTexts(Array.from({ length: 100 }, () => "word"), 256);
  assertEquals(texts.at(-1), `...${100 - texts.length + 1} more...`);
  assert(jsonCost(texts.join("")) <= 256);
});

Deno.test("linkParent links a retry to the latest failed attempt of the same program", () => {
  let clock = 60;
  const attempt = (id: string, command: string[], kind: OutcomeKind, session = "s1") =>
    sample({
      command_id: id,
      command,
      session_id: session,
      outcome: { kind, reason: "" },
      exit_code: kind === "success" ? 0 : 1,
      // The clock runs backwards: the order of the journal counts.
      started_at: new Date(Date.UTC(2025, 0, 1, 0, 0, clock--)).toISOString(),
    });
  const history = [
    attempt("ca", ["pytest", "-x"], "failed"),
    attempt("cb", ["pytest"], "timeout"),
    attempt("cc", ["git", "push"], "failed"),
    attempt("cd", ["make"], "failed"),
    attempt("ce", ["make"], "success"),
    attempt("cf", ["grep", "x"], "no-results"),
    attempt("cg", ["cargo", "build"], "failed", "s2"),
    attempt("ch", ["cd x && npm test"], "failed"),
    attempt("ci", ["FOO=1 python -m unittest"], "failed"),
    attempt("cj", ["/usr/bin/gcc", "a.c"], "failed"),
    attempt("ck", ["npm", "run", "test"], "failed"),
    attempt("cl", ["deno", "task", "--quiet", "ok"], "failed"),
  ];
  const cases = [
    { in: ["pytest", "-k", "name"], want: "cb" },
    { in: ["git", "push", "--force"], want: "cc" },
    { in: ["git", "status"], want: null },
    { in: ["make"], want: null },
    { in: ["grep", "y"], want: null },
    { in: ["cargo", "build"], want: null },
    { in: ["npm", "test"], want: null },
    { in: ["cd x && npm test"], want: null },
    { in: ["python", "-m", "unittest", "-v"], want: "ci" },
    { in: ["python", "-m", "build"], want: null },
    { in: ["gcc -O2 a.c"], want: "cj" },
    { in: ["npm", "run", "build"], want: null },
    { in: ["npm", "run", "test", "--verbose"], want: "ck" },
    { in: ["deno", "task", "ok"], want: "cl" },
  ];
  for (const { in: command, want } of cases) {
    const record = attempt("cz", command, "failed");
    const linked = linkParent(history, record);
    assertEquals(linked.parent_command_id, want, command.join(" "));
    assertEquals(linked.parent_by, want === null ? null : "linked");
  }
  const given = {
    ...attempt("cz", ["pytest"], "failed"),
    parent_command_id: "c9",
    parent_by: "caller" as const,
  };
  assertEquals(linkParent(history, given), given);
});
