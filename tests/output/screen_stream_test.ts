import { assert, assertEquals } from "@std/assert";
import fc from "fast-check";
import type { Mark } from "../../src/output/redact_stream.ts";
import { ScreenStream } from "../../src/output/screen_stream.ts";
import { bytesOf, concat, textOf } from "./redact_helpers.ts";

interface Drawn {
  readonly text: string;
  readonly marked: readonly string[];
  readonly newlinesHeld: number;
}

/** Sends bytes through a stream, cut at the given offsets; returns the text with the bytes up to each mark. */
function draw(bytes: Uint8Array, cuts: readonly number[] = []): Drawn {
  const stream = new ScreenStream();
  const parts: Uint8Array[] = [];
  const marked: string[] = [];
  const take = ({ bytes: out, marks }: { bytes: Uint8Array; marks: readonly Mark[] }) => {
    for (const { at, kind } of marks) marked.push(`${kind}: ${textOf(out.slice(0, at + 1))}`);
    parts.push(out.slice());
  };
  const places = cuts.map((cut) => cut % (bytes.length + 1)).sort((a, b) => a - b);
  let from = 0;
  for (const to of [...places, bytes.length]) {
    const chunk = bytes.slice(from, to);
    take(stream.push(chunk, { marks: [] }));
    chunk.fill(0x2a);
    from = to;
  }
  take(stream.finish());
  return { text: textOf(concat(parts)), marked, newlinesHeld: stream.newlinesHeld };
}

const shown = (text: string) => draw(bytesOf(text)).text;

Deno.test("ScreenStream resolves movements between lines", async (t) => {
  const cases: readonly { readonly in: string; readonly want: string }[] = [
    { in: "", want: "" },
    { in: "a\nb", want: "a\nb" },
    { in: "\x1b[1mbold\x1b[0m\r\n", want: "\x1b[1mbold\x1b[0m\r\n" },
    { in: "\x1b[?25la\nb\n\x1b[2Ac\n\x1b[1B\x1b[?25h", want: "c\nb\n" },
    { in: "\x1b[?25labc\n\x1b[Ax\n", want: "xbc\n" },
    { in: "\x1b[?25labc\n\x1b[A\x1b[Kx\n", want: "x\n" },
    { in: "\x1b[?25labc\x1b[1D\x1b[1Kd", want: "  d" },
    { in: "\x1b[?25labc\x1b[2Kd", want: "   d" },
    { in: "\x1b[?25lone\ntwo\n\x1b[1;1Hx\x1b[3;2Hy", want: "xne\ntwo\n y" },
    { in: "\x1b[?25lone\ntwo\n\x1b[H\x1b[Jx", want: "x\n" },
    { in: "one\n\x1b[H\x1b[2Jtwo\n\x1b[H\x1b[2Jthree\n", want: "one\nthree\n" },
    { in: "\x1b7\none\x1b8two", want: "two\none" },
    { in: "\x1b[s\none\x1b[utwo", want: "two\none" },
    { in: "\x1bcone\n\x1bctwo\n", want: "two\n" },
    { in: "before\n\x1b[?1049heditor\x1b[?1049lafter\n", want: "before\n      after\n" },
    { in: "\x1b[?25la\n\nb\n", want: "a\n\nb\n" },
    { in: "open\x1b[Aup", want: "open\nup\n" },
    { in: "\x1b[?25l\x1b]0;title\x07a\x1b]8;;x\x1b\\b\x1b(Bc\n", want: "abc\n" },
    { in: "\x1b[?25l\x1b]0;never ended\nnext\n", want: "\nnext\n" },
    { in: "\x1b[?25la\nb\nc\n\x1b[3A\x1b[Mx", want: "x\nc\n" },
    { in: "\x1b[?25la\nb\n\x1b[2A\x1b[Lx", want: "x\na\nb\n" },
    { in: "\x1b[?25l\x1b[999;999Hx", want: " ".repeat(256) + "x" },
    { in: "a\x1b[", want: "a\x1b[" },
    { in: "a\x1b", want: "a\x1b" },
    { in: "\x1b[?25l\u00e0\u65e5\u{1f600}\bx\n", want: "\u00e0\u65e5x\n" },
  ];
  for (const { in: text, want } of cases) {
    await t.step(JSON.stringify(text), () => assertEquals(shown(text), want));
  }
});

