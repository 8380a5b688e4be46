/**
 * Probes of what no file rule says: calls that change a file's metadata, unix sockets, and the execution of what `run`
 * does not list. They need programs of the host; where one is not there, or may not be executed, nothing is proven.
 */
import { quoteWord } from "../command/quote.ts";
import { coversPath } from "../policy/match.ts";
import { mayExecute } from "../sandbox/execution.ts";
import { status } from "../sandbox/linux/files.ts";
import type { Plan } from "../sandbox/plan.ts";
import type { Probe } from "./probes.ts";

/** What these probes need. */
export interface CallProbeContext {
  readonly plan: Plan;
  /** A file of the user's that no plan grants. */
  readonly hidden: string;
  /** A directory that commands may write whatever the policy says. */
  readonly tmp: string;
  /** A unix socket in it on which something outside the jail listens; null where none could be made. */
  readonly socket: string | null;
}

const CHMOD = "/bin/chmod";
const PERL = "/usr/bin/perl";
/** Programs that end with 0 without arguments. */
const HARMLESS = ["/usr/bin/id", "/usr/bin/uname", "/usr/bin/whoami", "/usr/bin/true"];
const CONNECT =
  "use Socket; socket(my $s, AF_UNIX, SOCK_STREAM, 0) or exit 1; connect($s, pack_sockaddr_un($ARGV[0])) or exit 2;";
const MAKE = "use Socket; socket(my $s, AF_UNIX, SOCK_STREAM, 0) or exit 1;";
/** A server of the jail's own: connecting to it is the control. */
const SERVE =
  "use Socket; socket(my $l, AF_UNIX, SOCK_STREAM, 0) or exit 2; bind($l, pack_sockaddr_un($ARGV[0])) or exit 3; listen($l, 1) or exit 4;";

/** Why a program cannot be used to prove something; null when it can. */
function unusable(plan: Plan, program: string): string | null {
  if (status(program, { follow: true })?.kind !== "file") return `it needs ${program}`;
  return mayExecute(plan.execution, realOf(program))
    ? null
    : `it needs ${program}, which run does not list`;
}

function realOf(program: string): string {
  try {
    return Deno.realPathSync(program);
  } catch {
    return program;
  }
}

function probeMetadata({ plan, hidden, tmp }: CallProbeContext): readonly Probe[] {
  const outside = "metadata: modes of files outside the grants cannot be changed";
  const inside = "metadata: modes of files that may be written can be changed";
  const reason = unusable(plan, CHMOD);
  if (reason !== null) return [outside, inside].map((about) => ({ kind: "skip", about, reason }));
  const mode = (status(hidden, { follow: false })?.mode ?? 0o600).toString(8);
  const own = quoteWord(`${tmp}/.debrief-probe-${crypto.randomUUID()}`);
  return [
    { kind: "act", about: outside, script: `${CHMOD} ${mode} ${quoteWord(hidden)}`, works: false },
    { kind: "act", about: inside, script: `: >${own} && ${CHMOD} 600 ${own}`, works: true },
  ];
}

function probeSockets({ plan, tmp, socket }: CallProbeContext): readonly Probe[] {
  const strange = "unix sockets: what listens outside the session cannot be reached";
  const own = "unix sockets: a server of the session's own can be reached";
  const lacking = socket === null ? "no socket could be made" : null;
  const reason = lacking ?? unusable(plan, PERL);
  if (socket === null || reason !== null) {
    return [strange, own].map((about) => ({ kind: "skip", about, reason: reason ?? "" }));
  }
  const perl = (code: string, path: string) =>
    `${PERL} -e ${quoteWord(code)} -- ${quoteWord(path)}`;
  if (!plan.supervised) {
    const about = "unix sockets: none can be made";
    return [{ kind: "act", about, script: perl(MAKE, ""), works: false }];
  }
  const works = plan.sockets.some((listed) => coversPath(listed, socket));
  return [
    { kind: "act", about: strange, script: perl(CONNECT, socket), works },
    {
      kind: "act",
      about: own,
      script: perl(`${SERVE} ${CONNECT}`, `${tmp}/.debrief-probe-${crypto.randomUUID()}`),
      works: true,
    },
  ];
}

function probeExecution({ plan }: CallProbeContext): readonly Probe[] {
  if (plan.execution === null) return [];
  const about = "execution: a program that run does not list cannot be executed";
  const program = HARMLESS.find((path) =>
    status(path, { follow: true })?.kind === "file" && !mayExecute(plan.execution, realOf(path))
  );
  return program === undefined
    ? [{ kind: "skip", about, reason: "every program that could be tried is listed" }]
    : [{ kind: "act", about, script: program, works: false }];
}

/** Everything of this kind that can be tried of a plan. */
export function callProbes(context: CallProbeContext): readonly Probe[] {
  return [...probeMetadata(context), ...probeSockets(context), ...probeExecution(context)];
}
