/**
 * Writes `src/policy/builtin_texts.ts` from `policies/*.jsonc`, because a package on JSR has no files that it could read,
 * and `src/policy/builtin_documents.ts` with what the texts say, so that no start reads and checks them again; with
 * `--check` it writes nothing and fails when a committed file is another.
 * Usage: `deno run --allow-read --allow-write tools/generate_builtin_texts.ts [--check]`
 */
import { PolicyDocument } from "../src/policy/document.ts";
import { validatePolicy } from "../src/policy/problems.ts";

/** The file of the texts, and that of the documents. */
const [TEXTS, DOCUMENTS] = ["src/policy/builtin_texts.ts", "src/policy/builtin_documents.ts"];

/** The policies' texts by name, in alphabetical order. */
function policyTexts(): readonly (readonly [name: string, text: string])[] {
  const directory = new URL("../policies/", import.meta.url);
  const names = [...Deno.readDirSync(directory)].map(({ name }) => name)
    .filter((name) => name.endsWith(".jsonc")).sort();
  return names.map((name) => {
    const text = Deno.readTextFileSync(new URL(name, directory));
    return [name.replace(".jsonc", ""), text];
  });
}

/** Returns the text of `src/policy/builtin_texts.ts`. */
export function renderBuiltinTexts(): string {
  const entries = policyTexts().map(([name, text]) => `  ${name}:\n    ${JSON.stringify(text)},`);
  return `// deno-fmt-ignore-file
// Written by tools/generate_builtin_texts.ts.

/** The files of \`policies/\`, by name. */
export const BUILTIN_TEXTS = {
${entries.join("\n")}
} as const;
`;
}

/** Returns the text of `src/policy/builtin_documents.ts`. @throws {PolicyError} for a policy that is none. */
export function renderBuiltinDocuments(): string {
  const entries = policyTexts().map(([name, text]) => {
    const document = new PolicyDocument(text, name);
    const { value, problems } = validatePolicy(document.value);
    if (value === null) throw document.error(problems);
    const stored = JSON.stringify({ ...document.stored, value });
    return `  ${name}:\n    ${JSON.stringify(stored)},`;
  });
  return `// deno-fmt-ignore-file
// Written by tools/generate_builtin_texts.ts.

/** What the files of \`policies/\` say, as JSON: a \`StoredDocument\` whose value the schema has accepted, by name. */
export const BUILTIN_DOCUMENTS = {
${entries.join("\n")}
} as const;
`;
}

if (import.meta.main) {
  for (
    const [path, rendered] of [[TEXTS, renderBuiltinTexts()], [DOCUMENTS, renderBuiltinDocuments()]]
  ) {
    const target = new URL(`../${path}`, import.meta.url);
    if (!Deno.args.includes("--check")) Deno.writeTextFileSync(target, rendered!);
    else if (Deno.readTextFileSync(target) !== rendered) {
      throw new Error(`Cannot accept "${path}": it is stale; run tools/generate_builtin_texts.ts`);
    }
  }
}
