/**
 * A process that appends records until it is killed: arguments are directory and writer's name. It prints the id of each
 * record after the append has returned, and stops appending before a full set of rotations could drop a record.
 */
import { Journal } from "../../src/record/journal.ts";
import { sample } from "./sample.ts";

/** Bytes that one writer may add; 12 of them stay below what is kept. */
const MAX_BYTES = 300_000;

/** A long line takes several pages, so that a kill can tear it. */
const LONG = 120_000;

const [directory = "", writer = ""] = Deno.args;
const encoder = new TextEncoder();
const journal = Journal.open({ directory });
for (let index = 0, bytes = 0; bytes < MAX_BYTES; index++) {
  const long = Math.random() < 0.03;
  const size = Math.floor(Math.random() * (long ? LONG : 1_000));
  const id = `${writer}x${index}`;
  journal.append(sample({ command_id: id, stdout_tail: "x".repeat(size) }));
  Deno.stdout.writeSync(encoder.encode(`${id}\n`));
  bytes += size + 1_500;
}
// Waits for its kill, which it asks for.
Deno.stdout.writeSync(encoder.encode("full\n"));
setInterval(() => {}, 1_000);
