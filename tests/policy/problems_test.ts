import { assertEquals, assertMatch } from "@std/assert";
import { validatePolicy } from "../../src/policy/problems.ts";
import { renderSchema } from "../../tools/generate_schema.ts";
import { errorOf } from "./fixture.ts";

Deno.test("validatePolicy() says what was found and what is accepted", () => {
  const table: readonly { in: unknown; want: string[] }[] = [
    { in: [], want: ["Cannot use a list: accepted is an object"] },
    { in: null, want: ["Cannot use null: accepted is an object"] },
    { in: "x", want: ['Cannot use "x": accepted is an object'] },
    {
      in: { read: 5 },
      want: [
        'read: Cannot use 5: accepted is true, false, a list of strings or an object with "allow" and "deny"',
      ],
    },
    {
      in: { read: null },
      want: [
        'read: Cannot use null: accepted is true, false, a list of strings or an object with "allow" and "deny"',
      ],
    },
    {
      in: { env: "all" },
      want: [
        'env: Cannot use "all": accepted is true, false, a list of strings or an object with "allow", "deny" and "set"',
      ],
    },
    { in: { read: ["/a", 5] }, want: ["read.1: Cannot use 5: accepted is a string"] },
    { in: { read: [["/a"]] }, want: ["read.0: Cannot use a list: accepted is a string"] },
    {
      in: { read: { deny: "x" } },
      want: ['read.deny: Cannot use "x": accepted is true, false or a list of strings'],
    },
    { in: { read: { deny: [1] } }, want: ["read.deny.0: Cannot use 1: accepted is a string"] },
    {
      in: { enforcement: "maybe" },
      want: ['enforcement: Cannot use "maybe": accepted is "required" or "best-effort"'],
    },
    {
      in: { extends: 1 },
      want: ["extends: Cannot use 1: accepted is a string or a list of strings"],
    },
    { in: { limits: [] }, want: ["limits: Cannot use a list: accepted is an object"] },
    {
      in: { limits: { timeout: true } },
      want: [
        'limits.timeout: Cannot use true: accepted is seconds as a number or a string such as "120s"',
      ],
    },
    {
      in: { output: { maxChars: 1.5 } },
      want: [
        "output.maxChars: Cannot use 1.5: accepted is a whole number from 1 to 9007199254740991",
      ],
    },
    {
      in: { output: { maxLines: 0 } },
      want: [
        "output.maxLines: Cannot use 0: accepted is a whole number from 1 to 9007199254740991",
      ],
    },
    { in: { env: { set: { A: 1 } } }, want: ["env.set.A: Cannot use 1: accepted is a string"] },
    { in: { env: { set: [] } }, want: ["env.set: Cannot use a list: accepted is an object"] },
    {
      in: { env: { set: { "A B": "" } } },
      want: ['env.set.A B: Cannot set the variable "A B": accepted is a name such as "LANG"'],
    },
    {
      in: { redact: { rules: [{ name: "a" }] } },
      want: ['redact.rules.0: Cannot use the object: the key "pattern" is missing'],
    },
    {
      in: { redact: { rules: ["x"] } },
      want: ['redact.rules.0: Cannot use "x": accepted is an object with "name" and "pattern"'],
    },
  ];
  for (const { in: value, want } of table) {
    const { value: valid, problems } = validatePolicy(value);
    assertEquals(
      problems.map(({ path, message }) => [path.join("."), message].filter(Boolean).join(": ")),
      want,
    );
    assertEquals(valid, null);
  }
});

