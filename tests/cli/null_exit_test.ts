/** Refuse on null: no printer shows a missing exit status as a success, whatever else a record says. */
import { assert, assertEquals, assertMatch } from "@std/assert";
import { Journal } from "../../src/record/journal.ts";
import { Printer } from "../../src/cli/printer.ts";
import { close, open } from "../../src/sandbox/linux/ffi.ts";
import { OPEN } from "../../src/sandbox/linux/uapi.ts";
import { buildBlock } from "../../src/feedback/block.ts";
import { renderJson, renderText } from "../../src/feedback/render.ts";
import { judge } from "../../src/record/gate.ts";
import { type CommandRecord, OUTCOME_KINDS } from "../../src/record/record.ts";
import { renderGateGithub, renderGateText } from "../../src/record/render_gate.ts";
import { renderLogJson, renderLogText } from "../../src/record/render_log.ts";
import { sample } from "../record/sample.ts";
import { jailTest } from "../sandbox/require_sandbox.ts";
import { TestPlace } from "../session/test_session.ts";
import { runDebrief } from "./run_debrief.ts";

const NONCE = "0badcafe";

/** Records as a changed journal or a later mistake might hold them. */
const RECORDS: readonly CommandRecord[] = OUTCOME_KINDS.flatMap((kind) =>
  [null, "SIGTERM"].flatMap((signal) =>
    [null, "timed out"].map((error) => ({
      ...sample(),
      prev: null,
      task_id: "t",
      exit_code: null,
      signal,
      error,
      outcome: { kind, reason: "exit status 0" },
    }))
  )
);

const GOOD: CommandRecord = { ...sample(), prev: null, task_id: "t" };

/** What says success in a form for people. */
const SUCCESS = /\u2713|\bok\b|\bexit 0\b|passed:| {2}0 {2}|succeeded/;

function report(record: CommandRecord) {
  const rules = { required: ["echo hello"], strict: false, acceptRetried: true };
  return judge([record], { rules, others: [] });
}

function printed(record: CommandRecord, options: { format: "text" | "json"; block: boolean }) {
  // What goes to a file is written at once.
  const path = Deno.makeTempFileSync();
  const fd = open(path, OPEN.WRONLY);
  const printer = new Printer({
    blockFd: options.block ? fd : null,
    format: options.format,
    nonce: NONCE,
    color: false,
    descriptors: { stdout: fd, stderr: fd },
  });
  const block = buildBlock({ record, notices: [] });
  printer.print({ kind: "finished", record, block, exitStatus: 1, endsSession: false });
  const text = Deno.readTextFileSync(path);
  close(fd);
  Deno.removeSync(path);
  return text;
}

/** Every printer for people. */
const FOR_PEOPLE: Readonly<Record<string, (record: CommandRecord) => string>> = {
  "the block": (record) => renderText(buildBlock({ record }), { nonce: NONCE, color: false }),
  "the coloured block": (record) => {
    const text = renderText(buildBlock({ record }), { nonce: NONCE, color: true });
    return text.includes("\u001b[32m") ? `ok ${text}` : text;
  },
  "Printer": (record) => printed(record, { format: "text", block: true }),
  "the log": (record) => renderLogText([record]),
  "the gate": (record) => renderGateText(report(record)),
  "the gate's annotations": (record) => renderGateGithub(report(record)),
};

/** Every printer for programs, with the field that tells success. */
const FOR_PROGRAMS: Readonly<Record<string, (record: CommandRecord) => readonly unknown[]>> = {
  "the block": (record) => {
    const { exit_code, level } = JSON.parse(renderJson(buildBlock({ record })));
    return [exit_code === 0, level === "success"];
  },
  "Printer": (record) => {
    const { exit_code, level } = JSON.parse(printed(record, { format: "json", block: true }));
    return [exit_code === 0, level === "success"];
  },
  "the log": (record) => [JSON.parse(renderLogJson([record])).exit_code === 0],
  "the gate": (record) => {
    const { passed, required } = report(record);
    return [passed, required[0]?.state === "passed"];
  },
};

for (const [name, print] of Object.entries(FOR_PEOPLE)) {
  Deno.test(`${name} shows no missing exit status as success`, () => {
    assertMatch(print(GOOD), SUCCESS);
    for (const record of RECORDS) {
      const text = print(record);
      assert(!SUCCESS.test(text), `${JSON.stringify(record.outcome)}\n${text}`);
    }
  });
}

for (const [name, print] of Object.entries(FOR_PROGRAMS)) {
  Deno.test(`${name} in JSON gives no missing exit status as success`, () => {
    assertEquals(new Set(print(GOOD)), new Set([true]));
    for (const record of RECORDS) {
      assertEquals(new Set(print(record)), new Set([false]), JSON.stringify(record.outcome));
    }
  });
}

Deno.test("Printer without a block says why there is no exit status", () => {
  assertEquals(printed(GOOD, { format: "text", block: false }), "");
  for (const record of RECORDS) {
    assertMatch(printed(record, { format: "text", block: false }), /^debrief: \S/);
  }
});

jailTest("no command of Debrief counts a missing exit status as success", async () => {
  using place = new TestPlace();
  const write = (id: string, exit_code: number | null) => {
    using journal = Journal.open({ directory: place.at("state/debrief") });
    const outcome = { kind: "success", reason: "ok" } as const;
    journal.append(sample({ command_id: id, task_id: id, exit_code, outcome }));
  };
  write("c1aaaaaa", 0);
  write("c2aaaaaa", null);
  const ask = async (id: string) => {
    const [log, show, chain, gate, output] = await Promise.all([
      ["log", "--task", id],
      ["show", id],
      ["chain", id],
      ["gate", "--task", id, "--require", "echo hello"],
      ["log", "--task", id, "--status", "0"],
    ].map((args) => runDebrief(args, { place })));
    return {
      log: SUCCESS.test(log!.stdout),
      show: JSON.parse(show!.stdout).exit_code === 0,
      chain: SUCCESS.test(chain!.stdout),
      gate: gate!.code === 0 && SUCCESS.test(gate!.stdout),
      filter: output!.stdout !== "",
    };
  };
  const all = (value: boolean) => ({
    log: value,
    show: value,
    chain: value,
    gate: value,
    filter: value,
  });
  assertEquals(await ask("c1aaaaaa"), all(true));
  assertEquals(await ask("c2aaaaaa"), all(false));
});

jailTest("a run without an exit status ends with a status other than 0", async () => {
  using place = new TestPlace();
  const policy = place.write("deny.jsonc", '{"extends":"default","run":{"deny":["curl"]}}');
  const runs = [
    ["-c", "echo 'open"],
    ["--policy", policy, "-c", "curl x"],
    ["--timeout", "200ms", "-c", "sleep 30"],
    ["--", "nosuch"],
  ];
  const codes = await Promise.all(
    runs.map(async (args) => (await runDebrief(args, { place })).code),
  );
  const { stdout } = await runDebrief(["log", "--json", "--status", "null"], { place });
  assertEquals(stdout.trimEnd().split("\n").length, runs.length);
  assertEquals(codes.filter((code) => code === 0), []);
});
