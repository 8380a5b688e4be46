/**
 * Debrief as a library: open a session, run commands in it, read what was recorded.
 *
 * @example
 * ```ts
 * import { assertEquals } from "@std/assert";
 * import { parseScript } from "@debrief/debrief";
 *
 * const result = parseScript("git status | head -3");
 * assertEquals(result.kind === "script" && result.script.programs.map(({ name }) => name), ["git", "head"]);
 * ```
 *
 * @module
 */
export { collectPrograms, type ParseResult, parseScript } from "./command/parse.ts";
export type { Program, Script } from "./command/script.ts";
export { quoteArgv, quoteWord } from "./command/quote.ts";
export { PolicyError, SystemCallError, UsageError } from "./errors.ts";
export { EXIT } from "./exit_codes.ts";
export { type Block, BLOCK_VERSION } from "./feedback/block.ts";
export { classify } from "./feedback/outcome.ts";
export { renderJson, renderText } from "./feedback/render.ts";
export { OutputPipeline } from "./output/pipeline.ts";
export { Redactor } from "./output/redact.ts";
export { checkRun } from "./policy/check.ts";
export { loadPolicy } from "./policy/load.ts";
export type { Denial, Policy, Rule } from "./policy/policy.ts";
export { Journal } from "./record/journal.ts";
export { findRecord, readNewest } from "./record/read.ts";
export type { CommandRecord, Outcome, Suggestion } from "./record/record.ts";
export { verifyJournal } from "./record/verify.ts";
export { type Plan, planJail } from "./sandbox/plan.ts";
export type { EventSink, SessionEvent } from "./session/events.ts";
export type { CommandRequest } from "./session/carry_out.ts";
export { Session } from "./session/session.ts";
export type { SessionOptions } from "./session/session_context.ts";
