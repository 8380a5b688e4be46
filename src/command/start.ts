import { BUILTIN_HANDLERS } from "./builtin_commands.ts";
import { BUILTINS, POSIX_BUILTINS } from "./builtins.ts";
import { gitHandler, rsyncHandler, tarHandler } from "./embedded.ts";
import { type Frame, type Handler, inShell, type Runner, textOf, under } from "./frame.ts";
import {
  envHandler,
  findHandler,
  parallelHandler,
  sshHandler,
  watchHandler,
  wrapperHandler,
  xargsHandler,
} from "./launchers.ts";
import { appletHandler, flockHandler, scriptHandler, shellHandler, suHandler } from "./shells.ts";
import { type Arg } from "./word.ts";
import { OPAQUE_LAUNCHERS, WRAPPERS } from "./wrappers.ts";

/** Wrappers within wrappers that are followed; what lies deeper counts as unknown. */
export const MAX_VIA = 16;

const HANDLERS: ReadonlyMap<string, Handler> = new Map<string, Handler>([
  ...[...WRAPPERS.keys()].map((name): [string, Handler] => [name, wrapperHandler]),
  ...["bash", "sh", "dash", "rbash", "zsh", "ksh", "ksh93", "mksh", "ash", "yash", "hush", "posh"]
    .map((name): [string, Handler] => [name, shellHandler]),
  ["env", envHandler],
  ["xargs", xargsHandler],
  ["find", findHandler],
  ["parallel", parallelHandler],
  ["watch", watchHandler],
  ["ssh", sshHandler],
  ["scp", sshHandler],
  ["sftp", sshHandler],
  ["su", suHandler],
  ["runuser", suHandler],
  ["busybox", appletHandler],
  ["toybox", appletHandler],
  ["script", scriptHandler],
  ["flock", flockHandler],
  ["git", gitHandler],
  ["tar", tarHandler],
  ["gtar", tarHandler],
  ["bsdtar", tarHandler],
  ["rsync", rsyncHandler],
]);

/** Tells whether the shell of the frame carries the name out itself. */
export function isBuiltin(name: string, frame: Frame): boolean {
  if (frame.shell === null) return false;
  return (frame.shell === "bash" ? BUILTINS : POSIX_BUILTINS).has(name);
}

/** Records a command and, by its name, everything that it starts in turn. */
export function startProgram(argv: readonly Arg[], frame: Frame, run: Runner): void {
  if (argv.length === 0) return;
  const name = argv[0]!.value;
  run.emit(argv, frame);
  if (name === null) return;
  const base = name.slice(name.lastIndexOf("/") + 1);
  const handler = isBuiltin(name, frame) ? BUILTIN_HANDLERS.get(name) : HANDLERS.get(base);
  if (handler === undefined && !OPAQUE_LAUNCHERS.has(base)) return;
  if (frame.via.length >= MAX_VIA) return run.unknown(textOf(argv), under(frame, name));
  if (handler !== undefined) handler(argv, frame, run);
  if (OPAQUE_LAUNCHERS.has(base) && argv.length > 1) {
    run.unknown(textOf(argv), inShell(frame, name));
  }
}
