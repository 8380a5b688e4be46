/**
 * The policy after loading: plain data in Deno's permission vocabulary, every rule with the place it comes from.
 */
import type { SourceLocation } from "../errors.ts";

/** The permissions that a policy can state, in the order in which they are printed. */
export const PERMISSIONS = ["read", "write", "net", "env", "run"] as const;

/** What can build a jail, as a policy asks for it. */
export const BACKENDS = ["auto", "kernel", "bubblewrap", "none"] as const;

/** A choice of what builds the jail. */
export type BackendChoice = typeof BACKENDS[number];

/** One of Deno's permission names that Debrief enforces. */
export type PermissionName = typeof PERMISSIONS[number];

/** One entry of an allow or deny list, after variables are replaced. */
export interface Rule {
  readonly permission: PermissionName;
  readonly effect: "allow" | "deny";
  /**
   * What it matches: an absolute, normalised path (`read`, `write`; only a `deny` may hold `*` or `?`, in its last component),
   * `host:port` or `unix:/path` (`net`), a name with an optional trailing `*` (`env`), program and leading arguments (`run`).
   * `true` is written as the pattern that matches everything: `/` for paths, `*` for the rest.
   */
  readonly pattern: string;
  /** The entry as it stands in the file, for messages: `$HOME/.ssh`, `true`. */
  readonly written: string;
  readonly source: SourceLocation;
}

/** All rules of one permission. Deny beats allow wherever it stands; nothing allowed means nothing granted. */
export interface RuleSet {
  readonly allow: readonly Rule[];
  readonly deny: readonly Rule[];
  /** Where the permission was last set: what a denial by absence points at. */
  readonly source: SourceLocation;
}

/** A loaded, merged and validated policy. */
export interface Policy {
  /** Built-in name or absolute path, as it was chosen. */
  readonly name: string;
  readonly description: string;
  /** Every file that contributed, base first. */
  readonly files: readonly string[];
  readonly read: RuleSet;
  readonly write: RuleSet;
  readonly net: RuleSet;
  /** Whether commands may have servers of their own, reachable for the session alone (`net.loopback`). */
  readonly loopback: boolean;
  readonly env: RuleSet;
  readonly run: RuleSet;
  /** Beneath these everything may be executed where `run` lists programs (`run.exec`). */
  readonly executable: readonly ListedPath[];
  /** Values that the policy sets in the command's environment (`env.set`). */
  readonly environment: Readonly<Record<string, string>>;
  /** What is put back after a command has changed it, besides the built-in list, and what of that list is not. */
  readonly protect: ProtectSettings;
  readonly enforcement: "required" | "best-effort";
  /** What builds the jail. */
  readonly backend: BackendChoice;
  readonly limits: Limits;
  readonly output: OutputBudget;
  readonly redact: RedactSettings;
  readonly feedback: FeedbackSettings;
}

/** Built-in feedback providers. */
export const FEEDBACK_PROVIDERS = [
  "Deadline",
  "Budget",
  "Loop",
  "FailureStreak",
  "Unverified",
  "StaleTests",
  "SlowCommand",
  "SecretsSeen",
  "CommandCount",
] as const;

/** One of them. */
export type FeedbackProviderName = typeof FEEDBACK_PROVIDERS[number];

/** Those that speak unless a policy lists others: those that stay silent until there is something to say that the block does not say already. */
export const FEEDBACK_DEFAULTS: readonly FeedbackProviderName[] = FEEDBACK_PROVIDERS.slice(0, 7);

/** When a provider speaks; conditions are joined by OR. */
export interface TriggerSetting {
  readonly everyNCalls?: number;
  readonly everyNSeconds?: number;
  /** Absolute paths. */
  readonly onFileCreated?: readonly string[];
  readonly onOutcome?: readonly string[];
}

/** What a rule of the policy says. */
export interface SaidByRule {
  readonly summary: string;
  readonly observations: readonly {
    readonly category: string;
    readonly description: string;
    readonly evidence?: string | undefined;
  }[];
  readonly suggestions: readonly string[];
  readonly severity: "info" | "caution" | "warning";
}

