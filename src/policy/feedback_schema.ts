/** The shape of `feedback` in a policy file. */
import * as v from "valibot";
import { FEEDBACK_PROVIDERS } from "./policy.ts";
import { problemOfDuration } from "./duration.ts";
import { problemOfPath } from "./path_entry.ts";
import { list, sound } from "./schema_list.ts";

/** Longest text that a rule may say. */
const MAX_TEXT = 500;
/** Most providers of one file. */
const MAX_PROVIDERS = 32;

const text = v.pipe(
  v.string("a string"),
  v.minLength(1, "Cannot use an empty text"),
  v.maxLength(MAX_TEXT, `Cannot use so long a text: at most ${MAX_TEXT} characters are accepted`),
);

/** A path without wildcards. */
const problemOfWatched = (entry: string) => problemOfPath(entry, "allow");

const positive = (whole: boolean, description: string) => {
  const accepted = whole ? "a whole number from 1" : "a number above 0";
  return v.optional(v.pipe(
    v.number(accepted),
    sound<number>((value) =>
      value > 0 && Number.isFinite(value) && (!whole || Number.isSafeInteger(value))
        ? null
        : `Cannot use ${value}: accepted is ${accepted}`
    ),
    v.description(description),
  ));
};

const trigger = v.optional(v.pipe(
  v.strictObject({
    everyNCalls: positive(true, "Commands since the provider last spoke."),
    everyNSeconds: positive(
      false,
      "Seconds since the provider last spoke; looked at when a command ends.",
    ),
    onFileCreated: v.optional(v.pipe(
      list(problemOfWatched),
      v.description("Paths; each counts once in a session, when it has come into being."),
    )),
    onOutcome: v.optional(v.pipe(
      list((entry) =>
        /^[a-z]+(-[a-z]+)*$/.test(entry)
          ? null
          : `Cannot use "${entry}": an outcome such as "timeout" is accepted`
      ),
      v.description("Outcomes of the command that has ended."),
    )),
  }, "an object"),
  v.description("When the provider speaks; conditions are joined by OR, and {} never holds."),
));

const say = v.optional(v.pipe(
  v.strictObject({
    summary: text,
    observations: v.optional(v.array(
      v.strictObject(
        { category: text, description: text, evidence: v.optional(text) },
        "an object",
      ),
      "a list of objects",
    )),
    suggestions: v.optional(v.array(text, "a list of strings")),
    severity: v.optional(
      v.picklist(["info", "caution", "warning"], '"info", "caution" or "warning"'),
    ),
  }, "an object"),
  v.description("What a rule says: always the same."),
));

/** The keys of which a provider has exactly one. */
const KINDS = ["use", "say", "module", "exec"] as const;

/** Most words of a program. */
const MAX_WORDS = 32;

const module = v.optional(v.pipe(
  v.string("a string"),
  sound((path: string) => problemOfWatched(path)),
  v.description(
    "A TypeScript or JavaScript module, as a path: its default export is the provider. It runs without any permission, " +
      "imports by relative path only, and lies with all that it imports where commands cannot write.",
  ),
));

const exec = v.optional(v.pipe(
  v.array(v.pipe(text, v.check((word) => !word.includes("\0"), "Cannot use a NUL")), "a list"),
  v.minLength(1, "Cannot use an empty list"),
  v.maxLength(MAX_WORDS, `Cannot use so many words: at most ${MAX_WORDS} are accepted`),
  v.check(
    ([program = ""]) => problemOfWatched(program) === null,
    "Cannot use the program: a path is accepted",
  ),
  v.description(
    "A program, as a path, and its arguments: it reads the context as JSON and prints feedback as JSON, in a jail that " +
      "reads what commands read, writes nothing and reaches nothing. It needs a trigger, and lies where commands cannot write.",
  ),
));

const provider = v.pipe(
  v.strictObject({
    name: v.optional(v.pipe(
      v.string("a string"),
      sound((name: string) =>
        /^[A-Za-z][\w .-]{0,39}$/.test(name)
          ? null
          : `Cannot use the name "${name}": a letter and at most 39 letters, digits, blanks, dots or dashes are accepted`
      ),
      v.description("Shown above what it says; needed for all but the built-in ones."),
    )),
    use: v.optional(v.pipe(
      v.picklist(FEEDBACK_PROVIDERS, FEEDBACK_PROVIDERS.map((name) => `"${name}"`).join(", ")),
      v.description("A built-in provider."),
    )),
    say,
    module,
    exec,
    trigger,
  }, "a string or an object"),
  v.check(
    (value) => KINDS.filter((key) => value[key] !== undefined).length === 1,
    'Cannot use the provider: it needs exactly one of "use", "say", "module" and "exec"',
  ),
  v.check(
    (value) => value.exec === undefined || value.trigger !== undefined,
    'Cannot use the provider: a program needs a "trigger"',
  ),
  v.check(
    (value) => value.use !== undefined || value.name !== undefined,
    'Cannot use the provider: it needs a "name"',
  ),
);

const builtin = v.picklist(
  FEEDBACK_PROVIDERS,
  FEEDBACK_PROVIDERS.map((name) => `"${name}"`).join(", "),
);

/** Feedback after commands. */
export const FeedbackSchema = v.optional(v.pipe(
  v.strictObject({
    select: v.optional(v.pipe(
      v.picklist(["all", "first"], '"all" or "first"'),
      v.description(
        "all: every provider whose trigger holds, each with a cadence of its own; first: the first of them, with one cadence for all.",
      ),
    )),
    verbosity: v.optional(v.pipe(
      v.picklist(["brief", "normal", "full"], '"brief", "normal" or "full"'),
      v.description("How many suggestions a block has: 1, 5 or 8."),
    )),
    timeout: v.optional(v.pipe(
      v.union([v.number(), v.string()], 'seconds as a number or a string such as "500ms"'),
      sound<number | string>((value) => problemOfDuration(value, false)),
      sound<number | string>((value) =>
        value === 0 || value === "0" ? "Cannot use 0: a provider needs time" : null
      ),
      v.description("Time that one provider has."),
    )),
    providers: v.optional(v.pipe(
      v.array(
        v.union([builtin, provider], "the name of a built-in provider or an object"),
        "a list",
      ),
      v.maxLength(
        MAX_PROVIDERS,
        `Cannot use so many providers: at most ${MAX_PROVIDERS} are accepted`,
      ),
      v.description(
        "Who speaks, in this order; a list replaces the inherited one. Without any: Deadline, Budget, Loop, FailureStreak, Unverified, StaleTests, SlowCommand.",
      ),
    )),
  }, "an object"),
  v.description(
    "What is said after commands, besides what happened. A value replaces the inherited one.",
  ),
));

/** One entry of `providers`. */
export type ProviderEntry = v.InferOutput<typeof builtin> | v.InferOutput<typeof provider>;
