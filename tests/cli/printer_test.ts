import { assertEquals, assertMatch, assertThrows } from "@std/assert";
import { blockDescriptor, Printer, type PrinterOptions } from "../../src/cli/printer.ts";
import { ClosedPipe } from "../../src/cli/terminal.ts";
import { UsageError } from "../../src/errors.ts";
import { buildBlock } from "../../src/feedback/block.ts";
import { close, open } from "../../src/sandbox/linux/ffi.ts";
import { OPEN } from "../../src/sandbox/linux/uapi.ts";
import type { SessionEvent } from "../../src/session/events.ts";
import { sample } from "../record/sample.ts";
import {
  captureOutput,
  openPipe,
  openReadOnly,
  readAvailable,
  withClosedReader,
} from "./captured_output.ts";

const NONCE = "0badcafe";
/** The one-line block of a command that went well. */
const BLOCK = `--- debrief ${NONCE} \u2713 ok, exit 0, 12ms, 1 line/6 B, c1f7abcd ---\n`;

function printer(options: Partial<PrinterOptions> = {}): Printer {
  return new Printer({ blockFd: 2, format: "text", nonce: NONCE, color: false, ...options });
}

function output(text: string, stream: "stdout" | "stderr" = "stdout"): SessionEvent {
  return { kind: "output", stream, text };
}

function end(fields: Parameters<typeof sample>[0] = {}): SessionEvent {
  const record = { ...sample(fields), prev: null };
  return {
    kind: "finished",
    record,
    block: buildBlock({ record, notices: [] }),
    exitStatus: 0,
    endsSession: false,
  };
}

function printed(events: readonly SessionEvent[], options: Partial<PrinterOptions> = {}) {
  const one = printer(options);
  return captureOutput(() => events.forEach((event) => one.print(event)));
}

Deno.test("Printer gives each stream its own, and the block to where it was asked for", async (t) => {
  const events = [output("out\n"), output("err\n", "stderr"), end()];
  const cases = [
    { in: 2, want: { stdout: "out\n", stderr: `err\n${BLOCK}` } },
    { in: 1, want: { stdout: `out\n${BLOCK}`, stderr: "err\n" } },
    { in: null, want: { stdout: "out\n", stderr: "err\n" } },
  ];
  for (const { in: blockFd, want } of cases) {
    await t.step(`descriptor ${blockFd}`, () => assertEquals(printed(events, { blockFd }), want));
  }
  const ends = openPipe();
  assertEquals(printed(events, { blockFd: ends.write }), { stdout: "out\n", stderr: "err\n" });
  assertEquals(readAvailable(ends.read), BLOCK);
  Object.values(ends).forEach(close);
});

Deno.test("Printer begins a block on a line of its own", async (t) => {
  const cases = [
    { in: [end()], want: BLOCK },
    { in: [output("a\n"), end()], want: `a\n${BLOCK}` },
    { in: [output("a"), end()], want: `a\n${BLOCK}` },
    {
      in: [output("a\n"), output("b"), end(), output("c\n"), end()],
      want: `a\nb\n${BLOCK}c\n${BLOCK}`,
    },
    { in: [output(""), end()], want: BLOCK },
  ];
  for (const { in: events, want } of cases) {
    await t.step(JSON.stringify(want), () => {
      assertEquals(printed(events, { blockFd: 1 }).stdout, want);
      // The other stream is another file: what is unfinished there is left alone.
      assertEquals(printed(events, { blockFd: 2 }).stderr.startsWith("\n"), false);
    });
  }
});

Deno.test("Printer begins a block on a line of its own where both streams are one file", () => {
  const one = printer();
  const { stdout } = captureOutput(
    () => [output("a"), end()].forEach((event) => one.print(event)),
    { together: true },
  );
  assertEquals(stdout, `a\n${BLOCK}`);
});

Deno.test("Printer prints the block as JSON with the nonce first", () => {
  const { stderr } = printed([end()], { format: "json" });
  assertMatch(stderr, /^\{"debrief_block":"0badcafe",.*\}\n$/);
  assertEquals(JSON.parse(stderr).command_id, "c1f7abcd");
});

Deno.test("Printer says on standard error why there is no exit status where no block does", () => {
  const gone = end({
    exit_code: null,
    error: "timed out after 3 s\u001b[2J",
    outcome: { kind: "timeout", reason: "" },
  });
  const { stderr, stdout } = printed([gone], { blockFd: null });
  assertEquals([stdout, stderr], ["", "debrief: timed out after 3 s\\e[2J\n"]);
  assertEquals(printed([end({ exit_code: 3 })], { blockFd: null }).stderr, "");
});

Deno.test("Printer reports a reader that went away once, and drops the rest", () => {
  const one = printer();
  const captured = withClosedReader(1, () => {
    assertThrows(() => one.print(output("a\n")), ClosedPipe);
    one.print(output("b\n"));
    one.print(output("c\n", "stderr"));
  });
  assertEquals(captured.stderr, "c\n");
});

Deno.test("Printer notices that a reader went away when output arrives of which nothing is shown", () => {
  const one = printer();
  const arrived: SessionEvent = { kind: "arrived", stream: "stdout", bytes: 5 };
  one.print(arrived);
  withClosedReader(1, () => {
    assertThrows(() => one.print(arrived), ClosedPipe);
    one.print(arrived);
    one.print({ ...arrived, stream: "stderr" });
  });
});

Deno.test("Printer takes a block that nobody reads for no error", () => {
  const one = printer();
  withClosedReader(2, () => {
    one.print(output("a\n"));
    one.print(end());
    one.print(end());
  });
});

Deno.test("blockDescriptor() knows every destination and refuses what cannot be written", async (t) => {
  assertEquals(["off", "stdout", "stderr", "fd:1", "fd:2"].map(blockDescriptor), [
    null,
    1,
    2,
    1,
    2,
  ]);
  const pipe = openPipe();
  assertEquals(blockDescriptor(`fd:${pipe.write}`), pipe.write);
  const file = Deno.makeTempFileSync();
  const fd = open(file, OPEN.WRONLY);
  assertEquals(blockDescriptor(`fd:${fd}`), fd);
  const readOnly = openReadOnly();
  const unknown = "stdout, stderr, fd:N and off are accepted";
  const unfit = "it is not open for writing";
  const cases = [
    { in: "", want: unknown },
    { in: "STDERR", want: unknown },
    { in: "fd:", want: unknown },
    { in: "fd:-1", want: unknown },
    { in: "fd:1x", want: unknown },
    { in: "fd:999999", want: unknown },
    { in: "/tmp/x", want: unknown },
    { in: "fd:99999", want: unfit },
    { in: `fd:${readOnly}`, want: unfit },
    { in: `fd:${pipe.read}`, want: unfit },
  ];
  for (const { in: destination, want } of cases) {
    await t.step(destination, () => {
      const error = assertThrows(() => blockDescriptor(destination), UsageError);
      assertEquals(error.message, `Cannot print the block to "${destination}": ${want}`);
    });
  }
  [pipe.read, pipe.write, fd, readOnly].forEach(close);
  Deno.removeSync(file);
});
