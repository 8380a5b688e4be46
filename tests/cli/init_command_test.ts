/** `debrief init`, end to end. */
import { assertEquals, assertMatch, assertStringIncludes } from "@std/assert";
import { TestPlace } from "../session/test_session.ts";
import { runDebrief } from "./run_debrief.ts";

const CONFIG = '[remote "origin"]\n\turl = https://github.com/a/b.git\n';

function read(place: TestPlace, name: string): string | null {
  try {
    return Deno.readTextFileSync(place.at(name));
  } catch {
    return null;
  }
}

Deno.test("debrief init writes a policy that passes its check, and notes for agents, once", async () => {
  using place = new TestPlace();
  place.write("work/package.json", '{"scripts":{"test":"x"}}');
  place.write("work/Cargo.toml", "");
  place.write("work/.git/config", CONFIG);
  place.write("work/AGENTS.md", "# Mine\n\nBe brief.\n");
  const policy = "home/.config/debrief/projects/work.jsonc";
  const shown = await runDebrief(["init", "--dry-run"], { place });
  assertEquals([shown.code, read(place, policy)], [0, null]);
  assertMatch(
    shown.stdout,
    /^found: npm \(package\.json\), cargo \(Cargo\.toml\), git remote github/,
  );
  assertMatch(shown.stdout, /\n\+ {6}"registry\.npmjs\.org:443",\n/);
  assertEquals(read(place, "work/AGENTS.md"), "# Mine\n\nBe brief.\n");
  const unasked = await runDebrief(["init"], { place });
  assertEquals([unasked.code, read(place, policy)], [2, null]);
  assertStringIncludes(unasked.stderr, "--yes");
  const written = await runDebrief(["init", "--yes"], { place });
  assertEquals(written.code, 0);
  assertEquals(Deno.statSync(place.at(policy)).mode! & 0o777, 0o600);
  const check = await runDebrief(["policy", "check", place.at(policy), "--json"], { place });
  assertEquals(JSON.parse(check.stdout).files, [
    "built-in:readonly",
    "built-in:default",
    place.at(policy),
  ]);
  const notes = read(place, "work/AGENTS.md") ?? "";
  assertMatch(
    notes,
    /^# Mine\n\nBe brief\.\n\n<!-- debrief: begin -->\n[^]*`npm test`[^]*<!-- debrief: end -->\n$/,
  );
  const again = await runDebrief(["init", "--yes"], { place });
  assertMatch(again.stdout, /\nnothing to change\n/);
  assertEquals(read(place, "work/AGENTS.md"), notes);
});

Deno.test("debrief init replaces no policy without --force, and only its own part of the notes", async () => {
  using place = new TestPlace();
  place.write("work/go.mod", "");
  const path = place.write(
    "home/.config/debrief/projects/mine.jsonc",
    '{ "extends": "offline" }\n',
  );
  place.write(
    "work/AGENTS.md",
    "before\n<!-- debrief: begin -->\nold\n<!-- debrief: end -->\nafter\n",
  );
  const words = ["init", "--yes", "--name", "mine"];
  const refused = await runDebrief(words, { place });
  assertEquals(refused.code, 2);
  assertStringIncludes(refused.stderr, "there is another policy; --force replaces it");
  assertEquals(Deno.readTextFileSync(path), '{ "extends": "offline" }\n');
  assertStringIncludes(read(place, "work/AGENTS.md") ?? "", "old");
  const forced = await runDebrief([...words, "--force", "--json"], { place });
  const report = JSON.parse(forced.stdout);
  assertEquals([report.written, report.files.map(({ state }: { state: string }) => state)], [
    true,
    ["changed", "changed"],
  ]);
  assertStringIncludes(Deno.readTextFileSync(path), "proxy.golang.org:443");
  assertMatch(
    read(place, "work/AGENTS.md") ?? "",
    /^before\n<!-- debrief: begin -->\n\n## Commands[^]*-->\nafter\n$/,
  );
});

Deno.test("debrief init writes through no link, and takes no path for a name", async () => {
  using place = new TestPlace();
  place.write("home/precious", "precious\n");
  Deno.symlinkSync(place.at("home/precious"), place.at("work/AGENTS.md"));
  const linked = await runDebrief(["init", "--yes"], { place });
  assertEquals(linked.code, 2);
  assertStringIncludes(linked.stderr, "no regular file");
  assertEquals(read(place, "home/precious"), "precious\n");
  const named = await runDebrief(["init", "--yes", "--name", "../x"], { place });
  assertEquals(named.code, 2);
});

Deno.test("debrief init says nothing of hosts where it finds none, and its policy passes too", async () => {
  using place = new TestPlace();
  await runDebrief(["init", "--yes"], { place });
  const policy = place.at("home/.config/debrief/projects/work.jsonc");
  assertEquals(Deno.readTextFileSync(policy).includes('"net"'), false);
  const check = await runDebrief(["policy", "check", policy], { place });
  assertMatch(check.stdout, /work\.jsonc: /);
  assertEquals(check.stderr, "");
});

Deno.test("debrief init shows nothing of a project that moves the cursor or hides text", async () => {
  using place = new TestPlace();
  place.write("work/AGENTS.md", "# \u001b[8mMine\u001b[A\r\u202ebe\tbrief\n");
  const { stdout } = await runDebrief(["init", "--dry-run"], { place });
  assertStringIncludes(stdout, " # \\e[8mMine\\e[A\\r\\u{202e}be\tbrief\n");
});
