import { assert, assertEquals, assertThrows } from "@std/assert";
import { join } from "node:path/posix";
import { Script } from "node:vm";
import { START_MODULES, wrapScript } from "../../tools/bytecode.ts";
import { V8_FLAGS } from "../../tools/v8_flags.ts";

const ROOT = join(import.meta.dirname!, "../..");

const SOURCE = `var u={},one=()=>{let sum=0;for(let i=0;i<9;i++)sum+=i*i;return sum};
var two=()=>{let text="";for(const name of ["a","b","c"])text+=name.padStart(9,"-");return text};
module.exports={one,two,worker:()=>new URL("./x_worker.js",u.url).href};`;

/** The second line of the bundle came from another module. */
const MAP = { version: 3, sources: ["../src/one.ts", "../src/two.ts"], mappings: "AAAA;ACAA" };

Deno.test("wrapScript() gives workers the address of the bundle, and refuses another use of it", () => {
  const module = { exports: { worker: () => "" } };
  new Script(wrapScript(SOURCE)).runInThisContext()(null, module, module.exports, "file:///b/x.js");
  assertEquals(module.exports.worker(), "file:///b/x_worker.js");
  assertThrows(
    () => wrapScript(`var u={};new URL("./build_info.json",u.url)`),
    Error,
    "import.meta",
  );
});

Deno.test("write_bytecode.ts compiles the chosen modules, to the same bytes each time, and executes nothing", () => {
  const dir = Deno.makeTempDirSync({ prefix: "debrief-bytecode-" });
  const write = (name: string, text: string) => {
    Deno.writeTextFileSync(`${dir}/${name}`, text);
    return `${dir}/${name}`;
  };
  const script = write("x.txt", wrapScript(`${SOURCE}\nrequire("executed");`));
  const map = write("x.map", JSON.stringify(MAP));
  const bytecode = (...modules: readonly string[]) => {
    const output = `${dir}/x.bytecode`;
    const chosen = [map, write("modules.json", JSON.stringify(modules))];
    const program = join(ROOT, "tools/write_bytecode.ts");
    const { success, stderr } = new Deno.Command(Deno.execPath(), {
      args: ["run", "-A", "--no-config", "--no-lock", V8_FLAGS, program, script, output, ...chosen],
    }).outputSync();
    assert(success, new TextDecoder().decode(stderr));
    return Deno.readFileSync(output);
  };
  try {
    const [none, one, both] = [
      bytecode(),
      bytecode("src/one.ts"),
      bytecode("src/one.ts", "src/two.ts"),
    ];
    assert(none.length < one.length && one.length < both.length);
    assertEquals(bytecode("src/one.ts"), one);
  } finally {
    Deno.removeSync(dir, { recursive: true });
  }
});

Deno.test("start_modules.json names modules that exist", () => {
  const names: string[] = JSON.parse(Deno.readTextFileSync(join(ROOT, START_MODULES)));
  const own = names.filter((name) => !name.startsWith("npm:"));
  assert(own.length > 50);
  assertEquals(own.filter((name) => !Deno.statSync(join(ROOT, name)).isFile), []);
});
