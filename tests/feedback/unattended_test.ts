import { assertEquals } from "@std/assert";
import { unattendedFacts } from "../../src/feedback/unattended.ts";

Deno.test("unattendedFacts() knows programs, and sub-commands before programs", () => {
  const rows: readonly { readonly in: readonly string[]; readonly want: readonly string[] }[] = [
    { in: ["npm init"], want: ["npm init -y"] },
    { in: ["/usr/bin/npm init"], want: ["npm init -y"] },
    { in: ["npm test"], want: [] },
    { in: ["git commit"], want: ["git commit -m"] },
    { in: ["git push"], want: ["GIT_TERMINAL_PROMPT"] },
    { in: ["apt-get install x"], want: ["apt-get -y"] },
    { in: ["apt install x", "apt-get install y"], want: ["apt-get -y"] },
    { in: ["rm -i x", "ssh host", "npm init"], want: ["rm -f", "BatchMode"] },
    { in: ["cat"], want: [] },
  ];
  for (const { in: commands, want } of rows) {
    const facts = unattendedFacts(commands.map((text) => {
      const [name = "", ...args] = text.split(" ");
      return { name, args };
    }));
    assertEquals(facts.length, want.length, commands.join());
    want.forEach((part, index) => assertEquals(facts[index]!.includes(part), true, facts[index]));
  }
});
