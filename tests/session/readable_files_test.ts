import { assert, assertEquals } from "@std/assert";
import { readableFiles } from "../../src/session/readable_files.ts";
import { TestSession } from "./test_session.ts";

Deno.test("readableFiles reads files and lists directories of the workspace", async () => {
  await using session = new TestSession();
  session.place.write("work/src/a.json", "{}");
  const files = readableFiles(session.context);
  assertEquals(files.names(session.place.at("work/src")), ["a.json"]);
  assertEquals(files.text(session.place.at("work/src/a.json")), "{}");
  assertEquals(files.text(session.place.at("work/src")), null);
  assertEquals(files.names(session.place.at("work/nosuch")), null);
});

Deno.test("readableFiles gives nothing that commands may not read, also through a link", async () => {
  await using session = new TestSession();
  const { place } = session;
  place.write("outside/secret.json", "secret");
  place.write("work/own.json", "own");
  Deno.symlinkSync(place.at("outside"), place.at("work/link"));
  Deno.symlinkSync(place.at("outside/secret.json"), place.at("work/secret.json"));
  Deno.symlinkSync("own.json", place.at("work/inside.json"));
  const files = readableFiles(session.context);
  assertEquals(files.names(place.at("outside")), null);
  assertEquals(files.names(place.at("work/link")), null);
  assertEquals(files.text(place.at("outside/secret.json")), null);
  assertEquals(files.text(place.at("work/secret.json")), null);
  assertEquals(files.text(place.at("work/link/secret.json")), null);
  assertEquals(files.text("/proc/self/environ"), null);
  // The control: what it leads to may be read.
  assertEquals(files.text(place.at("work/inside.json")), "own");
});

Deno.test("readableFiles reads no denied file, no FIFO and no large file, and ends its looking", async () => {
  await using session = new TestSession({
    policyText: '{ "extends": "default", "read": { "deny": ["$WORKSPACE/private"] } }',
  });
  const { place } = session;
  place.write("work/private/a.json", "private");
  place.write("work/large.json", "x".repeat(300_000));
  place.write("work/small.json", "small");
  const { success } = new Deno.Command("mkfifo", { args: [place.at("work/pipe")] }).outputSync();
  assert(success);
  const files = readableFiles(session.context);
  assertEquals(files.text(place.at("work/private/a.json")), null);
  assertEquals(files.text(place.at("work/pipe")), null);
  assertEquals(files.text(place.at("work/large.json")), null);
  assertEquals(files.text(place.at("work/small.json")), "small");
  for (let at = 0; at < 400; at++) files.text(place.at(`work/${at}`));
  assertEquals(files.text(place.at("work/small.json")), null);
});

Deno.test("a suggestion names no file that commands may not list", async () => {
  await using session = new TestSession();
  session.place.write("outside/config.json", "x");
  session.place.write("work/config.json", "x");
  const texts = async (line: string) =>
    (await session.run(line)).record.suggestions.map(({ text }) => text).join("\n");
  assert((await texts("cat confg.json")).includes("`cat config.json`"));
  assertEquals(await texts(`cat ${session.place.at("outside")}/confg.json`), "");
});
