/** A process that appends records: arguments are directory, writer's name, count. Exit 3 tells a refused append. */
import { Journal } from "../../src/record/journal.ts";
import { SystemCallError } from "../../src/errors.ts";
import { sample } from "./sample.ts";

const [directory = "", writer = "", count = "0", size = "0"] = Deno.args;
const journal = Journal.open({ directory });
for (let index = 0; index < Number(count); index++) {
  try {
    journal.append(
      sample({ command_id: `${writer}x${index}`, stdout_tail: "x".repeat(Number(size)) }),
    );
  } catch (error) {
    if (!(error instanceof SystemCallError)) throw error;
    await Deno.stdout.write(new TextEncoder().encode(`${error.errno} ${error.message}\n`));
    Deno.exit(3);
  }
}
journal.close();
