/**
 * Turns the code that runs commands into scripts that the executable carries together with their bytecode: to compile
 * it anew takes a third of the CPU time of a start. Deno's own cache of code would be a file in the temporary directory, where
 * commands can write; this one is read from the executable alone.
 */
import { join } from "node:path";
import { runDeno } from "./run_deno.ts";
import { V8_FLAGS } from "./v8_flags.ts";

/** Modules of which a good part runs in `debrief -c true`, written by tools/profile_start.ts; others are compiled when called. */
export const START_MODULES = "tools/start_modules.json";

/** What the function around a script is given. */
const PARAMETERS = "require,module,exports,bundleUrl";

/** Module that starts a script, with what shall become of its exports. */
function launcher(name: string, then: string): string {
  return `import vm from "node:vm";
const at=(file)=>new URL(file,import.meta.url);
const load=(name)=>{
const options={filename:"file:///debrief",cachedData:Deno.readFileSync(at(name+".bytecode"))};
const script=new vm.Script(Deno.readTextFileSync(at(name+".txt")),options);
const module={exports:{}};
script.runInThisContext()(globalThis.process.getBuiltinModule,module,module.exports,import.meta.url);
return module.exports;
};
${then.replace("SCRIPT", `load(${JSON.stringify(name)})`)}
`;
}

/** A worker has no exports. */
export function workerLauncher(name: string): string {
  return launcher(name, "SCRIPT;");
}

/** Where a word calls a subcommand, or may, the program's modules carry it out, as they do what the script leaves to them. */
export function programLauncher(name: string): string {
  return launcher(
    name,
    `const isOther=/^(?!run$)(?:[a-z]+|--help|--version)$/.test(Deno.args[0]??"");
const status=isOther?null:await SCRIPT.runProgram(Deno.args);
Deno.exit(status??await (await import("./main.js")).main(Deno.args));`,
  );
}

/**
 * A bundled script as the text of a function, which starts on its second line.
 *
 * @throws {Error} when it asks for its own address in a way that is not known here.
 */
export function wrapScript(text: string): string {
  const empty = [...text.matchAll(/[\s,](?<name>[\w$]+)=\{\}(?=[,;])/g)].map(({ groups }) =>
    groups!.name
  );
  const asked = /new URL\(("\.\/\w+_worker\.\w+"),([\w$]+)\.url\)/g;
  const wrapped = text.replaceAll(asked, (whole, file, name) => {
    return empty.includes(name) ? `new URL(${file},bundleUrl)` : whole;
  });
  if (/new URL\([^()]*,[\w$]+\.url\)/.test(wrapped)) {
    throw new Error("Cannot wrap the script: import.meta is used for more than a worker's address");
  }
  return `(function(${PARAMETERS}){\n${wrapped}\n})`;
}

/** Write the bytecode of a script beside it. */
export async function writeBytecode(
  root: string,
  { deno, script, map }: {
    readonly deno: readonly string[];
    /** Path without an ending: `.txt` is read, `.bytecode` written. */
    readonly script: string;
    /** Its source map, when only the modules of a start shall be compiled. */
    readonly map?: string;
  },
): Promise<void> {
  const chosen = map === undefined ? [] : [map, START_MODULES];
  const program = join(import.meta.dirname ?? ".", "write_bytecode.ts");
  const run = ["run", "--quiet", "--no-config", "--no-lock", "--allow-all", V8_FLAGS, program];
  await runDeno(deno, {
    cwd: root,
    args: [...run, `${script}.txt`, `${script}.bytecode`, ...chosen],
  });
}
