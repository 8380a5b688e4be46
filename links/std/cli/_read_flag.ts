/** What an argument that begins with a hyphen names. */
export type Found =
  | { kind: "name"; name: string; negated: boolean; value: string | undefined }
  | {
    kind: "letters";
    /** The flags whose value the argument itself decides; undefined is a flag without one. */
    before: { name: string; value: string | undefined }[];
    /** The flag whose value may be the next argument. */
    last: string | undefined;
  };

/** Takes one argument apart, undefined if it is no flag. */
export function readFlag(arg: string): Found | undefined {
  if (!arg.startsWith("-") || arg.length < 2) return undefined;
  if (!arg.startsWith("--") || arg.length === 2) return readLetters(arg);
  const negated = arg.startsWith("--no-") && arg.length > "--no-".length;
  const text = arg.slice(negated ? "--no-".length : "--".length);
  // A name has at least one character, even if it is an equals sign.
  const equals = text.indexOf("=", 1);
  if (equals === -1) return { kind: "name", name: text, negated, value: undefined };
  return { kind: "name", name: text.slice(0, equals), negated, value: text.slice(equals + 1) };
}

/** `-abc` is three flags, `-n5`, `-n=5` and `-I/path` are one with its value. */
function readLetters(arg: string): Found {
  const before: { name: string; value: string | undefined }[] = [];
  const letters = arg.slice(1, -1).split("");
  for (const [index, name] of letters.entries()) {
    const rest = arg.slice(index + 2);
    const value = valueOf(name, rest, letters[index + 1]);
    before.push({ name, value });
    if (value !== undefined && rest !== "-") return { kind: "letters", before, last: undefined };
  }
  const last = arg.slice(-1);
  return { kind: "letters", before, last: last === "-" ? undefined : last };
}

function valueOf(name: string, rest: string, next: string | undefined): string | undefined {
  if (rest === "-") return rest;
  if (rest === "=") return "";
  if (/[A-Za-z]/.test(name)) {
    const equals = /=(.+)/.exec(rest);
    if (equals?.[1] !== undefined) return equals[1];
    if (/-?\d+(\.\d*)?(e-?\d+)?$/.test(rest)) return rest;
  }
  return next !== undefined && /\W/.test(next) ? rest : undefined;
}
