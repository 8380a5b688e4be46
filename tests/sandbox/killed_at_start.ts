/**
 * A shell that is killed while a process of its jail waits for it before executing anything: `killed_at_start.ts SECONDS`,
 * of which a command sleeps that many beside it.
 */
import { livingWith } from "../complaints/living_processes.ts";
import { TestJail } from "./test_jail.ts";

const [seconds = ""] = Deno.args;
const jailed = await TestJail.start({ order: () => ({ watched: true, announced: true }) });
jailed.run(["sleep", seconds]);
while (livingWith(seconds).length === 0) await new Promise((resolve) => setTimeout(resolve, 10));
console.log("up");
jailed.supervision.onChild = () => Deno.kill(Deno.pid, "SIGKILL");
await jailed.run(["true"]);
