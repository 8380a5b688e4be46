/** What no policy grants, not even the one that grants everything. */
import { join } from "node:path";
import { assertEquals } from "@std/assert";
import { type Case, compileProbes, refuses } from "./attempt.ts";
import { SET_ID_CASES } from "./file_cases.ts";
import { listeners } from "./listeners.ts";
import { NETWORK_CASES } from "./network_cases.ts";
import { KERNEL_CASES, PROCESS_CASES, SIGNAL_CASES } from "./process_cases.ts";
import { Place } from "./place.ts";
import { InstalledProgram } from "./program.ts";
import { jailTest, users } from "./sandbox_users.ts";

/** Settings of the kernel and Debrief's own state. What the host would suffer from is only opened. */
const CLOSED_CASES: readonly Case[] = [
  { in: "reading the journal", try: "cat $STATE/journal.jsonl" },
  { in: "appending to the journal", try: "echo '{}' >>$STATE/journal.jsonl" },
  { in: "reading the journal's key", try: "cat $STATE/key" },
  { in: "renaming the state directory", try: "mv $STATE $STATE.moved && mv $STATE.moved $STATE" },
  { in: "renaming its parent", try: "mv $ROOT/state $ROOT/moved && mv $ROOT/moved $ROOT/state" },
  { in: "reading it by /proc/self/root", try: "cat /proc/self/root$STATE/journal.jsonl" },
  { in: "a hard link to the journal", try: "ln $STATE/journal.jsonl j && cat j" },
  { in: "core_pattern", try: "exec 9>>/proc/sys/kernel/core_pattern", control: "root" },
  { in: "printk's levels", try: "exec 9>>/proc/sys/kernel/printk", control: "root" },
  { in: "/proc/sys/vm", try: "exec 9>>/proc/sys/vm/swappiness", control: "root" },
  { in: "its own oom score", try: "echo 0 >/proc/self/oom_score_adj" },
  { in: "/sys", try: "exec 9>>/sys/kernel/mm/transparent_hugepage/enabled", control: "root" },
];

Deno.test({
  ...jailTest("the jail of the open policy refuses", ["gcc", "python3"]),
  fn: async (t) => {
    await using installed = await InstalledProgram.create();
    const [user] = users();
    await using place = await Place.create(installed, user!);
    await compileProbes(place);
    await using open = await listeners(place);
    await using other = place.idle();
    await place.debrief(["-c", "true"]);
    const variables = {
      ...open.variables,
      OTHER: String(other.pid),
      STATE: join(place.root, "state/debrief"),
    };
    const tables = {
      "kernel and state": CLOSED_CASES,
      "the network": NETWORK_CASES,
      "set-id bits": SET_ID_CASES,
      "other processes": PROCESS_CASES,
      "signals": SIGNAL_CASES,
      "the kernel's doors": KERNEL_CASES,
    };
    await refuses(t, tables, { place, user: user!, variables, args: ["--policy", "open"] });
    await t.step("but not what it grants: TCP, UDP, files outside", async () => {
      const command = `cat ${place.root}/outside/secret && echo x >${place.root}/outside/new && ` +
        `exec 8<>/dev/tcp/127.0.0.1/${variables.PORT} 9<>/dev/udp/127.0.0.1/${variables.UDP_PORT}`;
      const { code, stderr } = await place.debrief(["--policy", "open", "-c", command]);
      assertEquals(code, 0, stderr);
    });
  },
});
