/**
 * Writes `src/policy/builtin_texts.ts` from `policies/*.jsonc`, because a package on JSR has no files that it could read;
 * with `--check` it writes nothing and fails when the committed file is another.
 * Usage: `deno run --allow-read --allow-write tools/generate_builtin_texts.ts [--check]`
 */

const TARGET = "src/policy/builtin_texts.ts";

/** Returns the text of `src/policy/builtin_texts.ts`. */
export function renderBuiltinTexts(): string {
  const directory = new URL("../policies/", import.meta.url);
  const names = [...Deno.readDirSync(directory)].map(({ name }) => name)
    .filter((name) => name.endsWith(".jsonc")).sort();
  const entries = names.map((name) => {
    const text = Deno.readTextFileSync(new URL(name, directory));
    return `  ${name.replace(".jsonc", "")}:\n    ${JSON.stringify(text)},`;
  });
  return `// deno-fmt-ignore-file
// Written by tools/generate_builtin_texts.ts.

/** The files of \`policies/\`, by name. */
export const BUILTIN_TEXTS = {
${entries.join("\n")}
} as const;
`;
}

if (import.meta.main) {
  const target = new URL(`../${TARGET}`, import.meta.url);
  const rendered = renderBuiltinTexts();
  if (!Deno.args.includes("--check")) Deno.writeTextFileSync(target, rendered);
  else if (Deno.readTextFileSync(target) !== rendered) {
    throw new Error(`Cannot accept "${TARGET}": it is stale; run tools/generate_builtin_texts.ts`);
  }
}
