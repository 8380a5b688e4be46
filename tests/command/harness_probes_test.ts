import { assertEquals } from "@std/assert";
import { isProbe } from "../../src/command/harness_probes.ts";

const SNAPSHOT =
  'SNAPSHOT_FILE=/home/u/.claude/shell-snapshots/snapshot-bash-1795326065507-ugvf7p.sh\n      echo x >| "$SNAPSHOT_FILE"\n';

Deno.test("isProbe() knows what agents ask a shell at their start, and nothing else", async (t) => {
  const cases = [
    { in: "env", letters: "c", want: true },
    { in: "echo $PATH", letters: "cli", want: true },
    { in: SNAPSHOT, letters: "cl", want: true },
    { in: "env | sort", letters: "c", want: false },
    { in: "env; rm x", letters: "cli", want: false },
    { in: "echo $PATH", letters: "cl", want: false },
    { in: "echo $PATH; rm x", letters: "cli", want: false },
    { in: SNAPSHOT, letters: "c", want: false },
    { in: SNAPSHOT.replace("SNAPSHOT_FILE", "rm x; SNAPSHOT_FILE"), letters: "cl", want: false },
    { in: SNAPSHOT.replace(".sh\n", ".sh rm x\n"), letters: "cl", want: false },
    { in: SNAPSHOT.replace("/home", "$(rm x)"), letters: "cl", want: false },
    { in: "SNAPSHOT_FILE=/etc/passwd\ncat x", letters: "cl", want: false },
    { in: "SNAPSHOT_FILE=(a b)", letters: "cl", want: false },
    { in: "SNAPSHOT_FILE=/a '", letters: "cl", want: false },
  ];
  for (const { in: source, letters, want } of cases) {
    await t.step(`${letters} ${source.slice(0, 60)}`, () => {
      assertEquals(isProbe(source, new Set(letters)), want);
    });
  }
});
