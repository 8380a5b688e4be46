/** The parts of a session, made from its options. */
import type { Redactor } from "../output/redact.ts";
import { newNonce } from "../feedback/fence.ts";
import { type SpoolLimits, SpoolQuota } from "../output/spool_quota.ts";
import { loadPolicy } from "../policy/load.ts";
import { coversPath, listsAddress } from "../policy/match.ts";
import type { Policy, PolicyVariables } from "../policy/policy.ts";
import { newId } from "../record/ids.ts";
import type { Journal } from "../record/journal.ts";
import { newestFirst } from "../record/read.ts";
import type { CommandRecord } from "../record/record.ts";
import { commandEnvironment } from "../sandbox/environment.ts";
import { DEFAULT_PATH } from "../sandbox/default_path.ts";
import type { EgressProxy } from "../sandbox/egress/egress_proxy.ts";
import type { Host } from "../sandbox/host.ts";
import { boundsProcesses } from "../sandbox/resource_limits.ts";
import { SessionCgroup } from "../sandbox/session_cgroup.ts";
import { ProtectedFile } from "../sandbox/protect/executable.ts";
import { limitsHere } from "../sandbox/limits_here.ts";
import { JobOutput } from "./job_output.ts";
import { policyRedactor } from "./policy_redactor.ts";
import type { PrivatePaths } from "./private_directory.ts";
import { Protection } from "./protection.ts";
import type { SessionContext, SessionOptions } from "./session_context.ts";
import { Telemetry } from "../telemetry/telemetry.ts";
import { telemetrySettings } from "../telemetry/telemetry_settings.ts";
import { callerSessionId } from "./session_id.ts";
import { processBounds, SessionLimits } from "./session_limits.ts";
import { ownExecutable } from "./own_executable.ts";
import { pathWithoutOwnLinks } from "./own_links.ts";
import { policyProviders } from "./policy_providers.ts";
import { SessionFeedback } from "./session_feedback.ts";
import { SessionJail } from "./session_jail.ts";
import { startProxy } from "./session_proxy.ts";
import { COPIES, OUTPUTS, type UserPaths } from "./session_paths.ts";

/** Bytes that kept outputs may take: half of the total for one session. */
const SPOOL_LIMITS: SpoolLimits = { session: 1 << 29, total: 1 << 30, check: 1 << 24 };

/** Variable that counts how many shells a command runs in. */
const DEPTH = "DEBRIEF_DEPTH";

/** How far back a one-shot command looks for its caller's earlier ones, in records. */
const EARLIER_RECORDS = 100;

/** What is there before the policy is loaded. */
export interface SessionParts {
  readonly user: UserPaths;
  readonly host: Host;
  readonly workspace: string;
  readonly journal: Journal;
  readonly directories: PrivatePaths;
  /** Gives away a worker that is already loading. */
  readonly takeWorker: () => Worker;
}

/** How many shells an environment is inside of: 0 where the variable is absent or holds no number. */
export function depthOf(environment: Readonly<Record<string, string | undefined>>): number {
  const text = environment[DEPTH] ?? "";
  return /^\d{1,6}$/.test(text) ? Number(text) : 0;
}

/**
 * Load the policy and start the jail. When it throws, what was started ends by and by.
 *
 * @throws {UsageError} for a policy that cannot be used.
 */
