import {
  type Frame,
  type Handler,
  inShell,
  type Runner,
  runText,
  runWithMore,
  runWords,
  textOf,
  under,
} from "./frame.ts";
import { type Arg, literalArg, OPEN_ENDED } from "./word.ts";

/**
 * Keys of git's configuration whose value is a command (git-config(1) of git 2.47), in lower case. `*` stands for the
 * middle of a three-part key.
 */
const GIT_COMMAND_KEYS = new Set(
  ("core.pager core.editor core.sshcommand core.fsmonitor core.gitproxy core.askpass core.alternaterefscommand " +
    "sequence.editor diff.external diff.*.command diff.*.textconv merge.*.driver mergetool.*.cmd mergetool.*.path " +
    "difftool.*.cmd difftool.*.path filter.*.clean filter.*.smudge filter.*.process gpg.program gpg.*.program " +
    "gpg.ssh.defaultkeycommand interactive.difffilter uploadpack.packobjectshook remote.*.uploadpack " +
    "remote.*.receivepack remote.*.vcs sendemail.smtpserver sendemail.tocmd sendemail.cccmd sendemail.sendmailcmd " +
    "trailer.*.command trailer.*.cmd browser.*.cmd browser.*.path man.*.cmd man.*.path submodule.*.update " +
    "tar.*.command imap.tunnel web.browser").split(" "),
);
/** Keys that name a place which commands are taken from. */
const GIT_PLACE_KEYS = new Set(
  "core.hookspath include.path init.templatedir core.attributesfile".split(" "),
);
const INERT_VALUES = new Set([
  "",
  "true",
  "false",
  "yes",
  "no",
  "on",
  "off",
  "0",
  "1",
  "/dev/null",
]);

interface Setting {
  readonly key: string;
  readonly value: Arg;
}

function settingOf(arg: Arg): Setting | null {
  const text = arg.value ?? arg.template;
  const equals = text?.indexOf("=") ?? -1;
  if (text === null || equals <= 0) return null;
  const known = literalArg(text.slice(equals + 1));
  const value = arg.value === null ? { ...known, value: null, text: arg.text } : known;
  return { key: text.slice(0, equals).toLowerCase(), value };
}

function runGitSetting(arg: Arg, frame: Frame, run: Runner): void {
  const setting = settingOf(arg);
  // A key without a value is true, which runs nothing.
  if (setting === null) {
    if (arg.value === null) run.unknown(arg.text, frame);
    return;
  }
  const { key, value } = setting;
  const text = value.value ?? value.template ?? "";
  const general = key.replace(/^([^.]*)\..*\.([^.]*)$/, "$1.*.$2");
  if (key.startsWith("alias.")) return runGitAlias(value, frame, run);
  if (GIT_PLACE_KEYS.has(key) || general === "includeif.*.path") {
    if (!INERT_VALUES.has(text)) run.unknown(arg.text, frame);
    return;
  }
  if (general === "credential.*.helper" || key === "credential.helper") {
    if (text.startsWith("!") || text.startsWith("/") || value.value === null) {
      runCommandText(value, frame, run);
    }
    return;
  }
  const runs = GIT_COMMAND_KEYS.has(key) || GIT_COMMAND_KEYS.has(general) ||
    key.startsWith("pager.");
  if (runs && !INERT_VALUES.has(text)) runCommandText(value, frame, run);
}

