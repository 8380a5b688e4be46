import { assert } from "@std/assert";
import { parseScript } from "../../src/command/parse.ts";
import { bashStarts, bashVerdict } from "./bash.ts";

// Random scripts are run by the real bash, where no program exists and each name it looks for is recorded. Whatever it
// looks for must be among what parseScript found. The generators are seeded, so that a failure can be repeated.

class Random {
  #state: number;
  constructor(seed: number) {
    this.#state = seed >>> 0;
  }
  /** From 0 up to 1, by the linear congruence of Numerical Recipes. */
  next(): number {
    this.#state = (Math.imul(this.#state, 1664525) + 1013904223) >>> 0;
    return this.#state / 2 ** 32;
  }
  pick<T>(items: readonly T[]): T {
    return items[Math.floor(this.next() * items.length)]!;
  }
}

const NAMES = ["p1", "p2", "p3", "p4", "p5", "p6"];
const PIECES = [
  ...NAMES,
  ...NAMES,
  ...NAMES,
  " ",
  " ",
  " ",
  " ",
  " ",
  "\n",
  ";",
  "|",
  "&&",
  "||",
  "&",
  "(",
  ")",
  "{ ",
  "}",
  "; }",
  "if ",
  "; then ",
  "; fi",
  "else ",
  "for x in ",
  "; do ",
  "; done",
  "while ",
  "case x in ",
  "x) ",
  ";; ",
  " esac",
  "$(",
  ")",
  "`",
  "`",
  '"',
  '"',
  "'",
  "'",
  "${x:-",
  "}",
  "$((",
  "))",
  "((",
  "[[ ",
  " ]]",
  "<<E\n",
  "\nE\n",
  "<<'E'\n",
  "<<-E\n\t",
  "<<<",
  "<(",
  "\\",
  "\\\n",
  "#",
  "$",
  "$'",
  "x=",
  "a[",
  "]",
  "=",
  "!",
  "! ",
  "time ",
  "f() ",
  "eval ",
  "coproc ",
  "*",
  "@(",
  "!(",
  "~",
  "\r",
  "$@",
  "2>&1",
  ">out ",
  "\u00a0",
  "\v",
  "$[",
];

function soup(random: Random): string {
  let text = "";
  for (let count = 1 + Math.floor(random.next() * 14); count > 0; count--) {
    text += random.pick(PIECES);
  }
  return text;
}

function word(random: Random, depth: number): string {
  const chance = random.next();
  if (depth <= 0 || chance < 0.4) return random.pick(NAMES);
  if (chance < 0.5) return `"$(${list(random, depth - 1)})"`;
  if (chance < 0.6) return `$(${list(random, depth - 1)})`;
  if (chance < 0.65) return `\`${random.pick(NAMES)} ${random.pick(NAMES)}\``;
  if (chance < 0.7) return `<(${list(random, depth - 1)})`;
  if (chance < 0.8) {
    return `\${x${random.pick([":-", ":+", "-", "/", "#", ":", "^"])}${word(random, depth - 1)}}`;
  }
  if (chance < 0.9) return `$((${random.pick(["1", "x+1"])} + $(${list(random, depth - 1)})))`;
  return random.pick(["'$(p6)'", '"a b"', "a\\ b", "x*", "{a,b}", "$x", "a#b", "$'a\\nb'"]);
}

function command(random: Random, depth: number): string {
  const inner = () => list(random, depth - 1);
  const end = () => random.pick(["; ", "\n"]);
  const chance = random.next();
  if (depth <= 0) return random.pick(NAMES);
  if (chance < 0.5) {
    return `${random.pick(NAMES)} ${word(random, depth - 1)} ${word(random, depth - 1)}`;
  }
  if (chance < 0.57) return `x=${word(random, depth - 1)} ${random.pick(NAMES)}`;
  if (chance < 0.62) return `( ${inner()} )`;
  if (chance < 0.67) return `{ ${inner()}${end()}}`;
  if (chance < 0.72) return `if ${inner()}${end()}then ${inner()}${end()}else ${inner()}${end()}fi`;
  if (chance < 0.77) return `for x in ${word(random, depth - 1)}${end()}do ${inner()}${end()}done`;
  if (chance < 0.82) {
    return `case ${word(random, depth - 1)} in p1) ${inner()};; *) ${inner()};; esac`;
  }
  if (chance < 0.87) return `[[ ${word(random, depth - 1)} == ${word(random, depth - 1)} ]]`;
  if (chance < 0.91) return `f() { ${inner()}${end()}}; f`;
  if (chance < 0.95) {
    return `${random.pick(NAMES)} <<${random.pick(["E", "'E'"])}\n$(p1 a) ${
      random.pick(NAMES)
    }\nE\n`;
  }
  return `eval '${random.pick(NAMES)}' ${word(random, depth - 1)}`;
}

function list(random: Random, depth: number): string {
  let text = command(random, depth);
  while (random.next() < 0.35) {
    text += text.endsWith("\n") ? "" : random.pick([" | ", " && ", " || ", "; ", "\n", " & "]);
    text += command(random, depth - 1);
  }
  return text;
}

function mutated(random: Random): string {
  const text = list(random, 3);
  const at = Math.floor(random.next() * (text.length + 1));
  return text.slice(0, at) + random.pick(PIECES) + text.slice(at + (random.next() < 0.5 ? 0 : 1));
}

/** Runs scripts until `count` of them were accepted, and returns how many. */
function replay(make: () => string, count: number): number {
  const cwd = Deno.makeTempDirSync();
  let accepted = 0;
  try {
    for (let tries = 0; accepted < count && tries < count * 20; tries++) {
      const source = make();
      const result = parseScript(source);
      if (result.kind !== "script") continue;
      accepted++;
      const names = new Set(result.script.programs.map(({ name }) => name));
      const missing = bashStarts(source, cwd).filter((name) => !names.has(name));
      assert(
        missing.length === 0 || names.has(null),
        `${JSON.stringify(source)} starts ${missing}, found ${[...names]}`,
      );
    }
  } finally {
    Deno.removeSync(cwd, { recursive: true });
  }
  return accepted;
}

Deno.test("parseScript finds every name that bash looks for in well-formed scripts", () => {
  const random = new Random(1);
  assert(replay(() => list(random, 4), 120) >= 100);
});

Deno.test("parseScript finds every name that bash looks for in damaged scripts", () => {
  const random = new Random(2);
  assert(replay(() => mutated(random), 120) >= 100);
});

Deno.test("parseScript finds every name that bash looks for in pieces put together at random", () => {
  const random = new Random(3);
  assert(replay(() => soup(random), 120) >= 100);
});

Deno.test("parseScript accepts what bash accepts when scripts are well formed", () => {
  const random = new Random(4);
  let accepted = 0;
  for (let at = 0; at < 60; at++) {
    const source = list(random, 3);
    if (bashVerdict(source) === "valid" && parseScript(source).kind === "script") accepted++;
  }
  assert(accepted >= 55, `${accepted} of 60`);
});

Deno.test("the replay notices a name that is not found", () => {
  const cwd = Deno.makeTempDirSync();
  try {
    const names = bashStarts('p1 "$(p2 `p3`)" <<E\n${x:-$(p4)}\nE\n', cwd);
    assert(["p1", "p2", "p3", "p4"].every((name) => names.includes(name)), names.join());
  } finally {
    Deno.removeSync(cwd, { recursive: true });
  }
});