export function assembleSession(options: SessionOptions, parts: SessionParts): SessionContext {
  const { user, host, directories, takeWorker, journal } = parts;
  using undo = new DisposableStack();
  const { environment, keepsState = false } = options;
  const variables = { WORKSPACE: parts.workspace, HOME: user.home, TMP: directories.tmp };
  const policy = loadPolicy({
    choice: options.policy ?? null,
    envChoice: environment.DEBRIEF_POLICY ?? null,
    configDir: user.config,
    variables,
    trustPolicy: options.trustPolicy ?? false,
  });
  const executable = ownExecutable();
  const running = new Set<number>();
  const fromPolicy = policyProviders(policy, {
    jail: () => jail,
    workspace: parts.workspace,
  });
  undo.defer(() => fromPolicy.end());
  const bounds = limitsHere(policy.limits);
  const cgroup = SessionCgroup.create(bounds);
  undo.defer(() => cgroup?.remove());
  const jail = new SessionJail({
    policy,
    running,
    cgroup,
    // In a session also to know whose processes are whose.
    announced: keepsState || boundsProcesses(processBounds(bounds, cgroup)),
    host,
    hidden: [user.state],
    // The executable too, so that commands can read their records with it.
    readable: [
      directories.copies,
      ...(executable === null ? [] : [executable]),
      ...fromPolicy.readable,
    ],
    temporary: directories.tmp,
    searchPath: [environment.PATH ?? DEFAULT_PATH, directories.programs].join(":"),
    forbidden: `${user.state}/journal.jsonl`,
    takeWorker,
  });
  undo.defer(() => void jail.abandon().catch(() => {}));
  const limits = new SessionLimits(bounds, { jail, cgroup });
  const sessionId = options.session ?? (options.keepsState ? newId("s") : callerSessionId());
  const goesOn = !options.keepsState || (options.session ?? null) !== null;
  const history = goesOn ? earlierRecords(user.state, sessionId) : [];
  const protection = new Protection({
    policy,
    variables,
    executable: writableExecutable(jail),
    state: user.state,
  });
  undo.defer(() => protection.close());
  const proxy = startProxy(policy, environment);
  undo.defer(() => void proxy?.close());
  jail.supervision.proxyPort = proxy?.port ?? null;
  jail.supervision.lists = (target) => listsAddress(policy, target);
  const redactor = policyRedactor(policy.redact, {
    environment,
    values: proxy === null ? [] : [{ name: "PROXY_TOKEN", value: proxy.token }],
  });
  const telemetry = telemetryOf(options, redactor);
  if (telemetry !== null) jail.supervision.reservedPorts = telemetry.ports;
  const context: SessionContext = {
    options,
    sessionId,
    nonce: newNonce(),
    policy,
    variables,
    user,
    private: directories,
    host,
    jail,
    proxy,
    limits,
    redactor,
    telemetry,
    journal,
    feedback: new SessionFeedback({
      state: user.state,
      sessionId,
      settings: policy.feedback,
      aims: options.aims ?? {},
      task: options.task ?? null,
      redact: (text) => redactor.redactText(text),
      providers: [...fromPolicy.providers, ...options.providers ?? []],
      problem: fromPolicy.problem,
      end: fromPolicy.end,
    }),
    protection,
    history,
    running,
    jobOutput: new JobOutput(),
    job: null,
    spoolQuota: new SpoolQuota(`${user.state}/${OUTPUTS}`, SPOOL_LIMITS),
    state: {
      cwd: options.cwd,
      environment: firstEnvironment(options, { policy, variables, directories, proxy }),
      functions: new Map(),
      aliases: new Map(),
    },
  };
  undo.move();
  return context;
}

/** Telemetry, if it is configured. Inside a command there is none: the span of the outer shell's covers it. */
function telemetryOf(options: SessionOptions, redactor: Redactor): Telemetry | null {
  const { environment, keepsState } = options;
  const settings = depthOf(environment) > 0 ? null : telemetrySettings(environment);
  return settings === null ? null : new Telemetry(settings, {
    lasting: keepsState ?? false,
    redact: (text) => redactor.redactText(text),
  });
}

function firstEnvironment(
  options: SessionOptions,
  parts: {
    readonly policy: Policy;
    readonly variables: PolicyVariables;
    readonly directories: PrivatePaths;
    readonly proxy: EgressProxy | null;
  },
): Record<string, string> {
  const { policy, variables, directories, proxy } = parts;
  const inherited = options.environment;
  const environment = commandEnvironment(policy, { variables, inherited, proxy });
  return {
    ...environment,
    PATH: [pathWithoutOwnLinks(environment.PATH ?? DEFAULT_PATH), directories.programs].join(":"),
    [COPIES]: directories.copies,
    [DEPTH]: String(depthOf(options.environment) + 1),
  };
}

/** What the same caller ran before, oldest first. */
function earlierRecords(directory: string, sessionId: string): CommandRecord[] {
  const found: CommandRecord[] = [];
  let looked = 0;
  for (const record of newestFirst({ directory }, () => {})) {
    if (record.session_id === sessionId) found.push(record);
    if (++looked >= EARLIER_RECORDS) break;
  }
  return found.reverse();
}

/** The executable, where a grant lets commands write to it. */
function writableExecutable(jail: SessionJail): ProtectedFile | null {
  const path = Deno.execPath();
  const writable = jail.plan.grants.some((grant) => grant.write && coversPath(grant.path, path));
  return writable ? ProtectedFile.executable() : null;
}
