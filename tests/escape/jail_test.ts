/** What the default policy's jail refuses, as root and as an ordinary user, and what succeeds without the jail. */
import { assertMatch } from "@std/assert";
import { join } from "node:path";
import { type Case, compileProbes, refuses } from "./attempt.ts";
import {
  METADATA_CASES,
  OWN_FILE_CASES,
  READ_CASES,
  SET_ID_CASES,
  WRITE_CASES,
} from "./file_cases.ts";
import { listeners } from "./listeners.ts";
import { NO_NETWORK_CASES } from "./network_cases.ts";
import { KERNEL_CASES, PROCESS_CASES, SIGNAL_CASES } from "./process_cases.ts";
import { Place } from "./place.ts";
import { InstalledProgram } from "./program.ts";
import { jailTest, type User, users } from "./sandbox_users.ts";

const TABLES: Readonly<Record<string, readonly Case[]>> = {
  "reading": READ_CASES,
  "writing": WRITE_CASES,
  "metadata": METADATA_CASES,
  "set-id bits": SET_ID_CASES,
  "Debrief's own files": OWN_FILE_CASES,
  "other processes": PROCESS_CASES,
  "signals": SIGNAL_CASES,
  "the kernel's doors": KERNEL_CASES,
  "the network": NO_NETWORK_CASES,
};

/** The state directory as one command leaves it, and the files in it by their jobs. */
async function ownFiles(place: Place, backend: string): Promise<Record<string, string>> {
  await place.write("policy.jsonc", `{ "extends": "default", "backend": "${backend}" }\n`);
  await place.own();
  await place.debrief(["-c", "true"]);
  const state = join(place.root, "state/debrief");
  const names = [...Deno.readDirSync(state)].map((entry) => entry.name);
  const named = (pattern: RegExp) => {
    const found = names.find((name) => pattern.test(name));
    if (found === undefined) throw new Error(`no file like ${pattern} among ${names}`);
    return found;
  };
  return {
    STATE: state,
    KEY: named(/key/),
    LOCK: named(/lock/),
    POLICY: join(place.root, "policy.jsonc"),
    PROGRAM: place.words().at(-1)!,
  };
}

async function tryTables(
  t: Deno.TestContext,
  { installed, user, backend }: {
    readonly installed: InstalledProgram;
    readonly user: User;
    readonly backend: string;
  },
) {
  await using place = await Place.create(installed, user);
  await compileProbes(place);
  await using open = await listeners(place);
  await using other = place.idle();
  const variables = {
    OTHER: String(other.pid),
    ...open.variables,
    ...await ownFiles(place, backend),
  };
  const args = ["--policy", join(place.root, "policy.jsonc")];
  const trial = { place, user, variables, args };
  await refuses(t, TABLES, backend === "bubblewrap" ? { ...trial, outOfSight: UNSEEN } : trial);
  await t.step("another process of the user lives on", () => {
    assertMatch(Deno.readTextFileSync(`/proc/${other.pid}/status`), /^Name:\s+sleep$/m);
    assertMatch(Deno.readTextFileSync(`/proc/${other.pid}/status`), /^State:\s+S/m);
  });
}

/** In namespaces of its own a command meets its own files, processes, network and IPC, not the host's. */
const UNSEEN =
  /^(?:reading|writing|metadata|Debrief's own files|other processes|signals|the network|the kernel's doors: (?:SysV|POSIX)).*/;

/** Programs that each backend's jail and its controls need. */
const BACKENDS = {
  kernel: ["gcc", "python3", "node", "git"],
  bubblewrap: ["gcc", "python3", "node", "git", "bwrap"],
};

for (const [backend, programs] of Object.entries(BACKENDS)) {
  Deno.test({
    ...jailTest(`the jail of the default policy, built by ${backend}, refuses`, programs),
    fn: async (t) => {
      await using installed = await InstalledProgram.create();
      for (const user of users()) {
        await t.step(`as ${user.name}`, (t) => tryTables(t, { installed, user, backend }));
      }
    },
  });
}
