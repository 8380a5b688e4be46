import type { Frame } from "./frame.ts";
import type { Assignment, FunctionDefinition, Program, Redirection, Script } from "./script.ts";

/** Programs that are listed one by one; a script with more gets one unknown program for the rest. */
const MAX_PROGRAMS = 50_000;
/** Characters of text that are read again as alias, function or nested script, all in all. */
const MAX_NESTED_TEXT = 4 << 20;
/** Nested texts that are read, all in all. */
const MAX_NESTED_COUNT = 20_000;

/** A program with what is needed to tell a call of a function from it. */
export interface Candidate {
  readonly program: Program;
  /** Whether the script's own functions could carry it out. */
  readonly own: boolean;
  readonly inFunction: boolean;
}

/** Everything found in a script, in bounded memory. */
export class Collector {
  readonly candidates: Candidate[] = [];
  readonly assignments: Assignment[] = [];
  readonly redirections: Redirection[] = [];
  readonly functions: FunctionDefinition[] = [];
  #nestedText = 0;
  #nestedCount = 0;

  /** Adds a program, or once there are too many a single unknown one. */
  add(candidate: Candidate): void {
    if (this.candidates.length < MAX_PROGRAMS) {
      this.candidates.push(candidate);
    } else if (this.candidates.length === MAX_PROGRAMS) {
      const program = { ...candidate.program, name: null, args: [], builtin: false };
      this.candidates.push({ ...candidate, program });
    }
  }

  /** Adds a program that is not known, unless the last one is so already: one stands for any number at a place. */
  addUnknown(text: string, { via, span, own, inFunction }: Frame): void {
    const last = this.candidates.at(-1)?.program;
    if (last?.name === null && last.span.start === span.start && last.via.join() === via.join()) {
      return;
    }
    const program = { name: null, args: [], span, text, via, builtin: false };
    this.add({ program, own, inFunction });
  }

  /** Tells whether one more nested text of this length may be read. */
  allowsNested(length: number): boolean {
    this.#nestedText += length;
    this.#nestedCount++;
    return this.#nestedText <= MAX_NESTED_TEXT && this.#nestedCount <= MAX_NESTED_COUNT;
  }

  /** What was found, given the programs that are none after all, being calls of functions. */
  result(
    programs: readonly Program[],
  ): Pick<Script, "programs" | "assignments" | "redirections" | "functions"> {
    const { assignments, redirections, functions } = this;
    return { programs, assignments, redirections, functions };
  }
}
