/** Tables of command lines and what they are parsed to. */
import { assertEquals } from "@std/assert";
import { type CommandLine, parseCommandLine } from "../../src/cli/command_line.ts";

/** The parts that a case states; the others are those of a command line without words. */
interface Want {
  readonly command?: CommandLine["command"];
  readonly switches?: readonly string[];
  readonly values?: Readonly<Record<string, string>>;
  readonly source?: string | null;
  readonly operands?: readonly string[];
  readonly exact?: readonly string[] | null;
  readonly script?: string | null;
  readonly readsScript?: boolean;
  readonly options?: readonly string[];
}

function shown(line: CommandLine): Required<Want> {
  const { command, switches, values, source, operands, exact, script, readsScript, options } = line;
  return {
    command,
    switches: [...switches].sort(),
    values: Object.fromEntries(values),
    source,
    operands,
    exact,
    script,
    readsScript,
    options,
  };
}

/** Test that each command line is parsed to what is wanted. */
export function check(
  name: string,
  cases: readonly { readonly in: readonly string[]; readonly want: Want }[],
  shell: string | null = null,
) {
  Deno.test(`parseCommandLine() ${name}`, async (t) => {
    for (const { in: args, want } of cases) {
      await t.step(JSON.stringify(args), () => {
        assertEquals(shown(parseCommandLine(args, { shell })), {
          command: "run",
          switches: [],
          values: {},
          source: null,
          operands: [],
          exact: null,
          script: null,
          readsScript: false,
          options: [],
          ...want,
        });
      });
    }
  });
}
