/** Completion for bash 4.4 and newer; needs no bash-completion package. */
import { flagsOf } from "../flags.ts";
import { writtenFlag } from "../flag.ts";
import {
  CALLED,
  type Completable,
  firstOperand,
  secondOperands,
  singleQuoted,
  valueOf,
} from "./completable.ts";

/** A call that offers this, without its newline. */
function offer({ words, paths }: Completable): string {
  const kind = paths === "files" ? "-f" : paths === "directories" ? "-d" : "";
  return ["_debrief_offer", singleQuoted(words.join(" ")), kind].join(" ").trimEnd();
}

function flagWords(command: Parameters<typeof flagsOf>[0]): string {
  return flagsOf(command).flatMap((flag) => [
    writtenFlag(flag),
    ...(flag.short ? [`-${flag.short}`] : []),
  ]).join(" ");
}

function valueCases(command: Parameters<typeof flagsOf>[0]): readonly string[] {
  return flagsOf(command).filter(({ value }) => value !== undefined).map((flag) =>
    `    ${command},${writtenFlag(flag)}) ${offer(valueOf(flag))}; return ;;`
  );
}

function operandCases(): readonly string[] {
  return CALLED.flatMap((command) => [
    ...[...secondOperands(command)].map(([first, second]) =>
      `    ${command.name},*,${first}) ${offer(second)} ;;`
    ),
    `    ${command.name},2,*) ${offer(firstOperand(command))} ;;`,
  ]);
}

/** The script. */
export function bashCompletion(): string {
  const names = CALLED.map(({ name }) => name);
  const commands = ["run", ...names] as const;
  return `# Completion of debrief for bash, written by "debrief completions bash".
_debrief_offer() {
  [[ -z $2 ]] || compopt -o filenames 2>/dev/null
  local IFS=$' \\t\\n'
  mapfile -t COMPREPLY < <(compgen -W "$1" $2 -- "$word")
}

_debrief() {
  local word=\${COMP_WORDS[COMP_CWORD]} before=\${COMP_WORDS[COMP_CWORD - 1]} command=run at=$COMP_CWORD i
  COMPREPLY=()
  # Bash takes --flag=value for three words.
  if [[ $before == = ]]; then before=\${COMP_WORDS[COMP_CWORD - 2]}
  elif [[ $word == = ]]; then word=
  fi
  if ((at > 1)); then
    case \${COMP_WORDS[1]} in ${names.join("|")}) command=\${COMP_WORDS[1]} ;; esac
  fi
  if [[ $command == run ]]; then
    for ((i = 1; i < at; i++)); do
      # What follows is another program's.
      case \${COMP_WORDS[i]} in
      -- | -c | -[li]*c)
        if ((i == at - 1)) && [[ \${COMP_WORDS[i]} == -- ]]; then _debrief_offer '' -c
        else _debrief_offer '' -f
        fi
        return
        ;;
      esac
    done
  fi
  case $command,$before in
${commands.flatMap(valueCases).join("\n")}
  esac
  if [[ $word == -* ]]; then
    case $command in
${commands.map((one) => `    ${one}) _debrief_offer ${singleQuoted(flagWords(one))} ;;`).join("\n")}
    esac
    return
  fi
  case $command,$at,$before in
    run,1,*) _debrief_offer ${singleQuoted(names.join(" "))} ;;
${operandCases().join("\n")}
  esac
}
# A script to run is a file: offered where nothing else fits.
complete -o default -F _debrief debrief
`;
}
