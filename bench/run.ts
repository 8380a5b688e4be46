/** `deno task bench`: every benchmark, one table each; `--peers` fetches the peers of redaction. */
import { benchCommand } from "./command.ts";
import { render } from "./compare.ts";
import { benchJail } from "./jail.ts";
import { benchAppend, benchRead } from "./journal.ts";
import { benchProtect } from "./protect.ts";
import { acceptanceFigures, benchRedact } from "./redact.ts";
import { benchFirstPaint, benchKeys } from "./review.ts";
import { benchStart } from "./start.ts";
import { benchThroughput } from "./throughput.ts";

function print(text: string): void {
  Deno.stdout.writeSync(new TextEncoder().encode(text + "\n"));
}

print(render("One command", await benchCommand()));
const start = await benchStart();
print(
  start === null
    ? "Start: not measured, dist/debrief is not built (deno task build)"
    : render("Start", start),
);
print(render("Journal: one append", benchAppend()));
print(render("Journal: one reading", await benchRead()));
print(render("Protected paths: 50,000 files, 20 nested repositories", await benchProtect()));
for await (const { title, rows } of benchJail()) print(render(`Jail: ${title}`, rows));
const paint = await benchFirstPaint();
print(
  paint === null
    ? "Review: first picture not measured, dist/bundle is not built"
    : render("Review: first picture", paint),
);
print(render("Review: one key", await benchKeys()));
const throughput = await benchThroughput();
if (throughput === null) print("Large output: not measured, dist/debrief is not built");
else {
  print(render("A gigabyte of output", throughput.rows));
  for (const { megabytes, peakMiB } of throughput.peaks) {
    print(`  ${peakMiB.toFixed(0).padStart(6)} MiB peak at ${megabytes} MB of output`);
  }
}
print(await benchRedact({ peers: Deno.args.includes("--peers") }));
print(acceptanceFigures());
print("Output");
await import("./output.ts");
Deno.exit(0);
