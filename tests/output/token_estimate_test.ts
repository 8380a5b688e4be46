import { assert, assertEquals } from "@std/assert";
import fc from "fast-check";
import { getEncoding } from "js-tiktoken";
import { estimateTokens } from "../../src/output/token_estimate.ts";

const ENCODINGS = ["cl100k_base", "o200k_base"] as const;
const root = new URL("../../", import.meta.url);
const file = (path: string) => Deno.readTextFileSync(new URL(path, root));

/** Bytes that no vocabulary knows, the same ones each time. */
function noise(length: number): Uint8Array {
  let random = 4711;
  return Uint8Array.from({ length }, () => {
    random = (Math.imul(random, 1664525) + 1013904223) >>> 0;
    return random >>> 24;
  });
}

function base64(bytes: Uint8Array): string {
  return btoa(String.fromCharCode(...bytes)).replaceAll(/.{76}/g, "$&\n");
}

function hex(bytes: Uint8Array): string {
  return [...bytes].map((byte) => byte.toString(16).padStart(2, "0")).join("");
}

const lines = (line: (i: number) => string) => Array.from({ length: 200 }, (_, i) => line(i + 1));

/** Texts as commands print them. */
const CORPUS: Readonly<Record<string, string>> = {
  code: file("src/output/truncate.ts") + file("src/sandbox/supervise.ts"),
  prose: file("README.md") + file("docs/guide.md"),
  JSON: file("docs/record.schema.json"),
  "dense JSON": JSON.stringify(JSON.parse(file("docs/record.schema.json"))),
  diff: file("src/cli/printer.ts").replaceAll(/^/gm, "+"),
  log: lines((i) =>
    `2024-03-${10 + i % 20} 12:${10 + i % 50}:07.${
      100 + i
    } [worker-${i}] WARN  c.e.app.Pool - took ${i * 37} ms, 10.0.${i}.7:5432`
  ).join("\n"),
  listing: lines((i) =>
    `-rw-r--r--  1 root root ${i * 7919} Mar ${i % 28 + 1} 09:${10 + i % 50} lib${i}_util.so.${
      i % 9
    }`
  ).join("\n"),
  numbers: lines((i) => String(i * 7919)).join("\n"),
  base64: base64(noise(6_000)),
  hexadecimal: hex(noise(5_000)).replaceAll(/.{64}/g, "$&\n"),
  dump: lines((i) => hex(noise(4000).subarray(i * 16, i * 16 + 16)).replaceAll(/../g, "$& "))
    .join("\n"),
  letters: [...noise(400)].map((byte) => String.fromCharCode(97 + byte % 26)).join(""),
  Chinese: "错误:无法打开文件,权限被拒绝。编译失败,请检查日志并重新运行测试。".repeat(20),
  Japanese: "エラー:ファイルを開けません。コンパイルに失敗しました。ログを確認してください。"
    .repeat(20),
  Korean: "오류: 파일을 열 수 없습니다. 권한이 거부되었습니다. 컴파일에 실패했습니다.".repeat(20),
  Russian: "Ошибка: не удалось открыть файл, доступ запрещён. Проверьте журнал сборки. ".repeat(20),
  table: "┌──────┬───────┐\n│ name │ value │\n├──────┼───────┤\n└──────┴───────┘\n".repeat(20),
  marks: "✅ ok 🚀 done ❌ failed 🔥 ⚠️ warning 📦 built └── src ████▒▒▒▒ 60%\n".repeat(20),
};

/** Share by which the estimate may be below the larger count. */
const BELOW = 0.12;
/** Share by which it may be above it, for text that is neither symbols nor random. */
const ABOVE = 0.55;
const DENSE = [
  "hexadecimal",
  "letters",
  "table",
  "marks",
  "Chinese",
  "Japanese",
  "Korean",
  "Russian",
];

for (const name of ENCODINGS) {
  Deno.test(`estimateTokens() is no more than ${100 * BELOW} % below ${name}`, async (t) => {
    const encoding = getEncoding(name);
    for (const [kind, text] of Object.entries(CORPUS)) {
      await t.step(kind, () => {
        const real = encoding.encode(text, [], []).length;
        const estimate = estimateTokens(text);
        assert(estimate >= real * (1 - BELOW), `${estimate} for ${real}`);
        if (DENSE.includes(kind)) return;
        assert(estimate <= real * (1 + ABOVE), `${estimate} for ${real}`);
      });
    }
  });
}

Deno.test("estimateTokens(): parts of a text take no less than the whole but for one each", () => {
  fc.assert(fc.property(fc.array(fc.string({ unit: "binary" }), { maxLength: 20 }), (parts) => {
    const sum = parts.reduce((total, part) => total + estimateTokens(part) + 1, 0);
    assert(estimateTokens(parts.join("\n")) <= sum);
  }));
});

Deno.test("estimateTokens() counts pieces", async (t) => {
  const cases = [
    { in: "", want: 0 },
    { in: "hello world", want: 2 },
    { in: "getElementById", want: 4 },
    { in: "1234567", want: 3 },
    { in: "a 1", want: 3 },
    { in: "\n\n\n", want: 1 },
    { in: " ".repeat(64), want: 3 },
    { in: "-".repeat(80), want: 11 },
    { in: "\u{1f600}", want: 3 },
  ];
  for (const { in: text, want } of cases) {
    await t.step(JSON.stringify(text), () => assertEquals(estimateTokens(text), want));
  }
});

Deno.test("estimateTokens() is linear, whatever comes", () => {
  for (const unit of ["a", "A", "1", " ", "-", "\n", "aA1", "\u2500", "\ud83d\ude00", "\u6f22"]) {
    const text = unit.repeat(1_000_000);
    assert(estimateTokens(text) > 0);
  }
});
