/** examples/container/Containerfile, as far as it can be tried without an image registry. */
import { assertEquals } from "@std/assert";
import { join } from "node:path/posix";
import { parseCommandLine } from "../../src/cli/command_line.ts";

const ROOT = join(import.meta.dirname!, "../..");
const FILE = join(ROOT, "examples/container/Containerfile");

/** Instructions of a Containerfile, `Containerfile.5` of the containers project. */
const INSTRUCTIONS = new Set(
  "FROM RUN COPY ENV USER WORKDIR VOLUME HEALTHCHECK ENTRYPOINT CMD ARG LABEL".split(" "),
);

/** Instructions with their words, continued lines joined, comments left out. */
function instructions(): readonly (readonly [string, string])[] {
  const text = Deno.readTextFileSync(FILE).replaceAll(/^#.*\n/gm, "").replaceAll("\\\n", " ");
  return text.split("\n").filter((line) => line.trim() !== "").map((line) => {
    const [name = "", ...words] = line.split(" ");
    return [name, words.join(" ")] as const;
  });
}

Deno.test("the Containerfile holds known instructions, and begins with an image", () => {
  const names = instructions().map(([name]) => name);
  assertEquals(names.filter((name) => !INSTRUCTIONS.has(name)), []);
  assertEquals(names[0], "FROM");
  assertEquals(names.includes("USER"), true);
});

Deno.test("the shell commands of the Containerfile are valid", () => {
  const commands = instructions().filter(([name]) => name === "RUN").map(([, command]) => command);
  assertEquals(commands.length, 1);
  for (const command of [...commands, "echo ok &&"]) {
    const { success } = new Deno.Command("bash", { args: ["-n", "-c", command], stderr: "null" })
      .outputSync();
    assertEquals(success, command !== "echo ok &&", command);
  }
});

Deno.test("the health check and the entry point of the Containerfile are Debrief's", () => {
  const [check] = instructions().filter(([name]) => name === "HEALTHCHECK");
  const [program, ...words]: string[] = JSON.parse(
    /CMD (\[.*\])$/.exec(check?.[1] ?? "")?.[1] ?? "",
  );
  assertEquals(program, "debrief");
  const { command, switches } = parseCommandLine(words);
  assertEquals([command, [...switches]], ["doctor", ["quiet"]]);
  const [entry] = instructions().filter(([name]) => name === "ENTRYPOINT");
  assertEquals(JSON.parse(entry?.[1] ?? ""), ["debrief"]);
});

Deno.test("what the Containerfile copies is what the build writes", () => {
  const [copy] = instructions().filter(([name]) => name === "COPY");
  const built = Deno.readTextFileSync(join(ROOT, "tools/compile.ts"));
  const source = copy?.[1].split(" ").find((word) => !word.startsWith("--")) ?? "";
  assertEquals(built.includes(`"${source}"`), true, source);
});
