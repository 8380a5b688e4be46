/** Completion for zsh 5 and newer, as a function file for `fpath` or to be sourced. */
import { type CommandName, type Flag, flagsOf } from "../flags.ts";
import { writtenFlag } from "../flag.ts";
import {
  CALLED,
  type Completable,
  firstOperand,
  secondOperands,
  singleQuoted,
  valueOf,
} from "./completable.ts";

/** Text within a specification: brackets, colons and backslashes have a meaning there. */
function escaped(text: string): string {
  return text.replaceAll(/[\\[\]:]/g, "\\$&");
}

/** The action of a specification. */
function action({ words, paths }: Completable): string {
  const path = paths === "files" ? "_files" : paths === "directories" ? "_files -/" : "";
  if (words.length === 0) return path || " ";
  const list = `(${words.join(" ")})`;
  return path === "" ? list : `{_debrief_or "${words.join(" ")}" ${path}}`;
}

function flagSpec(flag: Flag): readonly string[] {
  const { short, value, repeats, summary } = flag;
  const names = [writtenFlag(flag), ...(short ? [`-${short}`] : [])];
  return names.map((name) => {
    const others = names.filter((other) => other !== name);
    const before = repeats ? "*" : others.length > 0 ? `(${others.join(" ")})` : "";
    // A value may also follow an equals sign.
    const joined = value !== undefined && name.startsWith("--") ? "=" : "";
    const rest = value === undefined ? "" : `:${escaped(value)}:${action(valueOf(flag))}`;
    return singleQuoted(`${before}${name}${joined}[${escaped(summary)}]${rest}`);
  });
}

function specs(command: CommandName): readonly string[] {
  return flagsOf(command).flatMap(flagSpec);
}

function commandCase(command: typeof CALLED[number]): string {
  const first = firstOperand(command);
  const second = [...secondOperands(command)];
  const seconds = second.map(([word, completable]) =>
    `[[ $words[2] == ${word} ]] && rest=(${singleQuoted(`2:${word}:${action(completable)}`)})`
  );
  return [
    `    (${command.name})`,
    "      shift words",
    "      (( CURRENT-- ))",
    ...seconds.map((line) => `      ${line}`),
    `      _arguments -s ${
      [...specs(command.name), singleQuoted(`1:${command.name}:${action(first)}`)].join(
        " \\\n        ",
      )
    } $rest ;;`,
  ].join("\n");
}

/** The script. */
export function zshCompletion(): string {
  const described = CALLED.map(({ name, summary }) =>
    `    ${singleQuoted(`${escaped(name)}:${summary.replace(/\.$/, "")}`)}`
  );
  return `#compdef debrief
# Completion of debrief for zsh, written by "debrief completions zsh".
_debrief_or() {
  local -a listed=(\${=1})
  shift
  _alternative 'words:word:compadd -a listed' "paths:path:$*"
}

_debrief() {
  local -a rest called=(
${described.join("\n")}
  )
  if (( CURRENT == 2 )) && [[ $words[2] != -* ]]; then
    _describe command called || _files
    return
  fi
  case $words[2] in
${CALLED.map(commandCase).join("\n")}
    (*)
      # What follows these words is another program's.
      local -i at=\${words[(i)--]}
      if (( at < CURRENT )); then
        shift $at words
        (( CURRENT -= at ))
        _normal
      elif (( \${words[(i)-c]} < CURRENT )); then
        _files
      else
        _arguments -s ${specs("run").join(" \\\n          ")}
      fi ;;
  esac
}

if [[ $funcstack[1] == _debrief ]]; then _debrief "$@"; else compdef _debrief debrief; fi
`;
}