Deno.test("validatePolicy() refuses unknown keys at every level and names the nearest known one", () => {
  const table: readonly { in: unknown; want: RegExp }[] = [
    {
      in: { raed: true },
      want:
        /^raed: Cannot use the key "raed": it is unknown; did you mean "read"; accepted are "\$schema", /,
    },
    {
      in: { read: { alow: [] } },
      want: /^read\.alow: .*did you mean "allow"; accepted are "allow", "deny"$/,
    },
    { in: { read: { set: {} } }, want: /^read\.set: .*it is unknown/ },
    { in: { limits: { timout: 1 } }, want: /^limits\.timout: .*did you mean "timeout"/ },
    { in: { output: { maxChar: 1 } }, want: /^output\.maxChar: .*did you mean "maxChars"/ },
    {
      in: { redact: { allow: ["a\nb"] } },
      want: /^redact\.allow\.0: .*accepted is one line of 1 to 512 bytes$/,
    },
    {
      in: { redact: { allow: ["x".repeat(513)] } },
      want: /^redact\.allow\.0: Cannot show a value of 513 bytes/,
    },
    { in: { redact: { values: ["/a/*.env"] } }, want: /^redact\.values\.0: / },
    { in: { redact: { rule: [] } }, want: /^redact\.rule: .*did you mean "rules"/ },
    {
      in: { redact: { rules: [{ name: "a", pattern: "b", flags: "i" }] } },
      want: /^redact\.rules\.0\.flags: .*it is unknown/,
    },
    {
      in: { zzzzzz: 1 },
      want: /^zzzzzz: Cannot use the key "zzzzzz": it is unknown; accepted are/,
    },
  ];
  for (const { in: value, want } of table) {
    const { problems } = validatePolicy(value);
    assertMatch(
      problems.map(({ path, message }) => `${path.join(".")}: ${message}`).join("\n"),
      want,
    );
    assertEquals(problems.length, 1);
  }
});

Deno.test("validatePolicy() refuses sys, ffi and import with the reason", () => {
  for (const key of ["sys", "ffi", "import"]) {
    assertMatch(
      validatePolicy({ [key]: true }).problems[0]?.message ?? "",
      new RegExp(`^Cannot grant "${key}": Debrief does not grant it; `),
    );
  }
});

Deno.test("all problems of a file are reported, each with its line", () => {
  const lines = errorOf(
    '{\n"raed": true,\n"sys": true,\n"read": ["src", "/ok", "$HOM/x"],\n"net": ["a b"],\n"limits": {\n"timeout": -1,\n"grace": "none" },\n"wriet": 1 }',
  )
    .split("\n");
  const want = [
    /^F:2: raed: /,
    /^F:3: sys: /,
    /^F:4: read\[0\]: /,
    /^F:4: read\[2\]: /,
    /^F:5: net\[0\]: /,
    /^F:7: limits\.timeout: /,
    /^F:8: limits\.grace: /,
    /^F:9: wriet: /,
  ];
  assertEquals(lines.length, want.length);
  for (const [index, pattern] of want.entries()) assertMatch(lines[index] ?? "", pattern);
});

Deno.test("a wildcard is accepted in a deny and refused in an allow of the same permission", () => {
  assertEquals(validatePolicy({ read: { deny: ["/etc/*.key"] } }).problems, []);
  assertMatch(
    validatePolicy({ read: { allow: ["/etc/*.key"] } }).problems[0]?.message ?? "",
    /"deny" only/,
  );
  assertMatch(validatePolicy({ read: ["/etc/*.key"] }).problems[0]?.message ?? "", /"deny" only/);
});

Deno.test("validatePolicy() refuses lists that are too long", () => {
  const list = Array.from({ length: 5000 }, (_, index) => `/a${index}`);
  assertMatch(validatePolicy({ read: list }).problems[0]?.message ?? "", /at most 4096 entries/);
});

Deno.test("validatePolicy() keeps messages about huge entries short", () => {
  const huge = "a ".repeat(500_000);
  for (
    const value of [{ read: [huge] }, { net: [huge] }, { run: { deny: [huge] } }, {
      limits: { timeout: huge },
    }, { [huge]: 1 }]
  ) {
    const { problems } = validatePolicy(value);
    assertEquals(problems.length, 1);
    assertEquals((problems[0]?.message.length ?? Infinity) < 500, true);
  }
});

Deno.test("policies/schema.json is what tools/generate_schema.ts writes", () => {
  assertEquals(
    Deno.readTextFileSync(new URL("../../policies/schema.json", import.meta.url)),
    renderSchema(),
  );
});

Deno.test("policies/schema.json describes every key for editors", () => {
  const schema = JSON.parse(renderSchema()) as {
    properties: Record<string, { description?: string }>;
  };
  for (const [key, { description }] of Object.entries(schema.properties)) {
    assertMatch(description ?? "", /\w/, key);
  }
  assertEquals(Object.keys(schema.properties).includes("sys"), false);
});
