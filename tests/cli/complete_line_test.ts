import { assertEquals } from "@std/assert";
import { completeLine } from "../../src/cli/complete_line.ts";
import { jailTest } from "../sandbox/require_sandbox.ts";
import { TestSession } from "../session/test_session.ts";

jailTest(
  "completeLine() proposes programs, commands of the session, and names that commands may read",
  async () => {
    await using session = new TestSession();
    const { place, context } = session;
    for (
      const name of [
        "work/plain.txt",
        "work/two words",
        "work/dir/in",
        "work/.hidden",
        "outside/x1",
      ]
    ) {
      place.write(name, "");
    }
    place.write("work/es\u001bcape", "");
    await session.run("my_function() { :; }");
    const outside = place.at("outside");
    const rows: readonly { readonly in: string; readonly want: readonly string[] }[] = [
      { in: "my_f", want: ["my_function "] },
      { in: "ls | my_f", want: ["my_function "] },
      { in: "basena", want: ["basename "] },
      { in: "debrief ki", want: ["kill "] },
      {
        in: "debrief ",
        want: [
          "chain ",
          "jobs ",
          "kill ",
          "log ",
          "output ",
          "run --background -- ",
          "send ",
          "show ",
        ],
      },
      { in: "cat pl", want: ["plain.txt "] },
      { in: "cat tw", want: ["two\\ words "] },
      { in: "cat two\\ w", want: ["two\\ words "] },
      { in: "cat < di", want: ["dir/"] },
      { in: "cat dir/", want: ["dir/in "] },
      { in: "cat es", want: [] },
      { in: "cat .hi", want: [".hidden "] },
      { in: "cat 'pl", want: [] },
      { in: `cat ${outside}/`, want: [] },
      { in: "cat dir/../../outside/", want: [] },
      { in: "cat ~/../outside/x", want: [] },
    ];
    for (const { in: line, want } of rows) assertEquals(completeLine(line, context)[0], want, line);
  },
);
