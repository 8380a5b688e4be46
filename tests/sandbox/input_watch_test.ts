/** What a command waits for, as its own process says it. */
import { assertEquals } from "@std/assert";
import { InputPipe } from "../../src/sandbox/input_pipe.ts";
import { type InputWait, InputWatch, isOpenEnded } from "../../src/sandbox/input_watch.ts";
import { close, open } from "../../src/sandbox/linux/ffi.ts";
import { OPEN } from "../../src/sandbox/linux/uapi.ts";
import { jailTest } from "./require_sandbox.ts";
import { TestSession } from "../session/test_session.ts";
import type { SessionEvent } from "../../src/session/events.ts";
import { until } from "./observe.ts";

Deno.test("isOpenEnded() is true for pipes, not for files and /dev/null", async () => {
  const pipe = new InputPipe();
  const nothing = open("/dev/null", OPEN.RDONLY);
  const file = open("/etc/passwd", OPEN.RDONLY);
  assertEquals([pipe.fd, nothing, file].map(isOpenEnded), [true, false, false]);
  [nothing, file].forEach(close);
  await pipe.close();
});

/** A way to wait, and whether it is one for the command's input. */
const ROWS: readonly { readonly in: string; readonly want: string | null }[] = [
  { in: "printf 'Name: '; read x", want: "Name:" },
  { in: "read x", want: "" },
  { in: "printf 'a\\nPassword: ' >&2; cat | cat", want: "Password:" },
  { in: "bash -c 'exec 7<&0; printf \"q? \"; read -u 7 x'", want: "q?" },
  { in: "python3 -c 'input(\"py> \")'", want: "py>" },
  {
    in:
      'python3 -c \'import select,sys; print("sel> ", end="", flush=True); select.select([0],[],[])\'',
    want: "sel>",
  },
  {
    in:
      'python3 -c \'import select; p=select.poll(); p.register(0); print("poll> ", end="", flush=True); p.poll()\'',
    want: "poll>",
  },
  {
    in: 'node -e \'process.stdout.write("node> "); process.stdin.on("data", () => {})\'',
    want: "node>",
  },
  { in: "printf 'working '; sleep 300", want: null },
  { in: "mkfifo f 2>/dev/null; printf 'other: '; sleep 300 > f & read x < f", want: null },
  { in: "printf 'both: '; (while :; do :; done) & read x", want: null },
];

for (const { in: source, want } of ROWS) {
  const what = want === null ? "is not taken to wait" : "waits for input";
  jailTest(`InputWatch: a command ${what}: ${source.slice(0, 60)}`, async () => {
    await using session = new TestSession();
    const seen: SessionEvent[] = [];
    const job = await session.session.start(
      { text: { kind: "script", source } },
      (event) => seen.push(event),
    );
    const isWaiting = (event: SessionEvent) => event.kind === "waiting" && event.waits !== null;
    if (want === null) {
      // As long as a job beside it takes to be found waiting, and the same again.
      for (let round = 0; round < 2; round++) {
        const other = await session.session.start({ text: { kind: "script", source: "read y" } });
        await until(() => other.view.waits !== null);
        other.endInput();
        await other.ended;
      }
      assertEquals(seen.filter(isWaiting), []);
    } else {
      await until(() => seen.some(isWaiting));
      assertEquals(job.view.waits?.asks ?? "", want);
      await job.send(new TextEncoder().encode("\n"));
      job.endInput();
      await job.ended;
      assertEquals(job.view.waits, null);
    }
    job.kill(9);
    await job.ended;
  });
}

Deno.test("InputWatch looks ever more rarely at what does not wait, and at once again after output", () => {
  const input = open("/dev/null", OPEN.RDONLY);
  const changes: (InputWait | null)[] = [];
  const watch = new InputWatch({
    input,
    others: new Set<number>(),
    onChange: (wait) => changes.push(wait) > 0,
  });
  assertEquals(watch.wait(), Infinity, "nothing ever comes from /dev/null");
  watch.check();
  watch.stir();
  assertEquals([changes, watch.asks], [[], false]);
  close(input);
});
