import { assertEquals } from "@std/assert";
import { Redactor } from "../../src/output/redact.ts";
import type { StreamName } from "../../src/output/summary.ts";
import { PromptLine } from "../../src/session/prompt_line.ts";

const encoder = new TextEncoder();
const same = (text: string) => text;

type Chunks = readonly (readonly [StreamName, string])[];

function line(chunks: Chunks): string | null {
  const prompt = new PromptLine();
  for (const [stream, text] of chunks) prompt.push(stream, encoder.encode(text));
  return prompt.text(same);
}

Deno.test("PromptLine is the unfinished line of what was written last", () => {
  const rows: readonly { readonly in: Chunks; readonly want: string | null }[] = [
    { in: [], want: null },
    { in: [["stdout", "done\n"]], want: null },
    { in: [["stdout", "done\nName: "]], want: "Name:" },
    { in: [["stdout", "Na"], ["stdout", "me: "]], want: "Name:" },
    { in: [["stdout", "Name: "], ["stdout", "x\n"]], want: null },
    { in: [["stdout", "out "], ["stderr", "err "]], want: "err" },
    { in: [["stdout", "out? "], ["stderr", "warning\n"]], want: "out?" },
    { in: [["stdout", "50%\r100%\rok? "]], want: "ok?" },
    { in: [["stdout", "\u001b[1mok?\u001b[0m "]], want: "ok?" },
    { in: [["stdout", "x".repeat(5000)]], want: null },
  ];
  for (const { in: chunks, want } of rows) assertEquals(line(chunks), want);
});

Deno.test("PromptLine keeps the end of much output, in pieces of any size", () => {
  const prompt = new PromptLine();
  for (let index = 0; index < 10_000; index++) prompt.push("stdout", encoder.encode(`${index}\n`));
  prompt.push("stdout", new Uint8Array(200_000).fill(0x0a));
  for (const char of "Sure? ") prompt.push("stdout", encoder.encode(char));
  assertEquals(prompt.text(same), "Sure?");
});

Deno.test("PromptLine shows no line of a private key, which only the lines before make one", () => {
  const redactor = new Redactor({ values: [], rules: [] });
  const random = () => String.fromCharCode(...crypto.getRandomValues(new Uint8Array(48)));
  const body = Array.from({ length: 40 }, () => btoa(random()));
  const key = ["-----BEGIN RSA PRIVATE", " KEY-----\n", body.join("\n")].join("");
  const prompt = new PromptLine();
  prompt.push("stdout", encoder.encode(key));
  const shown = prompt.text((text) => redactor.redactText(text)) ?? "";
  assertEquals(shown.includes(body.at(-1)!), false);
  // Without redaction it would.
  assertEquals(prompt.text(same), body.at(-1)!);
});

Deno.test("PromptLine shows no secret that only a terminal puts together", () => {
  const secret = ["hunter2", "Zq9Xk3Vb7Lm1"].join("-");
  const redactor = new Redactor({ values: [{ name: "X_TOKEN", value: secret }] });
  const [head, tail] = [secret.slice(0, 6), secret.slice(6)];
  const drawn = [
    `ask ${head}x\b${tail}`,
    `ask ......${tail}\rask ${head}`,
    `ask ${head}\u001b]0;title\u0007${tail}`,
    `\u001b[7G${tail}\u001b[1G${head}`,
  ];
  for (const text of drawn) {
    const prompt = new PromptLine();
    prompt.push("stderr", encoder.encode(text));
    // It is there for who looks at the screen.
    assertEquals(prompt.text(same)?.includes(secret), true, JSON.stringify(text));
    const shown = prompt.text((raw) => redactor.redactText(raw));
    assertEquals(shown?.includes(tail), false, JSON.stringify(text));
  }
});
