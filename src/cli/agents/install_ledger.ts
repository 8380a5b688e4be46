/** What was installed for an agent: the texts before and after, so that it can be taken back exactly. */
import { createHash } from "node:crypto";
import { join } from "node:path/posix";
import * as v from "valibot";
import type { AgentScope } from "./agent_names.ts";
import { AGENTS } from "./agent_names.ts";
import { replaceFile } from "../replace_file.ts";
import { readText } from "./config_file.ts";

const change = v.object({
  kind: v.picklist(["set", "add"]),
  path: v.array(v.string()),
  value: v.unknown(),
});

const EntrySchema = v.object({
  version: v.literal(1),
  agent: v.picklist(AGENTS),
  mode: v.picklist(["transparent", "strict"]),
  files: v.array(v.object({
    path: v.string(),
    format: v.picklist(["jsonc", "toml"]),
    /** Null where there was no file. */
    before: v.nullable(v.string()),
    after: v.string(),
    changes: v.array(change),
  })),
  links: v.array(v.object({ path: v.string(), target: v.string() })),
});

/** What was installed. */
export type LedgerEntry = v.InferOutput<typeof EntrySchema>;

/** One file of it. */
export type LedgerFile = LedgerEntry["files"][number];

/** Where the entry of an agent lies: in the state directory, because the texts may hold tokens of the agent. */
export function ledgerPath(
  state: string,
  { agent, scope, project }: {
    readonly agent: string;
    readonly scope: AgentScope;
    readonly project: string;
  },
): string {
  const place = scope === "user"
    ? "user"
    : createHash("sha256").update(project).digest("hex").slice(0, 16);
  return join(state, "agents", `${agent}-${place}.json`);
}

/** The entry, null where nothing was installed. @throws {Error} when the file cannot be read as one. */
export function readLedger(path: string): LedgerEntry | null {
  const text = readText(path);
  if (text === null) return null;
  try {
    return v.parse(EntrySchema, JSON.parse(text));
  } catch {
    throw new Error(`Cannot use "${path}": it is no record of an installation`);
  }
}

/** Keep an entry, readable for its owner alone. */
export function writeLedger(path: string, entry: LedgerEntry): void {
  const text = JSON.stringify(entry, null, 2) + "\n";
  replaceFile(path, { now: readText(path), text, mode: 0o600, within: null });
}
