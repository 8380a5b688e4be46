import { assertEquals, assertThrows } from "@std/assert";
import { PolicyError } from "../../src/errors.ts";
import { policyRedactor } from "../../src/session/policy_redactor.ts";
import { secretsInFiles } from "../../src/session/secret_files.ts";
import type { ListedPath } from "../../src/policy/policy.ts";

const SOURCE = { file: "p.jsonc", line: 3, keyPath: "redact.values[0]" };

/** A file with this content, as a policy lists it, in a directory of its own. */
function listed(content: string | Uint8Array): ListedPath & Disposable {
  const directory = Deno.makeTempDirSync({ prefix: "debrief-values-" });
  const pattern = `${directory}/values`;
  const bytes = typeof content === "string" ? new TextEncoder().encode(content) : content;
  Deno.writeFileSync(pattern, bytes);
  const remove = () => Deno.removeSync(directory, { recursive: true });
  return { pattern, written: pattern, source: SOURCE, [Symbol.dispose]: remove };
}

Deno.test("secretsInFiles() takes every line, and of an assignment its value as well", () => {
  using file = listed('first-value\r\n\n  second-value  \nexport KEY="third-value"\nDEBUG=1234\n');
  assertEquals(secretsInFiles([file]), [
    { name: "values", value: "first-value" },
    { name: "values", value: "second-value" },
    { name: "KEY", value: "third-value" },
    { name: "values", value: 'export KEY="third-value"' },
    { name: "values", value: "DEBUG=1234" },
  ]);
});

Deno.test("secretsInFiles() refuses what it cannot hide, and names the file, the line and the rule", () => {
  const cases: { in: string | Uint8Array; want: string }[] = [
    { in: "long-enough\nshort\n", want: "line 2 is shorter than 6 bytes" },
    { in: Uint8Array.of(0xff, 0xfe, 0x41), want: "it is not UTF-8" },
    { in: "x".repeat(1024 * 1024 + 1), want: "it is larger than 1048576 bytes" },
    { in: "a line\n".repeat(513), want: "at most 512 are accepted" },
  ];
  for (const each of cases) {
    using file = listed(each.in);
    const error = assertThrows(() => secretsInFiles([file]), PolicyError, each.want);
    assertEquals(error.message.startsWith("p.jsonc:3: redact.values[0]: Cannot hide "), true);
  }
  using file = listed("some-value");
  const gone = { ...file, pattern: `${file.pattern}-gone` };
  assertThrows(() => secretsInFiles([gone]), PolicyError, "not found");
  assertThrows(() => secretsInFiles([{ ...file, pattern: "/dev/null" }]), PolicyError, "regular");
});

Deno.test("policyRedactor() hides the values of files in their encoded forms too", () => {
  using file = listed("API=plain words as values\n");
  const settings = { rules: [], env: [], values: [file], allow: [] };
  const redactor = policyRedactor(settings, { environment: {} });
  const text = `plain words as values, ${btoa("plain words as values")}`;
  assertEquals(redactor.redactText(text), "[REDACTED:API#1], [REDACTED:API#1]");
  const without = policyRedactor({ ...settings, values: [] }, { environment: {} });
  assertEquals(without.redactText(text), text);
});
