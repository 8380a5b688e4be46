/**
 * Writes V8's bytecode of a script, without executing it: of the functions of the modules that are named, compiled by
 * the debugger's search for places to stop at, and of nothing else. So the bytes depend on the script and the engine
 * alone, not on what a run on this machine would have called. It must be run by the engine that shall read them.
 *
 * Usage: deno run -A --v8-flags=FLAGS tools/write_bytecode.ts SCRIPT OUTPUT [MAP MODULES]
 */
import { Session } from "node:inspector";
import { Script } from "node:vm";
import { moduleRanges, type Place } from "./module_ranges.ts";
import { postToInspector } from "./post_to_inspector.ts";

/** Where the first line of a script's own text stands: after the line that `wrapScript` puts before it. */
const OWN_LINE = 1;

/** Calls the debugger for one script. */
class Debugger {
  readonly #session = new Session();
  readonly #script = Promise.withResolvers<string>();

  constructor(url: string) {
    this.#session.connect();
    // The types name the messages one by one.
    (this.#session as unknown as NodeJS.EventEmitter).on("inspectorNotification", (message) => {
      if (message.method !== "Debugger.scriptParsed" || message.params.url !== url) return;
      this.#script.resolve(message.params.scriptId);
    });
  }

  async open(): Promise<void> {
    await postToInspector(this.#session, "Debugger.enable", {});
  }

  async compile(start: Place, end: Place): Promise<void> {
    const scriptId = await this.#script.promise;
    const at = ({ line, column }: Place) => ({
      scriptId,
      lineNumber: line + OWN_LINE,
      columnNumber: column,
    });
    const range = { start: at(start), end: at(end) };
    await postToInspector(this.#session, "Debugger.getPossibleBreakpoints", range);
  }
}

/** The place behind the last character of a script's own text. */
function endOf(text: string): Place {
  const lines = text.split("\n");
  return { line: lines.length - 1 - OWN_LINE, column: lines.at(-1)?.length ?? 0 };
}

async function main([path = "", output = "", map, modules]: readonly string[]): Promise<void> {
  const text = Deno.readTextFileSync(path);
  const filename = "file:///debrief";
  const debug = new Debugger(filename);
  await debug.open();
  const script = new Script(text, { filename });
  // Gives the function that holds the program, and calls it not.
  script.runInThisContext();
  const end = endOf(text);
  if (map === undefined || modules === undefined) {
    await debug.compile({ line: 0, column: 0 }, end);
  } else {
    const chosen = new Set<string>(JSON.parse(Deno.readTextFileSync(modules)));
    const ranges = moduleRanges(JSON.parse(Deno.readTextFileSync(map)), end);
    for (const { module, start, end } of ranges) {
      if (chosen.has(module)) await debug.compile(start, end);
    }
  }
  Deno.writeFileSync(output, script.createCachedData());
}

await main(Deno.args);
