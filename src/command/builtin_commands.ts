import {
  type Frame,
  type Handler,
  type Runner,
  runText,
  runWithMore,
  runWords,
  textOf,
  under,
  within,
} from "./frame.ts";
import { parseOptions } from "./options.ts";
import { type Arg, OPEN_ENDED } from "./word.ts";

const evalHandler: Handler = (argv, frame, run) => {
  const args = argv[1]?.value === "--" ? argv.slice(2) : argv.slice(1);
  runWords(args, within(frame, "eval"), run);
};

const sourceHandler: Handler = (argv, frame, run) => {
  const file = argv[1]?.value === "--" ? argv[2] : argv[1];
  if (file !== undefined && file.value !== "/dev/null") {
    run.unknown(textOf(argv), within(frame, argv[0]!.value!));
  }
};

const trapHandler: Handler = (argv, frame, run) => {
  const args = argv[1]?.value === "--" ? argv.slice(2) : argv.slice(1);
  const [action] = args;
  const listed = action?.value === "-l" || action?.value === "-p" || action?.value === "-P" ||
    action?.value === "-";
  if (action === undefined || listed || args.length === 1 && !action.multi) return;
  runText(action, within(frame, "trap"), run);
};

const execHandler: Handler = (argv, frame, run) => {
  const { rest, certain } = parseOptions(argv.slice(1), { flags: "cl", values: "a" });
  if (!certain) run.unknown(textOf(argv), under(frame, "exec"));
  if (rest.length > 0) run.start(rest, under(frame, "exec"));
};

const commandHandler: Handler = (argv, frame, run) => {
  const { options, rest, certain } = parseOptions(argv.slice(1), { flags: "pvV" });
  if (!certain) run.unknown(textOf(argv), within(frame, "command"));
  if (rest.length === 0 || options.some(({ name }) => name === "v" || name === "V")) return;
  // Functions are passed over, builtins are not.
  run.start(rest, { ...within(frame, "command"), own: false });
};

const builtinHandler: Handler = (argv, frame, run) => {
  const rest = argv[1]?.value === "--" ? argv.slice(2) : argv.slice(1);
  if (rest.length > 0) run.start(rest, { ...within(frame, "builtin"), own: false });
};

const mapfileHandler: Handler = (argv, frame, run) => {
  const { options, certain } = parseOptions(argv.slice(1), { flags: "t", values: "dnOsucC" });
  if (!certain) run.unknown(textOf(argv), within(frame, argv[0]!.value!));
  for (const { name, value } of options) {
    if (name === "C") runWithMore(value ?? OPEN_ENDED, within(frame, "mapfile"), run);
  }
};

const completionHandler: Handler = (argv, frame, run) => {
  const inner = within(frame, argv[0]!.value!);
  const { options, certain } = parseOptions(argv.slice(1), {
    flags: "abcdefgjksuvprDEI",
    values: "oAGWFCXPS",
  });
  if (!certain) run.unknown(textOf(argv), inner);
  for (const { name, value } of options) {
    if (name === "C") runWithMore(value ?? OPEN_ENDED, inner, run);
    if (name === "F") run.start([value ?? OPEN_ENDED, OPEN_ENDED], inner);
    // The list of -W is expanded like the text of a here-document.
    if (name === "W" && /[$`]/.test(value?.value ?? "$")) run.unknown(textOf(argv), inner);
  }
};

/** `hash -p file name` makes a later `name` start the file. */
const hashHandler: Handler = (argv, frame, run) => {
  const { options, certain } = parseOptions(argv.slice(1), { flags: "lrdt", values: "p" });
  if (!certain) run.unknown(textOf(argv), within(frame, "hash"));
  for (const { name, value } of options) {
    if (name === "p") run.start([value ?? OPEN_ENDED, OPEN_ENDED], under(frame, "hash"));
  }
};

/** `enable` loads code with -f, and with -n makes programs of builtins. */
const enableHandler: Handler = (argv, frame, run) => {
  const args = argv.slice(1);
  if (args.some((arg) => arg.value === null || /^-.*[fn]/.test(arg.value))) {
    run.unknown(textOf(argv), within(frame, "enable"));
  }
};

const fcHandler: Handler = (argv, frame, run) => {
  const lists = argv.slice(1).some((arg) => /^-[a-z]*l/.test(arg.value ?? ""));
  if (!lists) run.unknown(textOf(argv), within(frame, "fc"));
};

const bindHandler: Handler = (argv, frame, run) => {
  if (argv.slice(1).some((arg) => arg.value === null || /^-[a-zA-Z]*x/.test(arg.value))) {
    run.unknown(textOf(argv), within(frame, "bind"));
  }
};

const jobsHandler: Handler = (argv, frame, run) => {
  const at = argv.findIndex((arg) => arg.value === "-x");
  if (at > 0 && at + 1 < argv.length) run.start(argv.slice(at + 1), within(frame, "jobs"));
};

/** Text of an alias that the script defines, which its later lines may use. */
const aliasHandler: Handler = (argv, frame, run) => {
  for (const arg of argv.slice(1)) {
    const text = arg.value ?? arg.template ?? "";
    const equals = text.indexOf("=");
    if (equals > 0) runAliasText(arg, equals, { frame, run });
    else if (arg.value === null) run.unknown(arg.text, within(frame, "alias"));
  }
};

function runAliasText(
  arg: Arg,
  equals: number,
  { frame, run }: { frame: Frame; run: Runner },
): void {
  const cut = (text: string | null) => text === null ? null : text.slice(equals + 1);
  runText(
    { ...arg, value: cut(arg.value), template: cut(arg.template) },
    within(frame, "alias"),
    run,
  );
}

/** The builtins that start commands from their arguments. */
export const BUILTIN_HANDLERS: ReadonlyMap<string, Handler> = new Map([
  ["eval", evalHandler],
  ["source", sourceHandler],
  [".", sourceHandler],
  ["trap", trapHandler],
  ["exec", execHandler],
  ["command", commandHandler],
  ["builtin", builtinHandler],
  ["mapfile", mapfileHandler],
  ["readarray", mapfileHandler],
  ["complete", completionHandler],
  ["compgen", completionHandler],
  ["hash", hashHandler],
  ["enable", enableHandler],
  ["fc", fcHandler],
  ["bind", bindHandler],
  ["jobs", jobsHandler],
  ["alias", aliasHandler],
]);
