import { assertEquals } from "@std/assert";
import { runProgram } from "../../src/cli/run_program.ts";

Deno.test("runProgram() leaves to main.ts what runs no command", async () => {
  for (const args of [["--version"], ["--help"], ["log"], ["log", "--help"]]) {
    assertEquals(await runProgram(args), null, args.join(" "));
  }
});
