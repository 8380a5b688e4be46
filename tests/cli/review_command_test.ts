import { assert, assertEquals } from "@std/assert";
import { join } from "node:path/posix";

const ROOT = join(import.meta.dirname!, "../..");

/** One module of `deno info --json`. */
interface Module {
  readonly specifier: string;
  readonly dependencies?: readonly { readonly code?: { readonly specifier?: string } }[];
}

/** What Deno loads or looks up when it starts a file: all that it can foresee but types. */
function foreseen(file: string): readonly string[] {
  const { stdout } = new Deno.Command(Deno.execPath(), {
    args: ["info", "--json", join(ROOT, file)],
    cwd: ROOT,
    stderr: "null",
  }).outputSync();
  const { roots, modules } = JSON.parse(new TextDecoder().decode(stdout));
  const byName = new Map((modules as Module[]).map((module) => [module.specifier, module]));
  const found = new Set<string>(roots);
  for (const specifier of found) {
    for (const { code } of byName.get(specifier)?.dependencies ?? []) {
      if (code?.specifier !== undefined) found.add(code.specifier);
    }
  }
  return [...found];
}

Deno.test("main.ts foresees nothing of the screen, which only debrief review loads", () => {
  const isScreen = (specifier: string) => /[:/](ink|react)@|\.tsx$/.test(specifier);
  const main = foreseen("main.ts");
  assert(main.some((specifier) => specifier.endsWith("/src/cli/review_command.ts")));
  assertEquals(main.filter(isScreen), []);
  // The control: what the command loads has all of it.
  assert(foreseen("src/cli/review/run_review.tsx").filter(isScreen).length > 2);
});
