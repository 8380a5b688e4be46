import { assertEquals, assertThrows } from "@std/assert";
import { LineHistory } from "../../src/cli/line_history.ts";
import { UsageError } from "../../src/errors.ts";

function withDirectory(work: (path: string) => void): void {
  const path = Deno.makeTempDirSync();
  try {
    work(path);
  } finally {
    Deno.removeSync(path, { recursive: true });
  }
}

const same = (text: string) => text;

Deno.test("LineHistory keeps what was typed, redacted, for its user alone", () => {
  withDirectory((path) => {
    const history = new LineHistory(path, (text) => text.replaceAll("hunter2", "[x]"));
    assertEquals(history.read(), []);
    for (const line of ["ls", "ls", "for i in 1\ndo :; done", " hidden", "", "p=hunter2", "ls"]) {
      history.add(line);
    }
    const kept = ["ls", "for i in 1\ndo :; done", "p=[x]", "ls"];
    assertEquals(new LineHistory(path, same).read(), kept);
    assertEquals((Deno.statSync(`${path}/history.jsonl`).mode ?? 0) & 0o777, 0o600);
  });
});

Deno.test("LineHistory is bounded, and survives lines that are none", () => {
  withDirectory((path) => {
    const history = new LineHistory(path, same);
    const lines = Array.from({ length: 1100 }, (_, index) => JSON.stringify(`c${index}`));
    Deno.writeTextFileSync(`${path}/history.jsonl`, `${lines.join("\n")}\n{"a":1}\n"torn`, {
      mode: 0o600,
    });
    history.add("x".repeat(5000));
    history.add("last");
    const kept = history.read();
    assertEquals([kept.length, kept[0], kept.at(-1)], [1000, "c101", "last"]);
  });
});

Deno.test("LineHistory follows no link", () => {
  withDirectory((path) => {
    Deno.writeTextFileSync(`${path}/other`, "", { mode: 0o600 });
    Deno.symlinkSync(`${path}/other`, `${path}/history.jsonl`);
    const history = new LineHistory(path, same);
    assertThrows(() => history.add("x"), UsageError, "Cannot open");
    assertEquals(Deno.readTextFileSync(`${path}/other`), "");
  });
});
