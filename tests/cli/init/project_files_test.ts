import { assertEquals, assertThrows } from "@std/assert";
import { join } from "node:path/posix";
import { projectText, wholeText } from "../../../src/cli/init/project_files.ts";
import { UsageError } from "../../../src/errors.ts";

function inDirectory(body: (at: (name: string) => string) => void): () => void {
  return () => {
    const directory = Deno.realPathSync(Deno.makeTempDirSync({ prefix: "debrief-init-" }));
    try {
      Deno.writeTextFileSync(join(directory, "precious"), "precious");
      body((name) => join(directory, name));
    } finally {
      Deno.removeSync(directory, { recursive: true });
    }
  };
}

Deno.test(
  "projectText reads regular files that no link leads to",
  inDirectory((at) => {
    assertEquals(projectText(at("precious")), "precious");
    Deno.symlinkSync("precious", at("link"));
    Deno.mkdirSync(at("real"));
    Deno.writeTextFileSync(at("real/file"), "x");
    Deno.symlinkSync("real", at("way"));
    for (const name of ["absent", "link", "real", "way/file"]) {
      assertEquals(projectText(at(name)), null, name);
    }
    assertEquals(projectText("/dev/zero"), null);
    Deno.writeTextFileSync(at("large"), "x".repeat(300_000));
    assertEquals(projectText(at("large"))?.length, 262_144);
  }),
);

Deno.test(
  "wholeText refuses what it cannot read whole, since the rest would be lost",
  inDirectory((at) => {
    assertEquals(wholeText(at("absent")), null);
    assertEquals(wholeText(at("precious")), "precious");
    Deno.symlinkSync("precious", at("link"));
    Deno.writeTextFileSync(at("large"), "x".repeat(262_144));
    Deno.writeFileSync(at("bytes"), new Uint8Array([0xff]));
    for (const name of ["link", "large", "bytes", "."]) {
      assertThrows(() => wholeText(at(name)), UsageError, "Cannot write", name);
    }
  }),
);
