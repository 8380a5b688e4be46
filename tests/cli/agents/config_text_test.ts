/** Changing a configuration keeps everything else of its text. */
import { assertEquals, assertThrows } from "@std/assert";
import {
  assignInText,
  type ConfigFormat,
  readConfig,
} from "../../../src/cli/agents/config_text.ts";

interface Row {
  readonly name: string;
  readonly format: ConfigFormat;
  readonly path: readonly string[];
  readonly value: unknown;
  readonly in: string;
  readonly want: string;
}

const ROWS: readonly Row[] = [
  {
    name: "an empty file",
    format: "jsonc",
    path: ["a", "b"],
    value: [1],
    in: "",
    want: '{\n  "a": {\n    "b": [\n      1\n    ]\n  }\n}\n',
  },
  {
    name: "comments, neighbours, odd spaces and a trailing comma",
    format: "jsonc",
    path: ["shell"],
    value: "/x",
    in: '{\n\t// mine\n\t"n":   { "a": 1 }, /* keep */\n}\n',
    want: '{\n\t// mine\n\t"n":   { "a": 1 },\n\t"shell": "/x", /* keep */\n}\n',
  },
  {
    name: "an object in one line",
    format: "jsonc",
    path: ["env", "S"],
    value: "/x",
    in: '{"model":"m","env":{"A":"1"}}',
    want: '{"model":"m","env":{"A":"1","S": "/x"}}',
  },
  {
    name: "a key under one that is there",
    format: "jsonc",
    path: ["mcp", "debrief"],
    value: { command: ["/x"] },
    in: '{\n    "mcp": {\n        "other": {}\n    }\n}\n',
    want:
      '{\n    "mcp": {\n        "other": {},\n        "debrief": {\n            "command": [\n                "/x"\n            ]\n        }\n    }\n}\n',
  },
  {
    name: "one more element, after a comment",
    format: "jsonc",
    path: ["deny"],
    value: ["a", "b"],
    in: '{\n  "deny": [\n    // why\n    "a"\n  ]\n}\n',
    want: '{\n  "deny": [\n    // why\n    "a",\n    "b"\n  ]\n}\n',
  },
  {
    name: "another value",
    format: "jsonc",
    path: ["shell"],
    value: "/y",
    in: '{ "shell": "/x" } // end',
    want: '{ "shell": "/y" } // end',
  },
  {
    name: "lines that end as on Windows",
    format: "jsonc",
    path: ["b"],
    value: 2,
    in: '{\r\n  "a": 1\r\n}\r\n',
    want: '{\r\n  "a": 1,\r\n  "b": 2\r\n}\r\n',
  },
  {
    name: "a table at the end",
    format: "toml",
    path: ["mcp_servers", "debrief"],
    value: { command: "/x", args: ["mcp"] },
    in: '# mine\nmodel = "m" # keep\n\n[mcp_servers.other]\ncommand = "o"   # odd',
    want:
      '# mine\nmodel = "m" # keep\n\n[mcp_servers.other]\ncommand = "o"   # odd\n\n[mcp_servers.debrief]\ncommand = "/x"\nargs = [ "mcp" ]\n',
  },
  {
    name: "a key of a table",
    format: "toml",
    path: ["features", "shell_tool"],
    value: false,
    in: "[features]\n# about\nweb = true\n\n[other]\na = 1979-05-27T07:32:00Z\n",
    want:
      "[features]\n# about\nweb = true\nshell_tool = false\n\n[other]\na = 1979-05-27T07:32:00Z\n",
  },
  {
    name: "a key that needs quotes",
    format: "toml",
    path: ["hooks", "state", "/h/.codex/hooks.json:pre_tool_use:0:0"],
    value: { trusted_hash: "sha256:0" },
    in: "",
    want: '[hooks.state."/h/.codex/hooks.json:pre_tool_use:0:0"]\ntrusted_hash = "sha256:0"\n',
  },
];

for (const { name, format, path, value, in: text, want } of ROWS) {
  Deno.test(`assignInText changes ${format} and keeps the rest: ${name}`, () => {
    assertEquals(assignInText(text, { format, assignment: { path, value } }), want);
  });
}

Deno.test("assignInText finds a place in TOML where a table at the end is not allowed", () => {
  const text = 'mcp_servers = { other = { command = "o" } }\nmodel = "m"\n';
  const assignment = { path: ["mcp_servers", "debrief"], value: { command: "/x" } };
  const result = assignInText(text, { format: "toml", assignment });
  assertEquals(readConfig(result, "toml"), {
    mcp_servers: { other: { command: "o" }, debrief: { command: "/x" } },
    model: "m",
  });
});

Deno.test("assignInText takes a key away", () => {
  const assignment = { path: ["a"], value: undefined };
  assertEquals(
    readConfig(assignInText('{"a":1,"b":2}', { format: "jsonc", assignment }), "jsonc"),
    { b: 2 },
  );
  assertEquals(assignInText("a = 1\nb = 2\n", { format: "toml", assignment }).trim(), "b = 2");
});

Deno.test("readConfig names the line of a mistake, and refuses what is no table", () => {
  for (
    const { text, format, want } of [
      { text: '{\n "a": 1\n "b": 2\n}', format: "jsonc", want: "line 3" },
      { text: "[1]", format: "jsonc", want: "no table" },
      { text: "a = = 1", format: "toml", want: "" },
    ] as const
  ) {
    assertThrows(() => readConfig(text, format), Error, want);
  }
  assertEquals(readConfig("", "jsonc"), {});
});

Deno.test("assignInText refuses a place below what is no table", () => {
  const assignment = { path: ["permission", "bash"], value: "deny" };
  assertThrows(
    () => assignInText('{"permission":"ask"}', { format: "jsonc", assignment }),
    Error,
    'Cannot change "permission.bash": "permission" is no table of keys',
  );
});
