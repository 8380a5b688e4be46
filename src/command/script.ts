/** A half-open range of UTF-16 code units, `[start, end)`, in the text that was given to the parser. */
export interface Span {
  readonly start: number;
  readonly end: number;
}

/**
 * Something a script can start. A script yields one for every wrapper and one for what the wrapper starts, so
 * `sudo env ls` gives `sudo`, `env` (via sudo) and `ls` (via sudo, env).
 */
export interface Program {
  /** The name as bash would look it up, or null when it is not known before the script runs. */
  readonly name: string | null;
  /** The arguments; null stands for one that is not known before the script runs, and for any number of them. */
  readonly args: readonly (string | null)[];
  /** The place in the script that starts it; for an alias, function or nested text, the command that leads there. */
  readonly span: Span;
  /** The words as written. */
  readonly text: string;
  /** What starts it, outermost first: programs, builtins, functions, aliases or variables, for example `["sudo", "env"]`. */
  readonly via: readonly string[];
  /** Whether the shell itself carries it out. */
  readonly builtin: boolean;
}

/** A variable that a script sets. */
export interface Assignment {
  /** The variable, without a subscript; null when the name is not known before the script runs. */
  readonly name: string | null;
  /** The value, or null when it is an array or not known before the script runs. */
  readonly value: string | null;
  /** Whether the value is added to what the variable holds (`+=`). */
  readonly append: boolean;
  /** `command` when only one command sees it (`A=1 make`, `env A=1 make`). */
  readonly scope: "script" | "command";
  readonly span: Span;
}

/** A redirection of a script. */
export interface Redirection {
  /** As written without its descriptor: `>`, `>>`, `<`, `<<`, `<<<`, `&>` and so on. */
  readonly operator: string;
  /** The descriptor as written, null where the operator implies it or a variable receives it. */
  readonly fd: number | null;
  /** The file, descriptor or text, or null when it is not known before the script runs and for here-documents. */
  readonly target: string | null;
  readonly span: Span;
}

/** A function that a script defines. */
export interface FunctionDefinition {
  readonly name: string;
  /** The whole definition as written. */
  readonly text: string;
  readonly span: Span;
}

/** What more input would have to bring. */
export interface Expectation {
  readonly reason:
    | "quote"
    | "substitution"
    | "compound"
    | "operator"
    | "heredoc"
    | "continuation";
  /** Text without which no further line can complete the script, or null when any line may. */
  readonly closes: string | null;
}

/** A bash script that parsed without a single error, as plain data. */
export interface Script {
  readonly source: string;
  /** Everything that the script can start, in the order of its text, wrappers before what they start. */
  readonly programs: readonly Program[];
  readonly assignments: readonly Assignment[];
  readonly redirections: readonly Redirection[];
  readonly functions: readonly FunctionDefinition[];
  /**
   * The exact argument vector when the script is one command of literal words that needs no shell, else null.
   */
  readonly plain: readonly string[] | null;
  /**
   * Set when bash would run this text at the end of its input (with a warning for a here-document), while a reader
   * of lines has to ask for more; null for complete text.
   */
  readonly openAtEnd: Expectation | null;
}

/** What the shell already knows when a script starts. */
export interface Session {
  /** Names and their replacement text, as `alias -p` lists them. */
  readonly aliases: ReadonlyMap<string, string>;
  /** Names and their definitions, as `declare -f` prints them. */
  readonly functions: ReadonlyMap<string, string>;
}
