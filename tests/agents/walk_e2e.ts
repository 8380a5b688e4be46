/** What a new user types, from an empty home directory to agents whose commands run through Debrief. */
import { assert, assertEquals, assertStringIncludes } from "@std/assert";
import { AGENTS } from "../../src/cli/agents/agent_names.ts";
import { examplesOf, readDocument } from "../docs/documents.ts";
import { AgentPlace } from "./agent_place.ts";
import { installedAgent } from "./agent_packages.ts";

/** The lines of the walks of a document, without what the place has done: building, and installing agents. */
function walkOf(document: string): readonly string[] {
  const walks = examplesOf(readDocument(document)).filter(({ info }) =>
    info.join(" ") === "sh walk"
  );
  return walks.flatMap(({ text }) => text.split("\n")).filter((line) => !/^np[mx] /.test(line));
}

for (const document of ["README.md", "docs/guide.md"]) {
  Deno.test(`the walk of ${document} ends with agents that are proven to use Debrief`, async () => {
    const lines = walkOf(document);
    const agents = lines.flatMap((line) => /^debrief doctor --agent (\w+)/.exec(line)?.[1] ?? []);
    const tried = AGENTS.filter((agent) => agents.includes(agent));
    assert(tried.length > 0, "the document names no agent");
    using user = await AgentPlace.open(tried[0]!);
    // Where the reader is: in the clone, with what was built, and a project in the home directory.
    await user.run("mkdir", ["-p", "dist", user.place.at("home/project/.git")]);
    await user.run("cp", [user.executable, "dist/debrief"]);
    for (const agent of tried) {
      Deno.symlinkSync(await installedAgent(agent), user.place.at(`bin/${agent}`));
    }
    const script = lines
      .filter((line) => !/^debrief \w+ /.test(line) || tried.some((agent) => line.includes(agent)))
      .map((line) => line.replace(/^(debrief install \w+)/, "$1 --yes"));
    const { code, stdout, stderr } = await user.run("bash", ["-ec", script.join("\n")]);
    assertEquals(code, 0, stdout + stderr);
    for (const agent of tried) {
      assertStringIncludes(stdout, `commands of ${agent} run through Debrief`);
    }
  });
}
