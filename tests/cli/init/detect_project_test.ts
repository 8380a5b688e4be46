import { assertEquals } from "@std/assert";
import { join } from "node:path/posix";
import { detectProject, remoteOf } from "../../../src/cli/init/detect_project.ts";

type Files = Readonly<Record<string, string>>;

function inProject<T>(files: Files, body: (directory: string) => T): T {
  const directory = Deno.realPathSync(Deno.makeTempDirSync({ prefix: "debrief-init-" }));
  try {
    for (const [name, text] of Object.entries(files)) {
      Deno.mkdirSync(join(directory, name, ".."), { recursive: true });
      Deno.writeTextFileSync(join(directory, name), text);
    }
    return body(directory);
  } finally {
    Deno.removeSync(directory, { recursive: true });
  }
}

const SCRIPTS = '{"scripts":{"test":"x","lint":"x","deploy":"x"}}';
const CASES: readonly { in: Files; name: string; checks: readonly string[] }[] = [
  { in: { "package.json": SCRIPTS }, name: "npm", checks: ["npm test", "npm run lint"] },
  {
    in: { "package.json": SCRIPTS, "pnpm-lock.yaml": "" },
    name: "pnpm",
    checks: ["pnpm run test", "pnpm run lint"],
  },
  {
    in: { "package.json": SCRIPTS, "yarn.lock": "" },
    name: "yarn",
    checks: ["yarn run test", "yarn run lint"],
  },
  {
    in: { "package.json": SCRIPTS, "bun.lock": "" },
    name: "bun",
    checks: ["bun run test", "bun run lint"],
  },
  { in: { "package.json": "{" }, name: "npm", checks: [] },
  { in: { "package.json": '{"scripts":["test"]}' }, name: "npm", checks: [] },
  { in: { "deno.json": "{}" }, name: "deno", checks: ["deno test"] },
  {
    in: { "deno.jsonc": '// x\n{"tasks":{"check":"x"}}' },
    name: "deno",
    checks: ["deno task check"],
  },
  { in: { "Cargo.toml": "" }, name: "cargo", checks: ["cargo test", "cargo clippy"] },
  { in: { "pyproject.toml": "[tool.pytest]" }, name: "python", checks: ["pytest"] },
  {
    in: { "requirements.txt": "", "uv.lock": "" },
    name: "uv",
    checks: ["uv run python3 -m unittest"],
  },
  { in: { "go.mod": "" }, name: "go", checks: ["go test ./...", "go vet ./..."] },
  {
    in: { "Makefile": "test: x\n\ty\nbuild := 1\nlint:\n" },
    name: "make",
    checks: ["make test", "make lint"],
  },
];

for (const { in: files, name, checks } of CASES) {
  Deno.test(`detectProject finds ${name} in ${JSON.stringify(files).slice(0, 60)}`, () => {
    const { toolchains } = inProject(files, detectProject);
    assertEquals(toolchains.map((one) => [one.name, one.checks]), [[name, checks]]);
  });
}

Deno.test("detectProject finds several at once, and nothing in an empty directory", () => {
  const files = { "package.json": "{}", "go.mod": "", "Makefile": "" };
  const names = inProject(files, detectProject).toolchains.map(({ name }) => name);
  assertEquals(names, ["npm", "go", "make"]);
  assertEquals(inProject({}, detectProject), { toolchains: [], remote: null });
});

Deno.test("detectProject follows no link, waits for no pipe, and takes no name from a file", () => {
  const found = inProject({
    "outside/package.json": SCRIPTS,
    "work/Makefile": "$(shell id):\ntest`id`:\n",
    "work/deno.json": '{"tasks":{"test; rm -rf ~":"x","lint":"x"}}',
  }, (directory) => {
    Deno.symlinkSync("../outside/package.json", join(directory, "work/package.json"));
    Deno.mkdirSync(join(directory, "work/go.mod"));
    new Deno.Command("mkfifo", { args: [join(directory, "work/Cargo.toml")] }).outputSync();
    return detectProject(join(directory, "work"));
  });
  assertEquals(found.toolchains.map(({ name, checks }) => [name, checks]), [
    ["deno", ["deno task lint"]],
    ["make", []],
  ]);
});

Deno.test("remoteOf takes the host of an HTTPS origin, and nothing that is no public name", () => {
  const of = (url: string, name = "origin") =>
    remoteOf(`[core]\n\turl = https://core.example\n[remote "${name}"]\n\turl = ${url}\n`);
  const cases = [
    { in: "https://github.com/a/b.git", want: "github.com:443" },
    { in: "https://me:word@git.example.com/a", want: "git.example.com:443" },
    { in: "https://GIT.example.com:443/a", want: "git.example.com:443" },
    { in: "https://git.example.com:8443/a", want: null },
    { in: "http://github.com/a", want: null },
    { in: "git@github.com:a/b.git", want: null },
    { in: "https://127.0.0.1/a", want: null },
    { in: "https://127.1/a", want: null },
    { in: "https://0x7f.1/a", want: null },
    { in: "https://169.254.169.254/latest", want: null },
    { in: "https://localhost/a", want: null },
    { in: "https://*.com/a", want: null },
    { in: 'https://a.example","*:443/a', want: null },
    { in: "/srv/git/a", want: null },
  ];
  for (const { in: url, want } of cases) assertEquals(of(url), want, url);
  assertEquals(of("https://github.com/a", "fork"), null);
});
