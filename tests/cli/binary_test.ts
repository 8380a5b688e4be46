/** What only the compiled program does: it is on the commands' PATH, and it protects its own file. */
import { assertEquals, assertMatch, assertStringIncludes } from "@std/assert";
import { jailTest } from "../sandbox/require_sandbox.ts";
import { TestPlace } from "../session/test_session.ts";
import { runDebrief, runWithDebrief } from "./run_debrief.ts";

const BINARY = Deno.env.get("DEBRIEF_BINARY") ?? "";

function binaryTest(name: string, run: () => Promise<void>): void {
  if (BINARY) jailTest(name, run);
  else Deno.test({ name: `${name} (ignored: DEBRIEF_BINARY is not set)`, ignore: true, fn: run });
}

binaryTest(
  "a command reads the records of its session, and of no other, with debrief itself",
  async () => {
    using place = new TestPlace();
    await runDebrief(["-c", "echo foreign"], { place });
    const foreign = place.records().at(-1)!.command_id;
    const script = `
    debrief --json -c 'seq 5' >/dev/null 2>../block; id=$(grep -o 'c[0-9a-z]\\{7\\}' ../block | head -n 1)
    debrief --block off -c "debrief output $id --tail 1 | sed s/^/last:/"
    debrief --block off -c 'debrief log | wc -l'
    debrief --block off -c "debrief output ${foreign}"
    debrief --block off -c 'debrief log --verify >/dev/null; ls $DEBRIEF_COPIES/..; touch $DEBRIEF_COPIES/x'
  `;
    const { stdout, stderr } = await runWithDebrief(script, { place });
    assertMatch(stdout, /^last:5\n\d+\n/);
    assertEquals(stdout.includes("foreign"), false);
    assertStringIncludes(stderr, `Cannot find command "${foreign}"`);
    assertStringIncludes(stderr, "Permission denied");
    assertEquals([place.leftovers(), [...Deno.readDirSync(place.at("state/debrief/copies"))]], [
      [],
      [],
    ]);
  },
);

binaryTest("a Debrief inside a Debrief runs, and prints no block", async () => {
  using place = new TestPlace();
  const { code, stdout, stderr } = await runDebrief(
    ["--block", "off", "-c", "debrief -c 'echo inner; exit 4'"],
    { place },
  );
  assertEquals({ code, stdout, stderr }, { code: 4, stdout: "inner\n", stderr: "" });
  // The outer record covers the whole.
  assertEquals(place.records().map(({ exit_code }) => exit_code), [4]);
});

binaryTest(
  "the program is put back when a command, or what it left running, replaced it",
  async () => {
    using place = new TestPlace();
    const own = place.at("work/debrief");
    Deno.copyFileSync(BINARY, own);
    Deno.chmodSync(own, 0o755);
    const size = Deno.statSync(own).size;
    const run = async (script: string) => {
      const child = new Deno.Command("bash", {
        args: ["-c", script],
        cwd: place.at("work"),
        clearEnv: true,
        env: place.environment,
        stdin: "null",
        stdout: "piped",
        stderr: "piped",
      });
      const { stdout, stderr } = await child.output();
      return new TextDecoder().decode(stdout) + new TextDecoder().decode(stderr);
    };
    const scripts = [
      `./debrief -c 'mv debrief away; echo evil >debrief; chmod +x debrief'`,
      `./debrief -c 'rm debrief; ln -s /bin/true debrief'`,
      `./debrief -c 'cp debrief copy; chmod 600 copy; mv copy debrief'`,
      // In a session the job replaces it behind its command's own check.
      `printf '(sleep 0.2; rm debrief; sleep 60) >/dev/null 2>&1 &\\nwhile [ -e debrief ]; do sleep 0.05; done\\n' | ./debrief`,
      `(printf 'true\\n(while [ ! -e go ]; do sleep 0.02; done; rm debrief; touch done; sleep 60) >/dev/null 2>&1 & true\\n'; sleep 0.5; touch go; until [ -e done ]; do sleep 0.02; done) | ./debrief`,
    ];
    for (const script of scripts) {
      const text = await run(script);
      const info = Deno.lstatSync(own);
      assertEquals(
        [info.isFile, info.size, info.mode! & 0o777],
        [true, size, 0o755],
        `${script}\n${text}`,
      );
    }
    assertStringIncludes(await run(`./debrief -c 'rm debrief'`), `restored: `);
    assertEquals(await run("./debrief --block off -c 'echo works'"), "works\n");
  },
);