Deno.test("ScreenStream passes bytes that move nothing on without a copy and without delay", () => {
  const stream = new ScreenStream();
  const plain = bytesOf("10%\r20%\rno newline");
  assert(stream.push(plain, { marks: [] }).bytes === plain);
  const coloured = bytesOf("\x1b[31mred\x1b[0m 5\x1b[1G\x1b[0K");
  assertEquals(stream.push(coloured, { marks: [] }).bytes, coloured);
  assertEquals(stream.finish().bytes.length, 0);
});

const piece = fc.constantFrom(
  ..."a|word |\n|\n|\n|\r|\b|\x1b[A|\x1b[2A|\x1b[3B|\x1b[2K|\x1b[K|\x1b[1K|\x1b[J|\x1b[2J|\x1b[H|\x1b[2;3H|\x1b[5C|\x1b[2D|\x1b[4G|\x1b7|\x1b8|\x1bM|\x1b[L|\x1b[2M|\x1b[?25l|\x1b[?25h|\x1b[31m|\x1b]0;t\x07|\x1b]x|\x1b|\x1b[|\x1b[;|\u00e0|\u65e5|error|not allowed|\0"
    .split("|"),
  "x\n".repeat(70),
);

Deno.test("ScreenStream: the result does not depend on where chunks end", () => {
  fc.assert(
    fc.property(
      fc.array(piece, { maxLength: 60 }),
      fc.array(fc.nat(5000), { maxLength: 12 }),
      (pieces, cuts) => {
        const bytes = bytesOf(pieces.join(""));
        const { marked: _, ...whole } = draw(bytes);
        const { marked: __, ...cut } = draw(bytes, cuts);
        assertEquals(cut, whole);
        const count = (text: string) => text.split("\n").length - 1;
        assertEquals(count(whole.text) + whole.newlinesHeld, count(pieces.join("")));
      },
    ),
    { numRuns: 1500 },
  );
});

Deno.test("ScreenStream: bytes that are no UTF-8 survive beside movements", () => {
  const bytes = Uint8Array.from([0x1b, 0x5b, 0x41, 0xff, 0xe2, 0x82, 0x61, 0xc3, 0x0a]);
  const stream = new ScreenStream();
  const out = [...stream.push(bytes, { marks: [] }).bytes, ...stream.finish().bytes];
  assertEquals(out, [0xff, 0xe2, 0x82, 0x61, 0xc3, 0x0a]);
});

Deno.test("ScreenStream finds notable words in what is left of a display, and in nothing else", () => {
  const { text, marked } = draw(
    bytesOf("\x1b[?25lan error\nx: permission denied\n\x1b[2A\x1b[2Kfine\n\x1b[1B"),
  );
  assertEquals(text, "fine\nx: permission denied\n");
  assertEquals(marked, ["refusal: fine\nx: permission denied"]);
});

Deno.test("ScreenStream keeps the marks of what it passes on at their places", () => {
  const stream = new ScreenStream();
  const text = "ok\nan error\n\x1b[Ax";
  const first = stream.push(bytesOf(text), { marks: [{ at: 10, kind: "error" }] });
  assertEquals([textOf(first.bytes), first.marks], ["ok\nan error\n", [{ at: 10, kind: "error" }]]);
});

Deno.test("ScreenStream goes back to passing on when a screen of lines came without a movement", () => {
  const stream = new ScreenStream();
  stream.push(bytesOf("\x1b[?25lstart\n\x1b[?25h"), { marks: [] });
  stream.push(bytesOf("line\n".repeat(100)), { marks: [] });
  const plain = bytesOf("plain\n");
  assert(stream.push(plain, { marks: [] }).bytes === plain);
});

Deno.test("ScreenStream: what is held back is bounded, whatever comes", () => {
  const units = [
    "x",
    "\x1b[Ax",
    "\x1b[999;999Hx",
    "\x1b[999Bx\n",
    "\x1b]",
    "\x1b[",
    "\x1b[1Lx",
    " \x1b[A\n",
  ];
  for (const unit of units) {
    const stream = new ScreenStream();
    stream.push(bytesOf("\x1b[?25l"), { marks: [] });
    const chunk = bytesOf(unit.repeat(Math.ceil(65_536 / unit.length)));
    let taken = 0;
    let given = 0;
    for (let i = 0; i < 16; i++) {
      given += stream.push(chunk, { marks: [] }).bytes.length;
      taken += chunk.length;
    }
    const rest = stream.finish().bytes.length;
    assert(rest <= 64 * 1100, `${JSON.stringify(unit)}: ${rest} bytes held back`);
    assert(given <= 50 * taken, `${JSON.stringify(unit)}: ${given} bytes of ${taken}`);
  }
});
