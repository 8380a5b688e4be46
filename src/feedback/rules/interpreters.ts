/** Programs that run a script by the extension of its name. */
const STARTS: ReadonlyMap<string, string> = new Map([
  ["sh", "bash"],
  ["bash", "bash"],
  ["py", "python3"],
  ["js", "node"],
  ["mjs", "node"],
  ["ts", "deno run"],
  ["rb", "ruby"],
  ["pl", "perl"],
]);

/** Words that start a script, the program first; null for an extension that says nothing. */
export function interpreterOf(path: string): string | null {
  return STARTS.get(/\.([a-z]{1,4})$/.exec(path)?.[1] ?? "") ?? null;
}
