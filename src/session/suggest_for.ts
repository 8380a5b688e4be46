/** Suggestions after one command of a session: what rules may know, and what they may look at. */
import type { Findings } from "../feedback/findings.ts";
import type { Observed } from "../feedback/observed.ts";
import { suggest } from "../feedback/suggest.ts";
import type { Outcome, Suggestion } from "../record/record.ts";
import { decide } from "./decide.ts";
import { programsOnPath } from "./programs_on_path.ts";
import { readableFiles } from "./readable_files.ts";
import type { SessionContext } from "./session_context.ts";

/** What is known of the command. */
export interface Suggesting {
  readonly observed: Observed;
  readonly outcome: Outcome;
  readonly findings: Findings | null;
  readonly commandId: string;
  /** Null where the output is incomplete: it may lack the very lines that a suggestion would name. */
  readonly outputId: string | null;
  /** In ms, 0 for none. */
  readonly timeoutMs: number;
  /** Where the command began. */
  readonly cwd: string;
}

/** Suggestions for a command. What they propose could run: the policy allows it and PATH has it. */
export function suggestFor(context: SessionContext, facts: Suggesting): Suggestion[] {
  const plain = { ...context, keepsState: false };
  let onPath: ReadonlySet<string> | null = null;
  const programs = () => onPath ??= new Set(programsOnPath(context));
  return suggest({
    ...facts,
    cwdAfter: context.state.cwd,
    history: context.history,
    verbosity: context.policy.feedback.verbosity,
    goal: context.feedback.goal,
    keepsJobs: context.options.keepsState ?? false,
    files: readableFiles(context),
    programs: () => [...programs()],
    allowed: (name) => decide({ kind: "argv", argv: [name] }, plain).kind === "run",
    runnable(line) {
      const decision = decide({ kind: "script", source: line }, plain);
      return decision.kind === "run" &&
        decision.programs.every(({ name, builtin }) =>
          builtin || name === null || name.includes("/") || programs().has(name)
        );
    },
  });
}
