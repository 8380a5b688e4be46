import { assertEquals } from "@std/assert";
import { docReferences } from "../../tools/doc_references.ts";

const CASES: { in: string; want: string[] }[] = [
  { in: "See [the guide](docs/guide.md#policies).", want: ["1 path docs/guide.md"] },
  { in: "![shot](a%20b.png) and [here](#anchor)", want: ["1 path a b.png"] },
  { in: "[out](https://a.example/x.md) [mail](mailto:a@a.example)", want: [] },
  { in: "`[no](link.md)`", want: [] },
  { in: "The parser is `src/command/parse.ts`.", want: ["1 path src/command/parse.ts"] },
  { in: "Not files: `a/b`, `node.js`, `~/x/y.json`, `/etc/x.json`, `deno.json`", want: [] },
  { in: "Use `--json` or ``--policy=FILE``.", want: ["1 flag --json", "1 flag --policy"] },
  { in: "`debrief run --json -- git log --oneline`", want: ["1 flag --json"] },
  { in: "`git log --oneline` and `deno task build --denort=npm`", want: [] },
  {
    in:
      "a\n```sh\n$ debrief --policy ci -- npm --silent\nnpm --silent\ndebrief x | jq --raw\n```\n",
    want: ["3 flag --policy"],
  },
  { in: "````md\n```\n`--json` [x](y.md)\n```\n````\n`--json`", want: ["6 flag --json"] },
  { in: "`debrief [--session=ID] COMMAND`", want: ["1 flag --session"] },
  { in: "`./dist/debrief --json ls`", want: ["1 flag --json"] },
];

Deno.test("docReferences() finds links, files and Debrief's own flags", () => {
  for (const { in: text, want } of CASES) {
    const found = docReferences(text).map(({ kind, name, line }) => `${line} ${kind} ${name}`);
    assertEquals(found, want, text);
  }
});
