/** Completion for fish 3 and newer. */
import { type CommandName, type Flag, flagsOf } from "../flags.ts";
import { CALLED, type Completable, firstOperand, secondOperands, valueOf } from "./completable.ts";

/** A word in single quotes: fish knows two escapes there. */
function quoted(text: string): string {
  return `'${text.replaceAll(/[\\']/g, "\\$&")}'`;
}

/** What is offered: nothing else than the words unless there are paths too. */
function offer({ words, paths }: Completable): string {
  const list = [...words, ...(paths === "directories" ? ["(__fish_complete_directories)"] : [])];
  const kind = paths === "files" ? "-F" : "-f";
  return list.length === 0 ? kind : `${kind} -a ${quoted(list.join(" "))}`;
}

function flagLine(command: CommandName, flag: Flag): string {
  const { name, short, value, summary } = flag;
  const names = name.length === 1 ? `-s ${name}` : `-l ${name}${short ? ` -s ${short}` : ""}`;
  const taken = value === undefined ? "" : ` -r ${offer(valueOf(flag))}`;
  return `complete -c debrief -n '__debrief_at ${command}' ${names}${taken} -d ${quoted(summary)}`;
}

function operandLines(command: typeof CALLED[number]): readonly string[] {
  const { name } = command;
  const first = `complete -c debrief -n '__debrief_at ${name} 2' ${offer(firstOperand(command))}`;
  return [
    first,
    ...[...secondOperands(command)].map(([word, second]) =>
      `complete -c debrief -n '__debrief_at ${name} 3 ${word}' ${offer(second)}`
    ),
  ];
}

/** The script. */
export function fishCompletion(): string {
  const names = CALLED.map(({ name }) => name);
  const lines = CALLED.map(({ name, summary }) =>
    `complete -c debrief -n __debrief_first -a ${name} -d ${quoted(summary.replace(/\.$/, ""))}`
  );
  const flags = (["run", ...names] as const).flatMap((command) =>
    flagsOf(command).map((flag) => flagLine(command, flag))
  );
  return `# Completion of debrief for fish, written by "debrief completions fish".
function __debrief_first
  test (count (commandline -opc)) -eq 1
end

# __debrief_at COMMAND [COUNT [LAST]]: the words so far belong to the command, are so many, end with the last.
function __debrief_at
  set -l words (commandline -opc)
  set -l command run
  contains -- "$words[2]" ${names.join(" ")}; and set command $words[2]
  test $command = $argv[1]; or return 1
  if test $command = run
    contains -- -- $words; and return 1
    contains -- -c $words; and return 1
  end
  test (count $argv) -lt 2; or test (count $words) -eq $argv[2]; or return 1
  test (count $argv) -lt 3; or test "$words[-1]" = $argv[3]
end

function __debrief_program
  contains -- -- (commandline -opc)
end

complete -c debrief -f
complete -c debrief -n __debrief_program -F -a '(__fish_complete_command)'
${[...lines, ...flags, ...CALLED.flatMap(operandLines)].join("\n")}
`;
}
