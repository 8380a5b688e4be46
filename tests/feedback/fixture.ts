/** Recorded outputs of real tools (tools/record_fixtures.ts), seen as a session sees them. */
import { collectPrograms, parseScript } from "../../src/command/parse.ts";
import { quoteArgv } from "../../src/command/quote.ts";
import type { Observed } from "../../src/feedback/observed.ts";
import { OutputPipeline } from "../../src/output/pipeline.ts";
import { Redactor } from "../../src/output/redact.ts";
import type { OutcomeKind } from "../../src/record/record.ts";
import { ending } from "../record/sample.ts";

/** One recorded end of a command. */
export interface Fixture {
  readonly argv: readonly string[];
  readonly exitCode: number;
  readonly stdout: string;
  readonly stderr: string;
  /** How it came about: `ran` a tool of a version, or a format and where it is documented. */
  readonly recorded: string;
  readonly want: { readonly outcome: OutcomeKind; readonly observations?: readonly string[] };
  /** Not looked at while rules were tuned. */
  readonly held: boolean;
}

const DIRECTORY = new URL("fixtures/", import.meta.url);
const BUDGET = { maxChars: 8_000, maxLines: 200, maxTokens: 2_000, spoolBytes: 1 << 20 };
const NO_STATE = { functions: new Map(), aliases: new Map() };

/** All fixtures by file name. */
export function fixtures(): ReadonlyMap<string, readonly Fixture[]> {
  const files = [...Deno.readDirSync(DIRECTORY)].filter(({ name }) => name.endsWith(".jsonl"));
  const read = (name: string) =>
    Deno.readTextFileSync(new URL(name, DIRECTORY)).trim().split("\n")
      .map((line): Fixture => JSON.parse(line));
  return new Map(files.map(({ name }) => [name, read(name)]));
}

/** What a session knows of it when the outcome is decided. */
export function observedFixture({ argv, exitCode, stdout, stderr }: Fixture): Observed {
  const pipeline = new OutputPipeline({
    redactor: new Redactor(),
    budget: BUDGET,
    spool: null,
    show: () => {},
  });
  const encoder = new TextEncoder();
  pipeline.write("stdout", encoder.encode(stdout));
  pipeline.write("stderr", encoder.encode(stderr));
  const summary = pipeline.finish({ failed: exitCode !== 0 });
  const parsed = parseScript(argv.length > 1 ? quoteArgv(argv) : argv[0] ?? "");
  if (parsed.kind !== "script") throw new Error(`Cannot parse "${argv.join(" ")}": ${parsed.kind}`);
  const { script } = parsed;
  return {
    ending: ending({ exitCode, summary }),
    command: argv,
    programs: collectPrograms(script, NO_STATE),
    denials: [],
    syntaxError: null,
    redirected: script.redirections.some(({ operator, fd }) => operator.includes(">") && fd !== 2),
  };
}
