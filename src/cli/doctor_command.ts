/** `debrief doctor`: what this host can enforce, proven in a jail of its own. */
import { reasonOf } from "../errors.ts";
import { EXIT } from "../exit_codes.ts";
import { shellPathOf } from "../session/own_links.ts";
import { Session } from "../session/session.ts";
import type { SessionContext } from "../session/session_context.ts";
import type { BackendKind } from "../sandbox/backend.ts";
import { findBubblewrap } from "../sandbox/find_bubblewrap.ts";
import { isProgram, programCandidates } from "../sandbox/find_program.ts";
import { ABI_TABLE, type AbiRow, REQUIRED_ABI } from "../sandbox/landlock_abi.ts";
import { refusals } from "../sandbox/plan.ts";
import type { CommandLine } from "./command_line.ts";
import { writeText } from "./terminal.ts";
import { noOperands } from "./counts.ts";
import { sessionOptions } from "./session_options.ts";
import { VERSION } from "./version.ts";

/** The report as data. */
interface Diagnosis {
  readonly version: string;
  readonly kernel: string;
  readonly architecture: string;
  readonly landlockAbi: number;
  /** The row of this host in the table of ABIs; null without Landlock. */
  readonly abi: AbiRow | null;
  readonly seccomp: boolean;
  readonly user: number;
  /** The bash that carries out text, as commands find it; null when there is none. */
  readonly shell: string | null;
  readonly policy: string;
  /** What would build this policy's jail, and why. */
  readonly backend: { readonly kind: BackendKind; readonly reason: string };
  /** Each backend; the reason, and what would help, where one cannot be used; of `none` what it means. */
  readonly backends: readonly {
    readonly kind: BackendKind;
    readonly available: boolean;
    readonly reason: string | null;
  }[];
  readonly enforced: Readonly<Record<string, string>>;
  readonly unsupported: readonly string[];
  /** Who keeps each bound of the policy. */
  readonly limits: Readonly<Record<string, string>>;
  /** What the kernel reports of a jailed thread; null when the jail could not be proven. */
  readonly proof:
    | { readonly noNewPrivs: number; readonly seccomp: number; readonly capEff: string }
    | null;
  readonly problem: string | null;
}

const NONE = 'confines nothing; taken only where the policy says "backend": "none"';

function backendsOf({ host, policy }: SessionContext): Diagnosis["backends"] {
  const kernel = [
    ...(host.seccomp ? [] : ["the kernel has no seccomp filters"]),
    ...(host.landlockAbi >= REQUIRED_ABI
      ? []
      : [`Landlock ABI ${host.landlockAbi}, ${REQUIRED_ABI} is needed (a newer kernel)`]),
  ].join("; ");
  const bubblewrap = findBubblewrap(policy);
  const reason = bubblewrap.kind === "available"
    ? null
    : `${bubblewrap.reason} (${bubblewrap.remedy})`;
  return [
    { kind: "kernel", available: kernel === "", reason: kernel || null },
    { kind: "bubblewrap", available: reason === null, reason },
    { kind: "none", available: true, reason: NONE },
  ];
}

function shellOf({ options, state: { cwd } }: SessionContext): string | null {
  const searchPath = shellPathOf(options.environment.PATH);
  const candidates = programCandidates({ name: "bash", searchPath });
  return candidates.find((path) => isProgram(path, cwd)) ?? null;
}

async function diagnose(session: Session): Promise<Diagnosis> {
  const { host, policy, jail, limits } = session.context;
  const { plan } = jail;
  let proof: Diagnosis["proof"] = null;
  let problem: string | null = null;
  try {
    // Started under every backend; of one that confines nothing there is nothing to prove.
    const started = await jail.current();
    if (plan.backend.kind === "none") problem = 'the backend "none" confines nothing';
    else proof = started.proof;
  } catch (error) {
    problem = reasonOf(error);
  }
  return {
    version: VERSION,
    kernel: host.kernel,
    architecture: host.architecture,
    landlockAbi: host.landlockAbi,
    abi: ABI_TABLE.findLast(({ abi }) => abi <= host.landlockAbi) ?? null,
    seccomp: host.seccomp,
    user: host.uid,
    shell: shellOf(session.context),
    policy: policy.name,
    backend: { kind: plan.backend.kind, reason: plan.backend.reason },
    backends: backendsOf(session.context),
    enforced: plan.labels,
    unsupported: refusals(plan),
    limits: limits.keepers,
    proof,
    problem,
  };
}

function text(diagnosis: Diagnosis): string {
  const mark = (good: boolean) => good ? "\u2713" : "\u2717";
  const { proof, abi } = diagnosis;
  const row = abi === null ? "" : ` (as of Linux ${abi.kernel}), ${REQUIRED_ABI} is needed`;
  const proven = proof === null
    ? diagnosis.problem ?? "not proven"
    : `NoNewPrivs ${proof.noNewPrivs}, Seccomp ${proof.seccomp}, CapEff ${proof.capEff}, forbidden file refused`;
  return [
    `${
      mark(true)
    } debrief ${diagnosis.version}, linux ${diagnosis.kernel} ${diagnosis.architecture}, user ${diagnosis.user}`,
    `${mark(diagnosis.landlockAbi >= REQUIRED_ABI)} Landlock ABI ${diagnosis.landlockAbi}${row}`,
    `${mark(diagnosis.seccomp)} seccomp filters`,
    `${mark(proof !== null)} jail: ${proven}`,
    `${mark(diagnosis.shell !== null)} shell: ${
      diagnosis.shell ?? "there is no bash on PATH (install it: text is carried out by it)"
    }`,
    ...diagnosis.backends.map(({ kind, available, reason }) =>
      `${kind === "none" ? "-" : mark(available)} backend ${kind}${
        reason === null ? "" : `: ${reason}`
      }`
    ),
    `policy ${diagnosis.policy}, backend ${diagnosis.backend.kind} (${diagnosis.backend.reason}):`,
    ...Object.entries(diagnosis.enforced).map(([name, label]) => `  ${name.padEnd(6)} ${label}`),
    `limits: ${Object.entries(diagnosis.limits).map((entry) => entry.join(" ")).join(", ")}`,
    ...diagnosis.unsupported.map((reason) => `${mark(false)} ${reason}`),
  ].join("\n") + "\n";
}

/** Run the command; status 1 when the policy cannot be enforced here. @throws {UsageError} as `Session.open` does. */
export async function runDoctorCommand(line: CommandLine): Promise<number> {
  noOperands(line);
  if (line.values.has("agent")) {
    return await (await import("./doctor_agent.ts")).runDoctorAgent(line);
  }
  const session = Session.open(sessionOptions(line));
  try {
    const diagnosis = await diagnose(session);
    const report = line.switches.has("json") ? JSON.stringify(diagnosis) + "\n" : text(diagnosis);
    if (!line.switches.has("quiet")) writeText(1, report);
    const { proof, shell, unsupported } = diagnosis;
    const isFit = proof !== null && shell !== null && unsupported.length === 0;
    return isFit ? EXIT.ok : EXIT.findings;
  } finally {
    await session.close();
  }
}