function runGitAlias(value: Arg, frame: Frame, run: Runner): void {
  const text = value.value;
  if (text === null || text.startsWith("!")) return runCommandText(value, frame, run);
  const words = text.split(/\s+/).filter((word) => word !== "");
  if (/["'\\]/.test(text)) run.unknown(text, frame);
  else if (words.length > 0) {
    gitHandler([literalArg("git"), ...words.map(literalArg), OPEN_ENDED], frame, run);
  }
}

// Git adds arguments of its own after such a text.
function runCommandText(value: Arg, frame: Frame, run: Runner): void {
  runWithMore(
    (value.value ?? value.template)?.startsWith("!") ? detach(value, 1) : value,
    frame,
    run,
  );
}

const GIT_VALUE_OPTIONS = new Set([
  "-C",
  "--git-dir",
  "--work-tree",
  "--namespace",
  "--super-prefix",
  "--attr-source",
]);

/** `git`: the commands in `-c key=value`, and those that subcommands take. Stored configuration and hooks are not seen. */
export const gitHandler: Handler = (argv, frame, run) => {
  const inner = inShell(frame, argv[0]!.value!);
  let at = 1;
  for (; at < argv.length; at++) {
    const word = argv[at]!.value;
    const text = word ?? argv[at]!.template ?? "";
    if (word === "-c" && at + 1 < argv.length) runGitSetting(argv[++at]!, inner, run);
    else if (/^-c./.test(text)) {
      runGitSetting({ ...literalArg(text.slice(2)), value: word?.slice(2) ?? null }, inner, run);
    } else if (text.startsWith("--config-env") || text.startsWith("--exec-path=")) {
      run.unknown(text, inner);
    } else if (word !== null && GIT_VALUE_OPTIONS.has(word)) at++;
    else if (!text.startsWith("-")) break;
  }
  const [command, ...args] = argv.slice(at);
  if (command === undefined) return;
  if (command.value === null) return run.unknown(textOf(argv), inner);
  runGitSubcommand({ command: command.value, args }, inner, run);
};

interface GitCommand {
  readonly command: string;
  readonly args: readonly Arg[];
}

/** Options of subcommands whose value is a command. */
const GIT_COMMAND_OPTIONS: ReadonlyMap<string, RegExp> = new Map([
  ["rebase", /^(?:-x|--exec)$/],
  ["difftool", /^(?:-x|--extcmd)$/],
  ["grep", /^(?:-O|--open-files-in-pager)$/],
  ["filter-branch", /^--[a-z-]+-filter$/],
  ["clone", /^(?:-u|--upload-pack)$/],
  ["fetch", /^--upload-pack$/],
  ["pull", /^--upload-pack$/],
  ["fetch-pack", /^--(?:upload-pack|exec)$/],
  ["ls-remote", /^--(?:upload-pack|exec)$/],
  ["push", /^--(?:receive-pack|exec)$/],
  ["send-pack", /^--(?:receive-pack|exec)$/],
  ["archive", /^--exec$/],
  ["send-email", /^--(?:to-cmd|cc-cmd|header-cmd|sendmail-cmd|smtp-server)$/],
]);

function runGitSubcommand({ command, args }: GitCommand, frame: Frame, run: Runner): void {
  if (command === "bisect" && args[0]?.value === "run") {
    return run.start(args.slice(1), under(frame, "bisect"));
  }
  if (command === "submodule" && args.some((arg) => arg.value === "foreach")) {
    const after = args.slice(args.findIndex((arg) => arg.value === "foreach") + 1);
    return runWords(
      after.slice(after.findIndex((arg) => !/^--(?:recursive|quiet)$/.test(arg.value ?? ""))),
      frame,
      run,
    );
  }
  const option = GIT_COMMAND_OPTIONS.get(command);
  for (const [at, arg] of args.entries()) {
    const text = arg.value ?? arg.template ?? "";
    if (text.startsWith("ext::")) runText(detach(arg, "ext::".length), frame, run);
    const equals = text.indexOf("=");
    if (command === "clone" && /^(?:-c|--config)$/.test(text)) {
      runGitSetting(args[at + 1] ?? OPEN_ENDED, frame, run);
    } else if (command === "clone" && text.startsWith("--config=")) {
      runGitSetting(detach(arg, equals + 1), frame, run);
    }
    if (option === undefined) continue;
    if (option.test(text)) runText(args[at + 1] ?? OPEN_ENDED, frame, run);
    else if (equals > 0 && option.test(text.slice(0, equals))) {
      runText(detach(arg, equals + 1), frame, run);
    } else if (/^-[A-Za-z]./.test(text) && option.test(text.slice(0, 2))) {
      runText(detach(arg, 2), frame, run);
    }
  }
}

/** The argument without its first `length` characters, as after `--option=`. */
function detach(arg: Arg, length: number): Arg {
  const cut = (text: string | null) => text?.slice(length) ?? null;
  return { ...arg, value: cut(arg.value), template: cut(arg.template) };
}

const TAR_COMMAND_OPTION =
  /^--(?:to-c[a-z-]*|use-c[a-z-]*|info-[a-z-]*|new-volume-s[a-z-]*|rsh-c[a-z-]*|rmt-c[a-z-]*)$/;
/** Letters of tar that take a value, in GNU tar 1.35. */
const TAR_VALUE_LETTERS = "bCfFgHIKLNTVX";

/** `tar`: the commands of its options, long, short and of the old style without a dash. */
export const tarHandler: Handler = (argv, frame, run) => {
  const inner = inShell(frame, argv[0]!.value!);
  const args = argv.slice(1);
  for (const [at, arg] of args.entries()) {
    const text = arg.value ?? arg.template ?? "";
    const equals = text.indexOf("=");
    const action = /^--checkpoint-ac[a-z]*=exec=/.exec(text);
    if (action !== null) runText(detach(arg, action[0].length), inner, run);
    else if (/^--checkpoint-ac[a-z]*$/.test(text)) {
      const next = args[at + 1] ?? OPEN_ENDED;
      if (next.value === null || next.value.startsWith("exec=")) {
        runText(detach(next, "exec=".length), inner, run);
      }
    } else if (equals > 0 && TAR_COMMAND_OPTION.test(text.slice(0, equals))) {
      runText(detach(arg, equals + 1), inner, run);
    } else if (TAR_COMMAND_OPTION.test(text)) runText(args[at + 1] ?? OPEN_ENDED, inner, run);
    else if (/^-[A-Za-z]/.test(text)) runTarLetters(arg, args.slice(at + 1), { frame: inner, run });
    else if (at === 0 && /^[A-Za-z]/.test(text)) {
      runOldTarLetters(text, args.slice(1), { frame: inner, run });
    }
  }
};

interface TarContext {
  readonly frame: Frame;
  readonly run: Runner;
}

function runTarLetters(arg: Arg, next: readonly Arg[], { frame, run }: TarContext): void {
  const text = arg.value ?? arg.template ?? "";
  for (let at = 1; at < text.length; at++) {
    if (!TAR_VALUE_LETTERS.includes(text[at]!)) continue;
    if (!"IF".includes(text[at]!)) return;
    return runText(at + 1 < text.length ? detach(arg, at + 1) : next[0] ?? OPEN_ENDED, frame, run);
  }
}

function runOldTarLetters(
  letters: string,
  values: readonly Arg[],
  { frame, run }: TarContext,
): void {
  let taken = 0;
  for (const letter of letters) {
    if (!TAR_VALUE_LETTERS.includes(letter)) continue;
    const value = values[taken++] ?? OPEN_ENDED;
    if ("IF".includes(letter)) runText(value, frame, run);
  }
}

/** `rsync`: the remote shell of `-e` and `--rsh`. */
export const rsyncHandler: Handler = (argv, frame, run) => {
  const inner = inShell(frame, argv[0]!.value!);
  for (const [at, arg] of argv.entries()) {
    const text = arg.value ?? arg.template ?? "";
    const attached = /^(?:--rsh=|-[A-Za-z0-9]*?e(?=.))/.exec(text);
    if (attached !== null && !text.startsWith("--rsh")) {
      runText(detach(arg, attached[0].length), inner, run);
    } else if (attached !== null) runText(detach(arg, "--rsh=".length), inner, run);
    else if (at > 0 && /^(?:--rsh|-[A-Za-z0-9]*e)$/.test(text)) {
      runText(argv[at + 1] ?? OPEN_ENDED, inner, run);
    }
  }
};
