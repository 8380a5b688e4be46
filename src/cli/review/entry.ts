/** One line of the list: what of a record is shown, searched and sorted by, made once. */
import type { CommandRecord } from "../../record/record.ts";
import { statusText } from "../../record/render_log.ts";
import { answered, succeeded } from "../../record/succeeded.ts";
import { shortText } from "../../record/visible_text.ts";
import type { Style } from "./styled_line.ts";

/** A record with what the list needs of it. Its ids make it a link of a retry chain. */
export interface Entry {
  readonly record: CommandRecord;
  readonly command_id: string;
  readonly parent_command_id: string | null;
  /** `11-21 23:50:19`, UTC. */
  readonly time: string;
  readonly status: string;
  readonly style: Style;
  /** Program that the command starts with, without directory. */
  readonly program: string;
  readonly command: string;
  /** Letters of `BADGES`. */
  readonly badges: string;
  /** What `--text` searches, in small letters. */
  readonly haystack: string;
}

/** Letters of the list and what they stand for. */
export const BADGES: readonly { readonly letter: string; readonly meaning: string }[] = [
  { letter: "R", meaning: "something was redacted" },
  { letter: "T", meaning: "the shown output was truncated" },
  { letter: "D", meaning: "something was denied" },
  { letter: "J", meaning: "processes were left running" },
];

/** Characters of a command that the list shows at most, on the widest of screens. */
const COMMAND_CHARS = 400;

/** Longest name of a program, in characters. */
const PROGRAM_CHARS = 40;

/** Words in front of the program's name: assignments, and what groups or negates. */
const IN_FRONT = /^(?:[A-Za-z_]\w*=\S*|[({!]+)$/;

/** Makes the line of a record. */
export function entryOf(record: CommandRecord): Entry {
  const { command_id, parent_command_id, agent_note, error, stdout_tail, stderr_tail } = record;
  const command = record.command.join(" ");
  const texts = [command, agent_note, error, stdout_tail, stderr_tail];
  return {
    record,
    command_id,
    parent_command_id,
    time: shortText(record.started_at.replace(/^\d{4}-/, "").replace("T", " ").slice(0, 14), 14),
    status: statusText(record),
    style: styleOf(record),
    program: programOf(record),
    command: shortText(command, COMMAND_CHARS),
    badges: badgesOf(record),
    haystack: texts.filter((text) => text !== null).join("\n").toLowerCase(),
  };
}

/** Only status 0 is green; the plain no of a search or test is no failure. */
function styleOf(record: CommandRecord): Style {
  if (succeeded(record)) return "ok";
  return answered(record) ? "warn" : "bad";
}

/** By words, not by the parser: tens of thousands of commands may be listed, and it takes a millisecond for each kilobyte. */
function programOf({ command }: CommandRecord): string {
  const words = command.length > 1 ? command : (command[0] ?? "").slice(0, 400).split(/[\s;|&]+/);
  const word = words.find((one) => one !== "" && !IN_FRONT.test(one)) ?? "";
  const name = word.replace(/^\(+/, "");
  return shortText(name.slice(name.lastIndexOf("/") + 1), PROGRAM_CHARS);
}

function badgesOf({ redactions, truncations, denials, jobs }: CommandRecord): string {
  const { stdout, stderr } = truncations;
  return [
    Object.keys(redactions).length > 0 ? "R" : "",
    stdout !== null || stderr !== null ? "T" : "",
    denials.length > 0 ? "D" : "",
    jobs.length > 0 ? "J" : "",
  ].join("");
}
