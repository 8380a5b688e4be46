/** Help texts, made from the flag table. */
import { COMMANDS, exitStatuses } from "./command_table.ts";
import { flagWords } from "./flag.ts";
import { type CommandName, type Flag, flagsOf } from "./flags.ts";

/** Column at which summaries begin. */
const COLUMN = 34;

function flagLine(flag: Flag): string {
  const words = `  ${flagWords(flag)}`;
  return words.length < COLUMN - 1
    ? words.padEnd(COLUMN) + flag.summary
    : `${words}\n${" ".repeat(COLUMN)}${flag.summary}`;
}

/** The help of one command; that of `run` also lists the others. */
export function helpText(name: CommandName): string {
  const command = COMMANDS.find((one) => one.name === name)!;
  const sections = [
    `${command.summary}`,
    ["Usage:", ...command.usage.map((line) => `  ${line}`)].join("\n"),
    ["Flags:", ...flagsOf(name).map(flagLine)].join("\n"),
    ["Examples:", ...command.examples.map((line) => `  ${line}`)].join("\n"),
  ];
  const statuses = exitStatuses(command);
  if (statuses.length > 0) sections.push(`Exit status: ${statuses.join("; ")}.`);
  if (name === "run") {
    const others = COMMANDS.filter((one) => one.name !== "run");
    sections.push(
      ["Commands:", ...others.map((one) => `  debrief ${one.name}`.padEnd(COLUMN) + one.summary)]
        .join("\n"),
    );
    sections.push(
      "Flags and examples of a command: debrief COMMAND --help.",
      "Exit status: that of the command; 128+n when signal n ended it; 2 usage or syntax error; 124 time limit;\n" +
        "125 not run because the jail was not proven; 126 denied or not executable; 127 not found.",
    );
  }
  return sections.join("\n\n") + "\n";
}
