/** A provider that is a program of the policy's: it reads JSON and prints JSON, in a jail that only reads. */
import { PolicyError, reasonOf } from "../errors.ts";
import type { FeedbackContext, FeedbackProvider } from "../feedback/providers/provider.ts";
import { describeRule } from "../policy/match.ts";
import type { Policy, ProviderSetting } from "../policy/policy.ts";
import { findWritableFile } from "../policy/writable_file.ts";
import { shortText } from "../record/visible_text.ts";
import { DEFAULT_PATH } from "../sandbox/default_path.ts";
import { type ReadingResult, runReader } from "./run_reader.ts";
import type { SessionJail } from "./session_jail.ts";

/** Version of what the program reads. */
const CONTEXT_VERSION = 1;
/** Bytes that it may print on both streams together. */
const MAX_OUTPUT = 65_536;
/** Characters of its complaint that are shown. */
const MAX_COMPLAINT = 160;
/** `S_IXUSR | S_IXGRP | S_IXOTH`, `linux/stat.h`. */
const EXECUTABLE = 0o111;

/** A setting for a program. */
export type ProgramSetting = Extract<ProviderSetting, { kind: "exec" }>;

/** Where programs run. */
export interface ProgramPlace {
  readonly policy: Policy;
  /** Made after the providers, and there when one of them is asked. */
  readonly jail: () => SessionJail;
  /** Where it is started. */
  readonly workspace: string;
}

/**
 * Checks a program before any command could change it.
 *
 * @returns its real path.
 * @throws {PolicyError} when it cannot be started, or commands could change it.
 */
export function checkProgram(setting: ProgramSetting, policy: Policy): string {
  const [path = ""] = setting.argv;
  const refuse = (state: string) =>
    new PolicyError(
      `Cannot use the provider "${setting.name}": "${path}" ${state}`,
      setting.source,
    );
  let found: Deno.FileInfo;
  try {
    found = Deno.statSync(path);
  } catch (error) {
    if (error instanceof Deno.errors.NotFound) throw refuse("does not exist");
    throw refuse(`cannot be looked at: ${reasonOf(error)}`);
  }
  if (!found.isFile || ((found.mode ?? 0) & EXECUTABLE) === 0) {
    throw refuse("is no executable file");
  }
  const real = Deno.realPathSync(path);
  const writable = findWritableFile(policy, [path, real]);
  if (writable === null) return real;
  throw refuse(`could be changed by commands, because ${describeRule(writable.rule)} covers it`);
}

/** Makes the provider; its trigger is looked at before. */
export function programProvider(setting: ProgramSetting, place: ProgramPlace): FeedbackProvider {
  const { timeoutMs } = place.policy.feedback;
  return {
    name: setting.name,
    endsItself: true,
    shouldRun: () => true,
    provide: async (context) => {
      const result = await runReader(place.jail(), {
        argv: setting.argv,
        environment: { PATH: DEFAULT_PATH, LANG: "C.UTF-8", HOME: "/nonexistent" },
        cwd: place.workspace,
        input: JSON.stringify({ version: CONTEXT_VERSION, ...context }),
        timeoutMs,
        maxBytes: MAX_OUTPUT,
      });
      check(result, timeoutMs);
      return readAnswer(result.stdout, context);
    },
  };
}

/** @throws {Error} for every end but status 0. */
function check({ end, stderr }: ReadingResult, timeoutMs: number): void {
  if (end.endedBy === "output") {
    throw new Error(`it says too much: ${MAX_OUTPUT} bytes are accepted`);
  }
  if (end.timedOut) throw new Error(`it took longer than ${timeoutMs} ms`);
  const { status } = end;
  if (status?.kind === "exited" && status.code === 0) return;
  const last = stderr.trim().split("\n").at(-1) ?? "";
  const how = status?.kind === "exited"
    ? `exit status ${status.code}`
    : status === null
    ? "no exit status"
    : `signal ${status.signal}`;
  throw new Error(last === "" ? how : `${how}: ${shortText(last, MAX_COMPLAINT)}`);
}

/** Feedback from what was printed: nothing, `null`, or an object, which may hold notes as `memory`. */
function readAnswer(
  text: string,
  { state }: FeedbackContext,
): Awaited<ReturnType<FeedbackProvider["provide"]>> {
  if (text.trim() === "") return null;
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    throw new Error("what it printed is no JSON");
  }
  const { memory } = (value ?? {}) as { readonly memory?: unknown };
  if (typeof memory === "object" && memory !== null && !Array.isArray(memory)) {
    for (const key of Object.keys(state.memory)) delete state.memory[key];
    for (const [key, note] of Object.entries(memory)) {
      // Assigned, this one would be another prototype.
      if (key !== "__proto__") state.memory[key] = note;
    }
  }
  // Its shape is looked at by `readFeedback`, as is that of any other's.
  return value as Awaited<ReturnType<FeedbackProvider["provide"]>>;
}
