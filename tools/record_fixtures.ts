/**
 * Records what real tools print, as fixtures for the outcome table: runs each line of
 * `tests/feedback/fixtures/cases/*.txt` in a scratch project and writes `tests/feedback/fixtures/*.jsonl`. The expected
 * outcome stands in the case, written by hand before any rule was; every third case is held aside (`held`).
 * Usage: `deno run -A tools/record_fixtures.ts [NAME...]`; FIXTURE_TOOLS names a directory with `node/node_modules/.bin`.
 */
import { parseScript } from "../src/command/parse.ts";
import { withStub } from "./stub_server.ts";

const CASES = new URL("../tests/feedback/fixtures/cases/", import.meta.url);
const FIXTURES = new URL("../tests/feedback/fixtures/", import.meta.url);
const TOOLS = Deno.env.get("FIXTURE_TOOLS") ?? "/opt/fixture-tools";

/** Characters of a stream that a fixture keeps: its end. */
const MAX_TEXT = 6_000;
/** How each tool says which it is; all others are coreutils and their like. */
const VERSIONS: Readonly<Record<string, string>> = {
  git: "git --version",
  node: "node --version",
  npm: "npm --version",
  npx: "npm --version",
  pnpm: "pnpm --version",
  yarn: "yarn --version",
  tsc: "tsc --version",
  eslint: "eslint --version",
  prettier: "prettier --version",
  vitest: "vitest --version",
  jest: "jest --version",
  deno: "deno --version",
  python3: "python3 --version",
  pytest: "pytest --version",
  pip: "pip --version",
  gcc: "gcc --version",
  clang: "clang --version",
  make: "make --version",
  cmake: "cmake --version",
  cargo: "cargo --version",
  rustc: "rustc --version",
  go: "go version",
  gofmt: "go version",
  curl: "curl --version",
  wget: "wget --version",
  ssh: "ssh -V 2>&1",
  scp: "ssh -V 2>&1",
  kubectl: "kubectl version --client",
  docker: "docker --version",
  "apt-get": "apt-get --version",
  "apt-cache": "apt-get --version",
  grep: "grep --version",
  rg: "rg --version",
  find: "find --version",
  fdfind: "fdfind --version",
  jq: "jq --version",
  sed: "sed --version",
  awk: "awk -W version 2>&1",
  tar: "tar --version",
};

/** One line of a file of cases. */
interface Case {
  readonly want: string;
  readonly project: string;
  readonly command: string;
  readonly held: boolean;
}

function casesOf(text: string): readonly Case[] {
  const lines = text.split("\n").filter((line) => line !== "" && !line.startsWith("#"));
  return lines.map((line, index) => {
    const [want = "", project = "", ...rest] = line.split(" | ");
    return { want, project, command: rest.join(" | "), held: index % 3 === 2 };
  });
}

async function bash(
  script: string,
  options: { readonly cwd: string; readonly env: Readonly<Record<string, string>> },
) {
  const child = new Deno.Command("timeout", {
    args: ["--kill-after=5", "90", "bash", "--norc", "-c", script],
    ...options,
    clearEnv: true,
    stdin: "null",
    stdout: "piped",
    stderr: "piped",
  });
  const { code, stdout, stderr } = await child.output();
  const text = (bytes: Uint8Array) => new TextDecoder().decode(bytes);
  return { code, stdout: text(stdout), stderr: text(stderr) };
}

const root = Deno.realPathSync(Deno.makeTempDirSync({ prefix: "fixtures-" }));
const bin = `${root}/bin`;
Deno.mkdirSync(bin);
Deno.mkdirSync(`${root}/home`);
Deno.symlinkSync(Deno.execPath(), `${bin}/deno`);
const inherited = Object.fromEntries(
  Object.entries(Deno.env.toObject()).filter(([name]) => /^(?:PIP|PYENV|SSL)_/.test(name)),
);
const realHome = Deno.env.get("HOME") ?? "/root";
const environment = (stub: string) => ({
  ...inherited,
  CARGO_HOME: `${realHome}/.cargo`,
  RUSTUP_HOME: `${realHome}/.rustup`,
  PATH: `${bin}:${TOOLS}/node/node_modules/.bin:${Deno.env.get("PATH")}`,
  HOME: `${root}/home`,
  LANG: "C.UTF-8",
  NO_COLOR: "1",
  TERM: "dumb",
  DENO_NO_UPDATE_CHECK: "1",
  npm_config_update_notifier: "false",
  COREPACK_ENABLE_STRICT: "0",
  FIXTURE_TOOLS: TOOLS,
  STUB: stub,
  STUB_PORT: new URL(stub).port,
});

function clean(text: string, project: string): string {
  const replaced = text.replaceAll(project, "/work/project").replaceAll(`${root}/home`, "/home/you")
    .replaceAll(bin, "/opt/tools/bin").replaceAll(TOOLS, "/opt/tools").replaceAll(root, "/work")
    .replaceAll(realHome, "/opt/home").replaceAll(/\/opt\/wheels|\/opt\/pypi[\w-]*/g, "/opt/index");
  return replaced.length <= MAX_TEXT ? replaced : replaced.slice(-MAX_TEXT);
}

/** The words of a plain command, else one element with the text, as a record has them. */
function wordsOf(command: string): readonly string[] {
  const parsed = parseScript(command);
  return parsed.kind === "script" && parsed.script.plain ? parsed.script.plain : [command];
}

await withStub(async (stub) => {
  const env = environment(stub);
  const versions = new Map<string, string>();
  const version = async (command: string) => {
    const tool = command.split(/[\s;|]+/).find((word) => word in VERSIONS);
    const ask = VERSIONS[tool ?? ""] ?? "ls --version";
    const known = versions.get(ask);
    if (known !== undefined) return known;
    const { stdout } = await bash(ask, { cwd: root, env });
    const first = stdout.split("\n")[0]?.trim() ?? "";
    const said = /[a-z]/i.test(first.replace(/^v/, "")) ? first : `${tool} ${first}`;
    versions.set(ask, said);
    return said;
  };
  const made = new Set<string>();
  const wanted = Deno.args;
  for (const entry of Deno.readDirSync(CASES)) {
    const name = entry.name.replace(/\.txt$/, "");
    if (!entry.name.endsWith(".txt") || (wanted.length > 0 && !wanted.includes(name))) continue;
    const lines: string[] = [];
    for (const one of casesOf(Deno.readTextFileSync(new URL(entry.name, CASES)))) {
      const template = `${root}/template-${one.project}`;
      if (!made.has(one.project)) {
        const script = `bash ${new URL("projects.sh", CASES).pathname} ${one.project} ${template}`;
        const { code, stderr } = await bash(script, { cwd: root, env });
        if (code !== 0) throw new Error(`Cannot make project "${one.project}": ${stderr}`);
        made.add(one.project);
      }
      const project = `${root}/project`;
      await bash(`rm -rf ${project} && cp -a ${template} ${project}`, { cwd: root, env });
      const { code, stdout, stderr } = await bash(one.command, { cwd: project, env });
      const command = one.command.replaceAll("$STUB", stub);
      lines.push(JSON.stringify({
        argv: wordsOf(command),
        exitCode: code,
        stdout: clean(stdout, project),
        stderr: clean(stderr, project),
        recorded: `ran ${await version(one.command)}`,
        want: { outcome: one.want },
        held: one.held,
      }));
    }
    Deno.writeTextFileSync(new URL(`${name}.jsonl`, FIXTURES), `${lines.join("\n")}\n`);
    console.log(`${name}: ${lines.length}`);
  }
});
Deno.removeSync(root, { recursive: true });
