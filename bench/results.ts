/** The part of `bench/RESULTS.md` that a run writes; what stands outside of the marks was written by people. */
import { render } from "./compare.ts";
import type { Section } from "./section.ts";
import { targetLines } from "./targets.ts";

const FILE = new URL("RESULTS.md", import.meta.url);
const BEGIN = "<!-- begin: written by deno task bench -->";
const END = "<!-- end: written by deno task bench -->";

/** A section as text for a terminal. */
export function sectionText({ title, rows, figures, text, notes }: Section): string {
  const figureLines = figures?.map(({ name, value, ratio }) =>
    `${ratio === undefined ? "" : `${ratio.toFixed(2)} x`}`.padStart(12) +
    value.padStart(36) + `  ${name}`
  );
  return [
    rows ? render(title, rows).trimEnd() : title,
    ...(figureLines ?? []),
    ...(text === undefined ? [] : [text.trimEnd()]),
    ...(notes ?? []).map((note) => `not measured: ${note}`),
  ].join("\n");
}

/** The targets that sections are about, as text; empty when there are none. */
export function targetsText(sections: readonly Section[]): string {
  const lines = targetLines(sections);
  return lines.length === 0 ? "" : ["Targets", ...lines].join("\n");
}

function machine(): string {
  const cpu = /^model name\s*: (.*)$/m.exec(Deno.readTextFileSync("/proc/cpuinfo"))?.[1];
  const { hardwareConcurrency } = navigator;
  const memory = Math.round(Deno.systemMemoryInfo().total / 2 ** 30);
  const load = Deno.loadavg().map((value) => value.toFixed(1)).join(" ");
  return `${hardwareConcurrency} x ${
    cpu ?? Deno.build.arch
  }, ${memory} GiB, Linux ${Deno.osRelease()}, ` +
    `Deno ${Deno.version.deno}, user ${Deno.uid()}; load average at the end ${load}`;
}

/** Put the results into the file. @throws {Error} when the marks are not there. */
export function writeResults(sections: readonly Section[], command: string): void {
  const text = Deno.readTextFileSync(FILE);
  const [begin, end] = [text.indexOf(BEGIN), text.indexOf(END)];
  if (begin < 0 || end < begin) throw new Error('Cannot write "RESULTS.md": its marks are missing');
  const date = new Date().toISOString().slice(0, 10);
  const parts = [targetsText(sections), ...sections.map(sectionText)].filter(Boolean);
  const written = [
    BEGIN,
    "",
    `${date}, \`${command}\`: ${machine()}.`,
    "",
    ...parts.flatMap((part) => ["```text", part, "```", ""]),
  ].join("\n");
  Deno.writeTextFileSync(FILE, text.slice(0, begin) + written + text.slice(end));
}
