/** How much of what is secret is hidden, and how much of what is harmless is touched: every shape in every context. */
import { redact } from "../redact_helpers.ts";
import { seeded } from "../token_samples.ts";
import { type Context, CONTEXTS } from "./contexts.ts";
import { HARMLESS_SHAPES, SECRET_SHAPES, type Shape } from "./shapes.ts";
import { HARMLESS_TEXTS } from "./texts.ts";

/** Counts of one part of the samples. */
export interface Score {
  readonly samples: number;
  /** Secrets not hidden, or harmless texts touched: what they are. */
  readonly failures: readonly string[];
}

/** Scores of the samples that rules may be tuned on, and of the third that is kept aside. */
export interface Scores {
  readonly tuned: Score;
  readonly aside: Score;
}

/** Length of the longest part of a secret that may survive, and one more. */
const SLICE = 16;

function survives(secret: string, text: string): boolean {
  const length = Math.min(SLICE, secret.length);
  for (let at = 0; at + length <= secret.length; at++) {
    if (text.includes(secret.slice(at, at + length))) return true;
  }
  return false;
}

// deno-lint-ignore no-control-regex -- what a reader does not see
const INVISIBLE = /\x1b\[[0-9;]*[A-Za-z]|\\\n|\r/g;

function isHidden(context: Context, value: string, out: string): boolean {
  const seen = out.replace(INVISIBLE, "");
  const joined = seen.replace(/\n/g, "");
  if (survives(value, seen) || survives(value, joined)) return false;
  // The first and last characters of an encoded copy depend on what stands beside the secret.
  return context.encode === undefined || !survives(context.encode(value).slice(4, -4), joined);
}

function fits(context: Context, shape: Shape): boolean {
  if (shape.named === true && context.bare === true) return false;
  return context.accepts?.test(shape.value) ?? true;
}

/** True for about a third, by a fixed hash of shape and context. */
function isAside(shape: Shape, context: Context): boolean {
  return seeded(`${shape.name}|${context.name}`)() < 1 / 3;
}

function score(rows: readonly { failed: boolean; aside: boolean; what: string }[]): Scores {
  const part = (aside: boolean): Score => {
    const mine = rows.filter((row) => row.aside === aside);
    return { samples: mine.length, failures: mine.filter((row) => row.failed).map((r) => r.what) };
  };
  return { tuned: part(false), aside: part(true) };
}

/** Places every secret in every context that can hold it. */
export function measureSecrets(): Scores {
  return score(
    SECRET_SHAPES.flatMap((shape) =>
      CONTEXTS.filter((context) => fits(context, shape)).map((context) => {
        const out = redact(context.write(shape.label, shape.value));
        const what = `${shape.name} in ${context.name}: ${JSON.stringify(out)}`;
        const failed = !isHidden(context, shape.value, out);
        return { failed, aside: isAside(shape, context), what };
      })
    ),
  );
}

/** Places every harmless value where no secret is expected, and reads harmless texts of tools. */
export function measureHarmless(): Scores {
  const placed = HARMLESS_SHAPES.flatMap((shape) =>
    CONTEXTS.filter((context) => context.secret !== true && fits(context, shape)).map((
      context,
    ) => ({
      text: context.write(shape.label, shape.value),
      aside: isAside(shape, context),
      what: `${shape.name} in ${context.name}`,
    }))
  );
  const texts = HARMLESS_TEXTS.map(({ name, text }) => ({
    text,
    aside: seeded(name)() < 1 / 3,
    what: name,
  }));
  return score([...placed, ...texts].map(({ text, aside, what }) => {
    const out = redact(text);
    return { failed: out !== text, aside, what: `${what}: ${JSON.stringify(out)}` };
  }));
}

/** Share of samples that failed. */
export function share({ samples, failures }: Score): number {
  return failures.length / samples;
}
