/** From the TypeScript of a provider module to code without types, and to the modules that it imports. */
import { parse } from "es-module-lexer/js";
import { transform } from "sucrase";

/** A module as it can be run. */
export interface Translated {
  /** CommonJS. */
  readonly code: string;
  /** What it imports besides types, each once. */
  readonly specifiers: readonly string[];
}

/**
 * Takes types away, and the imports that only types need; everything else that is imported has to be named by a literal,
 * because what a name leads to is decided before anything runs.
 *
 * @throws {SyntaxError} for text that does not parse, `import()` and `import.meta`.
 */
export function translateModule(source: string): Translated {
  const common = { disableESTransforms: true } as const;
  const plain = transform(source, { ...common, transforms: ["typescript"] }).code;
  const [imports] = parse(plain);
  const specifiers = imports.map((found) => {
    // A phase (`import defer`) is none of the code below.
    if (found.type === "static" || found.type === "reexport-star") {
      if (found.phase === null) return found.specifier;
    }
    const what = found.type === "import-meta"
      ? "import.meta"
      : found.phase
      ? `import ${found.phase}`
      : "import()";
    throw new SyntaxError(`${what} is not accepted: import and export declarations are`);
  });
  const { code } = transform(plain, { ...common, transforms: ["imports"] });
  return { code, specifiers: [...new Set(specifiers)] };
}