/** One feedback provider. Without a trigger it decides itself; a rule then never speaks. */
export type ProviderSetting =
  & { readonly name: string; readonly trigger: TriggerSetting | null }
  & (
    | { readonly kind: "builtin"; readonly use: FeedbackProviderName }
    | { readonly kind: "say"; readonly say: SaidByRule }
    /** A TypeScript module, by its absolute path. */
    | { readonly kind: "module"; readonly path: string; readonly source: SourceLocation }
    /** A program, by its absolute path, with its arguments. */
    | { readonly kind: "exec"; readonly argv: readonly string[]; readonly source: SourceLocation }
  );

/** What is said after commands. */
export interface FeedbackSettings {
  readonly select: "all" | "first";
  readonly verbosity: "brief" | "normal" | "full";
  /** Time of one provider in milliseconds. */
  readonly timeoutMs: number;
  /** In order; null where no file lists any. */
  readonly providers: readonly ProviderSetting[] | null;
}

/** One path of a list that is no permission. */
export interface ListedPath {
  /** Absolute and normalised; it covers everything beneath. */
  readonly pattern: string;
  /** As it stands in the file. */
  readonly written: string;
  readonly source: SourceLocation;
}

/** Changes to what is protected. */
export interface ProtectSettings {
  readonly add: readonly ListedPath[];
  readonly except: readonly ListedPath[];
}

/** Bounds of one command; 0 means none, except for `graceMs`. */
export interface Limits {
  /** Wall time in milliseconds. */
  readonly timeoutMs: number;
  /** Time between TERM and KILL in milliseconds. */
  readonly graceMs: number;
  /** Wall time without output, in milliseconds. */
  readonly idleMs: number;
  /** Time at a question that nobody answers, in milliseconds. */
  readonly inputMs: number;
  /** CPU time of all processes together, in milliseconds. */
  readonly cpuMs: number;
  /** Memory of all processes together, in bytes. */
  readonly memoryBytes: number;
  /** The same as a share of the machine's, in percent. */
  readonly memoryPercent: number;
  /** Processes and threads at once. */
  readonly processes: number;
  /** Size that a written file may reach, in bytes. */
  readonly fileBytes: number;
  /** Descriptors of one process. */
  readonly openFiles: number;
  /** Output on both streams together, in bytes. */
  readonly outputBytes: number;
  /** `file:line` of each key that a file sets. */
  readonly sources: Readonly<Partial<Record<LimitName, string>>>;
}

/** Keys of `limits` in a policy file. */
export type LimitName =
  | "timeout"
  | "grace"
  | "idle"
  | "input"
  | "cpu"
  | "memory"
  | "processes"
  | "fileSize"
  | "openFiles"
  | "output";

/** How much of a command's output is shown and stored in the record. */
export interface OutputBudget {
  /** Shown output together with the block, in characters. */
  readonly maxChars: number;
  /** Shown output in lines. */
  readonly maxLines: number;
  /** Shown output together with the block, in estimated tokens. */
  readonly maxTokens: number;
  /** Spooled output per command in bytes. */
  readonly spoolBytes: number;
}

/** Additions to redaction. */
export interface RedactSettings {
  /** Extra rules: name and ECMAScript regular expression source. */
  readonly rules: readonly { readonly name: string; readonly pattern: string }[];
  /** Names of environment variables of the shell whose values are redacted besides the secret-named ones. */
  readonly env: readonly string[];
  /** Files of values to redact, one on each line. */
  readonly values: readonly ListedPath[];
  /** Values that are no secrets although a rule takes them for one. */
  readonly allow: readonly string[];
}

/** The variables that path entries may begin with, resolved once per session; all absolute and real paths. */
export interface PolicyVariables {
  readonly WORKSPACE: string;
  readonly HOME: string;
  readonly TMP: string;
}

/** Something that was refused: what, by which rule, and what is accepted instead. */
export interface Denial {
  /** What kind of access it was. */
  readonly permission: PermissionName;
  /** A path, `host:port`, a variable or a command. */
  readonly resource: string;
  /** `policy`: decided before the run on the parse tree; `sandbox`: refused by the kernel during it. */
  readonly by: "policy" | "sandbox";
  /** The rule in words: `run.deny "git push --force*"` or `write: not allowed by any rule`. */
  readonly rule: string;
  /** Where the rule stands: `file:line`. */
  readonly at: string;
  /** What is allowed instead, in a few words; empty when nothing is. */
  readonly accepted: string;
}
