/** The official MCP inspector, driven by its command line, looks at `debrief mcp`. */
import { assert, assertEquals, assertMatch } from "@std/assert";
import { debriefWords, processEnvironment } from "../cli/run_debrief.ts";
import { jailTest } from "../sandbox/require_sandbox.ts";
import { TestPlace } from "../session/test_session.ts";
import { installedProgram } from "./npm_package.ts";

const INSPECTOR = {
  name: "@modelcontextprotocol/inspector",
  version: "2.12.0",
  program: ".bin/mcp-inspector",
};

/** The program; null where packages cannot be had, which is a failure where tests are required. */
async function inspector(): Promise<string | null> {
  try {
    return await installedProgram("inspector", INSPECTOR);
  } catch (error) {
    if (Deno.env.get("REQUIRE_SANDBOX") === "1" || Deno.env.get("CI") === "true") throw error;
    return null;
  }
}

/** What the inspector prints for one method, and how it ends. */
async function inspect(
  program: string,
  { place, words }: { readonly place: TestPlace; readonly words: readonly string[] },
) {
  const quoted = (word: string) => `'${word}'`;
  const env = processEnvironment({ place });
  // The server gets a few variables only, and the inspector takes flags for its own: both go into a script.
  const variables = Object.entries(env).map(([name, value]) => `${name}=${quoted(value)}`);
  const line = ["exec env", ...variables, ...debriefWords(["mcp"]).map(quoted)].join(" ");
  const server = place.write("server", `#!/bin/sh\n${line}\n`, 0o755);
  const { code, stdout, stderr } = await new Deno.Command(program, {
    args: ["--cli", server, ...words],
    cwd: place.at("work"),
    clearEnv: true,
    env,
    stdin: "null",
  }).output();
  const [out, err] = [stdout, stderr].map((bytes) => new TextDecoder().decode(bytes));
  assert(out, `nothing was printed, but: ${err}`);
  return { code, printed: JSON.parse(out) };
}

const program = await inspector();

const NAME = "debrief mcp passes the official inspector: tools, a result, an error";

if (program === null) {
  Deno.test({ name: `${NAME} (ignored: it cannot be installed)`, ignore: true, fn: () => {} });
} else {
  jailTest(NAME, async () => {
    using place = new TestPlace();
    const call = (words: readonly string[]) => inspect(program, { place, words });
    const listed = await call(["--method", "tools/list"]);
    assertEquals(listed.printed.tools.map(({ name }: { name: string }) => name), [
      "run",
      "output",
      "jobs",
      "send",
      "kill",
      "status",
      "aims",
    ]);
    const run = ["--method", "tools/call", "--tool-name", "run", "--tool-arg"];
    const { code, printed } = await call([...run, "command=echo hi", "note=one line"]);
    assertEquals([code, printed.isError ?? false, printed.structuredContent.output], [
      0,
      false,
      "hi\n",
    ]);
    assertMatch(printed.content[0].text, /^hi\n--- debrief \d{9} ✓ ok, exit 0/);
    assertEquals(printed.structuredContent.block.expected, "one line");
    const failed = await call([...run, "command=exit 3"]);
    assertEquals([failed.printed.isError, failed.printed.structuredContent.exit_status], [true, 3]);
    assertEquals(place.records().map(({ exit_code }) => exit_code), [0, 3]);
  });
}
