import { assertEquals, assertMatch, assertRejects, assertThrows } from "@std/assert";
import { blockDescriptor, Printer, type PrinterOptions } from "../../src/cli/printer.ts";
import { ClosedPipe } from "../../src/cli/terminal.ts";
import { UsageError } from "../../src/errors.ts";
import { buildBlock } from "../../src/feedback/block.ts";
import { close, open } from "../../src/sandbox/linux/ffi.ts";
import { OPEN } from "../../src/sandbox/linux/uapi.ts";
import type { SessionEvent } from "../../src/session/events.ts";
import { sample } from "../record/sample.ts";
import { openPipe, openReadOnly, readAvailable, Streams } from "./streams.ts";

const NONCE = "0badcafe";
/** The one-line block of a command that went well. */
const BLOCK = `--- debrief ${NONCE} \u2713 exit 0, 12ms, 1 line ---\n`;

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

/** How a test's printer differs. */
interface Given extends Partial<Omit<PrinterOptions, "blockFd">> {
  readonly block?: "stdout" | "stderr" | number | null;
}

function printer(streams: Streams, { block = "stderr", ...options }: Given = {}): Printer {
  const { descriptors } = streams;
  const blockFd = typeof block === "string" ? descriptors[block] : block;
  return new Printer({
    blockFd,
    format: "text",
    nonce: NONCE,
    color: false,
    descriptors,
    ...options,
  });
}

async function printed(events: readonly SessionEvent[], given: Given = {}) {
  using streams = new Streams();
  const one = printer(streams, given);
  for (const event of events) one.print(event);
  await one.queue.flush();
  return streams.read();
}

Deno.test("Printer gives each stream its own, and the block to where it was asked for", async (t) => {
  const events = [output("out\n"), output("err\n", "stderr"), end()];
  const cases = [
    { in: "stderr", want: { stdout: "out\n", stderr: `err\n${BLOCK}` } },
    { in: "stdout", want: { stdout: `out\n${BLOCK}`, stderr: "err\n" } },
    { in: null, want: { stdout: "out\n", stderr: "err\n" } },
  ] as const;
  for (const { in: block, want } of cases) {
    await t.step(
      String(block),
      async () => assertEquals(await printed(events, { block }), want),
    );
  }
  const ends = openPipe();
  assertEquals(await printed(events, { block: ends.write }), { stdout: "out\n", stderr: "err\n" });
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
    await t.step(JSON.stringify(want), async () => {
      assertEquals((await printed(events, { block: "stdout" })).stdout, want);
      // The other stream is another file: what is unfinished there is left alone.
      assertEquals((await printed(events)).stderr.startsWith("\n"), false);
    });
  }
});

Deno.test("Printer begins a block on a line of its own where both streams are one file", async () => {
  using streams = new Streams({ together: true });
  const one = printer(streams);
  for (const event of [output("a"), end()]) one.print(event);
  await one.queue.flush();
  assertEquals(streams.read().stdout, `a\n${BLOCK}`);
});

Deno.test("Printer prints the block as JSON with the nonce first", async () => {
  const { stderr } = await printed([end()], { format: "json" });
  assertMatch(stderr, /^\{"debrief_block":"0badcafe",.*\}\n$/);
  assertEquals(JSON.parse(stderr).command_id, "c1f7abcd");
});

Deno.test("Printer says on standard error why there is no exit status where no block does", async () => {
  const gone = end({
    exit_code: null,
    error: "timed out after 3 s\u001b[2J",
    outcome: { kind: "timeout", reason: "" },
  });
  const { stderr, stdout } = await printed([gone], { block: null });
  assertEquals([stdout, stderr], ["", "debrief: timed out after 3 s\\e[2J\n"]);
  assertEquals((await printed([end({ exit_code: 3 })], { block: null })).stderr, "");
});

Deno.test("Printer reports a reader that went away once, and drops the rest", async () => {
  using streams = new Streams();
  const one = printer(streams);
  streams.closeStdout();
  one.print(output("a\n"));
  await assertRejects(() => one.queue.flush(), ClosedPipe);
  assertEquals(one.queue.failure.aborted, true);
  one.print(output("b\n"));
  one.print(output("c\n", "stderr"));
  await one.queue.flush().catch(() => {});
  assertEquals(streams.read().stderr, "");
});

Deno.test("Printer notices that a reader went away when output arrives of which nothing is shown", () => {
  using streams = new Streams();
  const one = printer(streams);
  const arrived: SessionEvent = { kind: "arrived", stream: "stdout", bytes: 5 };
  one.print(arrived);
  streams.closeStdout();
  assertThrows(() => one.print(arrived), ClosedPipe);
  one.print(arrived);
  one.print({ ...arrived, stream: "stderr" });
});

Deno.test("Printer takes a block that nobody reads for no error", async () => {
  using streams = new Streams();
  const one = printer(streams, { block: "stdout" });
  streams.closeStdout();
  one.print(output("a\n", "stderr"));
  one.print(end());
  one.print(end());
  await one.queue.flush();
  assertEquals(streams.read().stderr, "a\n");
});

Deno.test("blockDescriptor() knows every destination and refuses what cannot be written", async (t) => {
  const standard = ["off", "stdout", "stderr", "fd:1", "fd:2"];
  assertEquals(standard.map((name) => blockDescriptor(name, new Set())), [
    null,
    1,
    2,
    1,
    2,
  ]);
  const pipe = openPipe();
  assertEquals(blockDescriptor(`fd:${pipe.write}`, new Set([pipe.write])), pipe.write);
  const file = Deno.makeTempFileSync();
  const fd = open(file, OPEN.WRONLY);
  assertEquals(blockDescriptor(`fd:${fd}`, new Set([fd])), fd);
  const readOnly = openReadOnly();
  const inherited = new Set([readOnly, pipe.read, fd, 99999]);
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
    // Open for writing, but nobody gave it to the process: the runtime has such descriptors.
    { in: `fd:${pipe.write}`, want: unfit },
  ];
  for (const { in: destination, want } of cases) {
    await t.step(destination, () => {
      const error = assertThrows(() => blockDescriptor(destination, inherited), UsageError);
      assertEquals(error.message, `Cannot print the block to "${destination}": ${want}`);
    });
  }
  [pipe.read, pipe.write, fd, readOnly].forEach(close);
  Deno.removeSync(file);
});
