/**
 * Writes `src/output/scan_module.ts` from `tools/scan_module.wat` and the keywords of redaction; with `--check` it writes
 * nothing and fails when the committed file is another.
 */
import loadWabt from "npm:wabt@1.0.39";
import { RuleBook } from "../src/output/rule_book.ts";
import { chooseWindows } from "./choose_windows.ts";

const TARGET = "src/output/scan_module.ts";
/** Characters of the text in one line. */
const WIDTH = 92;

function literal(bytes: Uint8Array): string {
  const lines = bytes.toBase64().match(new RegExp(`.{1,${WIDTH}}`, "g")) ?? [];
  return lines.map((line) => `  "${line}"`).join(" +\n");
}

async function assemble(): Promise<Uint8Array> {
  const wabt = await loadWabt();
  const source = Deno.readTextFileSync(new URL("scan_module.wat", import.meta.url));
  const module = wabt.parseWat("scan_module.wat", source, { simd: true, relaxed_simd: true });
  module.validate();
  const { buffer } = module.toBinary({});
  module.destroy();
  return buffer;
}

/** Returns the text of `src/output/scan_module.ts`. */
export async function renderScanModule(): Promise<string> {
  const { masks, windows, reach } = chooseWindows(new RuleBook().keywords);
  return `// Written by tools/generate_scan_module.ts.

/** The WebAssembly module that finds keywords (\`tools/scan_module.wat\`), in base64. */
export const SCAN_MODULE: string =
${literal(await assemble())};

/** Windows of the keywords with the byte behind them, four bytes each, in base64. */
export const SCAN_WINDOWS: string =
${literal(windows)};

/** What the windows' buckets let pass, in base64. */
export const SCAN_MASKS: string =
${literal(masks)};

/** Longest way from the beginning of a keyword to its window. */
export const SCAN_REACH = ${reach};
`;
}

if (import.meta.main) {
  const target = new URL(`../${TARGET}`, import.meta.url);
  const rendered = await renderScanModule();
  if (!Deno.args.includes("--check")) Deno.writeTextFileSync(target, rendered);
  else if (Deno.readTextFileSync(target) !== rendered) {
    throw new Error(`Cannot accept "${TARGET}": it is stale; run tools/generate_scan_module.ts`);
  }
}
